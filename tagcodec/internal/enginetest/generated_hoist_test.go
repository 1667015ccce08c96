package enginetest

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hoisted comes before the name of a local type in the name that it has in the
// package. Errors do not show it, and what comes before it.
const hoisted = "_of_"

// hoistTypename replaces package typename with one that returns the local names of
// hoisted types.
func hoistTypename(t *testing.T, r *runner) {
	path := filepath.Join(r.root, "internal", "typename", "typename.go")
	source, err := os.ReadFile(path)
	require.NoError(t, err)
	const before = "\t\treturn t.Name()\n"
	require.Contains(t, string(source), before)
	const after = "\t\tif _, local, ok := strings.Cut(t.Name(), \"" + hoisted + "\"); ok {\n\t\t\treturn local\n\t\t}\n" + before
	text := strings.Replace(string(source), before, after, 1)
	text = strings.Replace(text, "import \"reflect\"", "import (\n\t\"reflect\"\n\t\"strings\"\n)", 1)
	r.overlay[path] = filepath.Join(r.dir, "typename.go")
	require.NoError(t, os.WriteFile(r.overlay[path], []byte(text), 0o600))
}

// hoister makes types that are local to functions types of the package.
type hoister struct {
	runner  *runner
	dir     string
	pkg     string // the name of the package, which may be that of its external tests
	files   *token.FileSet
	names   []string // of the types that can have generated code
	imports map[string]bool
	known   map[string]bool // names of the package
}

// hoist replaces the test files of the package with others in which the types are
// hoisted.
func (h *hoister) hoist(t *testing.T) {
	all, err := build.ImportDir(h.dir, 0)
	require.NoError(t, err)
	parsed := map[string]*ast.File{}
	h.known = map[string]bool{}
	for _, name := range slices.Concat(all.TestGoFiles, all.XTestGoFiles) {
		file, err := parser.ParseFile(h.files, filepath.Join(h.dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		if file.Name.Name != h.pkg {
			continue
		}
		parsed[name] = file
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					h.known[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						h.known[s.Name.Name] = true
						if s.TypeParams == nil && !s.Assign.IsValid() && !isInterface(s.Type) {
							h.names = append(h.names, s.Name.Name)
						}
					case *ast.ValueSpec:
						for _, name := range s.Names {
							h.known[name.Name] = true
						}
					}
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(parsed)) {
		h.write(t, name, h.file(t, parsed[name]))
	}
	slices.Sort(h.names)
}

// write adds a file to the package, or replaces it.
func (h *hoister) write(t *testing.T, name string, source []byte) {
	file := filepath.Join(h.runner.dir, h.pkg+"_"+name)
	require.NoError(t, os.WriteFile(file, source, 0o600))
	h.runner.overlay[filepath.Join(h.dir, name)] = file
}

func isInterface(x ast.Expr) bool {
	_, ok := x.(*ast.InterfaceType)
	return ok
}

// edit is the replacement of a part of a file.
type edit struct {
	from, to int
	text     string
}

// file returns the source of a file in which local types are aliases of types at
// its end.
func (h *hoister) file(t *testing.T, file *ast.File) []byte {
	tf := h.files.File(file.Pos())
	source, err := os.ReadFile(tf.Name())
	require.NoError(t, err)
	h.imports = map[string]bool{}
	for _, spec := range file.Imports {
		name := strings.Trim(spec.Path.Value, `"`)
		name = name[strings.LastIndexByte(name, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		h.imports[name] = true
	}
	var edits []edit
	var end strings.Builder
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil || f.Type.TypeParams != nil {
			continue
		}
		prefix := f.Name.Name
		if f.Recv != nil {
			prefix = fmt.Sprintf("method%d%s", len(h.names), prefix)
		}
		local := h.localTypes(f)
		for _, spec := range local {
			name := prefix + hoisted + spec.Name.Name
			text := rename(source, tf, spec.Type, prefix, local)
			fmt.Fprintf(&end, "\ntype %s %s\n", name, text)
			edits = append(edits, edit{tf.Offset(spec.Type.Pos()), tf.Offset(spec.Type.End()), "= " + name})
			if !isInterface(spec.Type) {
				h.names = append(h.names, name)
			}
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.from - a.from })
	for _, e := range edits {
		source = slices.Concat(source[:e.from], []byte(e.text), source[e.to:])
	}
	source, err = format.Source(append(source, end.String()...))
	require.NoError(t, err)
	return source
}

// localTypes returns the types that a function declares and that mean the same
// outside of it. Its names are declared once, and they refer only to each other
// and to what the package knows.
func (h *hoister) localTypes(f *ast.FuncDecl) map[string]*ast.TypeSpec {
	local, twice, hidden := map[string]*ast.TypeSpec{}, map[string]bool{}, map[string]bool{}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if local[n.Name.Name] != nil || n.TypeParams != nil || n.Assign.IsValid() {
				twice[n.Name.Name] = true
			}
			local[n.Name.Name] = n
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); ok && n.Tok == token.DEFINE {
					hidden[id.Name] = true
				}
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				hidden[id.Name] = true
			}
		}
		return true
	})
	maps.DeleteFunc(local, func(name string, _ *ast.TypeSpec) bool { return twice[name] })
	for again := true; again; {
		again = false
		for name, spec := range local {
			for _, id := range names(spec.Type) {
				known := h.known[id.Name] || h.imports[id.Name] || types.Universe.Lookup(id.Name) != nil
				if local[id.Name] == nil && (!known || hidden[id.Name]) {
					delete(local, name)
					again = true
					break
				}
			}
		}
	}
	return local
}

// names returns the identifiers to which an expression of a type refers. They are
// not the names of fields and methods, or those after a package.
func names(x ast.Node) (all []*ast.Ident) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			all = append(all, n)
		case *ast.Field:
			all = append(all, names(n.Type)...)
			return false
		case *ast.SelectorExpr:
			all = append(all, names(n.X)...)
			return false
		}
		return true
	})
	return all
}

// rename returns the source of a type in which local types have their new names.
func rename(source []byte, tf *token.File, x ast.Expr, prefix string, local map[string]*ast.TypeSpec) string {
	from := tf.Offset(x.Pos())
	text := source[from:tf.Offset(x.End())]
	ids := names(x)
	slices.SortFunc(ids, func(a, b *ast.Ident) int { return int(b.Pos() - a.Pos()) })
	for _, id := range ids {
		if local[id.Name] != nil {
			at := tf.Offset(id.Pos()) - from
			text = slices.Concat(text[:at], []byte(prefix+hoisted), text[at:])
		}
	}
	return string(text)
}

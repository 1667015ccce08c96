// Package stale finds out from the source of a package whether the types have
// changed since bp gen wrote their code.
//
// A generated file lists its types, each with a hash of its source: the
// declarations that the type reaches within its package. Comments, positions, the
// order of declarations, and what gofmt changes are not part of the hash. The
// types of other packages are not covered.
package stale

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

// Entry is a type that a generated file lists.
type Entry struct {
	Pos  token.Pos
	Type string // as the package itself writes it
	Hash string
}

// listHead is the first line of the list in a generated file.
const listHead = "// The types of this file, after the hashes of their source:"

// unknown stands for the hash of a type that the package does not declare.
const unknown = "-"

// List returns the list of a generated file, as a comment.
func List(all []Entry) string {
	text := listHead + "\n//\n"
	for _, e := range all {
		if e.Hash == "" {
			e.Hash = unknown
		}
		text += "//\t" + e.Hash + " " + e.Type + "\n"
	}
	return text
}

// listOf returns the comment with the list in a file that has been parsed with
// comments, or nil.
func listOf(file *ast.File) *ast.CommentGroup {
	for _, group := range file.Comments {
		if strings.TrimSpace(group.List[0].Text) == listHead {
			return group
		}
	}
	return nil
}

// Parse parses the part of a generated file that has the list. The rest of the file
// may be anything.
func Parse(files *token.FileSet, name string, text []byte) *ast.File {
	file, _ := parser.ParseFile(files, name, text, parser.ImportsOnly|parser.ParseComments)
	return file
}

// Entries returns the list of a file that has been parsed with comments.
func Entries(file *ast.File) (all []Entry) {
	group := listOf(file)
	if group == nil {
		return nil
	}
	for _, c := range group.List[1:] {
		if hash, typ, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(c.Text, "//")), " "); ok {
			all = append(all, Entry{c.Pos(), typ, hash})
		}
	}
	return all
}

// Head returns the text of a generated file up to the end of the list. The file
// must belong to the package with the given name. If it has no list, Head returns
// the package clause.
func Head(text []byte, pkg string) []byte {
	file := Parse(token.NewFileSet(), "", text)
	if group := listOf(file); group != nil && file.Name.Name == pkg {
		return append(text[:group.End()-file.FileStart:group.End()-file.FileStart], '\n')
	}
	return []byte("package " + pkg + "\n")
}

// Generated reports whether bp gen has written a file, which has been parsed with
// comments.
func Generated(file *ast.File) bool {
	return len(file.Comments) > 0 && file.Comments[0].Pos() < file.Package && strings.TrimSpace(file.Comments[0].List[0].Text) == library.GeneratedHead
}

// Source has the declarations of a package.
type Source struct {
	decls   map[string]*decl
	methods map[string][]method // of types, by name
	unions  map[string][]union  // the calls of RegisterUnion, by the name of the interface
	local   map[string]bool     // the names of types inside functions
}

// decl is the declaration of a type or a constant.
type decl struct {
	pos     token.Pos
	spec    *ast.TypeSpec
	typ     ast.Expr // of a constant
	value   ast.Expr
	iota    int
	imports map[string]string
}

// method is a method of a type that the plan depends on.
type method struct {
	*ast.FuncDecl
	imports map[string]string
}

// union is a call that registers members.
type union struct {
	members []ast.Expr
	imports map[string]string
}

// planMethods are the methods that change the plan of a type. Of MaxBits it is what
// the method returns.
var planMethods = []string{"Serialize", "MaxBits", "MarshalBinary", "AppendBinary", "UnmarshalBinary"}

// New returns the declarations in the files of a package. It leaves out tests and
// generated files.
func New(files *token.FileSet, all []*ast.File) *Source {
	s := &Source{decls: map[string]*decl{}, methods: map[string][]method{}, unions: map[string][]union{}, local: map[string]bool{}}
	for _, file := range all {
		if Generated(file) || strings.HasSuffix(files.Position(file.Package).Filename, "_test.go") {
			continue
		}
		imports := importsOf(file)
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				s.general(d, imports)
			case *ast.FuncDecl:
				if d.Recv != nil && len(d.Recv.List) == 1 && slices.Contains(planMethods, d.Name.Name) {
					name := receiver(d.Recv.List[0].Type)
					s.methods[name] = append(s.methods[name], method{d, imports})
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				s.register(n, imports)
			case *ast.DeclStmt:
				for _, spec := range n.Decl.(*ast.GenDecl).Specs {
					if t, ok := spec.(*ast.TypeSpec); ok {
						s.local[t.Name.Name] = true
					}
				}
			}
			return true
		})
	}
	return s
}

// importsOf returns the import paths of a file by the names of the packages.
func importsOf(file *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		from := strings.Trim(spec.Path.Value, "`\"")
		name := from[strings.LastIndexByte(from, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = from
	}
	return imports
}

// general records the types and constants of a declaration.
func (s *Source) general(d *ast.GenDecl, imports map[string]string) {
	var typ ast.Expr
	var values []ast.Expr
	for i, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.decls[spec.Name.Name] = &decl{pos: spec.Name.Pos(), spec: spec, imports: imports}
		case *ast.ValueSpec:
			if d.Tok != token.CONST {
				continue
			}
			if len(spec.Values) > 0 { // others repeat those before
				typ, values = spec.Type, spec.Values
			}
			for k, name := range spec.Names {
				if k < len(values) {
					s.decls[name.Name] = &decl{pos: name.Pos(), typ: typ, value: values[k], iota: i, imports: imports}
				}
			}
		}
	}
}

// receiver returns the name of the type of a receiver.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.ParenExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	}
	return ""
}

// register records a call of RegisterUnion.
func (s *Source) register(call *ast.CallExpr, imports map[string]string) {
	index, ok := call.Fun.(*ast.IndexExpr)
	if !ok {
		return
	}
	f, ok := index.X.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "RegisterUnion" {
		return
	}
	w := writer{imports: imports}
	w.expr(index.Index)
	if len(w.names) > 0 { // the first is the interface, before its type arguments
		s.unions[w.names[0]] = append(s.unions[w.names[0]], union{call.Args, imports})
	}
}

// Pos returns the place of the declaration of a type, or [token.NoPos].
func (s *Source) Pos(typ string) token.Pos {
	name, _, _ := strings.Cut(typ, "[")
	if d := s.decls[name]; d != nil && d.spec != nil {
		return d.pos
	}
	return token.NoPos
}

// Hash returns the hash of the source of a type, or "" if the package does not
// declare it.
func (s *Source) Hash(typ string) string {
	if s.Pos(typ) == token.NoPos {
		return ""
	}
	root, texts := s.reach(typ)
	h := sha256.New()
	fmt.Fprintf(h, "%q", root)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if text := texts[name]; text != "" { // those of other packages, and predeclared ones, have none
			fmt.Fprintf(h, "%q%q", name, text)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// Types returns the places of the types of the package, by name. It leaves out those
// that share their name with a type inside a function.
func (s *Source) Types() map[string]token.Pos {
	all := map[string]token.Pos{}
	for name, d := range s.decls {
		if d.spec != nil && !s.local[name] {
			all[name] = d.pos
		}
	}
	return all
}

// Places returns the places of the declarations that a type reaches.
func (s *Source) Places(typ string) (all []token.Pos) {
	_, texts := s.reach(typ)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if d := s.decls[name]; d != nil {
			all = append(all, d.pos)
		}
	}
	return all
}

// reach returns the text of a type, and those of the declarations that it reaches,
// by name.
func (s *Source) reach(typ string) (text string, texts map[string]string) {
	e, err := parser.ParseExpr(typ)
	if err != nil {
		return "", nil
	}
	root := &writer{}
	root.expr(e)
	texts = map[string]string{}
	for todo := root.names; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		if _, done := texts[name]; !done {
			w := s.declaration(name)
			texts[name] = w.String()
			todo = append(todo, w.names...)
		}
	}
	return root.String(), texts
}

// declaration writes what declares a name: the type with its methods and the
// members of its union, or the constant.
func (s *Source) declaration(name string) *writer {
	w := &writer{}
	switch d := s.decls[name]; {
	case d == nil:
	case d.spec != nil:
		w.imports = d.imports
		w.typeSpec(d.spec)
		var parts []string
		for _, m := range s.methods[name] {
			in := writer{imports: m.imports}
			in.expr(m.Type)
			if m.Name.Name == "MaxBits" && m.Body != nil {
				in.expr(m.Body)
			}
			parts = append(parts, m.Name.Name+in.String())
			w.names = append(w.names, in.names...)
		}
		slices.Sort(parts)
		fmt.Fprintf(w, "%q", parts)
	default:
		w.imports = d.imports
		w.constant(d)
	}
	var members []string
	for _, u := range s.unions[name] {
		for _, m := range u.members {
			in := writer{imports: u.imports}
			in.expr(m)
			members = append(members, in.String())
			w.names = append(w.names, in.names...)
		}
	}
	slices.Sort(members)
	if len(members) > 0 {
		fmt.Fprintf(w, "%q", members)
	}
	return w
}

// Mistake is a type whose code is stale.
type Mistake struct {
	Pos        token.Pos
	Type, Text string
}

// Mistakes returns the types that have changed since bp gen wrote a file, which
// has been parsed with comments.
func (s *Source) Mistakes(files *token.FileSet, file *ast.File) (all []Mistake) {
	if !Generated(file) {
		return nil
	}
	name := filepath.Base(files.Position(file.Package).Filename)
	for _, e := range Entries(file) {
		switch hash := s.Hash(e.Type); {
		case e.Hash == unknown || e.Hash == hash:
		case hash == "":
			all = append(all, Mistake{e.Pos, e.Type, e.Type + ": " + name + " has code for this type, which is gone: run bp gen"})
		default:
			all = append(all, Mistake{s.Pos(e.Type), e.Type, e.Type + ": bp gen wrote " + name + " for another version of this type: run bp gen again"})
		}
	}
	return all
}

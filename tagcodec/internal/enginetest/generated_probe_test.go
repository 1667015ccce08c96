package enginetest

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// prober writes a test that generates the code of the types of a package.
type prober struct {
	runner *runner
	dir    string
	pkg    string          // the name of the package, which may be that of its external tests
	names  []string        // of the types that can have generated code
	known  map[string]bool // names of the package
}

// declared lists the names that the test files of the package declare.
func (p *prober) declared(t *testing.T) {
	all, err := build.ImportDir(p.dir, 0)
	require.NoError(t, err)
	p.known = map[string]bool{}
	for _, name := range slices.Concat(all.TestGoFiles, all.XTestGoFiles) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.dir, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		if file.Name.Name != p.pkg {
			continue
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					p.known[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						p.known[s.Name.Name] = true
						if _, union := s.Type.(*ast.InterfaceType); s.TypeParams == nil && !s.Assign.IsValid() && !union {
							p.names = append(p.names, s.Name.Name)
						}
					case *ast.ValueSpec:
						for _, name := range s.Names {
							p.known[name.Name] = true
						}
					}
				}
			}
		}
	}
	slices.Sort(p.names)
}

// write adds a file to the package.
func (p *prober) write(t *testing.T, name string, source []byte) {
	file := filepath.Join(p.runner.dir, p.pkg+"_"+name)
	require.NoError(t, os.WriteFile(file, source, 0o600))
	p.runner.overlay[filepath.Join(p.dir, name)] = file
}

// probe returns the source of a test that writes the generated code of the types.
func (p *prober) probe() []byte {
	return fmt.Appendf(nil, `package %[1]s

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/cmd/bp/generator"
	"github.com/gobitpack/bitpack/typecache"
)

func TestProbe_%[1]s(t *testing.T) {
	dir := os.Getenv("BITPACK_CODE")
	if dir == "" {
		t.Skip("nothing to do")
	}
	var types []reflect.Type
	all := 0
	add := func(typ reflect.Type) {
		all++
		if _, err := typecache.Of(typ); err == nil {
			types = append(types, typ)
		}
	}
	add(reflect.TypeFor[%[2]s]())
	source, notes, err := generator.File(types[0].PkgPath(), %[1]q, types, %#[3]v, %#[3]v)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("types: %%d declared, %%d of them valid; %%d have code", all, len(types), len(types)-len(notes))
	if err := os.WriteFile(filepath.Join(dir, %[1]q+".go"), source, 0o600); err != nil {
		t.Fatal(err)
	}
}
`, p.pkg, strings.Join(p.names, "]())\n\tadd(reflect.TypeFor["), slices.Sorted(maps.Keys(p.known)))
}

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/gobitpack/bitpack/cmd/bp/generator"
)

const genHelp = `
Gen writes bitpack_gen.go: straight-line Go code for the message types of the
package. Once it is linked, packages tagcodec, binary, packet and delta use it in
place of the plan made of the tags. Messages, errors and programs do not change.

  -type A,B   generate code for these types, in place of those that the file has
  -o FILE     write FILE in the package's directory; the default is bitpack_gen.go
  -check      write nothing; exit with 1 if the file is not up to date
  -json       print JSON: an array of files with file, upToDate (whether it was before),
              changes (each with type and change: new, gone or changed) and notes

Run it again after a change of a type, and after an update of the library. Code that
was made for another version of a type or by another version of the generator is not
used. The build tag ` + generator.Tag + ` leaves the file out.

Without -type a file keeps the types that it has, and without -o as well, gen writes
all generated files of the package anew. Message types without code get a note. A
new file gets the message types that no other file has. A type has its code in one
file. Gen works when the old files no longer compile, unless other code of the
package uses what they declare.
` + typesHelp

const genTest = `
var bp_types = []bp_reflect.Type{%[3]s}

func TestBitpackProbe(t *bp_testing.T) { bp_generator.Probe(t, %[1]q, %[2]q, bp_types, bp_generator.Names{%[4]s}, bp_generator.Names{%[5]s}) }
`

// declared returns the names that the package and its tests declare.
func (p *pkg) declared() []string {
	names := map[string]bool{}
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			continue // the compiler reports it
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				names[d.Name.Name] = names[d.Name.Name] || d.Recv == nil
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						names[s.Name.Name] = true
					case *ast.ValueSpec:
						for _, id := range s.Names {
							names[id.Name] = true
						}
					}
				}
			}
		}
	}
	maps.DeleteFunc(names, func(_ string, declares bool) bool { return !declares })
	return slices.Sorted(maps.Keys(names))
}

// gen writes generated code for the types of a package.
func gen(c *command) (bool, error) {
	names := c.flags.String("type", "", "")
	out := c.flags.String("o", "", "")
	checkOnly := c.flags.Bool("check", false, "")
	asJSON := c.flags.Bool("json", false, "")
	if err := c.parse(1); err != nil {
		return false, err
	}
	p, err := one(c.args)
	if err != nil {
		return false, err
	}
	files, err := p.toGenerate(*names, *out)
	if err != nil {
		return false, err
	}
	ok := true
	for _, f := range files {
		if err := p.generate(f); err != nil {
			return false, err
		}
		ok = ok && (f.upToDate() || !*checkOnly)
		if !*asJSON {
			f.print(c, *checkOnly)
		}
		if f.upToDate() || *checkOnly {
			continue
		}
		if err := os.WriteFile(f.name, []byte(f.text), 0o644); err != nil {
			return false, err
		}
	}
	if *asJSON {
		return ok, printJSON(c.stdout, files)
	}
	return ok, nil
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/cmd/bp/generator"
	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

const genHelp = `
Gen writes bitpack_gen.go: straight-line Go code for the message types of the
package, which Marshal, Unmarshal, codecs and packets use in place of the tags'
plan once it is linked. Messages, errors and programs do not change.

  -type A,B   generate code for these types
  -o FILE     write FILE instead of bitpack_gen.go
  -check      write nothing; exit with 1 if the file is not up to date

Run it again after a change of a type. Code that was made for another version of a
type is not used. The build tag ` + generator.Tag + ` leaves the file out.
` + typesHelp

const genBody = `
func TestBitpackProbe(t *bp_testing.T) {
	source, notes, err := bp_generator.File(%q, %q, []bp_reflect.Type{%s}%s)
	if err != nil {
		t.Fatal(err)
	}
	data, err := bp_json.Marshal(map[string]any{"Source": string(source), "Notes": notes})
	if err == nil {
		err = bp_os.WriteFile(bp_os.Getenv("BITPACK_PROBE"), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
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
	out := c.flags.String("o", "bitpack_gen.go", "")
	checkOnly := c.flags.Bool("check", false, "")
	if err := c.parse(1); err != nil {
		return false, err
	}
	p, err := one(c.args)
	if err != nil {
		return false, err
	}
	types := p.messages(*names)
	if len(types) == 0 {
		return false, fmt.Errorf("%s has no message types: name them with -type", p.ImportPath)
	}
	var list strings.Builder
	for _, t := range types {
		fmt.Fprintf(&list, "\n\t\tbp_reflect.TypeFor[%s](),", t.Type)
	}
	var taken strings.Builder
	for _, name := range p.declared() {
		fmt.Fprintf(&taken, ", %q", name)
	}
	data, err := p.probe(fmt.Sprintf(genBody, p.ImportPath, p.Name, list.String()+"\n\t", taken.String()),
		"encoding/json", "os", "reflect", "testing", library.Path+"/cmd/bp/generator")
	if err != nil {
		return false, err
	}
	var result struct {
		Source string
		Notes  []string
	}
	if err := json.Unmarshal(data, &result); err != nil {
		return false, err
	}
	for _, note := range result.Notes {
		fmt.Fprintln(c.stderr, "bp gen:", note)
	}
	file := filepath.Join(p.Dir, *out)
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, []byte(result.Source)) {
		return true, nil
	}
	if *checkOnly {
		fmt.Fprintf(c.stdout, "%s is not up to date: run bp gen\n", file)
		return false, nil
	}
	return true, os.WriteFile(file, []byte(result.Source), 0o644)
}

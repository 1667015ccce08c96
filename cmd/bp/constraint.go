package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/cmd/bp/generator"
)

// constrain adds to the build constraint of a generated file those of the files
// that declare what its types consist of, so that it is built only with them. A
// constraint that not all of the types need gets a note.
func (p *pkg) constrain(f *codeFile) {
	needed := map[string][]string{} // the types that need a constraint
	for _, t := range f.types {
		for _, pos := range p.places(t.Type) {
			for _, c := range p.constraints[p.files.Position(pos).Filename] {
				if !slices.Contains(needed[c], t.Type) {
					needed[c] = append(needed[c], t.Type)
				}
			}
		}
	}
	name := filepath.Base(f.name)
	delete(needed, nameConstraint(name))
	text := "\n//go:build !" + generator.Tag
	for _, c := range slices.Sorted(maps.Keys(needed)) {
		if types := needed[c]; len(types) < len(f.types) {
			f.notes = append(f.notes, fmt.Sprintf("all of %s is built only with %s, because files of %s are: -type and -o give them a file of their own",
				name, c, strings.Join(types, ", ")))
		}
		text += " && " + c
	}
	f.text = strings.Replace(f.text, "\n//go:build !"+generator.Tag, text, 1)
}

// constraintsOf returns the build constraints of a file of the package.
func (p *pkg) constraintsOf(name string, file *ast.File) (all []string) {
	if c := nameConstraint(name); c != "" {
		all = append(all, c)
	}
	if slices.Contains(p.CgoFiles, name) {
		all = append(all, "cgo")
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if group.Pos() > file.Package || !constraint.IsGoBuild(c.Text) {
				continue
			}
			expr, err := constraint.Parse(c.Text)
			if err != nil {
				continue // the go command reports it
			}
			text := expr.String()
			if _, or := expr.(*constraint.OrExpr); or {
				text = "(" + text + ")"
			}
			all = append(all, text)
		}
	}
	return all
}

// nameConstraint returns the build constraint that the name of a file stands for,
// such as "linux && amd64", or "".
func nameConstraint(name string) string {
	matches := func(goos, goarch string) bool {
		context := build.Context{GOOS: goos, GOARCH: goarch, OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("package p\n")), nil
		}}
		ok, err := context.MatchFile("", name)
		return ok && err == nil
	}
	const no = "none"
	if matches(no, no) || !strings.Contains(name[1:], "_") {
		return ""
	}
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "_test"), "_")
	last := parts[len(parts)-1]
	if matches(last, no) || matches(no, last) {
		return last
	}
	return parts[len(parts)-2] + " && " + last
}

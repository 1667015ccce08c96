package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/gobitpack/bitpack/cmd/bp/analyzer"
	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

const vetHelp = `
Vet reports the wrong tags of the packages, with their place and the fix. The
default is the package in the current directory. No program is run: vet translates
the types in the source and asks the library about them. It judges structs with
tags and the types passed to tagcodec.For, packet.Of and delta.For, and says
nothing about what the source alone does not show, such as the members of unions.

  -test        vet the tests of the packages too
  -exact       run the init functions of the packages, and report the first wrong
               tag of each message type as the program itself would

The go command runs it too: go vet -vettool=$(which bp) ./... As an analyzer it is
the package ` + library.Path + `/cmd/bp/analyzer.
`

// noMembers is in the error of a union that bp sees no members of.
const noMembers = "no types are registered for the union"

// vet reports wrong tags.
func vet(c *command) (bool, error) {
	exact := c.flags.Bool("exact", false, "")
	tests := c.flags.Bool("test", false, "")
	if err := c.parse(-1); err != nil {
		return false, err
	}
	if *exact {
		if *tests {
			return false, errors.New("-exact leaves tests out: remove it, or -test")
		}
		return vetExact(c)
	}
	all, err := load(c, *tests)
	if err != nil {
		return false, err
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.Analyzer}, all, nil)
	if err != nil {
		return false, err
	}
	type report struct {
		at   token.Position
		text string
	}
	var reports []report
	for _, action := range graph.Roots {
		if action.Err != nil {
			return false, action.Err
		}
		for _, d := range action.Diagnostics {
			at := action.Package.Fset.Position(d.Pos)
			at.Filename = relative(at.Filename)
			at.Offset = 0
			reports = append(reports, report{at, d.Message})
		}
	}
	slices.SortFunc(reports, func(a, b report) int {
		return cmp.Or(strings.Compare(a.at.Filename, b.at.Filename), cmp.Compare(a.at.Line, b.at.Line),
			cmp.Compare(a.at.Column, b.at.Column), strings.Compare(a.text, b.text))
	})
	reports = slices.Compact(reports) // a package and its variant for tests
	for _, r := range reports {
		fmt.Fprintf(c.stdout, "%v: %s\n", r.at, r.text)
	}
	return len(reports) == 0, nil
}

// load loads the packages with their source. If they do not build with the files
// that bp gen has written, it leaves those out.
func load(c *command, tests bool) ([]*packages.Package, error) {
	config := &packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Tests: tests}
	all, err := packages.Load(config, c.args...)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("there are no such packages: go list may say why")
	}
	mistakes := buildErrors(all)
	if config.Overlay = withoutGenerated(all); len(mistakes) > 0 && len(config.Overlay) > 0 {
		if again, err := packages.Load(config, c.args...); err == nil && len(buildErrors(again)) == 0 {
			return again, nil
		}
	}
	for _, err := range mistakes {
		fmt.Fprintln(c.stderr, err)
	}
	if len(mistakes) > 0 {
		return nil, errors.New("the packages do not build")
	}
	return all, nil
}

// buildErrors returns the errors of packages and of those they import.
func buildErrors(all []*packages.Package) (mistakes []packages.Error) {
	for p := range packages.Postorder(all) {
		mistakes = append(mistakes, p.Errors...)
	}
	return mistakes
}

// withoutGenerated returns an overlay in which the files that bp gen has written
// have no declarations.
func withoutGenerated(all []*packages.Package) map[string][]byte {
	empty := map[string][]byte{}
	for p := range packages.Postorder(all) {
		if name := filepath.Join(p.Dir, library.GeneratedFile); p.Dir != "" && library.Generated(name) {
			empty[name] = []byte("package " + p.Name + "\n")
		}
	}
	return empty
}

// relative returns the name of a file as seen from the current directory, if it
// is in it.
func relative(name string) string {
	if wd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(wd, name); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
	}
	return name
}

// vetExact reports wrong tags as the program would.
func vetExact(c *command) (bool, error) {
	all, err := list(c.args)
	if err != nil {
		return false, err
	}
	ok := true
	for _, p := range all {
		if err := p.parse(); err != nil {
			return false, err
		}
		types := p.messages("")
		if len(types) == 0 {
			continue
		}
		wires, err := p.describe(types)
		if e := (*tagError)(nil); errors.As(err, &e) {
			fmt.Fprintln(c.stdout, e.text)
			ok = false
		} else if err != nil {
			return false, err
		}
		for _, w := range wires {
			switch {
			case strings.Contains(w.Error, noMembers):
				fmt.Fprintf(c.stderr, "bp: %s is not vetted, because a union in it is registered only by the options of a codec\n", w.Type)
			case w.Error != "":
				fmt.Fprintf(c.stdout, "%s: %s: %s\n", p.place(w.Type, w.Path), w.Path, w.Error)
				ok = false
			}
		}
	}
	return ok, nil
}

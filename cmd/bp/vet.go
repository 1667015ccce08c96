package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
  -mtu N       warn of messages that may be larger than N bytes; the default, 0, is
               no limit

A comment in the doc comment of a type sets a budget in bytes. A type that may be
larger is an error:

    //bp:max 120
    type Player struct {

Without -exact the members of unions, and what Serialize methods write, do not
count. Vet warns of a res that is finer than the float type can hold over its range.
Warnings do not change the exit code.

The go command runs it too: go vet -vettool=$(which bp) ./... As an analyzer it is
the package ` + library.Path + `/cmd/bp/analyzer.
`

// vet reports wrong tags.
func vet(c *command) (bool, error) {
	exact := c.flags.Bool("exact", false, "")
	mtu := c.flags.Int("mtu", 0, "")
	tests := c.flags.Bool("test", false, "")
	if err := c.parse(-1); err != nil {
		return false, err
	}
	if *exact {
		if *tests {
			return false, errors.New("-exact leaves tests out: remove it, or -test")
		}
		return vetExact(c, *mtu)
	}
	if err := analyzer.Analyzer.Flags.Set("mtu", strconv.Itoa(*mtu)); err != nil {
		return false, err
	}
	all, err := load(c, *tests)
	if err != nil {
		return false, err
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.Analyzer}, all, nil)
	if err != nil {
		return false, err
	}
	var r reports
	for _, action := range graph.Roots {
		if action.Err != nil {
			return false, action.Err
		}
		for _, d := range action.Diagnostics {
			at := action.Package.Fset.Position(d.Pos)
			at.Filename, at.Offset = relative(at.Filename), 0
			r = append(r, report{at, d.Category == analyzer.Warning, d.Message})
		}
	}
	return r.print(c)
}

// report is what vet says about a place in the source.
type report struct {
	at      token.Position
	warning bool
	text    string
}

type reports []report

// print prints the reports in the order of the source, each once. It returns
// false if one of them is an error.
func (r reports) print(c *command) (ok bool, err error) {
	slices.SortFunc(r, func(a, b report) int {
		return cmp.Or(strings.Compare(a.at.Filename, b.at.Filename), cmp.Compare(a.at.Line, b.at.Line),
			cmp.Compare(a.at.Column, b.at.Column), strings.Compare(a.text, b.text))
	})
	ok = true
	for _, x := range slices.Compact(r) { // a package and its variant for tests have the same
		severity := ""
		if x.warning {
			severity = "warning: "
		}
		ok = ok && x.warning
		fmt.Fprintf(c.stdout, "%v: %s%s\n", x.at, severity, x.text)
	}
	return ok, nil
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

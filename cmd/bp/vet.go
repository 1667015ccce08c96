package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

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
tags and the types passed to tagcodec.For, tagcodec.Marshal, packet.Of, delta.For
and the like, and says nothing about what the source alone does not show, such as
the members of unions. It reports types that have changed since bp gen wrote their
code.

  -test        vet the tests of the packages too
  -fix         apply the fixes of the reports that have one, and report the others
  -json        print JSON: an array of reports with file, line, column, severity
               (error or warning), message and fixes; a fix has a message and
               edits: file, start and end in bytes, and the new text
  -exact       run the init functions of the packages, and report the first wrong
               tag of each message type as the program itself would
  -warnings=false
               leave the warnings out
  -mtu N       warn of messages that may be larger than N bytes; the default, 0, is
               no limit

A comment in the doc comment of a type sets a budget in bytes. A type that may be
larger is an error:

    //bp:max 120
    type Player struct {

Without -exact the members of unions, and what Serialize methods write, do not
count. Warnings are about code that is valid: a res that is finer than the float type
can hold over its range, an int or uint that is sent in 64 bits, a range of floats in
which 0 becomes another number, a rotation that does not keep the identity, and
constants that become infinite in kind half. They do not change the exit code.

The go command runs it too: go vet -vettool=$(which bp) ./... As an analyzer it is
the package ` + library.Path + `/cmd/bp/analyzer.
`

// vet reports wrong tags.
func vet(c *command) (bool, error) {
	exact := c.flags.Bool("exact", false, "")
	mtu := c.flags.Int("mtu", 0, "")
	tests := c.flags.Bool("test", false, "")
	apply := c.flags.Bool("fix", false, "")
	asJSON := c.flags.Bool("json", false, "")
	warnings := c.flags.Bool("warnings", true, "")
	if err := c.parse(-1); err != nil {
		return false, err
	}
	var r reports
	var err error
	switch {
	case *exact && *tests:
		return false, errors.New("-exact leaves tests out: remove it, or -test")
	case *exact && *apply:
		return false, errors.New("-exact has no fixes: remove it, or -fix")
	case *exact:
		r, err = vetExact(c, *mtu)
	default:
		if err := analyzer.Analyzer.Flags.Set("mtu", strconv.Itoa(*mtu)); err != nil {
			return false, err
		}
		r, err = analyze(c, *tests)
		for fixed := *apply; fixed && err == nil; { // of several mistakes in one tag the library reports the first
			if fixed, err = r.fix(c); fixed && err == nil {
				r, err = analyze(c, *tests)
			}
		}
	}
	if err != nil {
		return false, err
	}
	if !*warnings {
		r = slices.DeleteFunc(r, func(x report) bool { return x.warning })
	}
	r = r.sort()
	if *asJSON {
		return r.ok(), r.printJSON(c.stdout)
	}
	r.print(c)
	return r.ok(), nil
}

// analyze runs the analyzer.
func analyze(c *command, tests bool) (r reports, err error) {
	all, err := load(c, tests)
	if err != nil {
		return nil, err
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{analyzer.Analyzer}, all, nil)
	if err != nil {
		return nil, err
	}
	for _, action := range graph.Roots {
		if action.Err != nil {
			return nil, action.Err
		}
		for _, d := range action.Diagnostics {
			r = append(r, reportOf(action.Package.Fset, &d))
		}
	}
	return r, nil
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
	if len(mistakes) > 0 {
		config.Overlay = withoutGenerated(all)
	}
	if len(config.Overlay) > 0 {
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
// have no declarations. Their comments remain, because they list the types.
func withoutGenerated(all []*packages.Package) map[string][]byte {
	empty := map[string][]byte{}
	for p := range packages.Postorder(all) {
		if p.Dir == "" || p.Module == nil {
			continue // the standard library has none
		}
		for _, name := range library.GeneratedFiles(p.Dir) {
			if data, err := os.ReadFile(name); err == nil {
				empty[name] = typeListHead(data, p.Name)
			}
		}
	}
	return empty
}

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/format"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gobitpack/bitpack/cmd/bp/analyzer"
)

// report is what vet says about a place in the source.
type report struct {
	at      token.Position
	warning bool
	text    string
	fixes   []fix
}

// fix is a proposal that makes a report go away.
type fix struct {
	Message string `json:"message"`
	Edits   []edit `json:"edits"`
}

// edit replaces the bytes of a file from Start to End.
type edit struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// reportOf returns the report of a diagnostic.
func reportOf(files *token.FileSet, d *analysis.Diagnostic) report {
	r := report{at: placeIn(files, d.Pos), warning: d.Category == analyzer.Warning, text: d.Message}
	for _, s := range d.SuggestedFixes {
		f := fix{Message: s.Message}
		for _, e := range s.TextEdits {
			start, end := files.Position(e.Pos), files.Position(e.End)
			f.Edits = append(f.Edits, edit{relative(start.Filename), start.Offset, end.Offset, string(e.NewText)})
		}
		r.fixes = append(r.fixes, f)
	}
	return r
}

// placeIn returns a place in the source, with the name of its file as seen from
// the current directory.
func placeIn(files *token.FileSet, pos token.Pos) token.Position {
	at := files.Position(pos)
	at.Filename, at.Offset = relative(at.Filename), 0
	return at
}

type reports []report

// sort returns the reports in the order of the source, each once. A package and its
// variant for tests have the same.
func (r reports) sort() reports {
	slices.SortStableFunc(r, func(a, b report) int {
		return cmp.Or(strings.Compare(a.at.Filename, b.at.Filename), cmp.Compare(a.at.Line, b.at.Line),
			cmp.Compare(a.at.Column, b.at.Column), strings.Compare(a.text, b.text))
	})
	return slices.CompactFunc(r, func(a, b report) bool { return a.at == b.at && a.text == b.text })
}

// ok reports whether no report is an error.
func (r reports) ok() bool {
	return !slices.ContainsFunc(r, func(x report) bool { return !x.warning })
}

// print prints a line for each report.
func (r reports) print(c *command) {
	for _, x := range r {
		severity := ""
		if x.warning {
			severity = c.paint(yellow, "warning:") + " "
		}
		fmt.Fprintf(c.stdout, "%s: %s%s\n", c.paint(bold, x.at.String()), severity, x.text)
	}
}

// printJSON prints the reports as an array.
func (r reports) printJSON(w io.Writer) error {
	type shown struct {
		File     string `json:"file"`
		Line     int    `json:"line"`
		Column   int    `json:"column"`
		Severity string `json:"severity"`
		Message  string `json:"message"`
		Fixes    []fix  `json:"fixes,omitempty"`
	}
	all := make([]shown, len(r))
	for i, x := range r {
		all[i] = shown{x.at.Filename, x.at.Line, x.at.Column, "error", x.text, x.fixes}
		if x.warning {
			all[i].Severity = "warning"
		}
	}
	return printJSON(w, all)
}

// printJSON prints the result of a verb.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	return e.Encode(v)
}

// fix applies the first fix of each report that has one. It reports whether there
// were any.
func (r reports) fix(c *command) (fixed bool, err error) {
	edits := map[string][]edit{}
	for _, x := range r {
		if len(x.fixes) > 0 {
			for _, e := range x.fixes[0].Edits {
				edits[e.File] = append(edits[e.File], e)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(edits)) {
		n, err := applyEdits(name, edits[name])
		if err != nil {
			return fixed, err
		}
		fixed = true
		fmt.Fprintf(c.stderr, "bp: %s: %d fixed\n", name, n)
	}
	return fixed, nil
}

// applyEdits applies edits to a file, and returns their number. Of edits that
// overlap it applies the first. A file that was formatted stays so.
func applyEdits(name string, edits []edit) (n int, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Compare(a.Start, b.Start) })
	var out []byte
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End > len(data) {
			continue
		}
		out = append(append(out, data[at:e.Start]...), e.New...)
		at = e.End
		n++
	}
	out = append(out, data[at:]...)
	if was, err := format.Source(data); err == nil && bytes.Equal(was, data) {
		if formatted, err := format.Source(out); err == nil {
			out = formatted
		}
	}
	return n, os.WriteFile(name, out, 0o666)
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

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const lockHelp = `
Lock writes the wire of all message types of a package down, in a text that reads
well in a diff. Put the file under version control, and run "bp check" in tests.
A type that is in the file already stays in it.

  -type A,B   the types, in place of those that bp finds and those in the file
  -o FILE     the file; the default is bp.lock in the package's directory
` + typesHelp

const checkHelp = `
Check compares the wire of the types in bp.lock with what the package has now. It
reports what has changed, and new message types, and exits with 1. Renaming a
field or a type's package does not change the wire.

  -o FILE     the file; the default is bp.lock in the package's directory
`

const lockHead = "# The wire of this package's messages, written by bp lock. bp check compares it.\n"

// lock writes the file.
func lock(c *command) (bool, error) {
	names := c.flags.String("type", "", "")
	p, file, err := c.lockOf()
	if err != nil {
		return false, err
	}
	types := p.messages(*names)
	if old, err := readLock(file); err == nil && *names == "" {
		for _, w := range old {
			if !slices.ContainsFunc(types, func(t chosen) bool { return t.Type == w.Type }) {
				types = append(types, chosen{w.Type, "in the file"})
			}
		}
	}
	wires, err := p.describe(types)
	if err != nil {
		return false, err
	}
	text := lockHead
	for _, w := range wires {
		if w.Error != "" {
			e := p.wrong(&w)
			return false, fmt.Errorf("%v: %s", e.at, e.text)
		}
		text += "\n" + w.lockText()
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return false, err
	}
	for _, w := range wires {
		fmt.Fprintf(c.stdout, "%s: %s (%s)\n", filepath.Base(file), w.Type, w.Rule)
	}
	return true, nil
}

// lockOf parses the flags, and returns the package and the name of its file.
func (c *command) lockOf() (*pkg, string, error) {
	file := c.flags.String("o", "", "")
	if err := c.parse(1); err != nil {
		return nil, "", err
	}
	p, err := one(c.args)
	if err == nil && *file == "" {
		*file = filepath.Join(p.Dir, "bp.lock")
	}
	return p, *file, err
}

// lockText returns the lines of a type in the file: the type and its hash, and
// the text of its wire with the paths of the fields.
func (w *wire) lockText() string {
	var s strings.Builder
	fmt.Fprintf(&s, "type %s\nhash %s\n", w.Type, w.Hash)
	for _, line := range w.Text[1:] { // after the version of the text
		what, paths, _ := strings.Cut(line, "\t")
		fmt.Fprintln(&s, strings.TrimRight(fmt.Sprintf("\t%-32s%s%s", what, pathMark, paths), " #"))
	}
	return s.String()
}

// readLock reads the types of a file.
func readLock(name string) ([]wire, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all []wire
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimRight(line, "\r")
		switch key, rest, _ := strings.Cut(line, " "); {
		case line == "" || strings.HasPrefix(line, "#"):
		case key == "type":
			all = append(all, wire{Type: rest})
		case len(all) == 0:
			return nil, fmt.Errorf("%s:%d: a line before the first type: write the file anew with bp lock", name, i+1)
		case key == "hash":
			all[len(all)-1].Hash = rest
		default:
			all[len(all)-1].Text = append(all[len(all)-1].Text, line)
		}
	}
	return all, nil
}

// check compares the file with the package.
func check(c *command) (bool, error) {
	p, file, err := c.lockOf()
	if err != nil {
		return false, err
	}
	locked, err := readLock(file)
	if err != nil {
		return false, fmt.Errorf("%w: run bp lock first", err)
	}
	var types []chosen
	ok := true
	for _, w := range locked {
		if p.types[w.Type] == nil && !strings.Contains(w.Type, "[") {
			fmt.Fprintf(c.stdout, "%s is gone: a peer that sends it is not understood; run bp lock -type without it if nobody does\n", w.Type)
			ok = false
			continue
		}
		types = append(types, chosen{w.Type, "in the file"})
	}
	for _, t := range p.messages("") {
		if !slices.ContainsFunc(locked, func(w wire) bool { return w.Type == t.Type }) {
			fmt.Fprintf(c.stdout, "%s is new (%s): run bp lock to add it\n", t.Type, t.Rule)
			ok = false
		}
	}
	wires, err := p.describe(types)
	if err != nil {
		return false, err
	}
	for _, w := range wires {
		old := locked[slices.IndexFunc(locked, func(l wire) bool { return l.Type == w.Type })]
		switch {
		case w.Error != "":
			reports{p.wrong(&w)}.print(c)
			ok = false
		case w.Hash != old.Hash:
			w.report(c, &old)
			ok = false
		}
	}
	return ok, nil
}

// report prints how the wire of a type has changed.
func (w *wire) report(c *command, old *wire) {
	fmt.Fprintf(c.stdout, "%s has changed:\n", w.Type)
	now := strings.Split(strings.TrimSuffix(w.lockText(), "\n"), "\n")[2:]
	before := old.Text
	same := func(a, b string) bool { return wireOf(a) == wireOf(b) }
	start := 0
	for start < len(now) && start < len(before) && same(now[start], before[start]) {
		start++
	}
	end := 0
	for end < len(now)-start && end < len(before)-start && same(now[len(now)-1-end], before[len(before)-1-end]) {
		end++
	}
	for _, line := range before[start : len(before)-end] {
		fmt.Fprintln(c.stdout, c.paint(red, "-"+line))
	}
	for _, line := range now[start : len(now)-end] {
		fmt.Fprintln(c.stdout, c.paint(green, "+"+line))
	}
	fmt.Fprintf(c.stdout, "Old programs refuse its messages or misread them: the hash was %.8s and is %.8s.\n"+
		"Change it back, or raise the version of the protocol, update both sides together, and run bp lock.\n", old.Hash, w.Hash)
}

// pathMark is between what a line of the file says about the wire and the paths of
// the fields.
const pathMark = " # "

// wireOf returns what a line of the file says about the wire.
func wireOf(line string) string {
	if i := strings.LastIndex(line, pathMark); i >= 0 {
		line = line[:i]
	}
	return strings.TrimRight(line, " ")
}

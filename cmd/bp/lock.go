package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const lockHelp = `
Lock writes the wire of all message types of a package down, in a text that reads
well in a diff. Put the file under version control, and run "bp check" in tests.
A type that is in the file already stays in it.

  -type A,B   the types, in place of those that bp finds and those in the file
  -o FILE     the file; the default is bp.lock in the package's directory
` + typesHelp

const lockHead = "# The wire of this package's messages, written by bp lock. bp check compares it.\n"

// lock writes the file.
func lock(c *command) (bool, error) {
	names := c.flags.String("type", "", "")
	p, file, _, err := c.lockOf()
	if err != nil {
		return false, err
	}
	types, err := p.chosen(*names)
	if err != nil {
		return false, err
	}
	if *names == "" {
		old, err := readLock(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		for _, w := range old {
			types = append(types, chosen{w.Type, "in the file"})
		}
		types = p.distinct(types)
	}
	wires, err := p.describe(types)
	if err != nil {
		return false, err
	}
	text := lockHead
	for _, w := range wires {
		if w.Error != nil {
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

// lockOf parses the flags, and returns the package and the name of its file, which
// may be named by a flag.
func (c *command) lockOf() (p *pkg, file string, named bool, err error) {
	c.flags.StringVar(&file, "o", "", "")
	if err := c.parse(1); err != nil {
		return nil, "", false, err
	}
	p, err = one(c.args)
	if named = file != ""; err == nil && !named {
		file = filepath.Join(p.Dir, "bp.lock")
	}
	return p, file, named, err
}

// lockText returns the lines of a type in the file: the type and its hash, and
// the text of its wire with the paths of the fields.
func (w *wire) lockText() string {
	var s strings.Builder
	fmt.Fprintf(&s, "type %s\nhash %s\n", w.Type, w.Hash)
	for _, line := range w.Text[1:] { // after the version of the text
		what, paths, _ := strings.Cut(line, "\t")
		fmt.Fprintln(&s, lockLine{what, []string{paths}})
	}
	return s.String()
}

// readLock reads the types of a file.
func readLock(name string) ([]wire, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := readAll(file, name)
	if err != nil {
		return nil, err
	}
	var all []wire
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimRight(line, "\r")
		switch key, rest, _ := strings.Cut(line, " "); {
		case line == "" || strings.HasPrefix(line, "#"):
		case key == "type":
			t, err := parseType(rest)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w, or remove the file and run bp lock", name, i+1, err)
			}
			all = append(all, wire{Type: t.text})
		case len(all) == 0:
			return nil, fmt.Errorf("%s:%d: a line before the first type: remove the file and run bp lock", name, i+1)
		case key == "hash":
			all[len(all)-1].Hash = rest
		default:
			all[len(all)-1].Text = append(all[len(all)-1].Text, line)
		}
	}
	return all, nil
}

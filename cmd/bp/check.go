package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

const checkHelp = `
Check compares the wire of the types in bp.lock with what the package has now. It
reports what has changed, and new message types, and exits with 1. Renaming a
field or a type's package does not change the wire, and neither does swapping two
fields of one kind and range: check warns of other names, and does not fail.

It also reports files that bp gen has written for other versions of the types. If
the package has such a file and no bp.lock, check compares that alone.

  -o FILE     the file; the default is bp.lock in the package's directory
  -json       print JSON: an array of changes with type, change (changed, gone, new,
              wrong, stale, moved or renamed), warning (whether check does not fail
              for it), refused (whether old programs refuse or misread messages),
              message and fix. A changed type has before and now: the lines of
              bp.lock that differ, one for each field. Moved and renamed fields have
              their names there. Stale code has the file.
`

// change is a difference that check finds.
type change struct {
	Type    string   `json:"type,omitempty"`
	Change  string   `json:"change"`
	Warning bool     `json:"warning,omitempty"` // check does not fail
	File    string   `json:"file,omitempty"`    // the generated file that is stale
	Refused bool     `json:"refused"`           // whether old programs refuse or misread messages
	Before  []string `json:"before,omitempty"`  // lines of bp.lock that differ, or names of fields
	Now     []string `json:"now,omitempty"`
	Message string   `json:"message"`
	Fix     string   `json:"fix"`

	text string // for people
}

// The kinds of changes.
const (
	changeWire  = "changed"
	changeGone  = "gone"
	changeNew   = "new"
	changeWrong = "wrong" // the tags have a mistake
	changeStale = "stale" // generated code was made from another version of the type

	changeMoved   = "moved"   // warning: fields have changed places on a wire that is the same
	changeRenamed = "renamed" // warning: fields have other names
)

// check compares the package with its lock and its generated files.
func check(c *command) (bool, error) {
	asJSON := c.flags.Bool("json", false, "")
	p, file, named, err := c.lockOf()
	if err != nil {
		return false, err
	}
	var all []change
	locked, err := readLock(file)
	switch {
	case err == nil:
		if all, err = p.compare(c, locked); err != nil {
			return false, err
		}
	case errors.Is(err, fs.ErrNotExist) && !named && len(p.generated) > 0:
		fmt.Fprintf(c.stderr, "bp: there is no %s, so only the generated code is checked: bp lock writes the wire down\n", relative(file))
	case errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("%w: run bp lock first", err)
	default:
		return false, err
	}
	stale, err := p.staleFiles(c, all)
	if err != nil {
		return false, err
	}
	all = append(all, stale...)
	ok := !slices.ContainsFunc(all, func(d change) bool { return !d.Warning })
	if *asJSON {
		return ok, printJSON(c.stdout, append([]change{}, all...)) // not null
	}
	for _, d := range all {
		fmt.Fprint(c.stdout, d.text)
	}
	return ok, nil
}

// compare returns how the wire of the package differs from that of a lock.
func (p *pkg) compare(c *command, locked []wire) (all []change, err error) {
	var types []chosen
	for i := range locked {
		w := &locked[i]
		w.Type = p.resolved(w.Type)
		if p.missing(w.Type) {
			d := change{Type: w.Type, Change: changeGone, Refused: true, Message: "a peer that sends it is not understood", Fix: "run bp lock -type without it if nobody does"}
			d.text = fmt.Sprintf("%s is gone: %s; %s\n", w.Type, d.Message, d.Fix)
			all = append(all, d)
			continue
		}
		types = append(types, chosen{w.Type, "in the file"})
	}
	for _, t := range p.messages() {
		if !slices.ContainsFunc(locked, func(w wire) bool { return w.Type == t.Type }) {
			d := change{Type: t.Type, Change: changeNew, Message: t.Rule, Fix: "run bp lock to add it"}
			d.text = fmt.Sprintf("%s is new (%s): %s\n", t.Type, t.Rule, d.Fix)
			all = append(all, d)
		}
	}
	if len(types) == 0 {
		return all, nil
	}
	wires, err := p.describe(types)
	if err != nil {
		return nil, err
	}
	for _, w := range wires {
		old := locked[slices.IndexFunc(locked, func(l wire) bool { return l.Type == w.Type })]
		switch {
		case w.Error != nil:
			all = append(all, p.wrongType(c, w.Type, p.wrong(&w)))
		case w.Hash != old.Hash:
			all = append(all, w.changed(c, &old))
		default:
			all = append(all, w.warnings(c, &old)...)
		}
	}
	return all, nil
}

// wrongType returns the change of a type whose tags have a mistake.
func (p *pkg) wrongType(c *command, typ string, r report) change {
	return change{Type: typ, Change: changeWrong, Refused: true, Message: fmt.Sprintf("%v: %s", r.at, r.text), Fix: "correct the tag",
		text: fmt.Sprintf("%s: %s\n", c.paint(bold, r.at.String()), r.text)}
}

// changed returns how the wire of a type has changed.
func (w *wire) changed(c *command, old *wire) change {
	d := change{Type: w.Type, Change: changeWire, Refused: true, Message: fmt.Sprintf("the hash was %.8s and is %.8s", old.Hash, w.Hash),
		Fix: "change it back, or raise the version of the protocol, update both sides together, and run bp lock"}
	d.text = w.Type + " has changed:\n"
	diff(parseLines(old.Text), parseLines(w.lockLines()), func(l lockLine, isNew bool) {
		if line := l.String(); isNew {
			d.Now = append(d.Now, strings.TrimSpace(line))
			d.text += c.paint(green, "+"+line) + "\n"
		} else {
			d.Before = append(d.Before, strings.TrimSpace(line))
			d.text += c.paint(red, "-"+line) + "\n"
		}
	})
	d.text += "Old programs refuse its messages or misread them: " + d.Message + ".\n" + strings.ToUpper(d.Fix[:1]) + d.Fix[1:] + ".\n"
	return d
}

// lockLines returns the lines of a type in the file, without the type and the hash.
func (w *wire) lockLines() []string {
	return strings.Split(strings.TrimSuffix(w.lockText(), "\n"), "\n")[2:]
}

// warnings returns the fields of a type that have other names, although its wire is
// the same.
func (w *wire) warnings(c *command, old *wire) (all []change) {
	renamed, moved := renamings(old.Text, w.lockLines())
	add := func(kind string, list []renaming, verb, message, fix string) {
		if len(list) == 0 {
			return
		}
		d := change{Type: w.Type, Change: kind, Warning: true, Fix: fix}
		var words []string
		for _, r := range list {
			d.Before, d.Now = append(d.Before, r.old), append(d.Now, r.new)
			words = append(words, r.new+" "+verb+" "+r.old)
		}
		if more := len(words) - maxNames; more > 0 {
			words = append(words[:maxNames], fmt.Sprintf("%d more", more))
		}
		d.Message = strings.Join(words, ", ") + message
		d.text = fmt.Sprintf("%s %s: %s: %s\n", c.paint(yellow, "warning:"), w.Type, d.Message, fix)
		all = append(all, d)
	}
	add(changeMoved, moved, "has the place of", "; the wire is the same, so old programs read each value into the wrong field, without an error",
		"change it back, or raise the version of the protocol, update both sides together, and run bp lock")
	add(changeRenamed, renamed, "was called", "; the wire is the same", "run bp lock if the meaning is the same, too")
	return all
}

// maxNames is the number of fields that a warning shows.
const maxNames = 8

// staleFiles returns the types whose code was made from another version of them.
// The changes that are known already are not repeated.
func (p *pkg) staleFiles(c *command, known []change) (all []change, err error) {
	if len(p.generated) == 0 {
		return nil, nil
	}
	files, err := p.toGenerate("", "")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		err := p.generate(f)
		if e := (*tagError)(nil); errors.As(err, &e) {
			d := p.wrongType(c, e.typ, report{at: e.at, text: e.text})
			if !slices.ContainsFunc(known, func(k change) bool { return k.Message == d.Message }) {
				all = append(all, d)
				known = append(known, d)
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if f.upToDate() {
			continue
		}
		d := change{Change: changeStale, File: relative(f.name), Message: "the engine is used in place of generated code", Fix: "run " + f.command(c),
			text: f.stale(c)}
		types := f.changes()
		if len(types) == 0 {
			d.Message = "another version of bp has written it, or it was edited"
			all = append(all, d)
		}
		for _, t := range types {
			d.Type = t.Type
			all = append(all, d)
			d.text = ""
		}
	}
	return all, nil
}

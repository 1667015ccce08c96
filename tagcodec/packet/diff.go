package packet

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Difference is a part of the wire that two protocols do not have in common.
type Difference struct {
	Type  string // the packet type, or "" for what concerns all of them
	Field string // the field in it, as far as there is one

	// Ours and Theirs are the two wires, one of which is "" if only the other
	// protocol has the part.
	Ours, Theirs string
}

// String returns the difference in a line.
func (d Difference) String() string {
	ours, theirs := d.Ours, d.Theirs
	if ours == "" {
		ours = "nothing"
	}
	if theirs == "" {
		theirs = "nothing"
	}
	s := fmt.Sprintf("%s here, %s there", ours, theirs)
	if where := join(d.Type, d.Field); where != "" {
		s = where + ": " + s
	}
	return s
}

// Diff compares two descriptions of protocols. It returns how the
// applications, versions, protections and end checks differ, and the first
// field of the first type that differs: nothing, if the protocols are the
// same but for names. A description may come from anyone; what Diff returns of
// it is printable.
func Diff(ours, theirs string) []Difference {
	ourHead, ourOps := parse(ours)
	theirHead, theirOps := parse(theirs)
	var list []Difference
	for i := range max(len(ourHead), len(theirHead)) {
		if x, y := at(ourHead, i), at(theirHead, i); x.wire != y.wire {
			list = append(list, Difference{Ours: x.wire, Theirs: y.wire})
		}
	}
	for i := range max(len(ourOps), len(theirOps)) {
		x, y := at(ourOps, i), at(theirOps, i)
		if x.wire == cutLine || y.wire == cutLine {
			break
		}
		if x.wire != y.wire {
			return append(list, differing(x, y))
		}
	}
	return list
}

// differing returns the difference of two lines.
func differing(x, y line) Difference {
	d := Difference{Type: x.typ, Field: x.name, Ours: x.op(), Theirs: y.op()}
	if d.Ours == d.Theirs {
		d.Ours, d.Theirs = x.wire, y.wire // one is in more blocks than the other
	}
	if d.Ours == "" {
		d.Type, d.Field = y.typ, y.name
	}
	return d
}

// line is a line of a description.
type line struct{ typ, wire, name string }

// op returns what the wire has there, without the number of the op and the
// blocks around it: nothing, where the type or its elements end.
func (l line) op() string {
	if strings.HasPrefix(l.wire, typePrefix) && l.name == "" {
		return "a type"
	}
	s := strings.TrimLeft(l.wire, "0123456789")
	s = strings.TrimPrefix(s, " ")
	for strings.HasPrefix(s, ". ") {
		s = s[len(". "):]
	}
	if s == "end" || s == "next" {
		return ""
	}
	return s
}

const typePrefix = "type "

// cut is the last line of a description whose end was cut off.
const (
	cutLine = "..."
	cut     = cutLine + "\n"
)

func at(list []line, i int) (l line) {
	if i < len(list) {
		l = list[i]
	}
	return l
}

// parse takes a description apart: the lines of the whole protocol, and those
// of its types.
func parse(description string) (head, ops []line) {
	list := &head
	typ := ""
	for text := range strings.Lines(description) {
		wire, name, _ := strings.Cut(printable(strings.TrimSuffix(text, "\n")), "\t")
		if strings.HasPrefix(wire, typePrefix) {
			list, typ, name = &ops, name, ""
		}
		*list = append(*list, line{typ, wire, name})
	}
	return head, ops
}

// printable replaces what a terminal or a log could take for more than text.
func printable(line string) string {
	if !slices.ContainsFunc([]rune(line), hidden) {
		return line
	}
	return strings.Map(func(r rune) rune {
		if hidden(r) {
			return '?'
		}
		return r
	}, line)
}

func hidden(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }

package packet

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/gobitpack/bitpack/internal/typename"
)

// Difference is a part of the wire in which two protocols differ.
type Difference struct {
	Type  string // the packet type, or "" if the difference is not in a type
	Field string // the field in that type, or ""

	// Ours and Theirs are the wire of this part in each protocol. One is "" if
	// only the other protocol has the part.
	Ours, Theirs string
}

// String returns the difference in one line.
func (d Difference) String() string {
	ours, theirs := d.Ours, d.Theirs
	if ours == "" {
		ours = "nothing"
	}
	if theirs == "" {
		theirs = "nothing"
	}
	s := fmt.Sprintf("%s here, %s there", ours, theirs)
	if where := typename.Join(d.Type, d.Field); where != "" {
		s = where + ": " + s
	}
	return s
}

// The maximum number of differences that Diff returns, and the maximum length
// in bytes of each of their texts.
const (
	maxDifferences = 8
	maxText        = 200
)

// Diff compares two descriptions of protocols. It returns the differences
// between applications, versions, protections, end checks, packet limits and
// hashes of data, and the first field that differs in the first type that
// differs. It returns
// nil if the protocols differ only in names. A description may come from an
// untrusted source: Diff returns at most eight differences, each text printable
// and at most 200 bytes long, and allocates nothing else.
func Diff(ours, theirs string) []Difference {
	var list []Difference
	x, y := cursor{rest: ours}, cursor{rest: theirs}
	x.next()
	y.next()
	for x.inHead() || y.inHead() {
		if x.wire == cutLine || y.wire == cutLine {
			return list
		}
		var a, b line
		if x.inHead() {
			a = x.line
			x.next()
		}
		if y.inHead() {
			b = y.line
			y.next()
		}
		if a.wire != b.wire && len(list) < maxDifferences-1 {
			list = append(list, Difference{Ours: printable(a.wire), Theirs: printable(b.wire)})
		}
	}
	for x.more || y.more {
		if x.wire == cutLine || y.wire == cutLine {
			break
		}
		if x.wire != y.wire {
			return append(list, differing(x.line, y.line))
		}
		x.next()
		y.next()
	}
	return list
}

// differing returns the difference between two lines.
func differing(x, y line) Difference {
	d := Difference{Type: x.typ, Field: x.name, Ours: x.op(), Theirs: y.op()}
	if d.Ours == d.Theirs {
		d.Ours, d.Theirs = x.wire, y.wire // one is nested in more blocks than the other
	}
	if d.Ours == "" {
		d.Type, d.Field = y.typ, y.name
	}
	return Difference{printable(d.Type), printable(d.Field), printable(d.Ours), printable(d.Theirs)}
}

// line is a line of a description.
type line struct{ typ, wire, name string }

// op returns what the line says about the wire, without the op number and the
// marks of the surrounding blocks. It returns "" where the type or its elements
// end.
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

// cut marks the end of a description that was cut short.
const (
	cutLine = "..."
	cut     = cutLine + "\n"
)

// cursor reads the lines of a description: first those of the protocol as a
// whole, then those of its types.
type cursor struct {
	line
	more    bool // there is a current line
	inTypes bool // the current line belongs to a type
	rest    string
}

// next advances to the next line. After the last one, the line is empty.
func (c *cursor) next() {
	if c.rest == "" {
		*c = cursor{}
		return
	}
	var text string
	text, c.rest, _ = strings.Cut(c.rest, "\n")
	c.more = true
	c.wire, c.name, _ = strings.Cut(text, "\t")
	if strings.HasPrefix(c.wire, typePrefix) {
		c.typ, c.name = c.name, ""
		c.inTypes = true
	}
}

func (c *cursor) inHead() bool { return c.more && !c.inTypes }

// printable shortens a text to maxText bytes, and replaces characters that a
// terminal or a log might interpret.
func printable(text string) string {
	if len(text) > maxText {
		text = text[:maxText-len(cutLine)] + cutLine
	}
	return strings.Map(func(r rune) rune {
		if r != '\t' && !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

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
// between applications, versions, protections, end checks, packet limits, hashes
// of data and options, and the first field that differs in the first type that
// differs. Types are compared by their indices. It returns nil if the protocols
// differ only in names. A description may come from an untrusted source: Diff
// returns at most eight differences, each text printable and at most 200 bytes
// long, and allocates nothing else.
func Diff(ours, theirs string) []Difference {
	x, y := cursor{rest: ours}, cursor{rest: theirs}
	x.next()
	y.next()
	list, ok := diffHeads(&x, &y)
	if !ok {
		return list
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

// diffHeads returns the differences between the lines before the types, and moves
// both cursors to the types. A line that only one side has is compared with
// nothing. It returns false if a description ends before its types.
func diffHeads(x, y *cursor) (list []Difference, ok bool) {
	for x.inHead() || y.inHead() {
		if x.wire == cutLine || y.wire == cutLine {
			return list, false
		}
		var a, b string
		switch full := len(list) == maxDifferences-1; {
		case !y.inHead() || x.inHead() && !full && x.key() != y.key() && !y.has(x.key()):
			a = x.wire
			x.next()
		case !x.inHead() || !full && x.key() != y.key():
			b = y.wire
			y.next()
		default:
			a, b = x.wire, y.wire
			x.next()
			y.next()
		}
		if a != b && len(list) < maxDifferences-1 {
			list = append(list, Difference{Ours: printable(a), Theirs: printable(b)})
		}
	}
	return list, true
}

// differing returns the difference between two lines. If one is nested deeper, the
// block of the other has ended.
func differing(x, y line) Difference {
	d := Difference{Type: x.typ, Field: x.name, Ours: x.op(), Theirs: y.op()}
	switch a, b := x.depth(), y.depth(); {
	case a < b:
		d.Type, d.Field, d.Ours = y.typ, y.name, ""
	case a > b:
		d.Theirs = ""
	case d.Ours == "":
		d.Type, d.Field = y.typ, y.name
	default:
		// If one line continues the other, only its other fields differ.
		if more, ok := strings.CutPrefix(y.name, x.name+", "); ok {
			d.Field = more
		} else if more, ok := strings.CutPrefix(x.name, y.name+", "); ok {
			d.Field = more
		}
	}
	return Difference{printable(d.Type), printable(d.Field), printable(d.Ours), printable(d.Theirs)}
}

// line is a line of a description.
type line struct{ typ, wire, name string }

// op returns what the line says about the wire, without the marks of the
// surrounding blocks.
func (l line) op() string {
	if l.startsType() {
		return "a type"
	}
	return l.wire[l.marks():]
}

// depth returns the number of blocks around the line. The lines of a type are one
// deeper than the line that starts it.
func (l line) depth() int {
	if l.wire == "" || l.startsType() {
		return 0
	}
	return 1 + l.marks()/len(mark)
}

// marks returns the length of the marks of the surrounding blocks.
func (l line) marks() (n int) {
	for strings.HasPrefix(l.wire[n:], mark) {
		n += len(mark)
	}
	return n
}

func (l line) startsType() bool { return strings.HasPrefix(l.wire, typePrefix) && l.name == "" }

const mark = ". "

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
	number  int  // of the current line, from 1
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
	c.number++
	c.wire, c.name, _ = strings.Cut(text, "\t")
	if strings.HasPrefix(c.wire, typePrefix) {
		c.typ, c.name = c.name, ""
		c.inTypes = true
	}
}

func (c *cursor) inHead() bool { return c.more && !c.inTypes }

// fixedLines is the number of lines that every description starts with.
const fixedLines = 6

// key returns what tells which line of the head the current one is: "" for one of
// the first, whose place tells, and the start of an optional one.
func (c *cursor) key() string {
	if c.number <= fixedLines {
		return ""
	}
	if before, _, ok := strings.Cut(c.wire, " up to "); ok {
		return before // fragments of one of the types
	}
	before, _, _ := strings.Cut(c.wire, " ")
	return before
}

// has reports whether a line with the key follows in the head.
func (c cursor) has(key string) bool {
	for c.next(); c.inHead(); c.next() {
		if c.key() == key {
			return true
		}
	}
	return false
}

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

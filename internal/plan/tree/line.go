package tree

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// line is a line of a plan's text, with the lines nested in it. It describes values
// that are encoded n times in a row.
type line struct {
	n     uint64
	head  string  // what one value is, or "" for the sequence in body
	calls []*Part // for a KindCall or a KindUnion, the parts that it encodes
	body  []line
	names []*Node // the nodes that it stands for, if the text has names
}

// The heads that other code compares.
const (
	headAlign = "align"
	headCall  = "call"
)

// add appends x to list in normal form: a sequence that occurs once dissolves, a
// sequence of one line becomes that line with the product of the counts, and
// equal neighbors merge. Aligning twice is aligning once. Counts above
// [math.MaxInt64] are never made, because no message could have as many values.
func (n *normalizer) add(list []line, x line) []line {
	if x.head == "" {
		switch {
		case x.n == 0 || len(x.body) == 0:
			return list
		case x.n == 1:
			for _, in := range x.body {
				list = n.add(list, in)
			}
			return list
		case len(x.body) == 1 && x.n <= math.MaxInt64/x.body[0].n:
			one := x.body[0]
			one.n *= x.n
			x = one
		}
	}
	if x.head == headAlign {
		x.n = 1
	}
	if len(list) > 0 {
		last := &list[len(list)-1]
		if last.n <= math.MaxInt64-x.n && n.same(last, &x) {
			if last.head != headAlign {
				last.n += x.n
			}
			last.names = append(last.names, x.names...)
			return list
		}
	}
	return append(list, x)
}

// same reports whether a and b encode one value in the same way.
func (n *normalizer) same(a, b *line) bool {
	return a.head == b.head &&
		slices.EqualFunc(a.calls, b.calls, func(x, y *Part) bool { return n.classes[x.Index] == n.classes[y.Index] }) &&
		slices.EqualFunc(a.body, b.body, func(x, y line) bool { return x.n == y.n && n.same(&x, &y) })
}

// printer writes lines as text.
type printer struct {
	strings.Builder
	number func(*Part) int // the number of a part in the text
}

// print writes the lines of list and those nested in them.
func (s *printer) print(list []line, depth int) {
	for i := range list {
		x := &list[i]
		for range depth {
			s.WriteString(". ")
		}
		switch {
		case x.head == "":
			s.WriteString(strconv.FormatUint(x.n, 10) + " x")
		case x.n > 1:
			s.WriteString(strconv.FormatUint(x.n, 10) + " x ")
		}
		s.WriteString(x.head)
		for _, part := range x.calls {
			s.WriteString(" " + strconv.Itoa(s.number(part)))
		}
		s.named(x.names)
		s.WriteByte('\n')
		s.print(x.body, depth+1)
	}
}

// named writes a tab and the paths of the nodes, if there are any.
func (s *printer) named(list []*Node) {
	separator := "\t"
	for _, x := range list {
		if x.Path != "" {
			s.WriteString(separator + x.Path)
			separator = ", "
		}
	}
}

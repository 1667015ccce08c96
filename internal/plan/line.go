package plan

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
	calls []int32 // for a CodeCall or a CodeUnion, the parts that it encodes
	body  []line
	names names
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
			last.names = n.join(last.names, x.names)
			return list
		}
	}
	return append(list, x)
}

// same reports whether a and b encode one value in the same way.
func (n *normalizer) same(a, b *line) bool {
	return a.head == b.head &&
		slices.EqualFunc(a.calls, b.calls, func(x, y int32) bool { return n.classes[x] == n.classes[y] }) &&
		slices.EqualFunc(a.body, b.body, func(x, y line) bool { return x.n == y.n && n.same(&x, &y) })
}

// names is a list of ops that one line stands for, linked by normalizer.next. It
// is empty if first is 0; otherwise the ops are first-1 to last-1.
type names struct{ first, last int32 }

// nameOf returns the list of op i alone.
func nameOf(i int) names { return names{int32(i) + 1, int32(i) + 1} }

// join returns the ops of a, then those of b.
func (n *normalizer) join(a, b names) names {
	switch {
	case n.paths == nil || b.first == 0:
		return a
	case a.first == 0:
		return b
	}
	n.next[a.last-1] = b.first
	return names{a.first, b.last}
}

// printer writes lines as text.
type printer struct {
	strings.Builder
	n      *normalizer
	number func(part int32) int // the number of a part in the text
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

// named writes a tab and the paths of the ops, if the text has names.
func (s *printer) named(list names) {
	if s.n.paths == nil {
		return
	}
	separator := "\t"
	for i := list.first; i > 0; i = s.n.next[i-1] {
		if path := s.n.paths[i-1]; path != "" {
			s.WriteString(separator + path)
			separator = ", "
		}
		if i == list.last {
			return
		}
	}
}

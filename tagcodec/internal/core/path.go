package core

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
)

// A path names the value that an error is about. The sender controls how deeply
// values nest and how long map keys are, so the length of a path is bounded. A
// path through more than maxPathBlocks blocks names only the first and the last
// of them, and a longer text keeps only its two ends.
const (
	maxPathBlocks = 32
	maxPathBytes  = 512 // bytes
	maxKeyBytes   = 64  // bytes of a map key
)

// Elision replaces the omitted part of a path.
const Elision = "[...]"

// Elided reports whether a path through n blocks omits block i and some after
// it. It returns the index of the next block to write.
func Elided(i, n int) (next int, ok bool) {
	if i == maxPathBlocks/2 && n > maxPathBlocks {
		return n - maxPathBlocks/2, true
	}
	return i, false
}

// WritePath writes the path of a field within its block.
func WritePath(s *strings.Builder, f *plan.Field) {
	if f.Path != "" {
		s.WriteByte('.')
		s.WriteString(f.Path)
	}
}

// WriteElement writes the index or key of the element that contains a value. op
// opened the element's block, i is the index, and key returns the key of a map
// entry. WriteElement writes nothing for blocks that do not repeat.
func WriteElement(s *strings.Builder, op *plan.Op, i int, key func() reflect.Value) {
	switch op.Code {
	case plan.CodeArray, plan.CodeSlice, plan.CodeSubset:
		s.WriteString("[" + strconv.Itoa(i) + "]")
	case plan.CodeMap:
		s.WriteString("[" + shortKey(key()) + "]")
	}
}

// WriteRunIndex writes the indices of value i of an op. The type t may be a slice
// or an array of arrays, whose elements may be complex numbers.
func WriteRunIndex(s *strings.Builder, t reflect.Type, i int) {
	if t.Kind() == reflect.Slice {
		s.WriteString("[" + strconv.Itoa(i) + "]")
		return
	}
	values := 1
	leaf := t
	for leaf.Kind() == reflect.Array {
		values *= leaf.Len()
		leaf = leaf.Elem()
	}
	part := 0
	if k := leaf.Kind(); k == reflect.Complex64 || k == reflect.Complex128 {
		i, part = i/2, 1+i%2
	}
	for ; t.Kind() == reflect.Array; t = t.Elem() {
		values /= t.Len()
		s.WriteString("[" + strconv.Itoa(i/values) + "]")
		i %= values
	}
	s.WriteString([...]string{"", ".real", ".imag"}[part])
}

// keyText returns a map key in the form used by paths.
func keyText(key reflect.Value) string {
	switch {
	case key.Kind() == reflect.String:
		return strconv.Quote(key.String())
	case key.CanInt():
		return strconv.FormatInt(key.Int(), 10)
	case key.CanUint():
		return strconv.FormatUint(key.Uint(), 10)
	}
	return strconv.FormatBool(key.Bool())
}

// shortKey is like keyText but truncates long keys.
func shortKey(key reflect.Value) string {
	if key.Kind() == reflect.String && key.Len() > maxKeyBytes {
		return strconv.Quote(strings.ToValidUTF8(key.String()[:maxKeyBytes], "")) + "..."
	}
	return keyText(key)
}

// ShortPath returns path if it has at most maxPathBytes bytes. Otherwise it
// returns the two ends of path, cut between names if possible.
func ShortPath(path string) string {
	if len(path) <= maxPathBytes {
		return path
	}
	const each = (maxPathBytes - len(Elision)) / 2
	head, tail := path, path
	if i := strings.Index(path, Elision); i >= 0 { // already shortened
		head, tail = path[:i], path[strings.LastIndex(path, Elision)+len(Elision):]
	}
	if len(head) > each {
		head = head[:each]
		if i := max(strings.LastIndexByte(head, '.'), strings.LastIndexByte(head, '[')); i > 0 {
			head = head[:i]
		}
		head = strings.ToValidUTF8(head, "")
	}
	if len(tail) > each {
		tail = tail[len(tail)-each:]
		if i := strings.IndexFunc(tail, func(r rune) bool { return r == '.' || r == '[' }); i >= 0 {
			tail = tail[i:]
		}
		tail = strings.ToValidUTF8(tail, "")
	}
	return head + Elision + tail
}

package core

import (
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

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

// WritePath writes the path of a field within its block. It is not copied into its
// callers.
//
//go:noinline
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
		writeIndex(s, strconv.Itoa(i))
	case plan.CodeMap:
		writeIndex(s, shortKey(key()))
	}
}

// writeIndex writes an index or a key in brackets. It is not copied into its callers.
//
//go:noinline
func writeIndex(s *strings.Builder, text string) { s.WriteString("[" + text + "]") }

// WriteRunIndex writes the indices of value i of an op. The type t may be a slice
// or an array of arrays, whose elements may be complex numbers.
func WriteRunIndex(s *strings.Builder, t reflect.Type, i int) {
	if t.Kind() == reflect.Slice {
		writeIndex(s, strconv.Itoa(i))
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
		writeIndex(s, strconv.Itoa(i/values))
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
		return keyText(reflect.ValueOf(wholeRunes(key.String(), maxKeyBytes))) + "..."
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
	parts := strings.Split(path, Elision) // several if it is already shortened
	head, tail := parts[0], parts[len(parts)-1]
	if len(head) > each {
		head = wholeRunes(head, each)
		if i := max(strings.LastIndexByte(head, '.'), strings.LastIndexByte(head, '[')); i > 0 {
			head = head[:i]
		}
	}
	if len(tail) > each {
		for tail = tail[len(tail)-each:]; tail != "" && !utf8.RuneStart(tail[0]); {
			tail = tail[1:]
		}
		if i := strings.IndexFunc(tail, func(r rune) bool { return r == '.' || r == '[' }); i >= 0 {
			tail = tail[i:]
		}
	}
	return head + Elision + tail
}

// wholeRunes returns the first n bytes of s, which must have more, without a rune
// that continues after them.
func wholeRunes(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

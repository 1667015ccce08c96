package tagcodec

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// A path names the value that an error is about. A peer decides how deeply
// values nest and what the keys of a map are, so a path is bounded: it names the
// first and the last of the blocks around the value, and of a long text only the
// ends.
const (
	mostBlocks = 32
	mostPath   = 512 // bytes
	mostKey    = 64  // bytes of a key
)

// elision stands for what a path leaves out.
const elision = "[...]"

// elided reports whether block i of n is the first of those that a path leaves
// out, and returns the block to go on with.
func elided(i, n int) (next int, ok bool) {
	if i == mostBlocks/2 && n > mostBlocks {
		return n - mostBlocks/2, true
	}
	return i, false
}

// writePath writes the path of a field in its block.
func writePath(s *strings.Builder, f *typecache.Field) {
	if f.Path != "" {
		s.WriteByte('.')
		s.WriteString(f.Path)
	}
}

// writeElement writes which element of an op's block a value is in: number i,
// or of a map the one of a key.
func writeElement(s *strings.Builder, op *typecache.Op, i int, key func() reflect.Value) {
	switch op.Code {
	case typecache.CodeArray, typecache.CodeSlice, typecache.CodeSubset:
		s.WriteString("[" + strconv.Itoa(i) + "]")
	case typecache.CodeMap:
		s.WriteString("[" + shortKey(key()) + "]")
	}
}

// keyText returns a key as a path shows it.
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

// shortKey is keyText of the start of a long key.
func shortKey(key reflect.Value) string {
	if key.Kind() == reflect.String && key.Len() > mostKey {
		return strconv.Quote(strings.ToValidUTF8(key.String()[:mostKey], "")) + "..."
	}
	return keyText(key)
}

// shortPath returns a path of at most mostPath bytes: both ends of a longer one,
// cut between names where that is possible.
func shortPath(path string) string {
	if len(path) <= mostPath {
		return path
	}
	const each = (mostPath - len(elision)) / 2
	head, tail := path, path
	if i := strings.Index(path, elision); i >= 0 { // it was cut before
		head, tail = path[:i], path[strings.LastIndex(path, elision)+len(elision):]
	}
	if len(head) > each {
		head = head[:each]
		if i := strings.LastIndexAny(head, ".["); i > 0 {
			head = head[:i]
		}
		head = strings.ToValidUTF8(head, "")
	}
	if len(tail) > each {
		tail = tail[len(tail)-each:]
		if i := strings.IndexAny(tail, ".["); i >= 0 {
			tail = tail[i:]
		}
		tail = strings.ToValidUTF8(tail, "")
	}
	return head + elision + tail
}

// maxWrapped is how many errors of messages inside of messages an Error keeps:
// those of types whose UnmarshalBinary calls Unmarshal, for example.
const maxWrapped = 16

// newError makes the error of the value at a path. Where the cause is the error
// of a part that was serialized in place, the two become one.
func newError(op string, t reflect.Type, path string, bit int, cause error) *Error {
	e := &Error{Op: op, Type: t, Path: path, Bit: bit, Err: cause}
	if part, ok := cause.(*Error); ok {
		if part.inPlace {
			e.Path += strings.TrimPrefix(part.Path, typename.Of(part.Type))
			e.Bit, e.Err, e.wrapped = part.Bit, part.Err, part.wrapped
		} else if e.wrapped = part.wrapped + 1; e.wrapped > maxWrapped {
			e.Err, e.wrapped = part.Err, part.wrapped
		}
	}
	e.Path = shortPath(e.Path)
	return e
}

//go:build !purego

package binary

import (
	"math"
	"reflect"
)

// kind is the kind of the values in a segment.
type kind uint8

const (
	word8   kind = iota // 1-byte integers
	word16              // 2-byte integers
	word32              // 4-byte integers, and float32s copied bit for bit
	word64              // 8-byte integers and float64s
	float               // float32s converted through float64
	boolean             // bools
	blank               // bytes that are zero on the wire and not touched in memory
	repeat              // elements with segments of their own
)

// width is the size in bytes of a value of each kind.
var width = [...]int{word8: 1, word16: 2, word32: 4, word64: 8, float: 4, boolean: 1, blank: 1}

// segment is n values of one kind that are contiguous in memory and on the wire.
type segment struct {
	kind kind
	mem  int // offset in memory
	wire int // offset on the wire
	n    int

	elem *layout // the elements of a repeat
}

// bytes returns the size of the segment on the wire.
func (r *segment) bytes() int {
	if r.kind == repeat {
		return r.n * r.elem.size
	}
	return r.n * width[r.kind]
}

// layout describes where the values of a fixed-size type are.
type layout struct {
	size     int // bytes on the wire
	stride   int // bytes in memory
	segments []segment

	// settable reports whether reflect can set every value that is not blank.
	// If not, decoding with the standard library panics.
	settable bool
}

// maxExpanded and maxStride limit a layout. An array with more than maxExpanded
// segments becomes a repeat, and a type larger than maxStride bytes has no
// layout.
const (
	maxExpanded = 64
	maxStride   = math.MaxInt32
)

// fieldAccess says what reflect allows for a field. It is accessOpen if reflect
// can set the field, accessEmbedded for an unexported embedded field, and
// accessClosed for other unexported fields and all that they contain.
type fieldAccess uint8

const (
	accessOpen fieldAccess = iota
	accessEmbedded
	accessClosed
)

// layoutOf returns the layout of t, or nil if t has no fixed size. With exact,
// float32s are copied bit for bit, as the standard library does for types that
// it handles without reflect.
func layoutOf(t reflect.Type, exact bool) *layout {
	if t.Size() > maxStride {
		return nil
	}
	l := &layout{stride: int(t.Size()), settable: true}
	if !l.add(t, 0, accessOpen, exact) {
		return nil
	}
	return l
}

// add appends the values of type t at offset mem. It reports whether t has a
// fixed size.
func (l *layout) add(t reflect.Type, mem int, a fieldAccess, exact bool) bool {
	n, values := 1, t
	for values.Kind() == reflect.Array {
		n *= values.Len()
		values = values.Elem()
		if a != accessOpen {
			a = accessClosed
		}
	}
	switch values.Kind() {
	case reflect.Bool:
		l.values(boolean, mem, n, a)
	case reflect.Int8, reflect.Uint8:
		l.values(word8, mem, n, a)
	case reflect.Int16, reflect.Uint16:
		l.values(word16, mem, n, a)
	case reflect.Int32, reflect.Uint32:
		l.values(word32, mem, n, a)
	case reflect.Int64, reflect.Uint64, reflect.Float64:
		l.values(word64, mem, n, a)
	case reflect.Complex128:
		l.values(word64, mem, 2*n, a)
	case reflect.Float32, reflect.Complex64:
		k := float
		if exact {
			k = word32
		}
		if values.Kind() == reflect.Complex64 {
			n *= 2
		}
		l.values(k, mem, n, a)
	case reflect.Struct:
		return l.structs(values, mem, n, a, exact)
	default:
		return false
	}
	return true
}

// values appends n values of kind k, as a new segment or by extending the last
// one.
func (l *layout) values(k kind, mem, n int, a fieldAccess) {
	if n == 0 {
		return
	}
	if k != blank && a != accessOpen {
		l.settable = false
	}
	wire := l.size
	l.size += n * width[k]
	if i := len(l.segments) - 1; i >= 0 {
		if last := &l.segments[i]; last.kind == k && last.mem+last.bytes() == mem {
			last.n += n
			return
		}
	}
	l.segments = append(l.segments, segment{kind: k, mem: mem, wire: wire, n: n})
}

// structs appends n structs of type t. It reports whether t has a fixed size.
func (l *layout) structs(t reflect.Type, mem, n int, a fieldAccess, exact bool) bool {
	elem := &layout{stride: int(t.Size()), settable: true}
	for i := range t.NumField() {
		f := t.Field(i)
		in := a
		switch {
		case f.Name == "_":
			var skipped layout
			if !skipped.add(f.Type, 0, accessOpen, exact) {
				return false
			}
			elem.values(blank, int(f.Offset), skipped.size, accessOpen)
			continue
		case f.IsExported():
			if in == accessEmbedded {
				in = accessOpen // fields of an embedded struct are promoted
			}
		case f.Anonymous && in != accessClosed:
			in = accessEmbedded
		default:
			in = accessClosed
		}
		if !elem.add(f.Type, int(f.Offset), in, exact) {
			return false
		}
	}
	if n == 0 || len(elem.segments) == 0 {
		return true
	}
	l.settable = l.settable && elem.settable
	if dense := elem.dense(); dense != nil {
		l.values(dense.kind, mem, n*dense.n, accessOpen)
		return true
	}
	if n*len(elem.segments) > maxExpanded && n > 1 {
		l.segments = append(l.segments, segment{kind: repeat, mem: mem, wire: l.size, n: n, elem: elem})
		l.size += n * elem.size
		return true
	}
	for i := range n {
		l.place(elem, mem+i*elem.stride)
	}
	return true
}

// place appends the segments of elem, a struct at offset mem.
func (l *layout) place(elem *layout, mem int) {
	for _, r := range elem.segments {
		if r.kind == repeat {
			r.mem += mem
			r.wire = l.size
			l.segments = append(l.segments, r)
			l.size += r.bytes()
			continue
		}
		l.values(r.kind, mem+r.mem, r.n, accessOpen)
	}
}

// dense returns the only segment of l if it covers the type without gaps, so
// that consecutive elements form one longer segment. Otherwise it returns nil.
func (l *layout) dense() *segment {
	if len(l.segments) != 1 {
		return nil
	}
	if r := &l.segments[0]; r.kind < blank && r.mem == 0 && r.bytes() == l.stride {
		return r
	}
	return nil
}

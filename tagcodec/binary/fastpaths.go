//go:build !purego

package binary

import (
	"reflect"
	"sync/atomic"

	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// fastPaths describes how the fast loops handle an argument.
type fastPaths struct {
	typ uintptr // the argument's type, as memory.TypeOf returns it

	// word is the size in bytes of the number that the argument is, or points
	// to, if the number's type is predeclared. wordTo is the same for pointers
	// only. Otherwise they are 0. Copying a single number directly is faster
	// than calling a copier.
	word, wordTo uint8

	size int // size of an element on the wire, or -1 if there are no copiers

	// encoder and decoder have the copiers of an element, indexed by
	// orderIndex. A copier is nil where a tagged codec or the standard library
	// does the work. The decoders are also nil where the standard library fails
	// or panics.
	encoder, decoder [3]*copier

	// bytes reports whether the type is []byte, which is copied as a whole.
	// strict reports whether the standard library's Decode panics for the type
	// if there are more bytes than elements.
	bytes, strict bool
}

// The indices of encoder and decoder.
const (
	native     = iota // the byte order of this machine
	foreign           // the opposite byte order
	otherOrder        // any other byte order, which has no copier
)

// newFastPaths returns the fastPaths of e, the argType of data.
func newFastPaths(e *argType, data any) fastPaths {
	t := reflect.TypeOf(data)
	p := fastPaths{typ: memory.TypeOf(&data), size: -1}
	if t == nil || e.tagged {
		return p
	}
	l := layoutOf(e.elem, basic(t))
	if l == nil {
		return p
	}
	p.size = l.size
	if basic(t) && e.form <= formPointer && e.elem.Kind() != reflect.Bool {
		if p.word = uint8(l.size); e.form == formPointer {
			p.wordTo = p.word
		}
	}
	p.bytes = t == reflect.TypeFor[[]byte]()
	p.strict = t == reflect.TypeFor[[]bool]() || t == reflect.TypeFor[[]int8]()
	p.encoder = [...]*copier{native: l.encoder(false), foreign: l.encoder(true), otherOrder: nil}
	if l.settable && e.form != formValue {
		p.decoder = [...]*copier{native: l.decoder(false), foreign: l.decoder(true), otherOrder: nil}
	}
	return p
}

// basic reports whether the standard library handles arguments of type t
// without reflect: predeclared number types and bool, slices of these, and
// pointers to one.
func basic(t reflect.Type) bool {
	if k := t.Kind(); t.Name() == "" && (k == reflect.Pointer || k == reflect.Slice) {
		t = t.Elem()
	}
	k := t.Kind()
	return t.PkgPath() == "" && k >= reflect.Bool && k <= reflect.Float64
}

// recent caches the argTypes used last, indexed by a hash of their types. It
// avoids most of the cost of a lookup.
var recent [256]atomic.Pointer[argType]

func init() {
	for i := range recent {
		recent[i].Store(nilArgType)
	}
}

// slot returns the index of a type in recent.
func slot(typ uintptr) uint8 { return uint8(uint64(typ) * 0x9E3779B97F4A7C15 >> 56) }

// recall returns the argType of a type from recent, or nil.
func recall(typ uintptr) *argType {
	if e := recent[slot(typ)].Load(); e.typ == typ {
		return e
	}
	return nil
}

// remember stores e in recent.
func (e *argType) remember() { recent[slot(e.typ)].Store(e) }

// fixed reports whether the elements, which have no tags, have a fixed size.
func (e *argType) fixed(any) bool { return e.size >= 0 }

// elements returns the address and the number of an argument's elements. ok is
// false for a nil pointer.
func (e *argType) elements(data memory.Pointer) (first memory.Pointer, n int, ok bool) {
	if e.form <= formPointer || data.IsNil() {
		return data, 1, !data.IsNil()
	}
	s := data.Slice()
	return s.Data, s.Len, true
}

// usable reports whether data has elements to work on. If it does not, the
// standard library provides the error.
func (e *argType) usable(data any) bool {
	_, _, ok := e.elements(memory.DataOf(&data))
	return ok || e.form == formValue
}

// unboxed returns data for a callee that does not retain its address.
func unboxed(data any) any { return memory.Unboxed(data) }

// count returns the number of elements of data.
func (e *argType) count(data any) int {
	_, n, _ := e.elements(memory.DataOf(&data))
	return n
}

// variables returns the elements of data, which is a slice or a pointer to one.
func (e *argType) variables(data any) engine.Variables {
	first, n, _ := e.elements(memory.DataOf(&data))
	return engine.Variables{First: first, N: n, Size: e.elemSize}
}

// variable returns the element of data, or a copy if e.copied is set. Data is
// neither a slice nor a pointer to one.
func (e *argType) variable(data any) engine.Variable {
	if e.copied {
		return engine.VariableTo(e.copyOf(data))
	}
	return memory.DataOf(&data)
}

// apart reports whether no memory of data is in buf.
func (e *argType) apart(data any, buf []byte) bool {
	first, n, _ := e.elements(memory.DataOf(&data))
	return !e.references && !e.copied && !first.Overlaps(n*int(e.elemSize), buf)
}

// isLittle reports whether order is little-endian.
func isLittle(order ByteOrder) bool { return orderIndex(order) == forLittle }

// littleEndian, bigEndian and nativeEndian are the types of the byte orders, as
// memory.TypeOf returns them. Each of these types has only one value, so the
// type identifies the order.
var littleEndian, bigEndian, nativeEndian = orderType(LittleEndian), orderType(BigEndian), orderType(NativeEndian)

// orderType returns the type of a byte order.
func orderType(order ByteOrder) uintptr { return memory.TypeOf(&order) }

// forLittle and forBig are the indices of LittleEndian and BigEndian.
var forLittle, forBig = native, foreign

func init() {
	if NativeEndian.Uint16([]byte{0, 1}) == 1 {
		forLittle, forBig = foreign, native
	}
}

// orderIndex returns the index of the copiers for a byte order. It is
// otherOrder for nil and for a byte order that the user defines.
func orderIndex(order ByteOrder) int {
	switch memory.TypeOf(&order) {
	case littleEndian:
		return forLittle
	case bigEndian:
		return forBig
	case nativeEndian:
		return native
	}
	return otherOrder
}

//go:build !purego

package binary

import (
	"reflect"
	"sync/atomic"

	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// programs are how the fast loops work on an argument.
type programs struct {
	typ uintptr // of the argument, as an interface has it

	// word is the bytes of a number that the argument is, or points to, if its
	// type is not named, and wordTo of one that it points to; 0 for all else.
	// Such are so short that a program would take longer.
	word, wordTo uint8

	size int // bytes of an element on the wire, or -1 without programs

	// The programs of an element by programFor. There are none where a tagged
	// codec or the standard library does the work, and no decoders where the
	// standard library fails or panics.
	encoder, decoder [3]*program

	// bytes says that the type is []byte, which needs no copy, and strict that
	// it is one for which the standard library's Decode panics if there are
	// more bytes than elements.
	bytes, strict bool
}

// The indices of programs.
const (
	native  = iota // for the byte order of this machine
	foreign        // for the other
	unknown        // for none
)

// newPrograms makes the programs of an entry, that of the type of data.
func newPrograms(e *entry, data any) programs {
	t := reflect.TypeOf(data)
	p := programs{typ: memory.TypeOf(&data), size: -1}
	if t == nil || e.tagged {
		return p
	}
	l := layoutOf(e.elem, basic(t))
	if l == nil {
		return p
	}
	p.size = l.size
	if basic(t) && e.form <= pointer && e.elem.Kind() != reflect.Bool {
		if p.word = uint8(l.size); e.form == pointer {
			p.wordTo = p.word
		}
	}
	p.bytes = t == reflect.TypeFor[[]byte]()
	p.strict = t == reflect.TypeFor[[]bool]() || t == reflect.TypeFor[[]int8]()
	p.encoder = [...]*program{native: l.encoder(false), foreign: l.encoder(true), unknown: nil}
	if l.settable && e.form != value {
		p.decoder = [...]*program{native: l.decoder(false), foreign: l.decoder(true), unknown: nil}
	}
	return p
}

// basic reports whether the standard library handles arguments of type t
// without reflect: numbers and bools whose types are not named, slices of
// these, and pointers to one.
func basic(t reflect.Type) bool {
	if k := t.Kind(); t.Name() == "" && (k == reflect.Pointer || k == reflect.Slice) {
		t = t.Elem()
	}
	k := t.Kind()
	return t.PkgPath() == "" && k >= reflect.Bool && k <= reflect.Float64
}

// recent holds the entries that were asked for last, by a hash of their types.
// It saves most of the time of a lookup.
var recent [256]atomic.Pointer[entry]

func init() {
	for i := range recent {
		recent[i].Store(noEntry)
	}
}

// slot hashes a type to an index of recent.
func slot(typ uintptr) uint8 { return uint8(uint64(typ) * 0x9E3779B97F4A7C15 >> 56) }

// recall returns an entry from recent, or nil.
func recall(typ uintptr) *entry {
	if e := recent[slot(typ)].Load(); e.typ == typ {
		return e
	}
	return nil
}

// remember has recall return the entry.
func (e *entry) remember() { recent[slot(e.typ)].Store(e) }

// fixed reports whether elements, which have no tags, have a size.
func (e *entry) fixed(any) bool { return e.size >= 0 }

// elements returns the address and the number of the elements of an argument.
// There are none behind a nil pointer.
func (e *entry) elements(data memory.Pointer) (first memory.Pointer, n int, ok bool) {
	if e.form <= pointer || data.IsNil() {
		return data, 1, !data.IsNil()
	}
	s := data.Slice()
	return s.Data, s.Len, true
}

// usable reports whether data has elements to work on. For data that does not,
// the standard library has the error.
func (e *entry) usable(data any) bool {
	_, _, ok := e.elements(memory.DataOf(&data))
	return ok || e.form == value
}

// unboxed returns data for a callee that does not keep its address.
func unboxed(data any) any { return memory.Unboxed(data) }

// count returns the number of elements of data.
func (e *entry) count(data any) int {
	_, n, _ := e.elements(memory.DataOf(&data))
	return n
}

// element returns the variable that is an element of data.
func (e *entry) element(data any, i int) reflect.Value {
	first, _, _ := e.elements(memory.DataOf(&data))
	return first.At(uintptr(i) * e.elem.Size()).Value(e.elem)
}

// The byte orders as an interface has them. Their types have no values other
// than one, so that the type alone says which it is.
var littleEndian, bigEndian, nativeEndian = orderType(LittleEndian), orderType(BigEndian), orderType(NativeEndian)

func orderType(order ByteOrder) uintptr { return memory.TypeOf(&order) }

var forLittle, forBig = native, foreign

func init() {
	if NativeEndian.Uint16([]byte{0, 1}) == 1 {
		forLittle, forBig = foreign, native
	}
}

// programFor returns the index of the program for a byte order. There is none
// for an order of the user's own, nor for nil.
func programFor(order ByteOrder) int {
	switch memory.TypeOf(&order) {
	case littleEndian:
		return forLittle
	case bigEndian:
		return forBig
	case nativeEndian:
		return native
	}
	return unknown
}

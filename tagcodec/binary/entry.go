package binary

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// form is how an argument holds its elements.
type form uint8

const (
	value        form = iota // one, in the interface
	pointer                  // one, that it points to
	slice                    // those of the slice in the interface
	slicePointer             // those of the slice that it points to
)

// entry is what is known of the type of an argument.
type entry struct {
	typ  uintptr // as an interface has it
	form form

	// word is the bytes of a number that the argument is, or points to, if its
	// type is not named, and wordTo of one that it points to; 0 for all else.
	// Such are so short that a program would take longer.
	word, wordTo uint8

	size int          // bytes of an element on the wire, or -1 without programs
	elem reflect.Type // of one element

	// The programs of an element by programFor. There are none where a tagged
	// codec or the standard library does the work, and no decoders where the
	// standard library fails or panics.
	encoder, decoder [3]*program

	// bytes says that the type is []byte, which needs no copy, and strict that
	// it is one for which the standard library's Decode panics if there are
	// more bytes than elements.
	bytes, strict bool

	tagged *tagged // for elements with bp tags

	// shaped says that an interface may hold such a value itself, in place of
	// its address.
	shaped bool
}

// The indices of programs.
const (
	native  = iota // for the byte order of this machine
	foreign        // for the other
	unknown        // for none
)

// entries holds an *entry per reflect.Type. A program has finitely many types,
// and nothing that a reader holds makes new ones.
var entries sync.Map

// recent holds the entries that were asked for last, by a hash of their types.
// It saves most of the time of a lookup.
var recent [256]atomic.Pointer[entry]

func init() {
	for i := range recent {
		recent[i].Store(noEntry)
	}
}

// noEntry is the entry of nil, which has no type.
var noEntry = &entry{size: -1}

// slot hashes a type to an index of recent.
func slot(typ uintptr) uint8 { return uint8(uint64(typ) * 0x9E3779B97F4A7C15 >> 56) }

// recall returns an entry from recent, or nil.
func recall(typ uintptr) *entry {
	if e := recent[slot(typ)].Load(); e.typ == typ {
		return e
	}
	return nil
}

// findEntry is recall for types that are not in recent.
//
//go:noinline
func findEntry(data any) *entry {
	t := reflect.TypeOf(data)
	if t == nil {
		return noEntry
	}
	e, ok := entries.Load(t)
	if !ok {
		e, _ = entries.LoadOrStore(t, newEntry(t, memory.TypeOf(&data)))
	}
	found := e.(*entry)
	recent[slot(found.typ)].Store(found)
	return found
}

func newEntry(t reflect.Type, typ uintptr) *entry {
	e := &entry{typ: typ, size: -1, elem: t}
	switch {
	case t.Kind() == reflect.Slice:
		e.form, e.elem = slice, t.Elem()
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Slice:
		e.form, e.elem = slicePointer, t.Elem().Elem()
	case t.Kind() == reflect.Pointer:
		e.form, e.elem = pointer, t.Elem()
	}
	if hasTags(e.elem) {
		e.tagged = newTagged(e.elem)
		e.shaped = t.Size() == reflect.TypeFor[uintptr]().Size()
		return e
	}
	l := layoutOf(e.elem, basic(t))
	if l == nil {
		return e
	}
	e.size = l.size
	if basic(t) && e.form <= pointer && e.elem.Kind() != reflect.Bool {
		if e.word = uint8(l.size); e.form == pointer {
			e.wordTo = e.word
		}
	}
	e.bytes = t == reflect.TypeFor[[]byte]()
	e.strict = t == reflect.TypeFor[[]bool]() || t == reflect.TypeFor[[]int8]()
	e.encoder = [...]*program{native: l.encoder(false), foreign: l.encoder(true), unknown: nil}
	if l.settable && e.form != value {
		e.decoder = [...]*program{native: l.decoder(false), foreign: l.decoder(true), unknown: nil}
	}
	return e
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

// elements returns the address and the number of the elements of an argument.
// There are none behind a nil pointer.
func (e *entry) elements(data memory.Pointer) (first memory.Pointer, n int, ok bool) {
	if e.form <= pointer || data.IsNil() {
		return data, 1, !data.IsNil()
	}
	s := data.Slice()
	return s.Data, s.Len, true
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

//go:build !purego

// Package memory reaches the fields of values by their offsets. It is the only
// place that goes around the type system: the loops of the codecs reach memory
// through the methods of Pointer alone, at offsets and with types that their
// plans took from reflect.
package memory

import (
	"encoding/binary"
	"reflect"
	"unsafe"
	"weak"
)

// Pointer is the address of a value.
type Pointer struct{ p unsafe.Pointer }

// SliceHeader is a slice of any type in memory.
type SliceHeader struct {
	Data Pointer
	Len  int
	Cap  int
}

// At returns the address off bytes further.
func (p Pointer) At(off uintptr) Pointer { return Pointer{unsafe.Add(p.p, off)} }

// Back returns the address off bytes before.
func (p Pointer) Back(off uintptr) Pointer { return Pointer{unsafe.Add(p.p, -int(off))} }

// IsNil reports whether there is no address.
func (p Pointer) IsNil() bool { return p.p == nil }

// The value at p as what its type is made of.

func (p Pointer) U8() *uint8          { return (*uint8)(p.p) }
func (p Pointer) U16() *uint16        { return (*uint16)(p.p) }
func (p Pointer) U32() *uint32        { return (*uint32)(p.p) }
func (p Pointer) U64() *uint64        { return (*uint64)(p.p) }
func (p Pointer) F32() *float32       { return (*float32)(p.p) }
func (p Pointer) F64() *float64       { return (*float64)(p.p) }
func (p Pointer) Str() *string        { return (*string)(p.p) }
func (p Pointer) Bytes() *[]byte      { return (*[]byte)(p.p) }
func (p Pointer) Slice() *SliceHeader { return (*SliceHeader)(p.p) }
func (p Pointer) Ptr() *Pointer       { return (*Pointer)(p.p) }

// Array returns the n bytes at p.
func (p Pointer) Array(n int) []byte { return Run[byte](p, n) }

// Words128 returns the 128-bit integer at p, its low word first.
func (p Pointer) Words128() *[2]uint64 { return (*[2]uint64)(p.p) }

// Weak refers to memory that it does not keep alive.
type Weak struct{ p weak.Pointer[byte] }

// Weak returns a reference to p, a variable, or part of one, that is not on a
// stack.
func (p Pointer) Weak() Weak { return Weak{weak.Make((*byte)(p.p))} }

// Pointer returns the address, or nil if the memory is no longer there.
func (w Weak) Pointer() Pointer { return Pointer{unsafe.Pointer(w.p.Value())} }

// Run returns the n values at p.
func Run[T any](p Pointer, n int) []T { return unsafe.Slice((*T)(p.p), n) }

// As returns the T at p.
func As[T any](p Pointer) *T { return (*T)(p.p) }

// Next returns the element n after another, both of one slice.
func Next[T any](p *T, n int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), uintptr(n)*unsafe.Sizeof(*p)))
}

// Value returns the variable of type t at p.
func (p Pointer) Value(t reflect.Type) reflect.Value { return reflect.NewAt(t, p.p).Elem() }

// To returns the address that a reflect.Value of a pointer, or the first
// element of a slice, holds.
func To(v reflect.Value) Pointer { return Pointer{v.UnsafePointer()} }

// Of returns the address of a variable.
func Of[T any](v *T) Pointer { return Pointer{unsafe.Pointer(v)} }

// In returns the address of the value, other than a pointer, in an interface,
// which has a pointer to it. A value of the size of a pointer may itself be
// that pointer, by rules that change with the compiler: it is copied.
func In(v *any) Pointer {
	data := (*[2]unsafe.Pointer)(unsafe.Pointer(v))[1]
	if t := reflect.TypeOf(*v); t.Size() == unsafe.Sizeof(data) && t.Kind() > reflect.Complex128 {
		kept := reflect.New(t)
		kept.Elem().Set(reflect.ValueOf(*v))
		return To(kept)
	}
	return Pointer{data}
}

// StringBytes returns the bytes of a string, which nobody may change.
func StringBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// String returns bytes as a string, which is one for as long as nobody changes
// them.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Start returns the address of the first byte of b.
func Start(b []byte) Pointer { return Pointer{unsafe.Pointer(unsafe.SliceData(b))} }

// The bytes at p, which need not be aligned, as an integer of this machine's
// byte order.

func (p Pointer) Load16() uint16   { return binary.NativeEndian.Uint16((*[2]byte)(p.p)[:]) }
func (p Pointer) Load32() uint32   { return binary.NativeEndian.Uint32((*[4]byte)(p.p)[:]) }
func (p Pointer) Load64() uint64   { return binary.NativeEndian.Uint64((*[8]byte)(p.p)[:]) }
func (p Pointer) Store16(v uint16) { binary.NativeEndian.PutUint16((*[2]byte)(p.p)[:], v) }
func (p Pointer) Store32(v uint32) { binary.NativeEndian.PutUint32((*[4]byte)(p.p)[:], v) }
func (p Pointer) Store64(v uint64) { binary.NativeEndian.PutUint64((*[8]byte)(p.p)[:], v) }

// TypeOf returns a number that stands for the dynamic type of an interface, 0
// for none. Numbers are for comparison among interfaces of one type I.
func TypeOf[I any](v *I) uintptr { return (*[2]uintptr)(unsafe.Pointer(v))[0] }

// DataOf returns the pointer that an interface holds, or the address of its
// value. It is for types without pointers alone, other than the one at the
// top: see [In].
func DataOf(v *any) Pointer { return Pointer{(*[2]unsafe.Pointer)(unsafe.Pointer(v))[1]} }

// Overlaps reports whether size bytes at p and the bytes of b have any in
// common.
func (p Pointer) Overlaps(size int, b []byte) bool {
	from, start := uintptr(p.p), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return from < start+uintptr(len(b)) && start < from+uintptr(size)
}

// keep is never set, which the compiler does not know.
var keep func(unsafe.Pointer)

// Unboxed returns v for a callee that does not keep its data pointer, although
// the compiler cannot see that: the value may stay on the stack of the caller's
// caller. What the value refers to in turn may be kept.
func Unboxed(v any) any {
	words := (*[2]unsafe.Pointer)(unsafe.Pointer(&v))
	if keep != nil {
		keep(*(*unsafe.Pointer)(words[1]))
	}
	// Integers are no pointers to the compiler. The stack does not move before
	// they are pointers again: it does so in calls, and here is none.
	hidden := *(*[2]uintptr)(unsafe.Pointer(words))
	return *(*any)(unsafe.Pointer(&hidden))
}

//go:build !purego

// Package memory reaches the fields of values by their offsets. It is the only
// place that goes around the type system: the loops of the codecs reach memory
// through the methods of Pointer alone, at offsets and with types that their
// plans took from reflect.
package memory

import (
	"reflect"
	"unsafe"
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

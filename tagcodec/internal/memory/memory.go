//go:build !purego

// Package memory accesses the fields of values by their offsets. It is the only
// package of the module that imports unsafe, apart from tests. The fast loops
// and package binary access memory only through it, at offsets and with types
// that they got from reflect.
package memory

import (
	"encoding/binary"
	"reflect"
	"unsafe"
	"weak"
)

// Pointer is the address of a value.
type Pointer struct{ p unsafe.Pointer }

// SliceHeader is the memory layout of a slice of any element type.
type SliceHeader struct {
	Data Pointer
	Len  int
	Cap  int
}

// At returns the address off bytes after p.
func (p Pointer) At(off uintptr) Pointer { return Pointer{unsafe.Add(p.p, off)} }

// Back returns the address off bytes before p.
func (p Pointer) Back(off uintptr) Pointer { return Pointer{unsafe.Add(p.p, -int(off))} }

// IsNil reports whether the address is nil.
func (p Pointer) IsNil() bool { return p.p == nil }

// U8 returns p as the address of a uint8.
func (p Pointer) U8() *uint8 { return (*uint8)(p.p) }

// U16 returns p as the address of a uint16.
func (p Pointer) U16() *uint16 { return (*uint16)(p.p) }

// U32 returns p as the address of a uint32.
func (p Pointer) U32() *uint32 { return (*uint32)(p.p) }

// U64 returns p as the address of a uint64.
func (p Pointer) U64() *uint64 { return (*uint64)(p.p) }

// F32 returns p as the address of a float32.
func (p Pointer) F32() *float32 { return (*float32)(p.p) }

// F64 returns p as the address of a float64.
func (p Pointer) F64() *float64 { return (*float64)(p.p) }

// Str returns p as the address of a string.
func (p Pointer) Str() *string { return (*string)(p.p) }

// Bytes returns p as the address of a byte slice.
func (p Pointer) Bytes() *[]byte { return (*[]byte)(p.p) }

// Slice returns p as the address of the header of a slice.
func (p Pointer) Slice() *SliceHeader { return (*SliceHeader)(p.p) }

// Ptr returns p as the address of a pointer.
func (p Pointer) Ptr() *Pointer { return (*Pointer)(p.p) }

// Array returns the n bytes at p as a slice.
func (p Pointer) Array(n int) []byte { return Slice[byte](p, n) }

// Words128 returns the 128-bit integer at p, its low word first.
func (p Pointer) Words128() *[2]uint64 { return (*[2]uint64)(p.p) }

// Weak is a pointer that does not keep its memory alive.
type Weak struct{ p weak.Pointer[byte] }

// Weak returns a weak pointer to p, which must point to a variable, or part of
// one, that is not on a stack.
func (p Pointer) Weak() Weak { return Weak{weak.Make((*byte)(p.p))} }

// Pointer returns the address, or nil if the memory was freed.
func (w Weak) Pointer() Pointer { return Pointer{unsafe.Pointer(w.p.Value())} }

// Slice returns the n values at p as a slice.
func Slice[T any](p Pointer, n int) []T { return unsafe.Slice((*T)(p.p), n) }

// As returns p as a pointer to a T.
func As[T any](p Pointer) *T { return (*T)(p.p) }

// Next returns the element n places after *p. Both must be in the same slice.
func Next[T any](p *T, n int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), uintptr(n)*unsafe.Sizeof(*p)))
}

// Value returns the variable of type t at p.
func (p Pointer) Value(t reflect.Type) reflect.Value { return reflect.NewAt(t, p.p).Elem() }

// Values returns the slice of the n variables of type t from p on.
func (p Pointer) Values(t reflect.Type, n int) reflect.Value { return reflect.SliceAt(t, p.p, n) }

// To returns the address that a pointer or map contains, or the address of the
// first element of a slice.
func To(v reflect.Value) Pointer { return Pointer{v.UnsafePointer()} }

// Of returns the address of a variable.
func Of[T any](v *T) Pointer { return Pointer{unsafe.Pointer(v)} }

// In returns the address of the value in *v, which must not be a pointer. An
// interface contains a pointer to most values, but it contains some
// pointer-sized values themselves, by rules that change with the compiler. For
// a value that the interface may contain itself, In returns the address of a
// copy.
func In(v *any) Pointer {
	data := (*[2]unsafe.Pointer)(unsafe.Pointer(v))[1]
	if t := reflect.TypeOf(*v); t.Size() == unsafe.Sizeof(data) && t.Kind() > reflect.Complex128 {
		copied := reflect.New(t)
		copied.Elem().Set(reflect.ValueOf(*v))
		return To(copied)
	}
	return Pointer{data}
}

// StringBytes returns the bytes of s without copying them. They must not be
// modified.
func StringBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// String returns b as a string without copying it. b must not be modified while
// the string is in use.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Start returns the address of the first byte of b.
func Start(b []byte) Pointer { return Pointer{unsafe.Pointer(unsafe.SliceData(b))} }

// Load16 returns the 16-bit integer at p, which need not be aligned, in the
// byte order of this machine.
func (p Pointer) Load16() uint16 { return binary.NativeEndian.Uint16((*[2]byte)(p.p)[:]) }

// Load32 returns the 32-bit integer at p, which need not be aligned, in the
// byte order of this machine.
func (p Pointer) Load32() uint32 { return binary.NativeEndian.Uint32((*[4]byte)(p.p)[:]) }

// Load64 returns the 64-bit integer at p, which need not be aligned, in the
// byte order of this machine.
func (p Pointer) Load64() uint64 { return binary.NativeEndian.Uint64((*[8]byte)(p.p)[:]) }

// Store16 stores v at p, which need not be aligned, in the byte order of this
// machine.
func (p Pointer) Store16(v uint16) { binary.NativeEndian.PutUint16((*[2]byte)(p.p)[:], v) }

// Store32 stores v at p, which need not be aligned, in the byte order of this
// machine.
func (p Pointer) Store32(v uint32) { binary.NativeEndian.PutUint32((*[4]byte)(p.p)[:], v) }

// Store64 stores v at p, which need not be aligned, in the byte order of this
// machine.
func (p Pointer) Store64(v uint64) { binary.NativeEndian.PutUint64((*[8]byte)(p.p)[:], v) }

// TypeOf returns a number that identifies the dynamic type of *v, or 0 if *v is
// nil. Numbers may be compared only between interfaces of the same type I.
func TypeOf[I any](v *I) uintptr { return (*[2]uintptr)(unsafe.Pointer(v))[0] }

// DataOf returns the pointer in *v, or the address of the value in *v if that
// is not a pointer. Unlike [In] it copies nothing, so the value must not be one
// that an interface may contain itself, other than a pointer.
func DataOf(v *any) Pointer { return Pointer{(*[2]unsafe.Pointer)(unsafe.Pointer(v))[1]} }

// HiddenDataOf is DataOf for a pointer that the compiler does not see escape. See
// [Unboxed] for what the caller may do with it.
func HiddenDataOf(v *any) Pointer {
	data := (*[2]uintptr)(unsafe.Pointer(v))[1] // see Unboxed
	return *(*Pointer)(unsafe.Pointer(&data))
}

// Overlaps reports whether the size bytes at p overlap the bytes of b.
func (p Pointer) Overlaps(size int, b []byte) bool {
	from, start := uintptr(p.p), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return from < start+uintptr(len(b)) && start < from+uintptr(size)
}

// alwaysNil is always nil, but the compiler does not know that.
var alwaysNil func(unsafe.Pointer)

// Unboxed returns v and hides from the compiler that the result points to the
// value. The value may then stay on the stack of Unboxed's caller or further
// up. The result may be passed only to functions that do not retain v's data
// pointer. They may retain what the value points to.
func Unboxed(v any) any {
	words := (*[2]unsafe.Pointer)(unsafe.Pointer(&v))
	if alwaysNil != nil {
		alwaysNil(*(*unsafe.Pointer)(words[1]))
	}
	// The compiler does not treat integers as pointers, so it does not see v
	// escape. The stack moves only in calls, and there are none until the
	// integers are pointers again.
	integers := *(*[2]uintptr)(unsafe.Pointer(words))
	return *(*any)(unsafe.Pointer(&integers))
}

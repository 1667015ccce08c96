package tagcodec

import (
	"reflect"
	"unsafe"
)

// pointer is the address of a value. It is the only place of the package that
// goes around the type system: the loops reach memory through its methods
// alone, at offsets and with types that the plan took from reflect.
type pointer struct{ p unsafe.Pointer }

// sliceHeader is a slice of any type in memory.
type sliceHeader struct {
	data pointer
	len  int
	cap  int
}

func (p pointer) at(off uintptr) pointer { return pointer{unsafe.Add(p.p, off)} }
func (p pointer) back(n uintptr) pointer { return pointer{unsafe.Add(p.p, -int(n))} }
func (p pointer) isNil() bool            { return p.p == nil }

func (p pointer) u8() *uint8           { return (*uint8)(p.p) }
func (p pointer) u16() *uint16         { return (*uint16)(p.p) }
func (p pointer) u32() *uint32         { return (*uint32)(p.p) }
func (p pointer) u64() *uint64         { return (*uint64)(p.p) }
func (p pointer) f32() *float32        { return (*float32)(p.p) }
func (p pointer) f64() *float64        { return (*float64)(p.p) }
func (p pointer) str() *string         { return (*string)(p.p) }
func (p pointer) bytes() *[]byte       { return (*[]byte)(p.p) }
func (p pointer) slice() *sliceHeader  { return (*sliceHeader)(p.p) }
func (p pointer) ptr() *pointer        { return (*pointer)(p.p) }
func (p pointer) array(n int) []byte   { return unsafe.Slice((*byte)(p.p), n) }
func (p pointer) words128() *[2]uint64 { return (*[2]uint64)(p.p) }

// value returns the variable of type t at p.
func (p pointer) value(t reflect.Type) reflect.Value { return reflect.NewAt(t, p.p).Elem() }

// pointerTo returns the address that a reflect.Value of a pointer, or the
// first element of a slice, holds.
func pointerTo(v reflect.Value) pointer { return pointer{v.UnsafePointer()} }

// addressOf returns the address of a variable.
func addressOf[T any](v *T) pointer { return pointer{unsafe.Pointer(v)} }

// stringBytes returns the bytes of a string, which nobody may change.
func stringBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// addressIn returns the address of the value, other than a pointer, in an
// interface, which has a pointer to it. A value of the size of a pointer may
// itself be that pointer, by rules that change with the compiler: it is copied.
func addressIn(v *any) pointer {
	data := (*[2]unsafe.Pointer)(unsafe.Pointer(v))[1]
	if t := reflect.TypeOf(*v); t.Size() == unsafe.Sizeof(data) && t.Kind() > reflect.Complex128 {
		kept := reflect.New(t)
		kept.Elem().Set(reflect.ValueOf(*v))
		return pointerTo(kept)
	}
	return pointer{data}
}

//go:build !purego

package memory

import "unsafe"

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

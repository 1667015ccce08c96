package core

import (
	mathbits "math/bits"
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
)

// This file bounds memory in two ways. A reader does not allocate memory for
// elements whose bits are missing. And a variable that is decoded into
// repeatedly does not retain the largest size of each of its slices and maps.

// Covers reports whether left bits are enough for n elements of at least
// bitsEach bits each. A reader allocates memory for a value only if they are.
// It does not count reserved bits, which later values and the enclosing blocks
// need, among those left.
func Covers(left, n, bitsEach int) bool {
	hi, lo := mathbits.Mul64(uint64(n), uint64(bitsEach))
	return hi == 0 && (lo == 0 || left > 0 && lo <= uint64(left))
}

// maxCapacityRatio is the maximum ratio of a slice's capacity to its new
// length. A slice with more capacity is reallocated.
const maxCapacityRatio = 4

// Excessive reports whether a slice has too much capacity to be reused for n
// elements. It is false if capacity <= n.
func Excessive(op *plan.Op, capacity, n int) bool {
	return ExcessiveBy(int(op.KeepCapacity), capacity, n)
}

// ExcessiveBy is Excessive for a slice that always keeps the given capacity.
func ExcessiveBy(keep, capacity, n int) bool {
	return capacity > keep && capacity/maxCapacityRatio > n
}

// SetBytes sets a []byte that always keeps the given capacity. It reuses the memory
// if the capacity suffices and is not excessive.
func SetBytes(s *[]byte, raw []byte, keep int) {
	if ExcessiveBy(keep, cap(*s), len(raw)) {
		*s = append(make([]byte, 0, len(raw)), raw...)
		return
	}
	if len(raw) < len(*s) {
		clear((*s)[len(raw):])
	}
	*s = append((*s)[:0], raw...)
}

// ClearMap empties a map that will get n entries. The capacity of a map is
// unknown, but is about its largest length so far. A map is therefore replaced
// if it has more than n entries and more than keep.
func ClearMap(m reflect.Value, n, keep int) {
	switch {
	case m.IsNil() && n == 0:
	case m.IsNil(), m.Len() > max(n, keep):
		m.Set(reflect.MakeMapWithSize(m.Type(), n))
	default:
		m.Clear()
	}
}

// ClearsRest reports whether the elements after one that failed must be zeroed.
// This applies to slices whose elements contain pointers.
func ClearsRest(op *plan.Op) bool {
	return op.Flags&plan.FlagPointers != 0 &&
		(op.Code == plan.CodeSlice || op.Code == plan.CodeSubset && op.Flags&plan.FlagSlice != 0)
}

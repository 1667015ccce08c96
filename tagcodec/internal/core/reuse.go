package core

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
)

// This file bounds the memory that a variable retains when it is decoded into
// repeatedly. Without a bound, each slice inside a slice would retain its
// largest size from any message.

// maxCapacityRatio is the maximum ratio of a slice's capacity to its new length. A
// larger slice is reallocated.
const maxCapacityRatio = 4

// Excessive reports whether a slice of capacity room is too large to keep for n
// elements. It is false if room <= n.
func Excessive(op *plan.Op, capacity, n int) bool {
	return capacity > int(op.KeepCapacity) && capacity/maxCapacityRatio > n
}

// ClearMap empties a map that will get n entries. The capacity of a map is
// unknown, but is about its largest length so far. A map is therefore replaced
// if it has more than n entries and more than op.Keep.
func ClearMap(op *plan.Op, m reflect.Value, n int) {
	switch {
	case m.IsNil() && n == 0:
	case m.IsNil(), m.Len() > max(n, int(op.KeepCapacity)):
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

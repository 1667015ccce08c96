//go:build !purego

package fast

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// This file codes element counts, checks that enough bits remain for the
// elements, and allocates their memory.

// elements are n values in memory, size bytes apart. The first is at base.
type elements struct {
	base memory.Pointer
	n    int
	size uintptr
}

// clearValue clears the value of an op that is absent from the message.
func clearValue(pl *plan.Plan, op *plan.Op, p memory.Pointer) {
	if op.Flags&plan.FlagPointers != 0 {
		p.Value(pl.Fields[op.Field].Type).SetZero()
		return
	}
	clear(p.Array(op.Count))
}

// countCode returns the code of a count.
func countCode(op *plan.Op, n int) (uint64, error) {
	code := uint64(n) - op.Bias
	if code > op.Span {
		return 0, core.LengthError(op, n)
	}
	return code, nil
}

// decodeCount reads a count. It does not advance bit.
func decodeCount(op *plan.Op, data []byte, bit int) (int, error) {
	if left := 8*len(data) - bit; int(op.Bits) > left {
		return 0, overread(int(op.Bits), left)
	}
	v := bitio.Peek(data, bit) & (1<<op.Bits - 1)
	if v > op.Span {
		return 0, core.LengthError(op, int(v+op.Bias))
	}
	return int(v + op.Bias), nil
}

// decodeIndex reads the index of a union member. It does not advance bit.
func decodeIndex(op *plan.Op, data []byte, bit int) (int, error) {
	if left := 8*len(data) - bit; int(op.Bits) > left {
		return 0, overread(int(op.Bits), left)
	}
	v := bitio.Peek(data, bit) & (1<<op.Bits - 1)
	if v > op.Span {
		return 0, core.NewRefusal(core.ErrUnion, v, uint64(0), op.Span)
	}
	return int(v), nil
}

// requireBits fails unless the left bits cover n elements of at least bitsEach
// bits each, plus the reserved bits that later values need. Readers call it
// before they allocate the elements.
func requireBits(n, bitsEach, reserved, left int) error {
	if !core.Covers(left-reserved, n, bitsEach) {
		return overread(saturate.MulAdd(n, bitsEach, reserved), left)
	}
	return nil
}

// resize sets the length of a slice to n. It reuses the memory if the capacity
// suffices and is not [core.Excessive]. Elements that the resize adds or drops
// are cleared.
func resize(p memory.Pointer, op *plan.Op, t reflect.Type, elem *plan.Elem, n int) {
	s := p.Slice()
	if n > s.Cap || core.Excessive(op, s.Cap, n) {
		p.Value(t).Set(reflect.MakeSlice(t, n, n))
		return
	}
	first, last := min(n, s.Len), max(n, s.Len)
	s.Len = n
	clearElems(op, elem.Type, elem.Size, s.Data, first, last)
}

// clearElems zeroes the elements [first, last) of type t.
func clearElems(op *plan.Op, t reflect.Type, size uintptr, p memory.Pointer, first, last int) {
	if first == last { // p.At could point past the end of the allocation
		return
	}
	if op.Flags&plan.FlagPointers == 0 {
		clear(p.At(uintptr(first) * size).Array((last - first) * int(size)))
		return
	}
	for ; first < last; first++ {
		p.At(uintptr(first) * size).Value(t).SetZero()
	}
}

// clearRest zeroes the slice elements after the one that failed, if they hold
// pointers. Otherwise refused messages could make the slice retain old values
// without bound.
func clearRest(pl *plan.Plan, stack []frame) {
	for i := range stack {
		f := &stack[i]
		if op := &pl.Ops[f.opener]; core.ClearsRest(op) {
			clearElems(op, pl.Fields[op.Field].Type.Elem(), f.size, f.elem, f.total-f.left+1, f.total)
		}
	}
}

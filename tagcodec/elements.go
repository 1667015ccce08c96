//go:build !purego

package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// How many elements a message has, whether its bits pay for their memory, and
// the memory.

// zero sets the field of a condition that does not hold.
func zero(plan *typecache.Plan, op *typecache.Op, p memory.Pointer) {
	if op.Flags&typecache.Pointers != 0 {
		p.Value(plan.Fields[op.Field].Type).SetZero()
		return
	}
	clear(p.Array(op.Count))
}

// decodeCount reads a count. The bits it takes are the caller's to skip.
func decodeCount(op *typecache.Op, data []byte, bit, end int) (int, error) {
	if int(op.Bits) > end-bit {
		return 0, overread(int(op.Bits), end-bit)
	}
	v := bits.Peek(data, bit) & (1<<op.Bits - 1)
	if v > op.Span {
		return 0, lengthError(op, int(v+op.Bias))
	}
	return int(v + op.Bias), nil
}

// decodeIndex reads the index of a type in a union likewise.
func decodeIndex(op *typecache.Op, data []byte, bit, end int) (int, error) {
	if int(op.Bits) > end-bit {
		return 0, overread(int(op.Bits), end-bit)
	}
	v := bits.Peek(data, bit) & (1<<op.Bits - 1)
	if v > op.Span {
		return 0, refusal(ErrUnion, v, uint64(0), op.Span)
	}
	return int(v), nil
}

// payable fails if fewer bits are left than n elements take at least, besides
// those that are owed to others, so that no memory is taken for elements that
// cannot come.
func payable(n, bitsEach, owed, left int) error {
	if !pays(left-owed, n, bitsEach) {
		return overread(saturate.MulAdd(n, bitsEach, owed), left)
	}
	return nil
}

// resize gives a slice n elements, in the memory that it has if that is enough
// and not [excessive]. Elements that its user saw before and that are no longer
// in it, or that come into it, are zero.
func resize(p memory.Pointer, op *typecache.Op, t reflect.Type, elem *typecache.Elem, n int) {
	s := p.Slice()
	if n > s.Cap || excessive(op, s.Cap, n) {
		p.Value(t).Set(reflect.MakeSlice(t, n, n))
		return
	}
	first, last := min(n, s.Len), max(n, s.Len)
	s.Len = n
	clearElems(op, elem.Type, elem.Size, s.Data, first, last)
}

// clearElems zeroes the elements [first, last) of type t.
func clearElems(op *typecache.Op, t reflect.Type, size uintptr, p memory.Pointer, first, last int) {
	if first == last { // which may be the end of the memory, where no pointer may go
		return
	}
	if op.Flags&typecache.Pointers == 0 {
		clear(p.At(uintptr(first) * size).Array((last - first) * int(size)))
		return
	}
	for ; first < last; first++ {
		p.At(uintptr(first) * size).Value(t).SetZero()
	}
}

// clearRest zeroes the elements of slices behind the one that a message was
// refused in. They would keep what messages before it had there, each of
// another one. Elements without pointers are left as they are.
func clearRest(plan *typecache.Plan, stack []frame) {
	for i := range stack {
		f := &stack[i]
		if op := &plan.Ops[f.open]; clearsRest(op) {
			clearElems(op, plan.Fields[op.Field].Type.Elem(), f.size, f.elem, f.total-f.left+1, f.total)
		}
	}
}

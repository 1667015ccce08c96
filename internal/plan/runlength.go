package plan

import (
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/saturate"
)

// A CodeRunLength has one op, which is Single and has bits. The elements of the
// array or slice are divided into stretches of equal codes. A stretch is its
// length less 1, in the Exp-Golomb code of order 0, and the code of its elements.
// The stretches are as long as possible, up to bitio.MaxStretch.
//
// An array may have arrays as elements. The op then covers all of their values.

// Lengths returns the smallest and the largest number of elements of a
// CodeRunLength or a CodeSubset.
func (op *Op) Lengths() (least, most int) {
	if op.Flags&FlagSlice == 0 {
		return op.Count, op.Count
	}
	return int(op.Bias), int(op.Bias + op.Span)
}

// countBits returns the width of the count of a CodeRunLength or a CodeSubset,
// which an array does not have.
func (op *Op) countBits() int {
	if op.Flags&FlagSlice == 0 {
		return 0
	}
	return int(op.Bits)
}

// runLength measures a CodeRunLength. The largest size is that of stretches of one
// element.
func (m *measurer) runLength(i, phase int) sizeRange {
	op, width := &m.plan.Ops[i], int(m.plan.Ops[i+1].Bits)
	count := fixed(op.countBits(), phase)
	least, most := op.Lengths()
	all := sizeRange{min: bitio.StretchBits(least, width), max: saturate.Mul(most, 1+width), phase: unknownPhase}
	if all.min == all.max {
		all.phase = advance(count.phase, all.min)
	}
	return count.then(all)
}

// runLengthOwn bounds the bits of a CodeRunLength without those of the op that it
// encloses.
func (p *Plan) runLengthOwn(op *Op) int {
	elem := &p.Ops[op.End-1]
	_, most := op.Lengths()
	return saturate.Add(op.countBits(), saturate.Mul(most, 1+int(elem.Bits))-min(most, elem.Count)*int(elem.Bits))
}

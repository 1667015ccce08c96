package plan

import (
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/saturate"
)

// prefixCode is a code of variable length for the integers from 0 to an op's Span.
// Each integer has one code, no shorter than those of smaller integers. The code
// depends on nothing but the integer and the op. All loops execute such codes
// alike, so a new one needs no code in them.
type prefixCode struct {
	// encode returns the code of v, the low n bits of hi:lo. Bits from the 128th
	// on are zero.
	encode func(op *Op, v uint64) (lo, hi uint64, n int)
	// decode decodes the code at bit and returns its length n. Data that ends
	// early counts as followed by zeros. ok is false if v is not an integer of
	// the op. As long as a bit that decides on n is missing, n is more than the
	// data has.
	decode func(op *Op, data []byte, bit int) (v uint64, n int, ok bool)
}

// prefixCodes has the code of each PrefixCoded code.
var prefixCodes = [NumCodes]prefixCode{
	CodeExpGolomb: {
		func(op *Op, v uint64) (lo, hi uint64, n int) { return bitio.EncodeExpGolomb(v, int(op.Bias)) },
		func(op *Op, data []byte, bit int) (uint64, int, bool) {
			return bitio.DecodeExpGolomb(data, bit, op.Span, int(op.Bias))
		},
	},
}

// EncodeInteger returns the code of an integer of a PrefixCoded op: the low n bits
// of hi:lo. Bits from the 128th on are zero. x is the integer, sign-extended if
// it is signed.
func (op *Op) EncodeInteger(x uint64) (lo, hi uint64, n int) {
	if op.Flags&FlagSigned != 0 {
		x = bitio.Zigzag(x)
	}
	return prefixCodes[op.Code].encode(op, x)
}

// DecodeInteger is the inverse of EncodeInteger. It decodes the code at bit and
// returns its length n, which may be more than data has. ok is false if the code
// stands for none of the op's integers.
func (op *Op) DecodeInteger(data []byte, bit int) (x uint64, n int, ok bool) {
	x, n, ok = prefixCodes[op.Code].decode(op, data, bit)
	if op.Flags&FlagSigned != 0 {
		x = bitio.Unzigzag(x)
	}
	return x, n, ok
}

// prefixCoded measures an op of such integers. The shortest code is that of 0 and
// the longest that of Span.
func (m *measurer) prefixCoded(i, phase int) sizeRange {
	op := &m.plan.Ops[i]
	code := prefixCodes[op.Code]
	_, _, least := code.encode(op, 0)
	_, _, most := code.encode(op, op.Span)
	all := sizeRange{min: saturate.Mul(op.Count, least), max: saturate.Mul(op.Count, most), phase: unknownPhase}
	if all.min == all.max {
		all.phase = advance(phase, all.min)
	}
	return all
}

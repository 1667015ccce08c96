//go:build !purego

package fast

import (
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// decodeRun reads the values of a run for each of the elements, and returns the
// bit after them. The reserved bits at the end of data are those of later
// values. If a value is invalid or missing, decodeRun returns false, and the
// values before it have been stored. The caller then repeats the run op by op
// to find the error.
func decodeRun(pl *plan.Plan, r *plan.Run, e elements, data []byte, bit, reserved int) (next int, ok bool) {
	end := 8*len(data) - reserved
	base, n := e.base, e.n
	var short [8]byte
	data = padded(data, &short)
	for {
		left := end - bit
		if left < r.Bits { // left-r.Bits may overflow
			return 0, false
		}
		left -= r.Bits // bits available to conditional values and counted elements
		for x := &r.Values[0]; ; x = memory.Next(x, 1) {
			if x, bit, left = decodeRunOn(x, base, bit, data, left); x.Kind == plan.RunEnd {
				break
			}
			p := base.At(x.Off)
			if x.Kind == plan.RunText { // the most common kind, tested before the switch
				if bit, left = decodeRunText(x, bit, left, p.Str(), data); left < 0 {
					return 0, false
				}
				continue
			}
			switch x.Kind {
			case plan.RunIs, plan.RunIsNot, plan.RunIf:
				if conditionHoldsOnRead(pl, pl.Ops[x.Op].Aux, base) {
					left -= int(x.Span)
					x = memory.Next(x, 1) // skips the RunClear
				}
			case plan.RunBytes:
				pad := -bit & 7
				if left -= pad; left < 0 || peekCode(data, bit)&(1<<pad-1) != 0 {
					return 0, false
				}
				bit += pad + 8*copy(p.Array(int(x.Span)), data[(bit+pad)>>3:])
			case plan.RunVerbatim:
				bit, _ = decodeVerbatim(p.Array(int(x.Bias)), data, bit) // the bits are there
			case plan.RunArray:
				if next, ok = decodeArray(pl, x.Op, p, data, bit); !ok {
					return 0, false
				}
				left -= next - bit - int(x.Span)
				bit = next
			case plan.RunSlice:
				bit, left = decodeRunSlice(pl, x, p, data, bit, left)
			default:
				if decodeSingle(pl, &pl.Ops[x.Op], p, bitio.PeekWord(data, bit)&x.Mask) != nil {
					return 0, false
				}
				bit += int(x.Width)
			}
			if left < 0 {
				return 0, false
			}
		}
		if n--; n == 0 {
			return bit, true
		}
		base = base.At(e.size)
	}
}

// decodeRunSlice reads a slice of a run. Its elements beyond the minimum count
// may take at most left bits. It returns the bit after the slice and the
// remaining left bits, which are negative if the slice is invalid or missing.
func decodeRunSlice(pl *plan.Plan, x *plan.RunValue, p memory.Pointer, data []byte, bit, left int) (int, int) {
	op := &pl.Ops[x.Op]
	elem := &pl.Elems[op.Aux]
	v := peekCode(data, bit) & x.Mask
	count := int(v + x.Bias)
	if v > x.Span || !core.Covers(left, int(v), elem.MinBits) {
		return bit, -1
	}
	bit += int(x.Width)
	resize(p, op, pl.Fields[op.Field].Type, elem, count)
	if count == 0 {
		return bit, left
	}
	next, ok := decodeElems(pl, x.Op, p.Slice().Data, count, data, bit)
	if !ok {
		return bit, -1
	}
	return next, left - (next - bit) + int(x.Bias)*elem.MinBits
}

// decodeRunOn reads the values of a run starting at x. Conditional values may
// take at most left bits. It returns the value where it stopped, its position
// and the remaining left bits. It stops at a value that is invalid, missing or
// needs a call, or at the RunEnd. data must have at least 8 bytes.
func decodeRunOn(x *plan.RunValue, base memory.Pointer, bit int, data []byte, left int) (*plan.RunValue, int, int) {
	data = data[:len(data):len(data)] // makes len equal cap, so both share a register
loop:
	for ; ; x = memory.Next(x, 1) {
		if x.Kind <= plan.RunFloat64 {
			word := peekCode(data, bit)
			v := word & x.Mask
			if v > x.Span {
				break
			}
			bit += int(x.Width)
			p := base.At(x.Off)
			switch x.Kind {
			case plan.RunPair8:
				*p.U8() = uint8(v ^ x.Flip + x.Bias)
				if x, v = secondCode(x, word); v > x.Span {
					break loop
				}
				bit += int(x.Width)
				*base.At(x.Off).U8() = uint8(v ^ x.Flip + x.Bias)
			case plan.RunPair16:
				*p.U16() = uint16(v ^ x.Flip + x.Bias)
				if x, v = secondCode(x, word); v > x.Span {
					break loop
				}
				bit += int(x.Width)
				*base.At(x.Off).U16() = uint16(v ^ x.Flip + x.Bias)
			case plan.RunPair32:
				*p.U32() = uint32(v ^ x.Flip + x.Bias)
				if x, v = secondCode(x, word); v > x.Span {
					break loop
				}
				bit += int(x.Width)
				*base.At(x.Off).U32() = uint32(v ^ x.Flip + x.Bias)
			case plan.RunInt8:
				*p.U8() = uint8(v ^ x.Flip + x.Bias)
			case plan.RunInt16:
				*p.U16() = uint16(v ^ x.Flip + x.Bias)
			case plan.RunInt32:
				*p.U32() = uint32(v ^ x.Flip + x.Bias)
			case plan.RunInt64:
				*p.U64() = v ^ x.Flip + x.Bias
			case plan.RunFloat32:
				*p.F32() = x.Float32.Decode(uint32(v))
			default:
				*p.F64() = x.Float64.Decode(v)
			}
			continue
		}
		switch p := base.At(x.Off); x.Kind {
		case plan.RunIs, plan.RunIsNot:
			if is := uint64(*p.U8())&x.Mask == x.Bias; is == (x.Kind == plan.RunIs) {
				if int(x.Span) > left {
					return x, bit, left
				}
				left -= int(x.Span)
				x = memory.Next(x, 1) // skips the RunClear
			}
		case plan.RunClear:
			n := uintptr(x.Span)
			for ; n >= 8; n -= 8 {
				p.At(n - 8).Store64(0)
			}
			for ; n > 0; n-- {
				*p.At(n - 1).U8() = 0
			}
			x = memory.Next(x, int(x.Skip))
		case plan.RunLongInt64:
			v := (peekCode(data, bit) | peekNinth(data, bit)) & x.Mask
			if v > x.Span {
				return x, bit, left
			}
			bit += int(x.Width)
			*p.U64() = v ^ x.Flip + x.Bias
		default:
			return x, bit, left
		}
	}
	return x, bit, left
}

// secondCode returns the second value of the pair x and its code. word has the
// codes of both.
func secondCode(x *plan.RunValue, word uint64) (*plan.RunValue, uint64) {
	word >>= x.Width & 63
	x = memory.Next(x, 1)
	return x, word & x.Mask
}

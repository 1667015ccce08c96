//go:build !purego

package fast

import (
	"math"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/integer"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// load returns the integer or bool of the given size in bytes at p. If signed
// is set, it is sign-extended.
func load(p memory.Pointer, size uint8, signed bool) uint64 {
	switch size {
	case 1:
		if signed {
			return uint64(int8(*p.U8()))
		}
		return uint64(*p.U8())
	case 2:
		if signed {
			return uint64(int16(*p.U16()))
		}
		return uint64(*p.U16())
	case 4:
		if signed {
			return uint64(int32(*p.U32()))
		}
		return uint64(*p.U32())
	}
	return *p.U64()
}

// store sets the integer of the given size in bytes at p to v. It returns false
// and stores nothing if v does not fit.
func store(p memory.Pointer, size uint8, signed bool, v uint64) bool {
	n := 64 - 8*uint(size)
	if signed && uint64(int64(v<<n)>>n) != v || !signed && v<<n>>n != v {
		return false
	}
	storeLow(p, size, v)
	return true
}

// storeLow sets the integer of the given size in bytes at p to the low bits of
// v.
func storeLow(p memory.Pointer, size uint8, v uint64) {
	switch size {
	case 1:
		*p.U8() = uint8(v)
	case 2:
		*p.U16() = uint16(v)
	case 4:
		*p.U32() = uint32(v)
	default:
		*p.U64() = v
	}
}

// limits returns the bounds of an integer op, for use in errors.
func limits(op *plan.Op) (least, most any) {
	switch {
	case op.Code == plan.CodeWord && op.Flags&plan.FlagSigned != 0:
		n := min(uint(op.Bits), 8*uint(op.Size))
		return int64(-1) << (n - 1), int64(1)<<(n-1) - 1
	case op.Code == plan.CodeWord:
		return uint64(0), ^uint64(0) >> (64 - min(uint(op.Bits), 8*uint(op.Size)))
	case op.Flags&plan.FlagSigned != 0:
		return int64(op.Bias), int64(op.Bias + op.Span)
	}
	return op.Bias, op.Bias + op.Span
}

// shown returns the integer v as an int64 or a uint64, for use in errors.
func shown(op *plan.Op, v uint64) any {
	if op.Flags&plan.FlagSigned != 0 {
		return int64(v)
	}
	return v
}

// aboveSpan returns the error for a code greater than the op's span.
func aboveSpan(op *plan.Op, v uint64) error {
	if op.Code != plan.CodeWord && !op.Code.Integer() {
		return core.NewRefusal(bits.ErrRange, v, uint64(0), op.Span)
	}
	least, most := limits(op)
	return core.NewRefusal(bits.ErrRange, integerFromCode(op, v), least, most)
}

// integerFromCode returns the integer with code v, for use in errors. The
// integer may need more than 64 bits.
func integerFromCode(op *plan.Op, v uint64) any {
	bias := bits.Uint128{Lo: op.Bias}
	if op.Flags&plan.FlagSigned != 0 {
		bias.Hi = uint64(int64(op.Bias) >> 63)
	}
	x := bias.Add(bits.Uint128{Lo: v}).Signed()
	switch {
	case op.Flags&plan.FlagSigned != 0 && x.Hi == int64(x.Lo)>>63:
		return int64(x.Lo)
	case op.Flags&plan.FlagSigned != 0:
		return x
	case x.Hi == 0:
		return x.Lo
	}
	return x.Unsigned()
}

// decodeWord stores the op.Bits low bits of v as an integer in two's
// complement. It fails if the integer does not fit in memory.
func decodeWord(op *plan.Op, p memory.Pointer, v uint64) error {
	signed := op.Flags&plan.FlagSigned != 0
	if n := 64 - uint(op.Bits); signed {
		v = uint64(int64(v<<n) >> n)
	}
	if !store(p, op.Size, signed, v) {
		least, most := limits(op)
		return core.NewRefusal(bits.ErrRange, shown(op, v), least, most)
	}
	return nil
}

// decodeAngle stores an angle in the float at p.
func decodeAngle(a *compress.Angle, op *plan.Op, p memory.Pointer, code uint32) {
	if op.Size == 4 {
		*p.F32() = a.Decode32(code)
	} else {
		*p.F64() = a.Decode(code)
	}
}

// encodeWide writes a 128-bit integer, low word first.
func encodeWide(w *plan.Wide, op *plan.Op, p memory.Pointer, o *output) error {
	words := p.Words128()
	x := bits.Uint128{Lo: words[0], Hi: words[1]}
	offset := x.Sub(w.Min)
	if offset.Cmp(w.Span) > 0 {
		most := w.Min.Add(w.Span)
		if op.Flags&plan.FlagSigned != 0 {
			return core.NewRefusal(bits.ErrRange, x.Signed(), w.Min.Signed(), most.Signed())
		}
		return core.NewRefusal(bits.ErrRange, x, w.Min, most)
	}
	low := min(uint(op.Bits), 64)
	o.put(offset.Lo, low)
	o.put(offset.Hi, uint(op.Bits)-low)
	return nil
}

// relative writes an integer relative to the previous one.
func (e *encoder) relative(op *plan.Op, p memory.Pointer) error {
	r := &e.pl.Relatives[op.Aux]
	before := previous(e.pl, r, op, e.base, p, e.all())
	x := int64(load(p, op.Size, op.Flags&plan.FlagSigned != 0))
	code, n := bitio.EncodeRelative(before, x)
	if n == 0 || x < r.Min || x > r.Max {
		return core.NewRefusal(bits.ErrRange, shown(op, uint64(x)), max(r.Min, before+1), r.Max)
	}
	e.out.put(code, uint(n))
	return nil
}

// encodeVarint writes an integer in groups of 7 bits, lowest group first. A
// continuation bit precedes each group. Signed integers use zigzag encoding, so
// that small negative values are short: 0, -1, 1, -2 become 0, 1, 2, 3.
func encodeVarint(x uint64, signed bool, out *output) {
	if signed {
		x = bitio.Zigzag(x)
	}
	for x > 0x7F {
		out.put(x<<1&0xFF|1, 8)
		x >>= 7
	}
	out.put(x<<1, 8)
}

// decodeWide reads a 128-bit integer.
func decodeWide(w *plan.Wide, op *plan.Op, p memory.Pointer, data []byte, bit int) (int, error) {
	width := int(op.Bits)
	if left := 8*len(data) - bit; width > left {
		return bit, overread(width, left)
	}
	var x bits.Uint128
	if width > 64 {
		x.Lo = bitio.PeekWord(data, bit)
		x.Hi = bitio.PeekWord(data, bit+64) & (math.MaxUint64 >> (128 - uint(width)))
	} else if width > 0 {
		x.Lo = bitio.PeekWord(data, bit) & (math.MaxUint64 >> (64 - uint(width)))
	}
	v := x.Add(w.Min)
	if x.Cmp(w.Span) > 0 {
		return bit, aboveWide(w, v, op.Flags&plan.FlagSigned != 0)
	}
	*p.Words128() = [2]uint64{v.Lo, v.Hi}
	return bit + width, nil
}

// relative reads an integer relative to the previous one.
func (d *decoder) relative(op *plan.Op, p memory.Pointer, bit int) (int, error) {
	r := &d.pl.Relatives[op.Aux]
	before := previous(d.pl, r, op, d.base, p, d.all())
	x, n, ok := bitio.DecodeRelative(bitio.PeekWord(d.data, bit), before, r.Min, r.Max)
	if left := 8*len(d.data) - bit; n > left {
		return bit, overread(n, left)
	}
	if !ok {
		return bit, core.NewRefusal(bits.ErrRange, x, max(r.Min, before+1), r.Max)
	}
	storeLow(p, op.Size, uint64(x))
	return bit + n, nil
}

// aboveWide returns the error for an integer above its range. v holds the low
// 128 bits of the integer. If v is below the range, the integer has overflowed
// its type.
func aboveWide(w *plan.Wide, v bits.Uint128, signed bool) error {
	most := w.Min.Add(w.Span)
	switch {
	case signed && v.Signed().Cmp(w.Min.Signed()) < 0:
		return core.NewRefusal(bits.ErrRange, v, w.Min.Signed(), most.Signed())
	case signed:
		return core.NewRefusal(bits.ErrRange, v.Signed(), w.Min.Signed(), most.Signed())
	case v.Cmp(w.Min) < 0:
		return core.NewRefusal(bits.ErrRange, integer.OfWords(v.Lo, v.Hi, 1), w.Min, most)
	}
	return core.NewRefusal(bits.ErrRange, v, w.Min, most)
}

// decodeVarint reads groups of 7 bits. A final group of zero after other groups
// is refused, because it is not canonical.
func decodeVarint(op *plan.Op, p memory.Pointer, data []byte, bit int) (int, error) {
	start := bit
	signed := op.Flags&plan.FlagSigned != 0
	var x uint64
	for shift := uint(0); ; shift += 7 {
		if left := 8*len(data) - bit; left < 8 {
			return start, overread(8, left)
		}
		group := bitio.Peek(data, bit) & 0xFF
		bit += 8
		x |= group >> 1 << shift
		switch {
		case shift > 0 && group == 0:
			return start, core.NewRefusal(core.ErrNotCanonical, nil, nil, nil)
		case shift == 63 && group != 2: // only 1 of the 64 bits is left
			return start, core.NewRefusal(bits.ErrRange, nil, nil, nil)
		case group&1 != 0:
			continue
		}
		v := x
		if signed {
			v = bitio.Unzigzag(x)
		}
		if !store(p, op.Size, signed, v) {
			least, most := limits(&plan.Op{Code: plan.CodeWord, Bits: 64, Size: op.Size, Flags: op.Flags})
			return start, core.NewRefusal(bits.ErrRange, shown(op, v), least, most)
		}
		return bit, nil
	}
}

// encodeSingle returns the code of a value of a Single op. The loops of runs do
// not call it for the most common codes.
func encodeSingle(pl *plan.Plan, op *plan.Op, p memory.Pointer) (uint64, error) {
	switch op.Code {
	case plan.CodeFloat32:
		if x := *p.F32(); compress.Finite32(x) {
			return uint64(pl.Float32s[op.Aux].Encode(x)), nil
		}
		return 0, core.NewRefusal(bits.ErrRange, *p.F32(), nil, nil)
	case plan.CodeFloat64:
		if x := *p.F64(); compress.Finite64(x) {
			return pl.Float64s[op.Aux].Encode(x), nil
		}
		return 0, core.NewRefusal(bits.ErrRange, *p.F64(), nil, nil)
	case plan.CodeHalf:
		return uint64(compress.EncodeHalf(*p.F32())), nil
	case plan.CodeAngle:
		x := float64(0)
		if op.Size == 4 {
			x = float64(*p.F32())
		} else {
			x = *p.F64()
		}
		if !compress.Finite64(x) {
			return 0, core.NewRefusal(bits.ErrRange, x, nil, nil)
		}
		return uint64(pl.Angles[op.Aux].Encode(x)), nil
	case plan.CodeVector:
		return encodeVector(&pl.Vectors[op.Aux], op, p)
	case plan.CodeWord:
		signed := op.Flags&plan.FlagSigned != 0
		v := load(p, op.Size, signed)
		n := 64 - uint(op.Bits)
		if signed && uint64(int64(v<<n)>>n) != v || !signed && v<<n>>n != v {
			least, most := limits(op)
			return 0, core.NewRefusal(bits.ErrRange, shown(op, v), least, most)
		}
		return v << n >> n, nil
	}
	if !op.Code.Integer() {
		panic(core.UnhandledCode("write", op.Code))
	}
	v := load(p, op.Size, op.Code.Extended()) - op.Bias
	if v > op.Span {
		least, most := limits(op)
		return 0, core.NewRefusal(bits.ErrRange, shown(op, v+op.Bias), least, most)
	}
	return v, nil
}

// decodeSingle stores the value of a Single op that has code v.
func decodeSingle(pl *plan.Plan, op *plan.Op, p memory.Pointer, v uint64) error {
	if v > op.Span {
		return aboveSpan(op, v)
	}
	switch op.Code {
	case plan.CodeFloat32:
		*p.F32() = pl.Float32s[op.Aux].Decode(uint32(v))
	case plan.CodeFloat64:
		*p.F64() = pl.Float64s[op.Aux].Decode(v)
	case plan.CodeHalf:
		*p.F32() = compress.DecodeHalf(uint16(v))
	case plan.CodeAngle:
		decodeAngle(&pl.Angles[op.Aux], op, p, uint32(v))
	case plan.CodeVector:
		if !setVector(&pl.Vectors[op.Aux], op.Size, p, v) {
			return core.NewRefusal(bits.ErrRange, nil, nil, nil)
		}
	case plan.CodeWord:
		return decodeWord(op, p, v)
	default:
		if !op.Code.Integer() {
			panic(core.UnhandledCode("read", op.Code))
		}
		storeLow(p, op.Size, v+op.Bias)
	}
	return nil
}

package tagcodec

import (
	"encoding/binary"
	stdbits "math/bits"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// codes are the codes of the values of a run, by their numbers.
type codes [typecache.MaxRun]uint64

// at masks the number of a value, which is below typecache.MaxRun anyway, so
// that the compiler sees that it is.
func slot(v *typecache.RunValue) uint { return uint(v.Slot) % typecache.MaxRun }

// run writes the values of a run. It is not ok, and nothing is written, if one
// of them has no code, which the ops of the run find out again one by one.
func (o *output) run(plan *typecache.Plan, r *typecache.Run, base memory.Pointer) (ok bool) {
	c := &o.codes
	if !encodeRun(plan, r, base, c) {
		return false
	}
	buf, pos, word, fill := o.buf, o.pos, o.word, o.fill
	for k := range r.Slots {
		v, width := c[uint(k)%typecache.MaxRun], uint(r.Slots[k].Width)
		word |= v << (fill & 63)
		if fill += width; fill >= 64 {
			if pos+8 > len(buf) {
				buf = room(buf, pos, 16)
				o.buf = buf
			}
			binary.LittleEndian.PutUint64(buf[pos:], word)
			pos += 8
			fill -= 64
			word = v >> (width - fill)
		}
	}
	o.pos, o.word, o.fill = pos, word, fill
	return true
}

// encodeRun computes the codes of the values of a run.
func encodeRun(plan *typecache.Plan, r *typecache.Run, base memory.Pointer, c *codes) (ok bool) {
	var bad uint64 // a borrow where a code is above its span
	for i := range r.Ints[0] {
		v := &r.Ints[0][i]
		code := uint64(*base.At(v.Off).U8()) ^ v.Sign - v.Sub
		_, above := stdbits.Sub64(v.Span, code, 0)
		bad |= above
		c[slot(v)] = code
	}
	for i := range r.Ints[1] {
		v := &r.Ints[1][i]
		code := uint64(*base.At(v.Off).U16()) ^ v.Sign - v.Sub
		_, above := stdbits.Sub64(v.Span, code, 0)
		bad |= above
		c[slot(v)] = code
	}
	for i := range r.Ints[2] {
		v := &r.Ints[2][i]
		code := uint64(*base.At(v.Off).U32()) ^ v.Sign - v.Sub
		_, above := stdbits.Sub64(v.Span, code, 0)
		bad |= above
		c[slot(v)] = code
	}
	for i := range r.Ints[3] {
		v := &r.Ints[3][i]
		code := *base.At(v.Off).U64() - v.Sub
		_, above := stdbits.Sub64(v.Span, code, 0)
		bad |= above
		c[slot(v)] = code
	}
	for i := range r.F32 {
		v := &r.F32[i]
		x := *base.At(v.Off).F32()
		if !compress.Finite32(x) {
			return false
		}
		c[slot(v)] = uint64(plan.Float32s[v.Aux].Encode(x))
	}
	for i := range r.F64 {
		v := &r.F64[i]
		x := *base.At(v.Off).F64()
		if !compress.Finite64(x) {
			return false
		}
		c[slot(v)] = plan.Float64s[v.Aux].Encode(x)
	}
	for i := range r.Other {
		v := &r.Other[i]
		code, err := single(plan, &plan.Ops[v.Op], base.At(v.Off))
		if err != nil {
			return false
		}
		c[slot(v)] = code
	}
	return bad == 0
}

// decodeRun stores the values of a run whose first bit is given and whose bits
// are all there. It is not ok if a value is out of range, which the ops of the
// run find out again one by one.
func decodeRun(plan *typecache.Plan, r *typecache.Run, base memory.Pointer, data []byte, bit int, c *codes) (ok bool) {
	var bad uint64
	if last := len(data) - 8; last >= 0 {
		for k := range r.Slots {
			s := &r.Slots[k]
			// The word that holds the code begins with its first byte, or is the
			// last of the data.
			i := min(bit>>3, last)
			shift := uint(bit-8*i) & 63
			code := binary.LittleEndian.Uint64(data[i:]) >> shift
			if s.Wide && i < last { // the code may go on behind the word
				code |= uint64(data[i+8]) << (64 - shift)
			}
			code &= s.Mask
			_, above := stdbits.Sub64(s.Span, code, 0)
			bad |= above
			c[uint(k)%typecache.MaxRun] = code
			bit += int(s.Width)
		}
	} else {
		for k := range r.Slots {
			s := &r.Slots[k]
			code := bits.Peek(data, bit) & s.Mask
			_, above := stdbits.Sub64(s.Span, code, 0)
			bad |= above
			c[uint(k)%typecache.MaxRun] = code
			bit += int(s.Width)
		}
	}
	if bad != 0 {
		return false
	}
	for i := range r.Ints[0] {
		v := &r.Ints[0][i]
		*base.At(v.Off).U8() = uint8(c[slot(v)] + v.Bias)
	}
	for i := range r.Ints[1] {
		v := &r.Ints[1][i]
		*base.At(v.Off).U16() = uint16(c[slot(v)] + v.Bias)
	}
	for i := range r.Ints[2] {
		v := &r.Ints[2][i]
		*base.At(v.Off).U32() = uint32(c[slot(v)] + v.Bias)
	}
	for i := range r.Ints[3] {
		v := &r.Ints[3][i]
		*base.At(v.Off).U64() = c[slot(v)] + v.Bias
	}
	for i := range r.F32 {
		v := &r.F32[i]
		*base.At(v.Off).F32() = plan.Float32s[v.Aux].Decode(uint32(c[slot(v)]))
	}
	for i := range r.F64 {
		v := &r.F64[i]
		*base.At(v.Off).F64() = plan.Float64s[v.Aux].Decode(c[slot(v)])
	}
	for i := range r.Other {
		v := &r.Other[i]
		if setSingle(plan, &plan.Ops[v.Op], base.At(v.Off), c[slot(v)]) != nil {
			return false
		}
	}
	return true
}

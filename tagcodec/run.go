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
	bad := intCodes[uint8](r.Ints[0], base, c)
	bad |= intCodes[uint16](r.Ints[1], base, c)
	bad |= intCodes[uint32](r.Ints[2], base, c)
	bad |= intCodes[uint64](r.Ints[3], base, c)
	if bad != 0 {
		return false
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
	return true
}

// intCodes computes the codes of integers that are a T in memory. It returns
// something other than 0 if one of them is above its span.
func intCodes[T uint8 | uint16 | uint32 | uint64](list []typecache.RunValue, base memory.Pointer, c *codes) (bad uint64) {
	for i := range list {
		v := &list[i]
		code := uint64(*memory.As[T](base.At(v.Off))) ^ v.Sign - v.Sub
		_, above := stdbits.Sub64(v.Span, code, 0)
		bad |= above
		c[slot(v)] = code
	}
	return bad
}

// setInts is the reverse of intCodes.
func setInts[T uint8 | uint16 | uint32 | uint64](list []typecache.RunValue, base memory.Pointer, c *codes) {
	for i := range list {
		v := &list[i]
		*memory.As[T](base.At(v.Off)) = T(c[slot(v)] + v.Bias)
	}
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
	setInts[uint8](r.Ints[0], base, c)
	setInts[uint16](r.Ints[1], base, c)
	setInts[uint32](r.Ints[2], base, c)
	setInts[uint64](r.Ints[3], base, c)
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

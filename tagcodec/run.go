//go:build !purego

package tagcodec

import (
	"encoding/binary"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// A run is taken by two functions in each direction. The inner one is a loop
// that calls nothing, so that all it has stays in registers; it stops at what
// needs a call, of which the outer one takes care.

// run writes the values of a run for n elements that lie size apart. It is not
// ok, and nothing is written, if one of the values has no code, which the ops
// of the run find out again one by one.
func (o *output) run(plan *typecache.Plan, r *typecache.Run, base memory.Pointer, n int, size uintptr) (ok bool) {
	pos, word, fill := o.pos, o.word, o.fill
	for {
		for x := &r.Values[0]; ; x = memory.Next(x, 1) {
			if x = o.runOn(x, base); x.Kind == typecache.RunEnd {
				break
			}
			if x.Kind == typecache.RunText {
				if !o.text(x, *base.At(x.Off).Str()) {
					o.pos, o.word, o.fill = pos, word, fill
					return false
				}
				continue
			}
			op := &plan.Ops[x.Op]
			if x.Kind.Condition() {
				if holds(plan, op.Aux, base) {
					x = memory.Next(x, 1) // the RunClear
				} else {
					x = memory.Next(x, int(x.Skip))
				}
				continue
			}
			v, err := single(plan, op, base.At(x.Off))
			if err != nil {
				o.pos, o.word, o.fill = pos, word, fill
				return false
			}
			o.put(v, uint(x.Width))
		}
		if n--; n == 0 {
			return true
		}
		base = base.At(size)
	}
}

// runOn writes the values of a run from x on, and returns the one that it
// stopped at: the buffer has no room for its word, it has no code, it needs a
// call, or it is the end.
func (o *output) runOn(x *typecache.RunValue, base memory.Pointer) *typecache.RunValue {
	buf, pos, word, fill := o.buf, uint(o.pos), o.word, o.fill
loop:
	for ; ; x = memory.Next(x, 1) {
		p := base.At(x.Off)
		var v uint64
		switch x.Kind {
		case typecache.RunUint8:
			v = uint64(*p.U8()) - x.Bias
		case typecache.RunUint16:
			v = uint64(*p.U16()) - x.Bias
		case typecache.RunUint32:
			v = uint64(*p.U32()) - x.Bias
		case typecache.RunInt8:
			v = uint64(int8(*p.U8())) - x.Bias
		case typecache.RunInt16:
			v = uint64(int16(*p.U16())) - x.Bias
		case typecache.RunInt32:
			v = uint64(int32(*p.U32())) - x.Bias
		case typecache.RunInt64, typecache.RunWide:
			v = *p.U64() - x.Bias
		case typecache.RunFloat32:
			f := *p.F32()
			if !compress.Finite32(f) {
				break loop
			}
			v = uint64(x.Float32.Encode(f))
		case typecache.RunFloat64:
			f := *p.F64()
			if !compress.Finite64(f) {
				break loop
			}
			v = x.Float64.Encode(f)
		case typecache.RunIs:
			n := 1 // the RunClear
			if uint64(*p.U8())&x.Mask != x.Bias {
				n = int(x.Skip)
			}
			x = memory.Next(x, n)
			continue
		case typecache.RunIsNot:
			n := 1
			if uint64(*p.U8())&x.Mask == x.Bias {
				n = int(x.Skip)
			}
			x = memory.Next(x, n)
			continue
		default:
			break loop
		}
		if v > x.Span {
			break
		}
		end := fill + uint(x.Width)
		if end >= 64 {
			if pos+8 > uint(len(buf)) {
				break
			}
			binary.LittleEndian.PutUint64(buf[pos:pos+8], word|v<<(fill&63))
			pos += 8
			end -= 64
			word = v >> ((uint(x.Width) - end) & 127)
		} else {
			word |= v << (fill & 63)
		}
		fill = end
	}
	o.pos, o.word, o.fill = int(pos), word, fill
	return x
}

// decodeRun reads the values of a run for n elements that lie size apart, from
// a bit of data on, and returns the bit behind them. It is not ok if one of the
// values is refused or not there, which the ops of the run find out again one
// by one; those before it are stored.
func decodeRun(plan *typecache.Plan, r *typecache.Run, base memory.Pointer, n int, size uintptr, data []byte, bit int) (next int, ok bool) {
	end := 8 * len(data)
	var short [8]byte
	data = padded(data, &short)
	for {
		left := end - bit - r.Bits // which conditional values and texts may take
		if left < 0 {
			return 0, false
		}
		for x := &r.Values[0]; ; x = memory.Next(x, 1) {
			if x, bit, left = decodeRunOn(x, base, bit, data, left); x.Kind == typecache.RunEnd {
				break
			}
			if x.Kind == typecache.RunText {
				if bit, left = decodeRunText(x, base.At(x.Off).Str(), data, bit, left); left < 0 {
					return 0, false
				}
				continue
			}
			op := &plan.Ops[x.Op]
			if x.Kind.Condition() {
				if holds(plan, op.Aux, base) {
					if left -= int(x.Span); left < 0 {
						return 0, false
					}
					x = memory.Next(x, 1) // the RunClear
				}
				continue
			}
			if setSingle(plan, op, base.At(x.Off), bits.PeekWord(data, bit)&x.Mask) != nil {
				return 0, false
			}
			bit += int(x.Width)
		}
		if n--; n == 0 {
			return bit, true
		}
		base = base.At(size)
	}
}

// decodeRunOn reads the values of a run from x on, of which those that a
// condition may leave out take at most the bits left. It returns the one that
// it stopped at, its bit and what is left then: the value is refused or not
// there, it needs a call, or it is the end. Data has 8 bytes or more.
func decodeRunOn(x *typecache.RunValue, base memory.Pointer, bit int, data []byte, left int) (*typecache.RunValue, int, int) {
	data = data[:len(data):len(data)] // one register for both
	for ; ; x = memory.Next(x, 1) {
		if x.Kind > typecache.RunFloat64 {
			if x.Kind == typecache.RunWide {
				v := (peekCode(data, bit) | peekNinth(data, bit)) & x.Mask
				if v > x.Span {
					break
				}
				bit += int(x.Width)
				*base.At(x.Off).U64() = v + x.Bias
				continue
			}
			if x.Kind == typecache.RunIs || x.Kind == typecache.RunIsNot {
				if is := uint64(*base.At(x.Off).U8())&x.Mask == x.Bias; is == (x.Kind == typecache.RunIs) {
					if left -= int(x.Span); left < 0 {
						break
					}
					x = memory.Next(x, 1) // the RunClear
				}
				continue
			}
			if x.Kind == typecache.RunClear {
				n := uintptr(x.Span)
				for ; n >= 8; n -= 8 {
					base.At(x.Off + n - 8).Store64(0)
				}
				for ; n > 0; n-- {
					*base.At(x.Off + n - 1).U8() = 0
				}
				x = memory.Next(x, int(x.Skip))
				continue
			}
			break
		}
		v := peekCode(data, bit) & x.Mask
		if v > x.Span {
			break
		}
		bit += int(x.Width)
		p := base.At(x.Off)
		switch x.Kind {
		case typecache.RunUint8, typecache.RunInt8:
			*p.U8() = uint8(v + x.Bias)
		case typecache.RunUint16, typecache.RunInt16:
			*p.U16() = uint16(v + x.Bias)
		case typecache.RunUint32, typecache.RunInt32:
			*p.U32() = uint32(v + x.Bias)
		case typecache.RunInt64:
			*p.U64() = v + x.Bias
		case typecache.RunFloat32:
			*p.F32() = x.Float32.Decode(uint32(v))
		default:
			*p.F64() = x.Float64.Decode(v)
		}
	}
	return x, bit, left
}

// peekCode returns the bits from one of data on, 57 of them or all, with zeros
// above those that it has not. Data has 8 bytes or more.
func peekCode(data []byte, bit int) uint64 {
	if first := uint(bit) >> 3; first+8 <= uint(len(data)) {
		return binary.LittleEndian.Uint64(data[first:first+8]) >> (uint(bit) & 7)
	}
	last := uint(len(data)) - 8
	return binary.LittleEndian.Uint64(data[last:last+8]) >> ((uint(bit) - 8*last) & 63)
}

// peekNinth returns what 64 bits from one of data on have beyond the load of
// peekCode.
func peekNinth(data []byte, bit int) uint64 {
	if i := uint(bit)>>3 + 8; i < uint(len(data)) {
		return uint64(data[i]) << (64 - uint(bit)&7)
	}
	return 0
}

// padded returns data, or if it is too short for a load of 8 bytes, a copy in
// short.
func padded(data []byte, short *[8]byte) []byte {
	if len(data) < len(short) {
		copy(short[:], data)
		return short[:]
	}
	return data
}

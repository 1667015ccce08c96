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
		for i := 0; ; i++ {
			if i = o.runOn(r.Values, i, base); i == len(r.Values) {
				break
			}
			x := &r.Values[i]
			if x.Kind == typecache.RunText {
				if !o.text(x, *base.At(x.Off).Str()) {
					o.pos, o.word, o.fill = pos, word, fill
					return false
				}
				continue
			}
			op := &plan.Ops[x.Op]
			if x.Kind.Condition() {
				if !holds(plan, op.Aux, base) {
					i += int(x.Skip)
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

// runOn writes the values of a run from the one at i on, and returns the one
// that it stopped at: the buffer has no room for its word, it has no code, or
// it needs a call.
func (o *output) runOn(values []typecache.RunValue, i int, base memory.Pointer) int {
	buf, pos, word, fill := o.buf, uint(o.pos), o.word, o.fill
loop:
	for ; i < len(values); i++ {
		x := &values[i]
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
			if uint64(*p.U8())&x.Mask != x.Bias {
				i += int(x.Skip)
			}
			continue
		case typecache.RunIsNot:
			if uint64(*p.U8())&x.Mask == x.Bias {
				i += int(x.Skip)
			}
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
	return i
}

// decodeRun reads the values of a run for n elements that lie size apart, from
// a bit of data on, and returns the bit behind them. It is not ok if one of the
// values is refused or not there, which the ops of the run find out again one
// by one; those before it are stored.
func decodeRun(plan *typecache.Plan, r *typecache.Run, base memory.Pointer, n int, size uintptr, data []byte, bit int) (next int, ok bool) {
	end, skipped := 8*len(data), 0 // and the bits before data
	var tail [16]byte
	for {
		left := end - bit - r.Bits // which conditional values and texts may take
		if left < 0 {
			return 0, false
		}
		for i := 0; ; i++ {
			if i, bit, left = decodeRunOn(r.Values, i, base, data, bit, left); i == len(r.Values) {
				break
			}
			if first := bit >> 3; first+8 > len(data) {
				// The last bytes are moved to where a load of 8 may go past them.
				copy(tail[:], data[first:])
				data, bit, end, skipped = tail[:], bit-8*first, end-8*first, skipped+8*first
				i--
				continue
			}
			x := &r.Values[i]
			if x.Kind == typecache.RunText {
				if bit, left = decodeRunText(x, base.At(x.Off).Str(), data, bit, left); left < 0 {
					return 0, false
				}
				continue
			}
			if x.Kind == typecache.RunWide {
				v := bits.PeekWord(data, bit) & x.Mask
				if v > x.Span {
					return 0, false
				}
				*base.At(x.Off).U64() = v + x.Bias
				bit += int(x.Width)
				continue
			}
			op := &plan.Ops[x.Op]
			if x.Kind.Condition() {
				if !holds(plan, op.Aux, base) {
					zero(plan, op, base.At(op.Off))
					i += int(x.Skip)
				} else if left -= int(x.Span); left < 0 {
					return 0, false
				}
				continue
			}
			if setSingle(plan, op, base.At(x.Off), bits.PeekWord(data, bit)&x.Mask) != nil {
				return 0, false
			}
			bit += int(x.Width)
		}
		if n--; n == 0 {
			return skipped + bit, true
		}
		base = base.At(size)
	}
}

// decodeRunOn reads the values of a run from the one at i on, of which those
// that a condition may leave out take at most the bits left. It returns the one
// that it stopped at, its bit and what is left then: fewer than 8 bytes are
// left, the value is refused or not there, or it needs a call.
func decodeRunOn(values []typecache.RunValue, i int, base memory.Pointer, data []byte, bit, left int) (int, int, int) {
	data = data[:len(data):len(data)] // one register for both
	for ; i < len(values); i++ {
		x := &values[i]
		if x.Kind > typecache.RunFloat64 {
			if x.Kind < typecache.RunIs || x.Kind > typecache.RunIsNot || int(x.Span) > left {
				break
			}
			if is := uint64(*base.At(x.Off).U8())&x.Mask == x.Bias; is != (x.Kind == typecache.RunIs) {
				break
			}
			left -= int(x.Span)
			continue
		}
		first := uint(bit) >> 3
		if first+8 > uint(len(data)) {
			break
		}
		v := binary.LittleEndian.Uint64(data[first:first+8]) >> (uint(bit) & 7) & x.Mask
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
	return i, bit, left
}

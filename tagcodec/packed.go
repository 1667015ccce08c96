package tagcodec

import (
	"encoding/binary"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// Many equal values, of one op, are a loop of their own in each direction: the
// op decides once which.

// encodePacked appends n values of an op. It is not ok if one of them has no
// code; the output is then as it was.
func encodePacked(plan *typecache.Plan, op *typecache.Op, p memory.Pointer, n int, out *output) (ok bool) {
	pos, word, fill := out.pos, out.word, out.fill
	switch op.Code {
	case typecache.CodeBool, typecache.CodeUint8, typecache.CodeInt8:
		ok = packInts(op, memory.Run[uint8](p, n), out)
	case typecache.CodeUint16, typecache.CodeInt16:
		ok = packInts(op, memory.Run[uint16](p, n), out)
	case typecache.CodeUint32, typecache.CodeInt32:
		ok = packInts(op, memory.Run[uint32](p, n), out)
	case typecache.CodeUint64:
		ok = packInts(op, memory.Run[uint64](p, n), out)
	case typecache.CodeFloat32:
		ok = packFloats(&plan.Float32s[op.Aux], op, memory.Run[float32](p, n), out)
	default:
		ok = packOthers(plan, op, p, n, out)
	}
	if !ok { // the incomplete word is no longer in the buffer, but here
		out.pos, out.word, out.fill = pos, word, fill
	}
	return ok
}

// signs returns what turns an integer in memory into its code: its sign bit,
// to be flipped, and what to subtract then.
func signs(op *typecache.Op) (sign, sub uint64) {
	if op.Code >= typecache.CodeInt8 && op.Code <= typecache.CodeInt32 {
		sign = 1 << (8*op.Size - 1)
	}
	return sign, sign + op.Bias
}

func packInts[T uint8 | uint16 | uint32 | uint64](op *typecache.Op, values []T, out *output) bool {
	buf, pos, word, fill := out.buf, out.pos, out.word, out.fill
	sign, sub := signs(op)
	span, width := op.Span, uint(op.Bits)
	for _, x := range values {
		v := uint64(x) ^ sign - sub
		if v > span {
			out.buf = buf
			return false
		}
		word |= v << (fill & 63)
		if fill += width; fill >= 64 {
			if pos+8 > len(buf) {
				buf = room(buf, pos, 16)
			}
			binary.LittleEndian.PutUint64(buf[pos:], word)
			pos += 8
			fill -= 64
			word = v >> (width - fill)
		}
	}
	out.buf, out.pos, out.word, out.fill = buf, pos, word, fill
	return true
}

func packFloats(q *compress.Float32, op *typecache.Op, values []float32, out *output) bool {
	buf, pos, word, fill := out.buf, out.pos, out.word, out.fill
	width := uint(op.Bits)
	for _, x := range values {
		if !compress.Finite32(x) {
			out.buf = buf
			return false
		}
		v := uint64(q.Encode(x))
		word |= v << (fill & 63)
		if fill += width; fill >= 64 {
			if pos+8 > len(buf) {
				buf = room(buf, pos, 16)
			}
			binary.LittleEndian.PutUint64(buf[pos:], word)
			pos += 8
			fill -= 64
			word = v >> (width - fill)
		}
	}
	out.buf, out.pos, out.word, out.fill = buf, pos, word, fill
	return true
}

func packOthers(plan *typecache.Plan, op *typecache.Op, p memory.Pointer, n int, out *output) bool {
	for i := range n {
		v, err := single(plan, op, p.At(uintptr(i)*uintptr(op.Size)))
		if err != nil {
			return false
		}
		out.put(v, uint(op.Bits))
	}
	return true
}

// decodePacked reads n values of an op, whose bits are all there. It is not ok
// if one of them is out of range; those before it are stored.
func decodePacked(plan *typecache.Plan, op *typecache.Op, p memory.Pointer, n int, data []byte, bit int) (ok bool) {
	switch op.Code {
	case typecache.CodeBool, typecache.CodeUint8, typecache.CodeInt8:
		return unpackInts(op, memory.Run[uint8](p, n), data, bit)
	case typecache.CodeUint16, typecache.CodeInt16:
		return unpackInts(op, memory.Run[uint16](p, n), data, bit)
	case typecache.CodeUint32, typecache.CodeInt32:
		return unpackInts(op, memory.Run[uint32](p, n), data, bit)
	case typecache.CodeUint64:
		return unpackInts(op, memory.Run[uint64](p, n), data, bit)
	case typecache.CodeFloat32:
		return unpackFloats(&plan.Float32s[op.Aux], op, memory.Run[float32](p, n), data, bit)
	}
	mask := uint64(1)<<op.Bits - 1
	for i := range n {
		if setSingle(plan, op, p.At(uintptr(i)*uintptr(op.Size)), bits.PeekWord(data, bit)&mask) != nil {
			return false
		}
		bit += int(op.Bits)
	}
	return true
}

func unpackInts[T uint8 | uint16 | uint32 | uint64](op *typecache.Op, values []T, data []byte, bit int) bool {
	bias, span, width, mask := op.Bias, op.Span, int(op.Bits), uint64(1)<<op.Bits-1
	if width > 57 {
		return unpackWide(op, values, data, bit)
	}
	for k := range values {
		var v uint64
		if i := bit >> 3; i+8 <= len(data) { // bits.Peek, which does not inline
			v = binary.LittleEndian.Uint64(data[i:]) >> (uint(bit) & 7)
		} else {
			v = bits.Peek(data, bit)
		}
		if v &= mask; v > span {
			return false
		}
		values[k] = T(v + bias)
		bit += width
	}
	return true
}

// unpackWide is unpackInts of codes that a load of 8 bytes may not hold.
func unpackWide[T uint8 | uint16 | uint32 | uint64](op *typecache.Op, values []T, data []byte, bit int) bool {
	bias, span, width, mask := op.Bias, op.Span, int(op.Bits), uint64(1)<<op.Bits-1
	for k := range values {
		var v uint64
		if i, shift := bit>>3, uint(bit)&7; i+9 <= len(data) {
			v = binary.LittleEndian.Uint64(data[i:])>>shift | uint64(data[i+8])<<(64-shift)
		} else {
			v = bits.PeekWord(data, bit)
		}
		if v &= mask; v > span {
			return false
		}
		values[k] = T(v + bias)
		bit += width
	}
	return true
}

func unpackFloats(q *compress.Float32, op *typecache.Op, values []float32, data []byte, bit int) bool {
	span, width, mask := op.Span, int(op.Bits), uint64(1)<<op.Bits-1
	for k := range values {
		var v uint64
		if i := bit >> 3; i+8 <= len(data) {
			v = binary.LittleEndian.Uint64(data[i:]) >> (uint(bit) & 7)
		} else {
			v = bits.Peek(data, bit)
		}
		if v &= mask; v > span {
			return false
		}
		values[k] = q.Decode(uint32(v))
		bit += width
	}
	return true
}

//go:build !purego

package fast

import (
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// The values of a repeated op are coded by a loop for their type. The loop is
// selected once for all of them.

// encodeArray appends the values of a whole-run array, which is either a single
// op or a block of elements. It returns false, and leaves the output unchanged,
// if a value has no code.
func encodeArray(pl *plan.Plan, at int32, p memory.Pointer, o *output) (ok bool) {
	switch op := &pl.Ops[at]; {
	case op.Code != plan.CodeArray:
		return encodePacked(pl, op, p, op.Count, o)
	case op.Count > 0:
		return encodeElems(pl, at, p, op.Count, o)
	}
	return true
}

// decodeArray reads the values of a whole-run array and returns the bit after
// them. It returns false if a value is invalid or missing, after storing the
// values before it.
func decodeArray(pl *plan.Plan, at int32, p memory.Pointer, data []byte, bit int) (next int, ok bool) {
	switch op := &pl.Ops[at]; {
	case op.Code != plan.CodeArray:
		return decodePacked(pl, op, p, op.Count, data, bit)
	case op.Count > 0:
		return decodeElems(pl, at, p, op.Count, data, bit)
	}
	return bit, true
}

// encodeElems appends n elements of the whole-run block that starts at op at. n
// must not be 0. It returns false, and leaves the output unchanged, if a value
// has no code.
func encodeElems(pl *plan.Plan, at int32, p memory.Pointer, n int, o *output) (ok bool) {
	op, first := &pl.Ops[at], &pl.Ops[at+1]
	size := pl.Elems[op.Aux].Size
	if op.Flags&plan.FlagVerbatim != 0 {
		o.verbatim(p.Array(n * int(size)))
		return true
	}
	if first.Run > 0 {
		return o.run(pl, &pl.Runs[first.Run-1], elements{p, n, size})
	}
	return encodePacked(pl, first, p, n*first.Count, o)
}

// decodeElems reads n elements of the whole-run block that starts at op at, and
// returns the bit after them. It returns false if a value is invalid or
// missing.
func decodeElems(pl *plan.Plan, at int32, p memory.Pointer, n int, data []byte, bit int) (next int, ok bool) {
	op, first := &pl.Ops[at], &pl.Ops[at+1]
	size := pl.Elems[op.Aux].Size
	if op.Flags&plan.FlagVerbatim != 0 {
		return decodeVerbatim(p.Array(n*int(size)), data, bit)
	}
	if first.Run > 0 {
		return decodeRun(pl, &pl.Runs[first.Run-1], elements{p, n, size}, data, bit, 0)
	}
	return decodePacked(pl, first, p, n*first.Count, data, bit)
}

// encodePacked appends n values of an op. It returns false, and leaves the
// output unchanged, if a value has no code.
func encodePacked(pl *plan.Plan, op *plan.Op, p memory.Pointer, n int, out *output) (ok bool) {
	if op.Flags&plan.FlagVerbatim != 0 {
		out.verbatim(p.Array(n * int(op.Size)))
		return true
	}
	pos, word, fill := out.pos, out.word, out.wordBits
	switch kind, bias, flip := op.Coding(); kind {
	case plan.RunInt8:
		ok = packInts(op, bias, flip, memory.Slice[uint8](p, n), out)
	case plan.RunInt16:
		ok = packInts(op, bias, flip, memory.Slice[uint16](p, n), out)
	case plan.RunInt32:
		ok = packInts(op, bias, flip, memory.Slice[uint32](p, n), out)
	case plan.RunInt64, plan.RunLongInt64:
		ok = packInts(op, bias, flip, memory.Slice[uint64](p, n), out)
	case plan.RunFloat32:
		ok = packFloats(&pl.Float32s[op.Aux], op, memory.Slice[float32](p, n), out)
	default:
		ok = packOthers(pl, op, p, n, out)
	}
	if !ok { // the incomplete word was saved here; the buffer may have been overwritten
		out.pos, out.word, out.wordBits = pos, word, fill
	}
	return ok
}

// packInts appends the codes of values. If four codes fit in a word, it
// combines them before appending, because each append must wait for the one
// before.
func packInts[T uint8 | uint16 | uint32 | uint64](op *plan.Op, bias, flip uint64, values []T, out *output) bool {
	least, span, width := T(bias), op.Span, uint(op.Bits)
	buf, pos, word, fill := out.roomFor(len(values), width), uint(out.pos), out.word, out.wordBits
	i := 0
	if width <= 64/4 {
		flips := joined(flip, flip, flip, flip, width)
		for ; i+4 <= len(values); i += 4 {
			next := values[i : i+4 : i+4]
			a, b, c, d := uint64(next[0]-least), uint64(next[1]-least), uint64(next[2]-least), uint64(next[3]-least)
			if a > span || b > span || c > span || d > span {
				return false
			}
			pos, word, fill = join(buf, pos, word, fill, joined(a, b, c, d, width)^flips, 4*width)
		}
	}
	for ; i < len(values); i++ {
		v := uint64(values[i] - least)
		if v > span {
			return false
		}
		pos, word, fill = join(buf, pos, word, fill, v^flip, width)
	}
	out.pos, out.word, out.wordBits = int(pos), word, fill
	return true
}

// joined returns four codes as one, a first.
func joined(a, b, c, d uint64, width uint) uint64 {
	return ((d<<(width&63)|c)<<(width&63)|b)<<(width&63) | a
}

// packFloats appends the codes of quantized floats.
func packFloats(q *compress.Float32, op *plan.Op, values []float32, out *output) bool {
	width := uint(op.Bits)
	buf, pos, word, fill := out.roomFor(len(values), width), uint(out.pos), out.word, out.wordBits
	for _, x := range values {
		if !compress.Finite32(x) {
			return false
		}
		pos, word, fill = join(buf, pos, word, fill, uint64(q.Encode(x)), width)
	}
	out.pos, out.word, out.wordBits = int(pos), word, fill
	return true
}

// packOthers appends the codes of n values one by one.
func packOthers(pl *plan.Plan, op *plan.Op, p memory.Pointer, n int, out *output) bool {
	for i := range n {
		v, err := encodeSingle(pl, op, p.At(uintptr(i)*uintptr(op.Size)))
		if err != nil {
			return false
		}
		out.put(v, uint(op.Bits))
	}
	return true
}

// decodePacked reads n values of an op and returns the bit after them. It
// returns false if a value is out of range or missing, after storing the values
// before it.
func decodePacked(pl *plan.Plan, op *plan.Op, p memory.Pointer, n int, data []byte, bit int) (next int, ok bool) {
	if op.Flags&plan.FlagVerbatim != 0 {
		return decodeVerbatim(p.Array(n*int(op.Size)), data, bit)
	}
	width := int(op.Bits)
	if uint64(n)*uint64(width) > uint64(8*len(data)-bit) {
		return bit, false
	}
	next = bit + n*width
	var short [8]byte
	data = padded(data, &short)
	switch kind, bias, flip := op.Coding(); kind {
	case plan.RunInt8:
		return next, unpackInts(op, bias, flip, memory.Slice[uint8](p, n), data, bit)
	case plan.RunInt16:
		return next, unpackInts(op, bias, flip, memory.Slice[uint16](p, n), data, bit)
	case plan.RunInt32:
		return next, unpackInts(op, bias, flip, memory.Slice[uint32](p, n), data, bit)
	case plan.RunInt64:
		return next, unpackInts(op, bias, flip, memory.Slice[uint64](p, n), data, bit)
	case plan.RunLongInt64:
		return next, unpackLongInts(op, bias, flip, memory.Slice[uint64](p, n), data, bit)
	case plan.RunFloat32:
		return next, unpackFloats(&pl.Float32s[op.Aux], op, memory.Slice[float32](p, n), data, bit)
	}
	mask := uint64(1)<<op.Bits - 1
	for i := range n {
		if decodeSingle(pl, op, p.At(uintptr(i)*uintptr(op.Size)), bitio.PeekWord(data, bit)&mask) != nil {
			return bit, false
		}
		bit += width
	}
	return next, true
}

// unpackInts reads the codes of values. If four codes fit in one load, it reads
// them together.
func unpackInts[T uint8 | uint16 | uint32 | uint64](op *plan.Op, bias, flip uint64, values []T, data []byte, bit int) bool {
	span, width, mask := op.Span, uint(op.Bits), uint64(1)<<op.Bits-1
	i := 0
	if width <= plan.MostPeeked/4 {
		flips := joined(flip, flip, flip, flip, width)
		for ; i+4 <= len(values); i += 4 {
			a := peekCode(data, bit) ^ flips
			b := a >> (width & 63)
			c := b >> (width & 63)
			d := c >> (width & 63) & mask
			a, b, c = a&mask, b&mask, c&mask
			if a > span || b > span || c > span || d > span {
				return false
			}
			next := values[i : i+4 : i+4]
			next[0], next[1], next[2], next[3] = T(a+bias), T(b+bias), T(c+bias), T(d+bias)
			bit += 4 * int(width)
		}
	}
	for ; i < len(values); i++ {
		v := peekCode(data, bit) & mask
		if v > span {
			return false
		}
		values[i] = T(v ^ flip + bias)
		bit += int(width)
	}
	return true
}

// unpackLongInts is unpackInts for codes of more than 57 bits, which may span
// nine bytes.
func unpackLongInts(op *plan.Op, bias, flip uint64, values []uint64, data []byte, bit int) bool {
	span, width, mask := op.Span, int(op.Bits), uint64(1)<<op.Bits-1
	for k := range values {
		v := (peekCode(data, bit) | peekNinth(data, bit)) & mask
		if v > span {
			return false
		}
		values[k] = v ^ flip + bias
		bit += width
	}
	return true
}

// unpackFloats reads the codes of quantized floats. If two codes fit in one
// load, it reads them together.
func unpackFloats(q *compress.Float32, op *plan.Op, values []float32, data []byte, bit int) bool {
	span, width, mask := op.Span, uint(op.Bits), uint64(1)<<op.Bits-1
	i := 0
	if width <= plan.MostPeeked/2 {
		for ; i+2 <= len(values); i += 2 {
			a := peekCode(data, bit)
			b := a >> (width & 63) & mask
			a &= mask
			if a > span || b > span {
				return false
			}
			two := values[i : i+2 : i+2]
			two[0], two[1] = q.Decode(uint32(a)), q.Decode(uint32(b))
			bit += 2 * int(width)
		}
	}
	for ; i < len(values); i++ {
		v := peekCode(data, bit) & mask
		if v > span {
			return false
		}
		values[i] = q.Decode(uint32(v))
		bit += int(width)
	}
	return true
}

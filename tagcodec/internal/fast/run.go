//go:build !purego

package fast

import (
	"encoding/binary"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// Each direction has two functions for a run. The inner function is a loop
// without calls, which keeps its state in registers. It stops at values that
// need a call, and the outer function handles them.

// run writes the values of a run for each of the elements. If a value has no
// code, run returns false and writes nothing. The caller then repeats the run
// op by op to find the error.
func (o *output) run(pl *plan.Plan, r *plan.Run, e elements) (ok bool) {
	pos, word, fill := o.pos, o.word, o.wordBits
	x, next, w, n := encodeRunOn(&r.Values[0], e.base, o.buf, uint(pos), word, fill)
	o.pos, o.word, o.wordBits = int(next), w, n
	if ok = o.runFrom(pl, r, x, e); !ok {
		o.pos, o.word, o.wordBits = pos, word, fill
	}
	return ok
}

// runFrom continues a run at x, where encodeRunOn stopped in the first of the
// elements. It returns false if a value has no code.
func (o *output) runFrom(pl *plan.Plan, r *plan.Run, x *plan.RunValue, e elements) (ok bool) {
	base, n := e.base, e.n
	for {
		if x.Kind != plan.RunEnd {
			switch p := base.At(x.Off); x.Kind {
			case plan.RunIs, plan.RunIsNot, plan.RunIf:
				skip := 1 // skips the RunClear
				if !conditionHolds(pl, pl.Ops[x.Op].Aux, base) {
					skip = int(x.Skip)
				}
				x, ok = memory.Next(x, skip), true
			case plan.RunText:
				ok = o.text(x, *p.Str())
			case plan.RunBytes:
				o.raw(p.Array(int(x.Span)))
				ok = true
			case plan.RunVerbatim:
				o.verbatim(p.Array(int(x.Bias)))
				ok = true
			case plan.RunArray:
				ok = encodeArray(pl, x.Op, p, o)
			case plan.RunSlice:
				s := p.Slice()
				count := uint64(s.Len) - x.Bias
				if ok = count <= x.Span && (pl.Elems[pl.Ops[x.Op].Aux].Size != 1 || !o.shares(s.Data, s.Len)); ok {
					o.put(count, uint(x.Width))
					ok = s.Len == 0 || encodeElems(pl, x.Op, s.Data, s.Len, o)
				}
			default:
				if x.Op < 0 {
					o.verbatim(p.Array(int(x.Width / 8)))
					ok = true
					break
				}
				v, err := encodeSingle(pl, &pl.Ops[x.Op], p)
				if ok = err == nil; ok {
					o.put(v, uint(x.Width))
				}
			}
			if !ok {
				return false
			}
			x = memory.Next(x, 1)
		} else if n--; n > 0 {
			x, base = &r.Values[0], base.At(e.size)
		} else {
			return true
		}
		var pos uint
		x, pos, o.word, o.wordBits = encodeRunOn(x, base, o.buf, uint(o.pos), o.word, o.wordBits)
		o.pos = int(pos)
	}
}

// encodeRunOn writes the values of a run starting at x. It returns the value where
// it stopped: one that has no room in the buffer, has no code or needs a call, or
// the RunEnd. It takes and returns the fields of the output, which pass through
// registers.
func encodeRunOn(x *plan.RunValue, base memory.Pointer, buf []byte, pos uint, word uint64, fill uint) (*plan.RunValue, uint, uint64, uint) {
	buf = buf[:len(buf):len(buf)] // makes len equal cap, so both share a register
loop:
	for ; ; x = memory.Next(x, 1) {
		p := base.At(x.Off)
		var v uint64
		switch x.Kind {
		case plan.RunUint8:
			v = uint64(*p.U8()) - x.Bias
		case plan.RunUint16:
			v = uint64(p.Load16()) - x.Bias
		case plan.RunUint32:
			v = uint64(p.Load32()) - x.Bias
		case plan.RunInt8:
			v = uint64(int8(*p.U8())) - x.Bias
		case plan.RunInt16:
			v = uint64(int16(*p.U16())) - x.Bias
		case plan.RunInt32:
			v = uint64(int32(*p.U32())) - x.Bias
		case plan.RunInt64, plan.RunLongInt64:
			v = p.Load64() - x.Bias
		case plan.RunFloat32:
			f := *p.F32()
			if !compress.Finite32(f) {
				break loop
			}
			v = uint64(x.Float32.Encode(f))
		case plan.RunFloat64:
			f := *p.F64()
			if !compress.Finite64(f) {
				break loop
			}
			v = x.Float64.Encode(f)
		case plan.RunIs:
			n := 1 // skips the RunClear
			if uint64(*p.U8())&x.Mask != x.Bias {
				n = int(x.Skip)
			}
			x = memory.Next(x, n)
			continue
		case plan.RunIsNot:
			n := 1
			if uint64(*p.U8())&x.Mask == x.Bias {
				n = int(x.Skip)
			}
			x = memory.Next(x, n)
			continue
		case plan.RunText:
			s := memory.StringBytes(*p.Str())
			n := uint(len(s))
			count := uint64(n) - x.Bias
			start := pos + (fill+uint(x.Width)+7)/8
			end := start + n
			if count > x.Span || n > shortText || end > uint(len(buf)) {
				break loop
			}
			if n < 8 { // the text becomes part of the word
				text := bitio.Short(s)
				if !bitio.ShortASCII(text, len(s)) {
					break loop
				}
				pos, word, fill = join(buf, pos, word, fill, count, uint(x.Width))
				pos, word, fill = join(buf, pos, word, fill, 0, -fill&7)
				pos, word, fill = join(buf, pos, word, fill, text, 8*n)
				continue
			}
			first, last := bitio.EndWords(s)
			if !bitio.ASCII(first, last) {
				break loop
			}
			binary.LittleEndian.PutUint64(buf[pos:pos+8], word|count<<(fill&63))
			if start > pos+8 {
				binary.LittleEndian.PutUint64(buf[pos+8:pos+16], count>>1>>(^fill&63))
			}
			binary.LittleEndian.PutUint64(buf[start:start+8], first)
			for i := uint(8); i+8 < n; i += 8 {
				middle := binary.LittleEndian.Uint64(s[i : i+8])
				if !bitio.ASCII(middle, last) {
					break loop
				}
				binary.LittleEndian.PutUint64(buf[start+i:start+i+8], middle)
			}
			binary.LittleEndian.PutUint64(buf[end-8:end], last)
			pos, word, fill = end, 0, 0
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
			word = v >> 1 >> (^fill & 63)
		} else {
			word |= v << (fill & 63)
		}
		fill = end
	}
	return x, pos, word, fill
}

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
		left := end - bit - r.Bits // bits available to conditional values and counted elements
		if left < 0 {
			return 0, false
		}
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
	for ; ; x = memory.Next(x, 1) {
		if x.Kind <= plan.RunFloat64 {
			v := peekCode(data, bit) & x.Mask
			if v > x.Span {
				break
			}
			bit += int(x.Width)
			p := base.At(x.Off)
			switch x.Kind {
			case plan.RunUint8, plan.RunInt8:
				*p.U8() = uint8(v + x.Bias)
			case plan.RunUint16, plan.RunInt16:
				p.Store16(uint16(v + x.Bias))
			case plan.RunUint32, plan.RunInt32:
				p.Store32(uint32(v + x.Bias))
			case plan.RunInt64:
				p.Store64(v + x.Bias)
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
			p.Store64(v + x.Bias)
		default:
			return x, bit, left
		}
	}
	return x, bit, left
}

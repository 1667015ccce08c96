//go:build !purego

package fast

import (
	"encoding/binary"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
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
	x, next, w, n := encodeRunOn(&r.Values[0], e.base, fill, o.buf, uint(pos), word)
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
		x, pos, o.word, o.wordBits = encodeRunOn(x, base, o.wordBits, o.buf, uint(o.pos), o.word)
		o.pos = int(pos)
	}
}

// encodeRunOn writes the values of a run starting at x. It returns the value where
// it stopped: one that has no room in the buffer, has no code or needs a call, or
// the RunEnd. It takes and returns the fields of the output, which pass through
// registers. On amd64, fill arrives in the register that shifts by it need.
func encodeRunOn(x *plan.RunValue, base memory.Pointer, fill uint, buf []byte, pos uint, word uint64) (*plan.RunValue, uint, uint64, uint) {
	buf = buf[:len(buf):len(buf)] // makes len equal cap, so both share a register
loop:
	for ; ; x = memory.Next(x, 1) {
		p := base.At(x.Off)
		var v, u uint64 // the codes of the value, or of a pair
		var width, end uint
		var last *plan.RunValue // the value, or the second of a pair
		switch x.Kind {
		// Subtracting in the size of the integer is right for both signs.
		case plan.RunPair8:
			last = memory.Next(x, 1)
			v, u = uint64(*p.U8()-uint8(x.Bias)), uint64(*base.At(last.Off).U8()-uint8(last.Bias))
			goto pair
		case plan.RunPair16:
			last = memory.Next(x, 1)
			v, u = uint64(*p.U16()-uint16(x.Bias)), uint64(*base.At(last.Off).U16()-uint16(last.Bias))
			goto pair
		case plan.RunPair32:
			last = memory.Next(x, 1)
			v, u = uint64(*p.U32()-uint32(x.Bias)), uint64(*base.At(last.Off).U32()-uint32(last.Bias))
			goto pair
		case plan.RunInt8:
			v = uint64(*p.U8() - uint8(x.Bias))
		case plan.RunInt16:
			v = uint64(*p.U16() - uint16(x.Bias))
		case plan.RunInt32:
			v = uint64(*p.U32() - uint32(x.Bias))
		case plan.RunInt64, plan.RunLongInt64:
			v = *p.U64() - x.Bias
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
		v, width, last = v^x.Flip, uint(x.Width), x
	store:
		if end = fill + width; end >= 64 {
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
		fill, x = end, last
		continue
	pair:
		if v > x.Span || u > last.Span {
			break
		}
		v, width = (u^last.Flip)<<(x.Width&63)|v^x.Flip, uint(x.Width)+uint(last.Width)
		goto store
	}
	return x, pos, word, fill
}

package tagcodec

import (
	"encoding/binary"
	"slices"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/typecache"
)

// output is a message under way. The loop keeps it in local variables and
// hands it to what is too rare or too long to stand in the loop.
type output struct {
	buf   []byte // all the room there is
	start int    // the message's first byte in buf
	pos   int    // where the next whole word goes
	word  uint64 // the bits since the last whole word
	fill  uint   // how many
}

// bit returns the number of bits written.
func (o *output) bit() int { return 8*(o.pos-o.start) + int(o.fill) }

// end returns the index behind the message's last byte.
func (o *output) end() int { return o.pos + int(o.fill+7)/8 }

// room returns a buffer that has n bytes from pos on, and the bytes before.
func room(buf []byte, pos, n int) []byte {
	buf = slices.Grow(buf[:pos], n)
	return buf[:cap(buf)]
}

// close stores the incomplete word and returns the buffer up to the end of the
// message.
func (o *output) close() []byte {
	end := o.end()
	if end > len(o.buf) {
		o.buf = room(o.buf, o.pos, end-o.pos)
	}
	for i, word := o.pos, o.word; i < end; i++ {
		o.buf[i] = byte(word)
		word >>= 8
	}
	return o.buf[:end]
}

// put appends the low n bits of v, above which v is zero. The count of a
// field without bits is 0.
func (o *output) put(v uint64, n uint) {
	o.word |= v << (o.fill & 63)
	o.fill += n
	if o.fill >= 64 {
		if o.pos+8 > len(o.buf) {
			o.buf = room(o.buf, o.pos, 16)
		}
		binary.LittleEndian.PutUint64(o.buf[o.pos:], o.word)
		o.pos += 8
		o.fill -= 64
		o.word = v >> (n - o.fill)
	}
}

// align appends zero bits up to the next byte.
func (o *output) align() {
	if n := -o.fill & 7; n > 0 {
		o.put(0, n)
	}
}

// raw aligns and appends bytes.
func (o *output) raw(p []byte) {
	o.align()
	if len(p) == 0 {
		return
	}
	whole := int(o.fill/8) + len(p) // bytes from pos on
	if o.pos+whole > len(o.buf) {
		o.buf = room(o.buf, o.pos, whole+8)
	}
	tail := o.close()
	copy(o.buf[len(tail):], p)
	o.resume(o.buf, 8*(len(tail)+len(p)-o.start))
}

// resume continues at a bit of the message, of which buf has those before it.
func (o *output) resume(buf []byte, bit int) {
	o.buf = buf[:cap(buf)]
	o.pos = o.start + bit>>6<<3
	o.fill = uint(bit & 63)
	o.word = 0
	for i := o.end() - 1; i >= o.pos; i-- {
		o.word = o.word<<8 | uint64(buf[i])
	}
}

// encode appends the message of the value at base to dst. Nothing of dst
// changes within its length.
func encode(c *config, plan *typecache.Plan, base pointer, dst []byte) ([]byte, error) {
	var inline [inlineFrames]frame
	stack := stackFor(plan, inline[:])
	out := output{buf: dst[:cap(dst)], start: len(dst), pos: len(dst)}
	stack, f := encodeOps(c, plan, base, stack, &out)
	if f.err != nil {
		return dst, report("marshal", plan, stack, f)
	}
	return out.close(), nil
}

// encodeOps runs the plan. It returns the open blocks, and where and why it
// stopped if not at the end.
func encodeOps(c *config, plan *typecache.Plan, base pointer, stack []frame, o *output) ([]frame, failure) {
	// The output stands in locals while the loop runs, and in out while
	// anything else works on it.
	out := *o
	buf, pos, word, fill := out.buf, out.pos, out.word, out.fill
	start, ops, depth := out.start, plan.Ops, 0
	var err error

	for pc := 0; ; {
		op := &ops[pc]
		pc++
		p := base.at(op.Off)
		n := op.Count
	value:
		var v uint64
		width := uint(op.Bits)
		switch op.Code {
		case typecache.CodeBool:
			v = uint64(*p.u8() & 1)
		case typecache.CodeUint8:
			v = uint64(*p.u8()) - op.Bias
		case typecache.CodeUint16:
			v = uint64(*p.u16()) - op.Bias
		case typecache.CodeUint32:
			v = uint64(*p.u32()) - op.Bias
		case typecache.CodeUint64:
			v = *p.u64() - op.Bias
		case typecache.CodeInt8:
			v = uint64(int8(*p.u8())) - op.Bias
		case typecache.CodeInt16:
			v = uint64(int16(*p.u16())) - op.Bias
		case typecache.CodeInt32:
			v = uint64(int32(*p.u32())) - op.Bias
		case typecache.CodeFloat32:
			x := *p.f32()
			if !compress.Finite32(x) {
				err = refusal(ErrRange, x, nil, nil)
				goto fail
			}
			v = uint64(plan.Float32s[op.Aux].Encode(x))
		case typecache.CodeFloat64:
			x := *p.f64()
			if !compress.Finite64(x) {
				err = refusal(ErrRange, x, nil, nil)
				goto fail
			}
			v = plan.Float64s[op.Aux].Encode(x)
		case typecache.CodeIf:
			if !holds(plan, op.Aux, base) {
				pc = int(op.End)
			}
			continue
		case typecache.CodePointer:
			target := *p.ptr()
			if target.isNil() {
				pc = int(op.End)
				break
			}
			v = 1
			stack = append(stack, frame{base: base, left: 1, total: 1, open: int32(pc - 1)})
			base = target
		case typecache.CodeArray:
			stack = append(stack, frame{base: base, size: plan.Elems[op.Aux].Size, left: n, total: n, open: int32(pc - 1)})
			base = p
			if n == 0 {
				base, stack, pc = stack[len(stack)-1].base, stack[:len(stack)-1], int(op.End)
			}
			continue
		case typecache.CodeSlice:
			s := p.slice()
			v = uint64(s.len) - op.Bias
			if v > op.Span {
				err = lengthError(op, s.len)
				goto fail
			}
			if s.len == 0 {
				pc = int(op.End)
				break
			}
			stack = append(stack, frame{base: base, size: plan.Elems[op.Aux].Size, left: s.len, total: s.len, open: int32(pc - 1)})
			base = s.data
		case typecache.CodeCall:
			if depth++; depth > c.maxDepth {
				err = refusal(ErrDepth, depth, 0, c.maxDepth)
				goto fail
			}
			stack = append(stack, frame{base: base, left: 1, total: 1, open: int32(pc - 1)})
			base, pc = p, int(op.End)
			continue
		case typecache.CodeNext:
			f := &stack[len(stack)-1]
			if f.left--; f.left > 0 {
				base, pc = base.at(f.size), int(f.open)+1
				continue
			}
			if ops[f.open].Code == typecache.CodeCall {
				depth--
				pc = int(f.open) + 1
			}
			base, stack = f.base, stack[:len(stack)-1]
			continue
		case typecache.CodeEnd:
			*o = output{buf, start, pos, word, fill}
			return stack, failure{}
		case typecache.CodeMap:
			entries := sortedEntries(p.value(plan.Fields[op.Field].Type), &plan.Elems[op.Aux])
			size := entries.Len()
			v = uint64(size) - op.Bias
			if v > op.Span {
				err = lengthError(op, size)
				goto fail
			}
			if size == 0 {
				pc = int(op.End)
				break
			}
			first := pointerTo(entries)
			stack = append(stack, frame{base: base, elem: first, size: plan.Elems[op.Aux].Size, left: size, total: size, open: int32(pc - 1)})
			base = first
		default:
			out = output{buf, start, pos, word, fill}
			v, width, err = encodeRare(plan, op, base, p, stack, &out)
			buf, pos, word, fill = out.buf, out.pos, out.word, out.fill
			if err != nil {
				goto fail
			}
		}
		if op.Code <= typecache.CodeInt32 && v > op.Span && op.Code != typecache.CodeBool {
			least, most := limits(op)
			err = refusal(ErrRange, shown(op, v+op.Bias), least, most)
			goto fail
		}
		word |= v << (fill & 63)
		fill += width
		if fill >= 64 {
			if pos+8 > len(buf) {
				buf = room(buf, pos, 16)
			}
			binary.LittleEndian.PutUint64(buf[pos:], word)
			pos += 8
			fill -= 64
			word = v >> (width - fill)
		}
		if n--; n > 0 && op.Code < typecache.CodeConst {
			p = p.at(uintptr(op.Size))
			goto value
		}
		continue
	fail:
		return stack, failure{pc - 1, op.Count - n, 8*(pos-start) + int(fill), err}
	}
}

// lengthError is the failure of a count.
func lengthError(op *typecache.Op, n int) error {
	return refusal(ErrLength, n, int(op.Bias), int(op.Bias+op.Span))
}

// encodeRare handles the ops that the loop itself does not. It returns bits
// that are still to be written, which may be none.
func encodeRare(plan *typecache.Plan, op *typecache.Op, base, p pointer, stack []frame, out *output) (v uint64, width uint, err error) {
	signed := op.Flags&typecache.Signed != 0
	switch op.Code {
	case typecache.CodeWord:
		v = load(p, op.Size, signed)
		n := 64 - uint(op.Bits)
		if signed && uint64(int64(v<<n)>>n) != v || !signed && v<<n>>n != v {
			least, most := limits(op)
			return 0, 0, refusal(ErrRange, shown(op, v), least, most)
		}
		return v << n >> n, uint(op.Bits), nil
	case typecache.CodeHalf:
		return uint64(compress.EncodeHalf(*p.f32())), 16, nil
	case typecache.CodeAngle:
		x := float64(0)
		if op.Size == 4 {
			x = float64(*p.f32())
		} else {
			x = *p.f64()
		}
		if !compress.Finite64(x) {
			return 0, 0, refusal(ErrRange, x, nil, nil)
		}
		return uint64(plan.Angles[op.Aux].Encode(x)), uint(op.Bits), nil
	case typecache.CodeWide:
		return encodeWide(&plan.Wides[op.Aux], op, p, out)
	case typecache.CodeVarint:
		encodeVarint(load(p, op.Size, signed), signed, out)
	case typecache.CodeRelative:
		r := &plan.Relatives[op.Aux]
		before := previous(plan, r, op, base, p, stack)
		x := int64(load(p, op.Size, signed))
		code, n := bits.EncodeRelative(before, x)
		if n == 0 || x < r.Min || x > r.Max {
			return 0, 0, refusal(ErrRange, shown(op, uint64(x)), max(r.Min, before+1), r.Max)
		}
		return code, uint(n), nil
	case typecache.CodeConst:
		return op.Bias, uint(op.Bits), nil
	case typecache.CodeAlign:
		out.align()
	case typecache.CodeBytes:
		out.raw(p.array(op.Count))
	case typecache.CodeCString, typecache.CodeString, typecache.CodeWString:
		return 0, 0, encodeText(op, p, out)
	case typecache.CodeBinary:
		return 0, 0, encodeBinary(op, p.value(plan.Fields[op.Field].Type), out)
	case typecache.CodeCustom:
		return 0, 0, encodeCustom(op, p.value(plan.Fields[op.Field].Type), out)
	}
	return 0, 0, nil
}

// encodeWide writes a 128-bit integer, low word first.
func encodeWide(w *typecache.Wide, op *typecache.Op, p pointer, out *output) (v uint64, width uint, err error) {
	words := p.words128()
	x := bits.Uint128{Lo: words[0], Hi: words[1]}
	offset := x.Sub(w.Min)
	if offset.Cmp(w.Span) > 0 {
		most := w.Min.Add(w.Span)
		if op.Flags&typecache.Signed != 0 {
			return 0, 0, refusal(ErrRange, x.Signed(), w.Min.Signed(), most.Signed())
		}
		return 0, 0, refusal(ErrRange, x, w.Min, most)
	}
	if op.Bits <= 64 {
		return offset.Lo, uint(op.Bits), nil
	}
	out.put(offset.Lo, 64)
	return offset.Hi, uint(op.Bits) - 64, nil
}

// encodeVarint writes an integer in groups of 7 bits from the lowest, each led
// by a bit that says whether another follows. A signed one is folded first so
// that small negative ones are short: 0, -1, 1, -2 become 0, 1, 2, 3.
func encodeVarint(x uint64, signed bool, out *output) {
	if signed {
		x = x<<1 ^ uint64(int64(x)>>63)
	}
	for x > 0x7F {
		out.put(x<<1&0xFF|1, 8)
		x >>= 7
	}
	out.put(x<<1, 8)
}

// unfold is the reverse of the folding of signed integers.
func unfold(x uint64) uint64 { return x>>1 ^ -(x & 1) }

package tagcodec

import (
	"encoding/binary"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// encode appends the message of the value at base to dst. Nothing of dst
// changes within its length.
func encode(c *config, plan *typecache.Plan, base memory.Pointer, dst []byte) ([]byte, error) {
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
func encodeOps(c *config, plan *typecache.Plan, base memory.Pointer, stack []frame, o *output) ([]frame, failure) {
	// The output stands in locals while the loop runs, and in out while
	// anything else works on it.
	out := *o
	buf, pos, word, fill := out.buf, out.pos, out.word, out.fill
	start, ops, depth := out.start, plan.Ops, 0
	var err error

	var run codes

	for pc := 0; ; {
		op := &ops[pc]
		if op.Run > 0 {
			r := &plan.Runs[op.Run-1]
			if encodeRun(plan, r, base, &run) {
				for k := range r.Slots {
					v, width := run[uint(k)%typecache.MaxRun], uint(r.Slots[k].Width)
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
				}
				pc = int(r.End)
				continue
			}
		}
		pc++
		p := base.At(op.Off)
		n := op.Count
		if op.Flags&typecache.Packed != 0 && op.Code.Single() {
			out = output{buf, start, pos, word, fill}
			ok := encodePacked(plan, op, p, n, &out)
			buf, pos, word, fill = out.buf, out.pos, out.word, out.fill
			if ok {
				continue
			}
		}
	value:
		var v uint64
		width := uint(op.Bits)
		switch op.Code {
		case typecache.CodeBool:
			v = uint64(*p.U8() & 1)
		case typecache.CodeUint8:
			v = uint64(*p.U8()) - op.Bias
		case typecache.CodeUint16:
			v = uint64(*p.U16()) - op.Bias
		case typecache.CodeUint32:
			v = uint64(*p.U32()) - op.Bias
		case typecache.CodeUint64:
			v = *p.U64() - op.Bias
		case typecache.CodeInt8:
			v = uint64(int8(*p.U8())) - op.Bias
		case typecache.CodeInt16:
			v = uint64(int16(*p.U16())) - op.Bias
		case typecache.CodeInt32:
			v = uint64(int32(*p.U32())) - op.Bias
		case typecache.CodeFloat32:
			x := *p.F32()
			if !compress.Finite32(x) {
				err = refusal(ErrRange, x, nil, nil)
				goto fail
			}
			v = uint64(plan.Float32s[op.Aux].Encode(x))
		case typecache.CodeFloat64:
			x := *p.F64()
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
		case typecache.CodeOptional:
			if isZero(plan, pc, int(op.End), base, false) {
				pc = int(op.End)
			} else {
				v = 1
			}
			n = 1
		case typecache.CodePresent:
			continue
		case typecache.CodeCommon, typecache.CodeHuffman:
			out = output{buf, start, pos, word, fill}
			listed, failed := encodeListed(plan, op, p, &out)
			if err = failed; err != nil {
				goto fail
			}
			if listed {
				pc = int(op.End)
			}
			buf, pos, word, fill = out.buf, out.pos, out.word, out.fill
			continue
		case typecache.CodeScale:
			out = output{buf, start, pos, word, fill}
			if err = encodeScale(plan, op, pc, base, &out); err != nil {
				goto fail
			}
			buf, pos, word, fill = out.buf, out.pos, out.word, out.fill
			pc = int(op.End)
			continue
		case typecache.CodePointer:
			target := *p.Ptr()
			if target.IsNil() {
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
			s := p.Slice()
			v = uint64(s.Len) - op.Bias
			if v > op.Span {
				err = lengthError(op, s.Len)
				goto fail
			}
			if s.Len == 0 {
				pc = int(op.End)
				break
			}
			if op.Flags&typecache.Packed != 0 {
				value := &ops[pc]
				out = output{buf, start, pos, word, fill}
				out.put(v, width)
				ok := encodePacked(plan, value, s.Data, s.Len*value.Count, &out)
				if ok {
					buf, pos, word, fill = out.buf, out.pos, out.word, out.fill
					pc = int(op.End)
					continue
				}
			}
			stack = append(stack, frame{base: base, size: plan.Elems[op.Aux].Size, left: s.Len, total: s.Len, open: int32(pc - 1)})
			base = s.Data
		case typecache.CodeCall:
			if depth++; depth > c.maxDepth {
				err = refusal(ErrDepth, depth, 0, c.maxDepth)
				goto fail
			}
			stack = append(stack, frame{base: base, left: 1, total: 1, open: int32(pc - 1)})
			base, pc = p, int(op.End)
			continue
		case typecache.CodeUnion:
			u := plan.Elems[op.Aux].Union
			index, target, failed := encodeUnion(u, p.Value(plan.Fields[op.Field].Type))
			if err = failed; err != nil {
				goto fail
			}
			if v = uint64(index); index == 0 {
				break
			}
			if depth++; depth > c.maxDepth {
				err = refusal(ErrDepth, depth, 0, c.maxDepth)
				goto fail
			}
			stack = append(stack, frame{base: base, left: 1, total: 1, open: int32(pc - 1)})
			base, pc = target, int(u.Starts[index-1])
		case typecache.CodeMatrix:
			parts, failed := encodeMatrix(p)
			if err = failed; err != nil {
				goto fail
			}
			stack = append(stack, frame{base: base, left: 1, total: 1, open: int32(pc - 1)})
			base = parts
			continue
		case typecache.CodeSubset:
			out = output{buf, start, pos, word, fill}
			f, failed := openSubset(plan, op, base, p, &out)
			if err = failed; err != nil {
				goto fail
			}
			f.open = int32(pc - 1)
			if f.left > 0 {
				stack = append(stack, f)
				base = f.present(&plan.Elems[op.Aux])
			} else {
				pc = int(op.End)
			}
			buf, pos, word, fill = out.buf, out.pos, out.word, out.fill
			continue
		case typecache.CodeNext:
			f := &stack[len(stack)-1]
			switch open := &ops[f.open]; open.Code {
			case typecache.CodeCall, typecache.CodeUnion:
				depth--
				pc = int(f.open) + 1
			case typecache.CodeSubset:
				out = output{buf, start, pos, word, fill}
				elem := &plan.Elems[open.Aux]
				f.writeNext(elem, f.total-f.left, &out)
				buf, pos, word, fill = out.buf, out.pos, out.word, out.fill
				if f.left > 0 {
					base, pc = f.present(elem), int(f.open)+1
					continue
				}
			default:
				if f.left--; f.left > 0 {
					base, pc = base.At(f.size), int(f.open)+1
					continue
				}
			}
			base, stack = f.base, stack[:len(stack)-1]
			continue
		case typecache.CodeEnd:
			*o = output{buf, start, pos, word, fill}
			return stack, failure{}
		case typecache.CodeMap:
			entries := sortedEntries(p.Value(plan.Fields[op.Field].Type), &plan.Elems[op.Aux])
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
			first := memory.To(entries)
			stack = append(stack, frame{base: base, elem: first, size: plan.Elems[op.Aux].Size, left: size, total: size, open: int32(pc - 1)})
			base = first
		default:
			out = output{buf, start, pos, word, fill}
			v, width, err = encodeRare(c, plan, op, base, p, stack, &out)
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
			p = p.At(uintptr(op.Size))
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
func encodeRare(c *config, plan *typecache.Plan, op *typecache.Op, base, p memory.Pointer, stack []frame, out *output) (v uint64, width uint, err error) {
	if op.Code.Single() {
		v, err = single(plan, op, p)
		return v, uint(op.Bits), err
	}
	signed := op.Flags&typecache.Signed != 0
	switch op.Code {
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
		out.raw(p.Array(op.Count))
	case typecache.CodeCString, typecache.CodeString, typecache.CodeWString:
		return 0, 0, encodeText(op, p, out)
	case typecache.CodeBinary:
		return 0, 0, encodeBinary(op, p.Value(plan.Fields[op.Field].Type), out)
	case typecache.CodeVector:
		v, err = encodeVector(&plan.Vectors[op.Aux], op, p)
		return v, uint(op.Bits), err
	case typecache.CodeLink:
		v, err = encodeLink(c.linker, op, p.Value(plan.Fields[op.Field].Type))
		return v, uint(op.Bits), err
	case typecache.CodeCustom:
		return 0, 0, encodeCustom(op, p.Value(plan.Fields[op.Field].Type), out)
	}
	return 0, 0, nil
}

//go:build !purego

package tagcodec

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// encode appends the message of the value at base to dst. The existing bytes of
// dst do not change.
func encode(c *settings, plan *typecache.Data, base memory.Pointer, dst []byte) ([]byte, error) {
	buf := withRoom(plan, dst)
	var out output // set field by field: a composite literal would be built elsewhere and copied
	out.buf, out.start, out.pos = buf[:cap(buf)], len(buf), len(buf)
	if r := plan.Whole(); r != nil {
		if x := out.runOn(&r.Values[0], base); x.Kind == typecache.RunEnd || out.runFrom(plan, r, x, base, 1, 0) {
			return out.close(), nil
		}
		out.pos, out.word, out.wordBits = out.start, 0, 0
	}
	if err := encodeTo(c, plan, base, &out); err != nil {
		return dst, err
	}
	return out.close(), nil
}

// encodeTo appends the value at base to out. It calls a function that allocates
// the frame stack, sized to the plan.
func encodeTo(c *settings, plan *typecache.Data, base memory.Pointer, out *output) error {
	switch frames := plan.Frames(); {
	case frames == 0:
		return encodeOps(c, plan, base, nil, out)
	case frames <= fewFrames:
		return encodeFew(c, plan, base, out)
	}
	return encodeMany(c, plan, base, out)
}

//go:noinline
func encodeFew(c *settings, plan *typecache.Data, base memory.Pointer, out *output) error {
	var few [fewFrames]frame
	return encodeOps(c, plan, base, few[:0], out)
}

//go:noinline
func encodeMany(c *settings, plan *typecache.Data, base memory.Pointer, out *output) error {
	var many [manyFrames]frame
	return encodeOps(c, plan, base, stackFor(plan, many[:]), out)
}

// encodeOps executes the plan.
func encodeOps(c *settings, plan *typecache.Data, base memory.Pointer, stack []frame, o *output) error {
	ops, depth, value := plan.Ops, c.depth, 0
	var err error

	for pc := 0; ; {
		op := &ops[pc]
		if op.Run > 0 {
			if r := &plan.Runs[op.Run-1]; o.run(plan, r, base, 1, 0) {
				pc = int(r.End)
				continue
			}
		}
		pc++
		p := base.At(op.Off)
		switch op.Code {
		case typecache.CodeIf:
			if !conditionHolds(plan, op.Aux, base) {
				pc = int(op.End)
			}
		case typecache.CodeOptional:
			if isZero(plan, pc, int(op.End), base, false) {
				o.put(0, 1)
				pc = int(op.End)
			} else {
				o.put(1, 1)
			}
		case typecache.CodePresent:
		case typecache.CodeCommon, typecache.CodeHuffman:
			listed, failed := encodeListed(plan, op, p, o)
			if err = failed; err != nil {
				goto fail
			}
			if listed {
				pc = int(op.End)
			}
		case typecache.CodeString:
			if err = encodeText(op, p, o); err != nil {
				goto fail
			}
		case typecache.CodeScale:
			if err = encodeScale(plan, op, pc, base, o); err != nil {
				goto fail
			}
			pc = int(op.End)
		case typecache.CodePointer:
			target := *p.Ptr()
			if target.IsNil() {
				o.put(0, 1)
				pc = int(op.End)
				continue
			}
			o.put(1, 1)
			stack = push(stack, base, pc-1, 1, 0)
			base = target
		case typecache.CodeArray:
			if op.Count == 0 || op.Flags&typecache.FlagWholeRun != 0 && encodeElems(plan, int32(pc-1), p, op.Count, o) {
				pc = int(op.End)
				continue
			}
			stack = push(stack, base, pc-1, op.Count, plan.Elems[op.Aux].Size)
			base = p
		case typecache.CodeSlice:
			s := p.Slice()
			count := uint64(s.Len) - op.Bias
			if count > op.Span {
				err = lengthError(op, s.Len)
				goto fail
			}
			if plan.Elems[op.Aux].Size == 1 && o.shares(s.Data, s.Len) {
				err = errShared
				goto fail
			}
			o.put(count, uint(op.Bits))
			if s.Len == 0 || op.Flags&typecache.FlagWholeRun != 0 && encodeElems(plan, int32(pc-1), s.Data, s.Len, o) {
				pc = int(op.End)
				continue
			}
			stack = push(stack, base, pc-1, s.Len, plan.Elems[op.Aux].Size)
			base = s.Data
		case typecache.CodeMap:
			entries := sortedEntries(p.Value(plan.Fields[op.Field].Type), &plan.Elems[op.Aux])
			size := entries.Len()
			count := uint64(size) - op.Bias
			if count > op.Span {
				err = lengthError(op, size)
				goto fail
			}
			o.put(count, uint(op.Bits))
			if size == 0 {
				pc = int(op.End)
				continue
			}
			first := memory.To(entries)
			stack = push(stack, base, pc-1, size, plan.Elems[op.Aux].Size)
			stack[len(stack)-1].elem = first
			base = first
		case typecache.CodeSubset:
			f, failed := openSubset(plan, op, base, p, o)
			if err = failed; err != nil {
				goto fail
			}
			if f.left == 0 {
				pc = int(op.End)
				continue
			}
			f.opener = int32(pc - 1)
			stack = append(stack, f)
			base = f.present(&plan.Elems[op.Aux])
		case typecache.CodeMatrix:
			parts, failed := encodeMatrix(p)
			if err = failed; err != nil {
				goto fail
			}
			stack = push(stack, base, pc-1, 1, 0)
			base = parts
		case typecache.CodeUnion:
			u := plan.Elems[op.Aux].Union
			index, target, failed := encodeUnion(u, p.Value(plan.Fields[op.Field].Type))
			if err = failed; err != nil {
				goto fail
			}
			if index == 0 {
				o.put(0, uint(op.Bits))
				continue
			}
			if depth++; depth > c.maxDepth {
				err = newRefusal(errDepth, depth, 0, c.maxDepth)
				goto fail
			}
			o.put(uint64(index), uint(op.Bits))
			stack = push(stack, base, pc-1, 1, 0)
			base, pc = target, int(u.Starts[index-1])
		case typecache.CodeCall:
			if depth++; depth > c.maxDepth {
				err = newRefusal(errDepth, depth, 0, c.maxDepth)
				goto fail
			}
			stack = push(stack, base, pc-1, 1, 0)
			base, pc = p, int(op.End)
		case typecache.CodeCustom:
			if err = encodeCustom(c, op, p.Value(plan.Fields[op.Field].Type), depth, o); err != nil {
				goto fail
			}
		case typecache.CodeNext:
			f := &stack[len(stack)-1]
			switch open := &ops[f.opener]; open.Code {
			case typecache.CodeCall, typecache.CodeUnion:
				depth--
				pc = int(f.opener) + 1
			case typecache.CodeSubset:
				elem := &plan.Elems[open.Aux]
				f.writeNext(elem, f.total-f.left, o)
				if f.left > 0 {
					base, pc = f.present(elem), int(f.opener)+1
					continue
				}
			default:
				if f.left--; f.left > 0 {
					base, pc = base.At(f.size), int(f.opener)+1
					continue
				}
			}
			base, stack = f.base, stack[:len(stack)-1]
		case typecache.CodeEnd:
			return nil
		default:
			if op.Count == 1 && op.Code.Single() {
				v, failed := encodeSingle(plan, op, p)
				if value, err = 0, failed; err != nil {
					goto fail
				}
				o.put(v, uint(op.Bits))
				continue
			}
			if value, err = encodeValues(c, plan, op, base, p, stack, o); err != nil {
				goto fail
			}
		}
		continue
	fail:
		return report("marshal", plan, stack, failure{pc - 1, value, o.bit(), err})
	}
}

// encodeValues writes the values of an op that opens no block. On an error it
// returns the index of the value.
func encodeValues(c *settings, plan *typecache.Data, op *typecache.Op, base, p memory.Pointer, stack []frame, o *output) (int, error) {
	if op.Flags&typecache.FlagWholeRun != 0 && encodePacked(plan, op, p, op.Count, o) {
		return 0, nil
	}
	if !op.Code.Values() {
		return 0, encodeRare(c, plan, op, p, o)
	}
	for i := range op.Count {
		at := p.At(uintptr(i) * uintptr(op.Size))
		var err error
		switch signed := op.Flags&typecache.FlagSigned != 0; op.Code {
		case typecache.CodeWide:
			err = encodeWide(&plan.Wides[op.Aux], op, at, o)
		case typecache.CodeVarint:
			encodeVarint(load(at, op.Size, signed), signed, o)
		case typecache.CodeRelative:
			err = encodeRelative(plan, op, base, at, stack, o)
		default:
			var v uint64
			if v, err = encodeSingle(plan, op, at); err == nil {
				o.put(v, uint(op.Bits))
			}
		}
		if err != nil {
			return i, err
		}
	}
	return 0, nil
}

// encodeRare writes the single value of an op that cannot repeat.
func encodeRare(c *settings, plan *typecache.Data, op *typecache.Op, p memory.Pointer, o *output) (err error) {
	v := op.Bias // the value of a CodeConst
	switch op.Code {
	case typecache.CodeConst:
	case typecache.CodeAlign:
		o.align()
		return nil
	case typecache.CodeBytes:
		o.raw(p.Array(op.Count))
		return nil
	case typecache.CodeCString, typecache.CodeString, typecache.CodeWString:
		return encodeText(op, p, o)
	case typecache.CodeBinary:
		return encodeBinary(op, p.Value(plan.Fields[op.Field].Type), o)
	case typecache.CodeLink:
		v, err = encodeLink(c.linker, op, p.Value(plan.Fields[op.Field].Type))
	default:
		panic(unhandledCode("write", op.Code))
	}
	if err == nil {
		o.put(v, uint(op.Bits))
	}
	return err
}

// encodeInPlace appends the value at base to w, which must be growable. After
// an error nothing has been appended.
func encodeInPlace(c *settings, plan *typecache.Data, base variable, w *bits.Writer) error {
	data, bit := w.Bytes(), w.Bit()
	out := output{start: len(data) - w.Len()}
	out.resume(data, bit)
	if err := encodeTo(c, plan, base, &out); err != nil {
		return err
	}
	w.Resume(out.close(), out.start, out.bit())
	return nil
}

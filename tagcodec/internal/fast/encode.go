//go:build !purego

package fast

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// Encode appends the message of the value at base to dst. The existing bytes of
// dst do not change.
func Encode(c *core.Settings, pl *plan.Plan, base memory.Pointer, dst []byte) ([]byte, error) {
	buf := core.WithRoom(pl, dst)
	var out output // set field by field: a composite literal would be built elsewhere and copied
	out.buf, out.start, out.pos = buf[:cap(buf)], len(buf), len(buf)
	if r := pl.Whole(); takeRuns && r != nil {
		if x := out.runOn(&r.Values[0], base); x.Kind == plan.RunEnd || out.runFrom(pl, r, x, base, 1, 0) {
			return out.close(), nil
		}
		out.pos, out.word, out.wordBits = out.start, 0, 0
	}
	if err := encodeTo(c, pl, base, &out); err != nil {
		return dst, err
	}
	return out.close(), nil
}

// encodeTo appends the value at base to out. It calls a function that allocates
// the frame stack, sized to the plan.
func encodeTo(c *core.Settings, plan *plan.Plan, base memory.Pointer, out *output) error {
	switch frames := plan.Frames(); {
	case frames == 0:
		return encodeOps(c, plan, base, nil, out)
	case frames <= fewFrames:
		return encodeFew(c, plan, base, out)
	}
	return encodeMany(c, plan, base, out)
}

//go:noinline
func encodeFew(c *core.Settings, plan *plan.Plan, base memory.Pointer, out *output) error {
	var few [fewFrames]frame
	return encodeOps(c, plan, base, few[:0], out)
}

//go:noinline
func encodeMany(c *core.Settings, plan *plan.Plan, base memory.Pointer, out *output) error {
	var many [manyFrames]frame
	return encodeOps(c, plan, base, stackFor(plan, many[:]), out)
}

// encodeOps executes the plan.
func encodeOps(c *core.Settings, pl *plan.Plan, base memory.Pointer, stack []frame, o *output) error {
	ops, depth, value := pl.Ops, c.Depth, 0
	var err error

	for pc := 0; ; {
		op := &ops[pc]
		if takeRuns && op.Run > 0 {
			if r := &pl.Runs[op.Run-1]; o.run(pl, r, base, 1, 0) {
				pc = int(r.End)
				continue
			}
		}
		pc++
		p := base.At(op.Off)
		switch op.Code {
		case plan.CodeIf:
			if !conditionHolds(pl, op.Aux, base) {
				pc = int(op.End)
			}
		case plan.CodeOptional:
			if isZero(pl, pc, int(op.End), base, false) {
				o.put(0, 1)
				pc = int(op.End)
			} else {
				o.put(1, 1)
			}
		case plan.CodePresent:
		case plan.CodeCommon, plan.CodeHuffman:
			listed, failed := encodeListed(pl, op, p, o)
			if err = failed; err != nil {
				goto fail
			}
			if listed {
				pc = int(op.End)
			}
		case plan.CodeString:
			if err = encodeText(op, p, o); err != nil {
				goto fail
			}
		case plan.CodeScale:
			if err = encodeScale(pl, op, pc, base, o); err != nil {
				goto fail
			}
			pc = int(op.End)
		case plan.CodePointer:
			target := *p.Ptr()
			if target.IsNil() {
				o.put(0, 1)
				pc = int(op.End)
				continue
			}
			o.put(1, 1)
			stack = push(stack, base, pc-1, 1, 0)
			base = target
		case plan.CodeArray:
			if op.Count == 0 || takeRuns && op.Flags&plan.FlagWholeRun != 0 && encodeElems(pl, int32(pc-1), p, op.Count, o) {
				pc = int(op.End)
				continue
			}
			stack = push(stack, base, pc-1, op.Count, pl.Elems[op.Aux].Size)
			base = p
		case plan.CodeSlice:
			s := p.Slice()
			count := uint64(s.Len) - op.Bias
			if count > op.Span {
				err = core.LengthError(op, s.Len)
				goto fail
			}
			if pl.Elems[op.Aux].Size == 1 && o.shares(s.Data, s.Len) {
				err = core.ErrShared
				goto fail
			}
			o.put(count, uint(op.Bits))
			if s.Len == 0 || takeRuns && op.Flags&plan.FlagWholeRun != 0 && encodeElems(pl, int32(pc-1), s.Data, s.Len, o) {
				pc = int(op.End)
				continue
			}
			stack = push(stack, base, pc-1, s.Len, pl.Elems[op.Aux].Size)
			base = s.Data
		case plan.CodeMap:
			entries := core.SortedEntries(p.Value(pl.Fields[op.Field].Type), &pl.Elems[op.Aux])
			size := entries.Len()
			count := uint64(size) - op.Bias
			if count > op.Span {
				err = core.LengthError(op, size)
				goto fail
			}
			o.put(count, uint(op.Bits))
			if size == 0 {
				pc = int(op.End)
				continue
			}
			first := memory.To(entries)
			stack = push(stack, base, pc-1, size, pl.Elems[op.Aux].Size)
			stack[len(stack)-1].elem = first
			base = first
		case plan.CodeSubset:
			f, failed := openSubset(pl, op, base, p, o)
			if err = failed; err != nil {
				goto fail
			}
			if f.left == 0 {
				pc = int(op.End)
				continue
			}
			f.opener = int32(pc - 1)
			stack = append(stack, f)
			base = f.present(&pl.Elems[op.Aux])
		case plan.CodeMatrix:
			parts, failed := encodeMatrix(p)
			if err = failed; err != nil {
				goto fail
			}
			stack = push(stack, base, pc-1, 1, 0)
			base = parts
		case plan.CodeUnion:
			u := pl.Elems[op.Aux].Union
			index, target, failed := encodeUnion(u, p.Value(pl.Fields[op.Field].Type))
			if err = failed; err != nil {
				goto fail
			}
			if index == 0 {
				o.put(0, uint(op.Bits))
				continue
			}
			if depth++; depth > c.MaxDepth {
				err = core.NewRefusal(core.ErrDepth, depth, 0, c.MaxDepth)
				goto fail
			}
			o.put(uint64(index), uint(op.Bits))
			stack = push(stack, base, pc-1, 1, 0)
			base, pc = target, int(u.Starts[index-1])
		case plan.CodeCall:
			if depth++; depth > c.MaxDepth {
				err = core.NewRefusal(core.ErrDepth, depth, 0, c.MaxDepth)
				goto fail
			}
			stack = push(stack, base, pc-1, 1, 0)
			base, pc = p, int(op.End)
		case plan.CodeCustom:
			if err = encodeCustom(c, op, p.Value(pl.Fields[op.Field].Type), depth, o); err != nil {
				goto fail
			}
		case plan.CodeNext:
			f := &stack[len(stack)-1]
			switch open := &ops[f.opener]; open.Code {
			case plan.CodeCall, plan.CodeUnion:
				depth--
				pc = int(f.opener) + 1
			case plan.CodeSubset:
				elem := &pl.Elems[open.Aux]
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
		case plan.CodeEnd:
			return nil
		default:
			if op.Count == 1 && op.Code.Single() {
				v, failed := encodeSingle(pl, op, p)
				if value, err = 0, failed; err != nil {
					goto fail
				}
				o.put(v, uint(op.Bits))
				continue
			}
			if value, err = encodeValues(c, pl, op, base, p, stack, o); err != nil {
				goto fail
			}
		}
		continue
	fail:
		return report("marshal", pl, stack, failure{pc - 1, value, o.bit(), err})
	}
}

// encodeValues writes the values of an op that opens no block. On an error it
// returns the index of the value.
func encodeValues(c *core.Settings, pl *plan.Plan, op *plan.Op, base, p memory.Pointer, stack []frame, o *output) (int, error) {
	if takeRuns && op.Flags&plan.FlagWholeRun != 0 && encodePacked(pl, op, p, op.Count, o) {
		return 0, nil
	}
	if !op.Code.Values() {
		return 0, encodeRare(c, pl, op, p, o)
	}
	for i := range op.Count {
		at := p.At(uintptr(i) * uintptr(op.Size))
		var err error
		switch signed := op.Flags&plan.FlagSigned != 0; op.Code {
		case plan.CodeWide:
			err = encodeWide(&pl.Wides[op.Aux], op, at, o)
		case plan.CodeVarint:
			encodeVarint(load(at, op.Size, signed), signed, o)
		case plan.CodeRelative:
			err = encodeRelative(pl, op, base, at, stack, o)
		default:
			var v uint64
			if v, err = encodeSingle(pl, op, at); err == nil {
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
func encodeRare(c *core.Settings, pl *plan.Plan, op *plan.Op, p memory.Pointer, o *output) (err error) {
	v := op.Bias // the value of a CodeConst
	switch op.Code {
	case plan.CodeConst:
	case plan.CodeAlign:
		o.align()
		return nil
	case plan.CodeBytes:
		o.raw(p.Array(op.Count))
		return nil
	case plan.CodeCString, plan.CodeString, plan.CodeWString:
		return encodeText(op, p, o)
	case plan.CodeBinary:
		return encodeBinary(op, p.Value(pl.Fields[op.Field].Type), o)
	case plan.CodeLink:
		v, err = core.EncodeLink(c.Linker, op, p.Value(pl.Fields[op.Field].Type))
	default:
		panic(core.UnhandledCode("write", op.Code))
	}
	if err == nil {
		o.put(v, uint(op.Bits))
	}
	return err
}

// engine.EncodeInPlace appends the value at base to w, which must be growable. After
// an error nothing has been appended.
func EncodeInPlace(c *core.Settings, plan *plan.Plan, base memory.Pointer, w *bits.Writer) error {
	data, bit := w.Bytes(), w.Bit()
	out := output{start: len(data) - w.Len()}
	out.resume(data, bit)
	if err := encodeTo(c, plan, base, &out); err != nil {
		return err
	}
	w.Resume(out.close(), out.start, out.bit())
	return nil
}

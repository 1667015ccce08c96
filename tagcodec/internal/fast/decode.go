//go:build !purego

package fast

import (
	"math"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// mostBytes is the maximum length of data, in bytes. It keeps bit positions
// within an int.
const mostBytes = math.MaxInt/8 - 8

// decodeWhole decodes data into the value at base if one run covers the whole
// plan. It returns the bit after the value. If it returns false, the caller
// must call decode, which handles other plans and reports errors.
func DecodeWhole(plan *plan.Plan, base memory.Pointer, data []byte) (bit int, ok bool) {
	if r := plan.Whole(); takeRuns && r != nil && len(data) <= mostBytes {
		return decodeRun(plan, r, base, 1, 0, data, 0, 0)
	}
	return 0, false
}

// Decode decodes data from bit into the value at base and returns the bit after
// it.
func Decode(c *core.Settings, plan *plan.Plan, base memory.Pointer, data []byte, bit int) (int, error) {
	data = data[:min(len(data), mostBytes)]
	switch frames := plan.Frames(); {
	case frames == 0:
		return decodeOps(c, plan, base, nil, data, bit)
	case frames <= fewFrames:
		return decodeFew(c, plan, base, data, bit)
	}
	return decodeMany(c, plan, base, data, bit)
}

//go:noinline
func decodeFew(c *core.Settings, plan *plan.Plan, base memory.Pointer, data []byte, bit int) (int, error) {
	var few [fewFrames]frame
	return decodeOps(c, plan, base, few[:0], data, bit)
}

//go:noinline
func decodeMany(c *core.Settings, plan *plan.Plan, base memory.Pointer, data []byte, bit int) (int, error) {
	var many [manyFrames]frame
	return decodeOps(c, plan, base, stackFor(plan, many[:]), data, bit)
}

// decodeOps executes the plan on data from bit and returns the bit after the
// value.
func decodeOps(c *core.Settings, pl *plan.Plan, base memory.Pointer, stack []frame, data []byte, bit int) (int, error) {
	ops, end, depth, value := pl.Ops, 8*len(data), c.Depth, 0
	// ReservedBits is the minimum size of everything after the current block, in all
	// enclosing blocks. Those bits may not be used to justify another
	// allocation.
	owed := c.ReservedBits
	// sent is the position of the latest optional value that was present. An
	// outer optional value can be zero only if the inner ones were absent.
	var sent int
	var err error

	for pc := 0; ; {
		op := &ops[pc]
		if takeRuns && op.Run > 0 {
			r := &pl.Runs[op.Run-1]
			if next, ok := decodeRun(pl, r, base, 1, 0, data, bit, saturate.Add(owed, r.Rest)); ok {
				bit, pc = next, int(r.End)
				continue
			}
		}
		pc++
		p := base.At(op.Off)
		switch op.Code {
		case plan.CodeIf:
			if !conditionHoldsOnRead(pl, op.Aux, base) {
				clearValue(pl, op, p)
				pc = int(op.End)
			}
			continue
		case plan.CodeOptional:
			if bit == end {
				err = overread(1, 0)
				goto fail
			}
			if data[bit>>3]>>(uint(bit)&7)&1 == 0 {
				clearValue(pl, op, p)
				pc = int(op.End)
			} else {
				sent = bit
			}
			bit++
		case plan.CodePresent:
			if isZero(pl, int(op.Aux)+1, pc-1, base, true) {
				bit, err = sent, core.NewRefusal(core.ErrNotCanonical, nil, nil, nil)
				goto fail
			}
		case plan.CodeCommon, plan.CodeHuffman:
			next, done, failed := decodeListed(pl, op, p, data, bit)
			bit = next
			if err = failed; err != nil {
				goto fail
			}
			if done {
				pc = int(op.End)
			}
		case plan.CodeString:
			if bit, err = decodeText(pl, op, p, data, bit); err != nil {
				goto fail
			}
		case plan.CodeScale:
			next, failed := decodeScale(pl, op, pc, base, data, bit)
			bit = next
			if err = failed; err != nil {
				goto fail
			}
			pc = int(op.End)
		case plan.CodeUnion:
			index, failed := decodeIndex(op, data, bit, end)
			if err = failed; err != nil {
				goto fail
			}
			if index == 0 {
				bit += int(op.Bits)
				p.Value(pl.Fields[op.Field].Type).SetZero()
				continue
			}
			if depth++; depth > c.MaxDepth {
				err = core.NewRefusal(core.ErrDepth, depth, 0, c.MaxDepth)
				goto fail
			}
			u := pl.Elems[op.Aux].Union
			owed = saturate.Add(owed, int(op.Rest))
			if err = requireBits(1, u.MinBits[index-1], owed, end-bit-int(op.Bits)); err != nil {
				goto fail
			}
			bit += int(op.Bits)
			target := unionTarget(u.Types[index-1], p.Value(pl.Fields[op.Field].Type))
			stack = push(stack, base, pc-1, 1, 0)
			stack[len(stack)-1].elem, stack[len(stack)-1].chosen = target, index-1
			base, pc = target, int(u.Starts[index-1])
		case plan.CodeMatrix:
			parts := newMatrix()
			owed = saturate.Add(owed, int(op.Rest))
			stack = push(stack, base, pc-1, 1, 0)
			base = parts
		case plan.CodeSubset:
			f, next, failed := decodeSubset(pl, op, base, p, saturate.Add(owed, int(op.Rest)), data, bit)
			bit = next
			if err = failed; err != nil {
				goto fail
			}
			f.opener = int32(pc - 1)
			if f.left > 0 {
				owed = saturate.MulAdd(f.left-1, f.each, saturate.Add(owed, int(op.Rest)))
				stack = append(stack, f)
				base = f.present(&pl.Elems[op.Aux])
			} else {
				pc = int(op.End)
			}
		case plan.CodePointer:
			if bit == end {
				err = overread(1, 0)
				goto fail
			}
			set := data[bit>>3]>>(uint(bit)&7)&1 != 0
			bit++
			if !set {
				*p.Ptr() = memory.Pointer{}
				pc = int(op.End)
				continue
			}
			owed = saturate.Add(owed, int(op.Rest))
			if err = requireBits(1, pl.Elems[op.Aux].MinBits, owed, end-bit); err != nil {
				bit--
				goto fail
			}
			if p.Ptr().IsNil() {
				*p.Ptr() = memory.To(reflect.New(pl.Elems[op.Aux].Type))
			}
			stack = push(stack, base, pc-1, 1, 0)
			base = *p.Ptr()
		case plan.CodeArray:
			if op.Count == 0 {
				pc = int(op.End)
				continue
			}
			if takeRuns && op.Flags&plan.FlagWholeRun != 0 {
				if next, ok := decodeElems(pl, int32(pc-1), p, op.Count, data, bit); ok {
					bit, pc = next, int(op.End)
					continue
				}
			}
			elem := &pl.Elems[op.Aux]
			stack = push(stack, base, pc-1, op.Count, elem.Size)
			stack[len(stack)-1].each = elem.MinBits
			owed = saturate.MulAdd(op.Count-1, elem.MinBits, saturate.Add(owed, int(op.Rest)))
			base = p
		case plan.CodeSlice, plan.CodeMap:
			elem := &pl.Elems[op.Aux]
			count, failed := decodeCount(op, data, bit, end)
			if err = failed; err == nil {
				err = requireBits(count, elem.MinBits, saturate.Add(owed, int(op.Rest)), end-bit-int(op.Bits))
			}
			if err != nil {
				goto fail
			}
			bit += int(op.Bits)
			var first memory.Pointer
			if op.Code == plan.CodeMap {
				if count == 0 {
					core.ClearMap(op, p.Value(pl.Fields[op.Field].Type), 0)
				} else {
					first = memory.To(reflect.MakeSlice(reflect.SliceOf(elem.Type), count, count))
				}
			} else {
				resize(p, op, pl.Fields[op.Field].Type, elem, count)
				first = p.Slice().Data
			}
			if count == 0 {
				pc = int(op.End)
				continue
			}
			if takeRuns && op.Flags&plan.FlagWholeRun != 0 {
				if next, ok := decodeElems(pl, int32(pc-1), first, count, data, bit); ok {
					bit, pc = next, int(op.End)
					continue
				}
			}
			stack = push(stack, base, pc-1, count, elem.Size)
			stack[len(stack)-1].elem, stack[len(stack)-1].each = first, elem.MinBits
			owed = saturate.MulAdd(count-1, elem.MinBits, saturate.Add(owed, int(op.Rest)))
			base = first
		case plan.CodeCall:
			if depth++; depth > c.MaxDepth {
				err = core.NewRefusal(core.ErrDepth, depth, 0, c.MaxDepth)
				goto fail
			}
			owed = saturate.Add(owed, int(op.Rest))
			stack = push(stack, base, pc-1, 1, 0)
			base, pc = p, int(op.End)
		case plan.CodeCustom:
			owed := saturate.Add(owed, int(op.Rest))
			if bit, err = decodeCustom(c, op, p.Value(pl.Fields[op.Field].Type), depth, owed, data, bit); err != nil {
				goto fail
			}
		case plan.CodeNext:
			f := &stack[len(stack)-1]
			open := &ops[f.opener]
			switch open.Code {
			case plan.CodeMap:
				elem := &pl.Elems[open.Aux]
				if f.left < f.total && !ascending(base, elem) {
					err = core.NewRefusal(core.ErrOrder, nil, nil, nil)
					goto fail
				}
				if f.left == 1 {
					m := f.base.At(open.Off).Value(pl.Fields[open.Field].Type)
					storeEntries(open, m, f.elem, f.total, elem)
				}
			case plan.CodeCall:
				depth--
				pc = int(f.opener) + 1
			case plan.CodeUnion:
				depth--
				pc = int(f.opener) + 1
				t := pl.Elems[open.Aux].Union.Types[f.chosen]
				setUnion(f.base.At(open.Off).Value(pl.Fields[open.Field].Type), f.elem, t)
			case plan.CodeMatrix:
				if err = decodeMatrix(f.base.At(open.Off), base); err != nil {
					goto fail
				}
			case plan.CodeSubset:
				elem, left := &pl.Elems[open.Aux], f.left
				next, failed := f.readNext(pl, open, elem, f.total-f.left, owed-(left-1)*f.each, data, bit)
				bit = next
				if err = failed; err != nil {
					// The error is in the index, not in an element.
					clearRest(pl, stack[len(stack)-1:])
					pc, stack = int(f.opener)+1, stack[:len(stack)-1]
					goto fail
				}
				owed -= (left - max(f.left, 1)) * f.each
				if f.left > 0 {
					base, pc = f.present(elem), int(f.opener)+1
					continue
				}
				f.left = 1 // the code below decrements it
			}
			if f.left--; f.left > 0 {
				owed -= f.each
				base, pc = base.At(f.size), int(f.opener)+1
				continue
			}
			owed -= int(open.Rest)
			base, stack = f.base, stack[:len(stack)-1]
		case plan.CodeEnd:
			return bit, nil
		default:
			if width := int(op.Bits); op.Count == 1 && op.Code.Single() && width <= end-bit {
				if value, err = 0, decodeSingle(pl, op, p, bitio.PeekWord(data, bit)&(1<<op.Bits-1)); err != nil {
					goto fail
				}
				bit += width
				continue
			}
			if value, bit, err = decodeValues(c, pl, op, base, p, stack, data, bit); err != nil {
				goto fail
			}
		}
		continue
	fail:
		clearRest(pl, stack)
		if c.SentinelOnly {
			return bit, failureSentinel(err)
		}
		return bit, report("unmarshal", pl, stack, failure{pc - 1, value, bit, err})
	}
}

// decodeValues reads the values of an op that opens no block. On success it
// returns the bit after the last value. On an error it returns the index of the
// value and the bit where it failed.
func decodeValues(c *core.Settings, pl *plan.Plan, op *plan.Op, base, p memory.Pointer, stack []frame, data []byte, bit int) (int, int, error) {
	width, end := int(op.Bits), 8*len(data)
	if takeRuns && op.Flags&plan.FlagWholeRun != 0 {
		if next, ok := decodePacked(pl, op, p, op.Count, data, bit); ok {
			return 0, next, nil
		}
	}
	if !op.Code.Values() {
		bit, err := decodeRare(c, pl, op, p, stack, data, bit)
		return 0, bit, err
	}
	for i := range op.Count {
		at := p.At(uintptr(i) * uintptr(op.Size))
		next, err := bit, error(nil)
		switch op.Code {
		case plan.CodeWide:
			next, err = decodeWide(&pl.Wides[op.Aux], op, at, data, bit)
		case plan.CodeVarint:
			next, err = decodeVarint(op, at, data, bit)
		case plan.CodeRelative:
			next, err = decodeRelative(pl, op, base, at, stack, data, bit)
		default:
			if width > end-bit {
				return i, bit, overread(width, end-bit)
			}
			next += width
			err = decodeSingle(pl, op, at, bitio.PeekWord(data, bit)&(1<<op.Bits-1))
		}
		if err != nil {
			return i, bit, err
		}
		bit = next
	}
	return 0, bit, nil
}

// decodeRare reads the single value of an op that cannot repeat. It returns the
// bit after the value, or the bit where it failed.
func decodeRare(c *core.Settings, pl *plan.Plan, op *plan.Op, p memory.Pointer, stack []frame, data []byte, bit int) (int, error) {
	switch op.Code {
	case plan.CodeAlign:
		_, next, err := take(data, bit, 0)
		return next, err
	case plan.CodeBytes:
		raw, next, err := take(data, bit, op.Count)
		copy(p.Array(op.Count), raw)
		return next, err
	case plan.CodeCString, plan.CodeString, plan.CodeWString, plan.CodeBinary:
		return decodeText(pl, op, p, data, bit)
	}
	width, left := int(op.Bits), 8*len(data)-bit
	if width > left {
		return bit, overread(width, left)
	}
	v := bitio.PeekWord(data, bit) & (1<<op.Bits - 1)
	var err error
	switch op.Code {
	case plan.CodeLink:
		err = setLink(c.Linker, pl, op, p.Value(pl.Fields[op.Field].Type), v, stack)
	case plan.CodeConst:
		if v != op.Bias && op.Flags&plan.FlagReserved != 0 {
			err = core.NewRefusal(bits.ErrPadding, v, op.Bias, op.Bias)
		} else if v != op.Bias {
			err = core.NewRefusal(bits.ErrCheck, v, op.Bias, op.Bias)
		}
	default:
		panic(core.UnhandledCode("read", op.Code))
	}
	if err != nil {
		return bit, err
	}
	return bit + width, nil
}

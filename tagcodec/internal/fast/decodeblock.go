//go:build !purego

package fast

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// The methods of this file open and end the blocks of a read. They take the op
// at which the loop continues, the bit where it is, and for an opening op also
// the op itself, at pc-1, and its value, at p. They return the op and the bit
// where the loop continues, or the bit where an error occurred.

// enter opens a block of one element at base. The index of its op is opener.
func (d *decoder) enter(op *plan.Op, opener int, base memory.Pointer) {
	d.reserved = saturate.Add(d.reserved, int(op.Rest))
	f := d.push()
	f.base, f.left, f.total, f.opener = d.base, 1, 1, int32(opener)
	d.base = base
}

// deepen increments the nesting depth. It fails if the limit is exceeded.
func (d *decoder) deepen() error {
	if d.depth++; d.depth > d.c.MaxDepth {
		return core.NewRefusal(core.ErrDepth, d.depth, 0, d.c.MaxDepth)
	}
	return nil
}

// openElements opens a block of elements, unless there are none or a run reads
// them all.
func (d *decoder) openElements(op *plan.Op, e elements, pc, bit int) (int, int) {
	if e.n == 0 {
		return int(op.End), bit
	}
	if takeRuns && op.Flags&plan.FlagWholeRun != 0 {
		if next, ok := decodeElems(d.pl, int32(pc-1), e.base, e.n, d.data, bit); ok {
			return int(op.End), next
		}
	}
	least := d.pl.Elems[op.Aux].MinBits
	f := d.push()
	f.base, f.elem, f.size, f.left, f.total, f.opener, f.each = d.base, e.base, e.size, e.n, e.n, int32(pc-1), least
	d.reserved = saturate.MulAdd(e.n-1, least, saturate.Add(d.reserved, int(op.Rest)))
	d.base = e.base
	return pc, bit
}

// count reads the count of a slice or map. It fails if the data are too short
// for that many elements. It does not advance bit.
func (d *decoder) count(op *plan.Op, bit int) (int, error) {
	n, err := decodeCount(op, d.data, bit)
	if err == nil {
		err = requireBits(n, d.pl.Elems[op.Aux].MinBits, saturate.Add(d.reserved, int(op.Rest)), 8*len(d.data)-bit-int(op.Bits))
	}
	return n, err
}

// openArray opens an array of op.Count elements.
func (d *decoder) openArray(op *plan.Op, p memory.Pointer, pc, bit int) (int, int) {
	return d.openElements(op, elements{p, op.Count, d.pl.Elems[op.Aux].Size}, pc, bit)
}

// openSlice reads the count of a slice and sets its length.
func (d *decoder) openSlice(op *plan.Op, p memory.Pointer, pc, bit int) (int, int, error) {
	n, err := d.count(op, bit)
	if err != nil {
		return pc, bit, err
	}
	elem := &d.pl.Elems[op.Aux]
	resize(p, op, d.pl.Fields[op.Field].Type, elem, n)
	pc, bit = d.openElements(op, elements{p.Slice().Data, n, elem.Size}, pc, bit+int(op.Bits))
	return pc, bit, nil
}

// openMap opens a block of new entries. endEntry stores them in the map at p
// after the last one.
func (d *decoder) openMap(op *plan.Op, p memory.Pointer, pc, bit int) (int, int, error) {
	n, err := d.count(op, bit)
	if err != nil {
		return pc, bit, err
	}
	elem := &d.pl.Elems[op.Aux]
	var entries memory.Pointer
	if n == 0 {
		core.ClearMap(p.Value(d.pl.Fields[op.Field].Type), 0, int(op.KeepCapacity))
	} else {
		entries = memory.To(reflect.MakeSlice(reflect.SliceOf(elem.Type), n, n))
	}
	pc, bit = d.openElements(op, elements{entries, n, elem.Size}, pc, bit+int(op.Bits))
	return pc, bit, nil
}

// openPointer sets the pointer to nil, or opens the block of its target. It
// reuses the memory of a target.
func (d *decoder) openPointer(op *plan.Op, p memory.Pointer, pc, bit int) (int, int, error) {
	left := 8*len(d.data) - bit
	if left == 0 {
		return pc, bit, overread(1, 0)
	}
	if !bitAt(d.data, bit) {
		*p.Ptr() = memory.Pointer{}
		return int(op.End), bit + 1, nil
	}
	elem := &d.pl.Elems[op.Aux]
	if err := requireBits(1, elem.MinBits, saturate.Add(d.reserved, int(op.Rest)), left-1); err != nil {
		return pc, bit, err
	}
	if p.Ptr().IsNil() {
		*p.Ptr() = memory.To(reflect.New(elem.Type))
	}
	d.enter(op, pc-1, *p.Ptr())
	return pc, bit + 1, nil
}

// openUnion sets the interface to nil, or opens the block of a member.
func (d *decoder) openUnion(op *plan.Op, p memory.Pointer, pc, bit int) (int, int, error) {
	index, err := decodeIndex(op, d.data, bit)
	if err != nil {
		return pc, bit, err
	}
	v := p.Value(d.pl.Fields[op.Field].Type)
	next := bit + int(op.Bits)
	if index == 0 {
		v.SetZero()
		return pc, next, nil
	}
	if err := d.deepen(); err != nil {
		return pc, bit, err
	}
	u := d.pl.Elems[op.Aux].Union
	if err := requireBits(1, u.MinBits[index-1], saturate.Add(d.reserved, int(op.Rest)), 8*len(d.data)-next); err != nil {
		return pc, bit, err
	}
	target := unionTarget(u.Types[index-1], v)
	d.enter(op, pc-1, target)
	f := d.top()
	f.elem, f.chosen = target, index-1
	return int(u.Starts[index-1]), next, nil
}

// openCall opens the block of a recursive type.
func (d *decoder) openCall(op *plan.Op, p memory.Pointer, pc int) (int, error) {
	if err := d.deepen(); err != nil {
		return pc, err
	}
	d.enter(op, pc-1, p)
	return int(op.End), nil
}

// openSubset opens a block of the elements that are present, if there are any.
func (d *decoder) openSubset(op *plan.Op, p memory.Pointer, pc, bit int) (int, int, error) {
	reserved := saturate.Add(d.reserved, int(op.Rest))
	f, bit, err := d.subset(op, p, reserved, bit)
	if err != nil {
		return pc, bit, err
	}
	if f.left == 0 {
		return int(op.End), bit, nil
	}
	f.opener = int32(pc - 1)
	d.reserved = saturate.MulAdd(f.left-1, f.each, reserved)
	*d.push() = f
	d.base = f.present(&d.pl.Elems[op.Aux])
	return pc, bit, nil
}

// nextElement ends an element of the innermost block at the CodeNext before pc.
// It moves to the next element. After the last one it ends the block.
func (d *decoder) nextElement(pc, bit int) (int, int, error) {
	f := d.top()
	op := &d.pl.Ops[f.opener]
	switch op.Code {
	case plan.CodeArray, plan.CodeSlice, plan.CodePointer:
	case plan.CodeMap:
		if err := d.endEntry(f, op); err != nil {
			return pc, bit, err
		}
	case plan.CodeSubset:
		next, err := d.nextPresent(f, op, bit)
		if err != nil || f.left > 0 {
			return int(f.opener) + 1, next, err
		}
		bit, f.left = next, 1 // the code below decrements it
	case plan.CodeUnion:
		d.depth--
		pc = int(f.opener) + 1
		t := d.pl.Elems[op.Aux].Union.Types[f.chosen]
		setUnion(f.base.At(op.Off).Value(d.pl.Fields[op.Field].Type), f.elem, t)
	case plan.CodeMatrix:
		if err := decodeMatrix(f.base.At(op.Off), d.base); err != nil {
			return pc, bit, err
		}
	case plan.CodeCall:
		d.depth--
		pc = int(f.opener) + 1
	default:
		panic(core.UnhandledCode("read the end of", op.Code))
	}
	if f.left--; f.left > 0 {
		d.reserved -= f.each
		d.base = d.base.At(f.size)
		return int(f.opener) + 1, bit, nil
	}
	d.reserved -= int(op.Rest)
	d.base = f.base
	d.n--
	return pc, bit, nil
}

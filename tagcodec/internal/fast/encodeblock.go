//go:build !purego

package fast

import (
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// The methods of this file open and end the blocks of a write. They take the op
// at which the loop continues, and for an opening op also the op itself, at
// pc-1, and its value, at p. They return the op where the loop continues.

// enter opens a block of one element at base. The index of its op is opener.
func (e *encoder) enter(opener int, base memory.Pointer) {
	f := e.push()
	f.base, f.left, f.total, f.opener = e.base, 1, 1, int32(opener)
	e.base = base
}

// deepen increments the nesting depth. It fails if the limit is exceeded.
func (e *encoder) deepen() error {
	if e.depth++; e.depth > e.c.MaxDepth {
		return core.NewRefusal(core.ErrDepth, e.depth, 0, e.c.MaxDepth)
	}
	return nil
}

// openElements opens a block of elements, unless there are none or a run writes
// them all.
func (e *encoder) openElements(op *plan.Op, list elements, pc int) int {
	if list.n == 0 || takeRuns && op.Flags&plan.FlagWholeRun != 0 && encodeElems(e.pl, int32(pc-1), list.base, list.n, e.out) {
		return int(op.End)
	}
	f := e.push()
	f.base, f.elem, f.size, f.left, f.total, f.opener = e.base, list.base, list.size, list.n, list.n, int32(pc-1)
	e.base = list.base
	return pc
}

// openArray opens an array of op.Count elements.
func (e *encoder) openArray(op *plan.Op, p memory.Pointer, pc int) int {
	return e.openElements(op, elements{p, op.Count, e.pl.Elems[op.Aux].Size}, pc)
}

// openSlice writes the count of a slice.
func (e *encoder) openSlice(op *plan.Op, p memory.Pointer, pc int) (int, error) {
	s, size := p.Slice(), e.pl.Elems[op.Aux].Size
	count, err := countCode(op, s.Len)
	if err != nil {
		return pc, err
	}
	if size == 1 && e.out.shares(s.Data, s.Len) {
		return pc, core.ErrShared
	}
	e.out.put(count, uint(op.Bits))
	return e.openElements(op, elements{s.Data, s.Len, size}, pc), nil
}

// openMap opens a block of copies of the entries, sorted by key.
func (e *encoder) openMap(op *plan.Op, p memory.Pointer, pc int) (int, error) {
	elem := &e.pl.Elems[op.Aux]
	entries := core.SortedEntries(p.Value(e.pl.Fields[op.Field].Type), elem)
	n := entries.Len()
	count, err := countCode(op, n)
	if err != nil {
		return pc, err
	}
	e.out.put(count, uint(op.Bits))
	return e.openElements(op, elements{memory.To(entries), n, elem.Size}, pc), nil
}

// openPointer opens the block of the pointer's target, unless it is nil.
func (e *encoder) openPointer(op *plan.Op, p memory.Pointer, pc int) int {
	target := *p.Ptr()
	if target.IsNil() {
		e.out.put(0, 1)
		return int(op.End)
	}
	e.out.put(1, 1)
	e.enter(pc-1, target)
	return pc
}

// openMatrix opens the block of the matrix's components.
func (e *encoder) openMatrix(p memory.Pointer, pc int) error {
	parts, err := encodeMatrix(p)
	if err == nil {
		e.enter(pc-1, parts)
	}
	return err
}

// openCall opens the block of a recursive type.
func (e *encoder) openCall(op *plan.Op, p memory.Pointer, pc int) (int, error) {
	if err := e.deepen(); err != nil {
		return pc, err
	}
	e.enter(pc-1, p)
	return int(op.End), nil
}

// openSubset opens a block of the elements that are present, if there are any.
func (e *encoder) openSubset(op *plan.Op, p memory.Pointer, pc int) (int, error) {
	f, err := e.subset(op, p)
	if err != nil {
		return pc, err
	}
	if f.left == 0 {
		return int(op.End), nil
	}
	f.opener = int32(pc - 1)
	*e.push() = f
	e.base = f.present(&e.pl.Elems[op.Aux])
	return pc, nil
}

// openUnion opens the block of the interface's member, unless it is nil.
func (e *encoder) openUnion(op *plan.Op, p memory.Pointer, pc int) (int, error) {
	u := e.pl.Elems[op.Aux].Union
	index, target, err := encodeUnion(u, p.Value(e.pl.Fields[op.Field].Type))
	if err != nil {
		return pc, err
	}
	if index == 0 {
		e.out.put(0, uint(op.Bits))
		return pc, nil
	}
	if err := e.deepen(); err != nil {
		return pc, err
	}
	e.out.put(uint64(index), uint(op.Bits))
	e.enter(pc-1, target)
	return int(u.Starts[index-1]), nil
}

// nextElement ends an element of the innermost block at the CodeNext before pc.
// It moves to the next element. After the last one it ends the block. It
// returns the op at which the loop continues.
func (e *encoder) nextElement(pc int) int {
	f := e.top()
	switch op := &e.pl.Ops[f.opener]; op.Code {
	case plan.CodeArray, plan.CodeSlice, plan.CodeMap, plan.CodePointer, plan.CodeMatrix:
		if f.left--; f.left > 0 {
			e.base = e.base.At(f.size)
			return int(f.opener) + 1
		}
	case plan.CodeSubset:
		elem := &e.pl.Elems[op.Aux]
		f.writeNext(elem, f.total-f.left, e.out)
		if f.left > 0 {
			e.base = f.present(elem)
			return int(f.opener) + 1
		}
	case plan.CodeUnion, plan.CodeCall:
		e.depth--
		pc = int(f.opener) + 1
	default:
		panic(core.UnhandledCode("write the end of", op.Code))
	}
	e.base = f.base
	e.n--
	return pc
}

package delta

import (
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/typecache"
)

// array compiles the scalars of a long array, or of a CodeRunLength, as a table.
// Each is a value of op own.
func (c *compiler) array(t *building, pc, own int, op *plan.Op, g int32) error {
	l := list{kind: fixedList, count: int32(op.Count), cell: none, guard: g}
	if op.Flags&plan.FlagSlice != 0 {
		l.least, l.most = op.Lengths()
		c.counted(t, &l, pc, op.Bits, op.Span)
	}
	in := c.newTable()
	in.own = c.sampled(pc)
	if err := c.scalars(in, own, &c.plan.Ops[own], 1, none); err != nil {
		return err
	}
	if err := c.finish(in, own); err != nil {
		return err
	}
	l.tables = []int32{in.index}
	c.addList(t, l, op)
	return nil
}

// counted adds the count of a list.
func (c *compiler) counted(t *building, l *list, pc int, width uint8, span uint64) {
	l.kind = countList
	l.cell = t.addCell(&c.plan.Ops[pc], cell{width: width, span: span, guard: l.guard})
	t.copies(l.cell)
	c.addField(t, pc, field{kind: numbers, first: l.cell, n: 1, guard: l.guard})
	c.unpredicted(t)
}

// list compiles an op that opens a block.
func (c *compiler) list(t *building, pc int, op *plan.Op, g int32) error {
	l := list{kind: fixedList, count: 1, cell: none, guard: g}
	elem := &c.plan.Elems[op.Aux]
	key := func(*building) {}
	switch op.Code {
	case plan.CodeArray:
		l.count = int32(op.Count)
	case plan.CodeMatrix:
		c.schema.verify = true
	case plan.CodePointer:
		l.most = 1
		c.counted(t, &l, pc, 1, 1)
	case plan.CodeSlice:
		l.least, l.most = int(op.Bias), int(op.Bias+op.Span)
		own := c.key(pc+1, int(op.End))
		if own == none {
			if err := c.unreached(pc, op); err != nil {
				return err
			}
			c.counted(t, &l, pc, op.Bits, op.Span)
			break
		}
		if keys := c.plan.ElementKeys(pc); len(keys) > 1 {
			problem, fix := plan.SecondKey(c.plan.Fields[c.plan.Ops[keys[0]].Field].Path)
			return c.fail(keys[1], typecache.MistakeConflict, "key", fix, "%s", problem)
		}
		l.kind = keyedList
		key = func(in *building) { in.implied[own] = true }
	case plan.CodeMap:
		l.least, l.most = int(op.Bias), int(op.Bias+op.Span)
		if c.plan.Ops[pc+1].Code == plan.CodeOptional {
			c.schema.verify = true // the order of keys that may be absent
			c.counted(t, &l, pc, op.Bits, op.Span)
			break
		}
		l.kind = keyedList
		key = func(in *building) {
			for i := int32(pc + 1); ; i++ { // the key, after what it is enclosed by
				in.implied[i] = true
				if code := c.plan.Ops[i].Code; code != plan.CodeCommon && code != plan.CodeHuffman {
					return
				}
			}
		}
	case plan.CodeSubset:
		l.count, l.least, l.most = int32(op.Count), int(op.Bias), op.Repeats()
		if op.Flags&plan.FlagSlice != 0 {
			c.counted(t, &l, pc, op.Bits, op.Span)
		}
		l.kind = indexList
		key = func(in *building) {
			width := uint8(bitsFor(l.most - 1))
			in.key = in.addCell(op, cell{width: width, span: uint64(max(l.most-1, 0)), guard: none})
		}
	case plan.CodeUnion:
		l.deeper = true
		c.counted(t, &l, pc, op.Bits, uint64(len(elem.Union.Types)))
		l.kind = unionList
		for _, start := range elem.Union.Starts {
			table, err := c.call(start)
			if err != nil {
				return err
			}
			l.tables = append(l.tables, table)
		}
	case plan.CodeCall:
		l.deeper = true
		table, err := c.call(op.End)
		if err != nil {
			return err
		}
		l.tables = []int32{table}
	default:
		return c.fail(pc, typecache.MistakeType, "", "", "package delta does not know blocks of code %v", op.Code)
	}
	if l.tables == nil {
		table, err := c.block(pc+1, func(in *building) {
			in.own, in.keyed = c.sampled(pc), l.kind == keyedList || l.kind == indexList
			key(in)
		})
		if err != nil {
			return err
		}
		l.tables = []int32{table}
	}
	c.addList(t, l, op)
	return nil
}

// call returns the table of the type whose ops begin at start.
func (c *compiler) call(start int32) (int32, error) {
	if table, ok := c.called[start]; ok {
		return table, nil
	}
	c.called[start] = int32(len(c.schema.tables))
	return c.block(int(start), nil)
}

// key returns the op of the key of the elements whose ops are [pc, end), or none.
func (c *compiler) key(pc, end int) int32 {
	for ; pc < end; pc = c.plan.After(pc) {
		if h := c.hint(pc); h != nil && h.Key {
			for code := c.plan.Ops[pc].Code; code == plan.CodeCommon || code == plan.CodeHuffman; code = c.plan.Ops[pc].Code {
				pc++
			}
			return int32(pc)
		}
	}
	return none
}

// unreached refuses a slice without a key whose elements are of a recursive type,
// or pointers to a type, that has one.
func (c *compiler) unreached(pc int, op *plan.Op) error {
	for i := pc + 1; i < int(op.End); i = c.plan.After(i) {
		inner := &c.plan.Ops[i]
		key, why, fix := int32(none), "", ""
		switch {
		case inner.Code == plan.CodeCall:
			key = c.key(int(inner.End), c.plan.BlockEnd(int(inner.End)))
			why, fix = "of a recursive type", "use a map by that field instead of the slice"
		case inner.Code == plan.CodePointer && c.plan.Fields[inner.Field].Path == "": // the element itself
			start, end := i+1, int(inner.End)
			if call := &c.plan.Ops[start]; call.Code == plan.CodeCall {
				start, end = int(call.End), c.plan.BlockEnd(int(call.End))
			}
			key = c.key(start, end)
			why, fix = "pointers, which may be nil", "make them values"
		}
		if key != none {
			path := c.plan.Fields[c.plan.Ops[key].Field].Path
			return c.fail(pc, typecache.MistakePlace, "key", "remove it, or "+fix, "of %s does not identify the elements, which are %s", path, why)
		}
	}
	return nil
}

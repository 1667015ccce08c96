package delta

import (
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
)

// addGuard adds a guard and returns its index.
func (t *building) addGuard(g guard) int32 {
	t.guards = append(t.guards, g)
	return int32(len(t.guards) - 1)
}

// refer returns the cell of a reference, or none if it is always true.
func (t *building) refer(r *plan.Ref) int32 {
	if r.Op < 0 {
		return none
	}
	return t.cellOf[r.Op]
}

// addCell lays out a cell of an op and returns its index.
func (t *building) addCell(op *plan.Op, c cell) int32 {
	c.off, c.shift = int32(t.bits/8), uint8(t.bits%8)
	t.bits += int(c.width)
	t.cells, t.cellOps = append(t.cells, c), append(t.cellOps, op)
	return int32(len(t.cells) - 1)
}

// flag adds a cell of one bit for an op.
func (t *building) flag(op *plan.Op, g int32) int32 {
	i := t.addCell(op, cell{width: 1, span: 1, guard: g})
	t.copies(i)
	return i
}

// copies adds the bits of cells [first, len) to the message. Adjacent ones are
// copied together.
func (t *building) copies(first int32) {
	for i := first; i < int32(len(t.cells)); i++ {
		c := &t.cells[i]
		off := c.off*8 + int32(c.shift)
		if n := len(t.steps); n > t.closed && t.steps[n-1].kind == stepCopy && t.steps[n-1].cell+t.steps[n-1].n == off {
			t.steps[n-1].n += int32(c.width)
			continue
		}
		t.steps = append(t.steps, step{kind: stepCopy, cell: off, n: int32(c.width)})
	}
}

// addList adds a list and the step that follows it.
func (c *compiler) addList(t *building, l list, op *plan.Op) {
	l.op, l.path = op, c.plan.Fields[op.Field].Path
	t.steps = append(t.steps, step{kind: stepList, op: op, cell: int32(len(t.lists))})
	t.lists = append(t.lists, l)
}

// addField adds a field with the prediction of its tag. Numbers of one struct,
// such as X, Y and Z, become one field.
func (c *compiler) addField(t *building, pc int, f field) {
	f.vel, f.own = none, t.own
	if h := c.hint(pc); h != nil && f.kind != text {
		f.pred = h.Pred
	}
	if n := len(t.fields); f.kind == numbers && n > 0 {
		last := &t.fields[n-1]
		if last.kind == numbers && last.first+last.n == f.first && last.n+f.n <= wideArray && last.guard == f.guard &&
			last.pred == f.pred && c.together(int(t.ops[n-1]), pc) {
			last.n += f.n
			return
		}
	}
	t.fields = append(t.fields, f)
	t.ops = append(t.ops, int32(pc))
}

// unpredicted makes the last field of a table hold.
func (c *compiler) unpredicted(t *building) {
	t.fields[len(t.fields)-1].pred = plan.PredHold
}

// together reports whether the values of two ops are fields of one struct
// within the element.
func (c *compiler) together(a, b int) bool {
	x, y := &c.plan.Ops[a], &c.plan.Ops[b]
	left, right := c.plan.Fields[x.Field].Path, c.plan.Fields[y.Field].Path
	i, j := strings.LastIndexByte(left, '.'), strings.LastIndexByte(right, '.')
	return x.Code.Values() && i > 0 && j > 0 && left[:i] == right[:j] && x.Code == y.Code && x.Bits > 1 && c.velocity(a) == c.velocity(b)
}

// velocity returns the op of the velocity that an op's tag names, or none.
func (c *compiler) velocity(op int) int32 {
	if h := c.hint(op); h != nil && h.Pred == plan.PredVel {
		return h.Vel
	}
	return none
}

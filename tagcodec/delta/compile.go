package delta

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/custom"
	"github.com/gobitpack/bitpack/typecache"
)

// wideArray is the largest number of scalars in an array that are one field. The
// elements of a longer array are rows of a table.
const wideArray = 4

// narrow is the largest width in bits of a number that is extrapolated.
const narrow = 32

// compiler makes the schema of a plan. It and the steps are all that reads the
// ops of a plan.
type compiler struct {
	schema *schema
	rate   float64 // ticks per second
	plan   *plan.Plan
	hints  []int32         // for each op, its index in plan.Hints, or none
	called map[int32]int32 // tables of called types, by first op
	copier *custom.Copier  // of types with a Serialize method
}

// compile returns the schema of a plan.
func compile(p *plan.Plan, cfg *config) (*schema, error) {
	c := compiler{
		schema: &schema{plan: p, verify: p.Recursive}, rate: cfg.rate, plan: p,
		called: map[int32]int32{}, copier: custom.NewCopier(cfg.plain),
	}
	c.hints = slices.Repeat([]int32{none}, len(p.Ops))
	byLength := make([]int32, len(p.Hints))
	for i := range byLength {
		byLength[i] = int32(i)
	}
	slices.SortStableFunc(byLength, func(a, b int32) int {
		x, y := &p.Hints[a], &p.Hints[b]
		return cmp.Compare(y.End-y.First, x.End-x.First) // the innermost last
	})
	for _, h := range byLength {
		for op := p.Hints[h].First; op < p.Hints[h].End; op++ {
			c.hints[op] = h
		}
	}
	_, err := c.block(0, nil)
	return c.schema, err
}

// building is a table that is being compiled.
type building struct {
	*table
	cellOf  map[int32]int32 // the first cell of each op
	textOf  map[int32]int32 // the text of each op
	ops     []int32         // the first op of each field
	own     bool            // the rows are sampled at ticks of their own
	keyed   bool            // the rows have a key
	closed  int             // steps before this one may not grow
	implied map[int32]bool  // ops whose values no field sends
}

// fail returns an error about the value of an op.
func (c *compiler) fail(op int, m typecache.Mistake, option, fix, format string, args ...any) error {
	return plan.Refuse(&typecache.Error{
		Type: c.plan.Type, Struct: typename.Of(c.plan.Type), Field: c.plan.Fields[c.plan.Ops[op].Field].Path,
		Mistake: m, Option: option, Problem: fmt.Sprintf(format, args...), Fix: fix,
	})
}

// hint returns the hint of an op, or nil.
func (c *compiler) hint(op int) *plan.Hint {
	if h := c.hints[op]; h != none {
		return &c.plan.Hints[h]
	}
	return nil
}

// sampled reports whether the elements of an op are sampled at ticks of their own.
func (c *compiler) sampled(op int) bool {
	h := c.hint(op)
	return h != nil && h.Step
}

// newTable adds a table.
func (c *compiler) newTable() *building {
	t := &building{table: &table{index: int32(len(c.schema.tables)), key: none}, cellOf: map[int32]int32{}, textOf: map[int32]int32{}, implied: map[int32]bool{}}
	c.schema.tables = append(c.schema.tables, t.table)
	return t
}

// block compiles the ops from start to the end of their block. before may
// prepare the table.
func (c *compiler) block(start int, before func(*building)) (int32, error) {
	t := c.newTable()
	if before != nil {
		before(t)
	}
	if err := c.ops(t, start, c.plan.BlockEnd(start), none); err != nil {
		return 0, err
	}
	return t.index, c.finish(t, start)
}

// finish completes a table whose first op is start.
func (c *compiler) finish(t *building, start int) error {
	t.stride = (t.bits + 7) / 8
	t.zero = make([]byte, t.stride+slack)
	for i := range t.cells {
		t.cells[i].store(t.zero, 0, t.cells[i].zero)
	}
	t.pay = 1 + (t.stride+8*len(t.lists)+16*t.texts)/256
	return c.order(t, start)
}

// order puts each field after the field of its velocity, and computes how the
// velocity moves it.
func (c *compiler) order(t *building, start int) error {
	var sorted []field
	placed := slices.Repeat([]int32{none}, len(t.fields))
	var place func(i, depth int) error
	place = func(i, depth int) error {
		if placed[i] != none {
			return nil
		}
		f, op := t.fields[i], t.ops[i]
		if f.pred == plan.PredVel {
			from := c.hint(int(op)).Vel
			vel := slices.IndexFunc(t.ops, func(op int32) bool { return op >= from })
			if vel < 0 || depth > len(t.fields) {
				return c.fail(int(op), typecache.MistakeInapplicable, "pred", "it must be numbers of the same struct, and not move by this field", "cannot follow this velocity")
			}
			if err := place(vel, depth+1); err != nil {
				return err
			}
			f.vel = placed[vel]
			if why := f.move(t.table, &sorted[f.vel], c.rate); why != "" {
				return c.fail(int(op), typecache.MistakeInapplicable, "pred", why, "cannot follow this velocity")
			}
		}
		placed[i] = int32(len(sorted))
		sorted = append(sorted, f)
		return nil
	}
	for i := range t.fields {
		if err := place(i, 0); err != nil {
			return err
		}
	}
	// A condition must be known before the values that it governs. It is, unless
	// a velocity was moved before it.
	t.fields = sorted
	for i := range sorted {
		for g := sorted[i].guard; g != none; g = t.guards[g].parent {
			cell := t.guards[g].cell
			late := slices.ContainsFunc(sorted[i+1:], func(f field) bool {
				return f.kind != text && cell >= f.first && cell < f.first+f.n
			})
			if late {
				return c.fail(start, typecache.MistakePlace, "", "", "the condition of a velocity must come before the fields that move by it")
			}
		}
	}
	return nil
}

// ops compiles the ops [pc, end), which are present under a guard.
func (c *compiler) ops(t *building, pc, end int, g int32) error {
	for pc < end {
		op := &c.plan.Ops[pc]
		next := pc + 1
		if op.Code.Encloses() {
			next = int(op.End)
		}
		var err error
		switch {
		case op.Code == plan.CodeNext, op.Code == plan.CodeEnd:
			return nil
		case op.Code.Block():
			err = c.list(t, pc, op, g)
		case op.Code == plan.CodeRunLength:
			err = c.array(t, pc, pc+1, op, g)
		case op.Code.Encloses():
			err = c.enclosing(t, pc, op, g)
		case op.Code.Values() && op.Count > wideArray:
			err = c.array(t, pc, pc, op, g)
		case op.Code.Values():
			err = c.scalars(t, pc, op, op.Count, g)
		default:
			err = c.piece(t, pc, op, g)
		}
		if err != nil {
			return err
		}
		pc = next
	}
	return nil
}

// piece compiles an op that has a text or no value.
func (c *compiler) piece(t *building, pc int, op *plan.Op, g int32) error {
	switch op.Code {
	case plan.CodeConst:
		t.steps = append(t.steps, step{kind: stepConst, op: op, n: int32(op.Bits)})
	case plan.CodeAlign:
		t.steps = append(t.steps, step{kind: stepAlign, op: op})
	case plan.CodePresent:
	case plan.CodeLink:
		i := t.addCell(op, cell{width: op.Bits, span: 1<<op.Bits - 1, guard: g})
		t.copies(i)
		c.addField(t, pc, field{kind: numbers, first: i, n: 1, guard: g})
	default:
		script, err := newScript(c.plan, op, c.copier)
		if err != nil {
			return c.fail(pc, typecache.MistakeType, "", "", "%v", err)
		}
		c.schema.verify = c.schema.verify || script.verify
		i := int32(t.texts)
		t.texts++
		t.scripts, t.textOps = append(t.scripts, script), append(t.textOps, op)
		t.textOf[int32(pc)] = i
		t.steps = append(t.steps, step{kind: stepText, op: op, cell: i, script: script})
		if t.implied[int32(pc)] {
			t.key, t.byText = i, true
		} else {
			c.addField(t, pc, field{kind: text, first: i, guard: g, script: script})
		}
	}
	return nil
}

// enclosing compiles an op that decides whether the ops it encloses are present.
func (c *compiler) enclosing(t *building, pc int, op *plan.Op, g int32) error {
	end := int(op.End)
	inner := g
	switch op.Code {
	case plan.CodeIf:
		cond := &c.plan.Conds[op.Aux]
		inner = t.addGuard(guard{parent: g, cell: t.refer(&cond.Ref), test: cond.Test, value: cond.Value})
		t.steps = append(t.steps, step{kind: stepIf, op: op, guard: inner})
	case plan.CodeOptional:
		flag := t.flag(op, g)
		c.addField(t, pc, field{kind: numbers, first: flag, n: 1, guard: g})
		inner = t.addGuard(guard{parent: g, cell: flag, test: plan.NotEqual})
		t.steps = append(t.steps, step{kind: stepIf, op: op, guard: inner})
	case plan.CodeCommon, plan.CodeHuffman:
		t.steps = append(t.steps, step{kind: stepListed, op: op, values: newListed(c.plan, op)})
		c.schema.verify = c.schema.verify || op.Code == plan.CodeHuffman && c.plan.Huffmans[op.Aux].Escape < 0
	case plan.CodeScale:
		return c.scale(t, pc, op, g)
	default:
		return c.fail(pc, typecache.MistakeType, "", "", "package delta does not know ops of code %v", op.Code)
	}
	i := len(t.steps) - 1
	cells := int32(len(t.cells))
	if err := c.ops(t, pc+1, end, inner); err != nil {
		return err
	}
	t.steps[i].end = int32(len(t.steps))
	t.closed = len(t.steps)
	if op.Code == plan.CodeCommon || op.Code == plan.CodeHuffman {
		own := &c.plan.Ops[end-1]
		t.steps[i].own, t.steps[i].cell = own, cells
		if slot, ok := t.textOf[int32(end-1)]; ok {
			t.steps[i].cell, t.textOf[int32(pc)] = slot, slot
		}
	}
	if first, ok := t.cellOf[int32(pc+1)]; ok {
		t.cellOf[int32(pc)] = first
	}
	if op.Code == plan.CodeOptional && c.plan.Ops[end-1].Code == plan.CodePresent {
		own := &c.plan.Ops[pc+1]
		if pc+3 == end && own.Code.Integer() && own.Count == 1 {
			t.nonzero = append(t.nonzero, t.cellOf[int32(pc+1)])
		} else {
			c.schema.verify = true
		}
	}
	return nil
}

// scale compiles a bit for no scale, a bit for a uniform scale, and the axes.
func (c *compiler) scale(t *building, pc int, op *plan.Op, g int32) error {
	c.schema.verify = true
	s := step{kind: stepScale, op: op, own: &c.plan.Ops[pc+1]}
	axes := 0
	for i := pc + 1; i < int(op.End); i++ {
		axes += c.plan.Ops[i].Count
	}
	s.n = int32(axes)
	s.values = &listed{values: c.plan.Commons[op.Aux][:1]}
	first := int32(len(t.cells))
	s.cell = first
	for i := pc + 1; i < int(op.End); i++ {
		each := &c.plan.Ops[i]
		for range each.Count {
			cell := c.number(each)
			cell.guard = g
			t.addCell(each, cell)
		}
		c.addField(t, i, field{kind: numbers, first: int32(len(t.cells) - each.Count), n: int32(each.Count), guard: g})
	}
	s.end = int32(len(t.steps) + 1)
	t.steps = append(t.steps, s)
	t.closed = len(t.steps)
	return nil
}

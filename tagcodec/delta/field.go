package delta

import (
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
)

// field codes field i of the changed rows: the set of rows in which it differs
// from the base, and its values in these.
func (c *coder) field(t *table, i int) {
	f := &t.fields[i]
	rows, base := &c.image.tables[t.index], &c.base.tables[t.index]
	c.chosen = c.chosen[:0]
	for k := range c.changed {
		r := &c.changed[k]
		if f.guard != none && !t.present(f.guard, rows.data, int(r.at)*t.stride) {
			if c.reading {
				f.clear(t, rows, int(r.at))
			}
			continue
		}
		c.chosen = append(c.chosen, int32(k))
	}
	if !c.reading {
		c.set = c.set[:0]
		for n, k := range c.chosen {
			if r := &c.changed[k]; f.differs(t, rows, int(r.at), base, int(r.base)) {
				c.set = append(c.set, int32(n))
			}
		}
	}
	set := c.codeSet(len(c.chosen))
	if c.trace != nil {
		c.trace.fieldSet(t, f, set)
	}
	for n, at := range set {
		set[n] = c.chosen[at] // from here on, indices of c.changed
	}
	if len(set) == 0 || c.failed() {
		return
	}
	if f.own && f.pred == plan.PredVel {
		c.steps(t, f, set)
	}
	if c.trace != nil {
		c.trace.values(t, i, set)
		return
	}
	switch {
	case f.kind == text:
		c.texts(t, f, set)
	case f.kind == rotation:
		c.rotations(t, i, set)
	case f.n == 1 && t.cells[f.first].span == 1:
		c.flips(t, f, set)
	default:
		c.numbers(t, i, set, 0, int(f.n))
	}
}

// clear sets a field of a row to the zero value, because it is absent.
func (f *field) clear(t *table, rows *rows, at int) {
	if f.kind == text {
		rows.texts[at*t.texts+int(f.first)] = f.script.zero
		return
	}
	for i := f.first; i < f.first+f.n; i++ {
		t.cells[i].store(rows.data, at*t.stride, t.cells[i].zero)
	}
}

// differs reports whether a field differs between two rows.
func (f *field) differs(t *table, a *rows, i int, b *rows, j int) bool {
	if f.kind == text {
		return a.texts[i*t.texts+int(f.first)] != b.texts[j*t.texts+int(f.first)]
	}
	for k := f.first; k < f.first+f.n; k++ {
		if c := &t.cells[k]; c.load(a.data, i*t.stride) != c.load(b.data, j*t.stride) {
			return true
		}
	}
	return false
}

// flips stores the other code of a value that has two.
func (c *coder) flips(t *table, f *field, set []int32) {
	if !c.reading {
		return
	}
	cell := &t.cells[f.first]
	var s spot
	for _, k := range set {
		c.open(&s, t, &c.changed[k])
		cell.store(s.data, s.at, 1-cell.load(s.baseData, s.base))
	}
}

// texts codes texts in full: the length and the bytes.
func (c *coder) texts(t *table, f *field, set []int32) {
	texts := c.image.tables[t.index].texts
	for _, k := range set {
		slot := &texts[int(c.changed[k].at)*t.texts+int(f.first)]
		start := c.r.pos
		c.text(slot, f.script.least == f.script.most && f.script.code == plan.CodeBytes)
		if c.reading && !c.failed() {
			c.r.failAt(start, f.script.check(*slot))
		}
		if c.failed() {
			return
		}
	}
}

// text codes a text. fixed says that both sides know its length, which is that
// of the text.
func (c *coder) text(slot *string, fixed bool) {
	n := uint64(len(*slot))
	if !c.reading {
		if !fixed {
			c.w.golomb(n, 3)
		}
		for i := range n {
			c.w.put(uint64((*slot)[i]), 8)
		}
		return
	}
	if !fixed {
		n = c.r.golomb(3)
	}
	if n > uint64(c.r.left())/8 {
		c.r.fail(ErrOverread)
		return
	}
	text := make([]byte, n)
	for i := range text {
		text[i] = byte(c.r.get(8))
	}
	*slot = string(text)
}

// residual codes how far a value is from its prediction.
func (c *coder) residual(class *class, widest int, v int64) int64 {
	k, q := class.parameters()
	k = min(k, uint(widest))
	var folded uint64
	if c.reading {
		folded = c.r.rice(k, q)
		v = int64(bitio.Unzigzag(folded))
	} else {
		folded = bitio.Zigzag(uint64(v))
		c.w.rice(folded, k, q)
	}
	class.add(folded)
	return v
}

// classOf returns the class of a residual: spread is by how much two predictions
// differ, and last is the length of the last residual of the row.
func classOf(spread int64, last uint8) int {
	return min(spreads-1, length(spread))*lengths + min(lengths-1, int(last)/3)
}

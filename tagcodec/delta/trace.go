package delta

import (
	"fmt"
	mathbits "math/bits"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec"
)

// tracer describes what a coder reads. The coder is the only reader of deltas: it
// calls the tracer after each set, list of keys and batch of new rows, and reads
// values one at a time, so that the tracer sees where each ends. A coder without
// a tracer does none of this.
type tracer struct {
	e      *tagcodec.Explanation
	schema *schema
	r      *bitReader // of the coder, or of the header
	c      *coder     // nil for the header
	end    int        // the parts so far end before this bit
	places [][]place  // by table, in the order of their rows
}

// pos returns the bit up to which the message has been read, or the bit where it
// was refused.
func (tr *tracer) pos() int {
	if tr.r.bad != nil {
		return tr.r.at
	}
	return tr.r.pos
}

// peek returns the next n bits that have no part yet.
func (tr *tracer) peek(n uint) uint64 { return bitio.PeekWord(tr.r.data, tr.end) & (1<<n - 1) }

// note adds a part of n bits, but none beyond what has been read.
func (tr *tracer) note(n int, path, what string, value any) {
	if n = min(n, tr.pos()-tr.end); n <= 0 {
		return
	}
	code := bitio.PeekWord(tr.r.data, tr.end)
	if n < 64 {
		code &= 1<<n - 1
	}
	tr.e.Parts = append(tr.e.Parts, tagcodec.Part{Bit: tr.end, Bits: n, Path: path, What: what, Value: value, Code: code})
	tr.end += n
}

// rest adds a part of all that has been read and has none yet.
func (tr *tracer) rest(path, what string) { tr.note(tr.pos()-tr.end, path, what, nil) }

// finish notes what was read of a value that was refused.
func (tr *tracer) finish() {
	if tr.r.bad != nil {
		tr.rest(tr.root(), "refused")
	}
}

// form notes the bit before the body.
func (tr *tracer) form(whole bool) {
	if whole {
		tr.note(1, tr.root(), "a whole message", nil)
	} else {
		tr.note(1, tr.root(), "a delta", nil)
	}
}

// whole adds the parts of a message that is not a delta, and which begins at the
// bit read last.
func (tr *tracer) whole(e *tagcodec.Explanation) {
	tr.rest(tr.root(), "padding")
	for _, p := range e.Parts {
		p.Bit += tr.r.pos
		tr.end = p.Bit + p.Bits
		tr.e.Parts = append(tr.e.Parts, p)
	}
}

// set notes a set of positions in [0, n). mark says what it means that a position
// is in the set, or that it is not.
func (tr *tracer) set(n int, in []int32, path, what string, mark func(at int32, in bool) (path, what string, value any)) {
	listed, inverse, bitmap := in, false, n <= shortSet
	switch {
	case tr.r.bad != nil:
		tr.rest(path, what)
		return
	case bitmap:
	case tr.peek(1) == 1:
		tr.note(1, path, what+": a list", nil)
	case tr.peek(2) == 0b10:
		tr.note(2, path, what+": a bitmap", nil)
		bitmap = true
	default:
		tr.note(2, path, what+": a list of the others", nil)
		listed, inverse = outside(n, in, nil), true
	}
	if bitmap {
		for at := range int32(n) {
			has := len(listed) > 0 && listed[0] == at
			if has {
				listed = listed[1:]
			}
			where, what, value := mark(at, has)
			tr.note(1, where, what, value)
		}
		return
	}
	tr.note(golombBits(uint64(len(listed)), 0), path, "number as EG(k=0)", len(listed))
	if len(listed) == 0 {
		return
	}
	k := uint(tr.peek(3))
	tr.note(3, path, "k of the gaps", int(k))
	last := int32(-1)
	for _, at := range listed {
		gap := at - last - 1
		where, what, value := mark(at, !inverse)
		tr.note(riceBits(uint64(gap), k, gapUnary), where, fmt.Sprintf("gap %d as R(k=%d,q=%d), %s", gap, k, gapUnary, what), value)
		last = at
	}
}

// rows notes which rows of some spans have changed. Rows without a base come
// first. Of the others, the set of those follows that do not do as expected.
func (tr *tracer) rows(t *table, spans []span) {
	changed := make(map[int32]bool, len(tr.c.changed))
	for i := range tr.c.changed {
		changed[tr.c.changed[i].at] = true
	}
	var rows []int32 // with a base
	for _, s := range spans {
		for at := s.at; at < s.at+s.n; at++ {
			if s.base != 0 {
				rows = append(rows, at)
			} else if tr.end < tr.pos() {
				tr.newRow(t, tr.path(t.index, at, false), changed[at])
			}
		}
	}
	if len(rows) == 0 || len(t.fields) == 0 {
		return
	}
	tr.set(len(rows), tr.c.set, tr.path(t.index, rows[0], true), "changed rows", func(at int32, _ bool) (string, string, any) {
		what := "unchanged"
		if changed[rows[at]] {
			what = "changed"
		}
		return tr.path(t.index, rows[at], false), what, nil
	})
}

// newRow notes the bits of a row without a base.
func (tr *tracer) newRow(t *table, path string, changed bool) {
	what := "zero"
	if changed {
		what = "not zero"
	}
	tr.note(1, path, what, nil)
	tr.note(t.pay-1, path, "pays for memory", nil)
}

// fieldSet notes the set of the chosen rows in which a field differs. A field
// with two codes has its value there.
func (tr *tracer) fieldSet(t *table, f *field, set []int32) {
	c := tr.c
	if len(c.chosen) == 0 {
		return
	}
	flips := f.kind != text && f.n == 1 && t.cells[f.first].span == 1
	first := c.changed[c.chosen[0]].at
	tr.set(len(c.chosen), set, tr.fieldPath(t, first, f, true), "rows with a difference", func(at int32, in bool) (string, string, any) {
		r := &c.changed[c.chosen[at]]
		path := tr.fieldPath(t, r.at, f, false)
		switch {
		case !in:
			return path, "same", nil
		case !flips:
			return path, "different", nil
		}
		data := c.base.tables[t.index].data
		what, value := tr.meaning(t, f.first, 1-t.cells[f.first].load(data, int(r.base)*t.stride), nil, 0)
		return path, strings.TrimSpace("now " + what), value
	})
}

// values reads field i of the rows of a set, one value at a time.
func (tr *tracer) values(t *table, i int, set []int32) {
	c, f := tr.c, &t.fields[i]
	if f.own && f.pred == plan.PredVel {
		tr.steps(t, f)
	}
	if f.kind == rotation {
		tr.rotations(t, i, set)
		return
	}
	for n := 0; n < len(set) && !c.failed(); n++ {
		one := set[n : n+1]
		switch {
		case f.kind == text:
			c.texts(t, f, one)
			at := int(c.changed[one[0]].at)
			fixed := f.script.least == f.script.most && f.script.code == plan.CodeBytes
			tr.text(tr.fieldPath(t, int32(at), f, false), f.script, c.image.tables[t.index].texts[at*t.texts+int(f.first)], fixed)
		case f.n == 1 && t.cells[f.first].span == 1:
			c.flips(t, f, one)
		default:
			for j := 0; j < int(f.n) && !c.failed(); j++ {
				tr.number(t, i, one, j)
			}
		}
	}
}

// number reads cell j of field i of the one row of a set.
func (tr *tracer) number(t *table, i int, one []int32, j int) {
	c, f, m := tr.c, &t.fields[i], tr.c.modelOf(t, i)
	at := f.first + int32(j)
	r, cell := &c.changed[one[0]], &t.cells[at]
	var s spot
	var p forecast
	c.open(&s, t, r)
	c.forecast(&p, t, f, m, &s, r, j)
	k, q := m.class[classOf(p.spread, r.last)].parameters()
	k = min(k, uint(mathbits.Len64(cell.span)))
	c.numbers(t, i, one, j, j+1)
	path := tr.cellPath(t, r.at, at)
	if c.failed() {
		tr.rest(path, "refused")
		return
	}
	code := cell.load(s.data, s.at)
	what, value := tr.meaning(t, at, code, s.data, s.at)
	was, predicted := tr.meaning(t, at, cell.circle(uint64(p.value))^cell.flip, nil, 0)
	if predicted != nil {
		was = fmt.Sprint(predicted)
	}
	residual := cell.around(int64(code^cell.flip) - p.value)
	what = fmt.Sprintf("predicted %s, residual %d as R(k=%d,q=%d), now %s", was, residual, k, q, what)
	tr.note(tr.pos()-tr.end, path, strings.TrimSpace(what), value)
}

// rotations reads the quaternions of field i of the rows of a set.
func (tr *tracer) rotations(t *table, i int, set []int32) {
	c, f, m := tr.c, &t.fields[i], tr.c.modelOf(t, i)
	if c.failed() {
		return
	}
	path := func(n int) string { return tr.cellPath(t, c.changed[set[n]].at, f.first) }
	c.set2 = c.r.getSet(len(set), c.set2[:0])
	others := slices.Clone(c.set2)
	tr.set(len(set), others, tr.fieldPath(t, c.changed[set[0]].at, f, true), "rows with another largest component",
		func(at int32, in bool) (string, string, any) {
			if in {
				return path(int(at)), "another largest component", nil
			}
			return path(int(at)), "the largest component predicted", nil
		})
	g := newGrid(t.cells[f.first+1].width)
	for n := 0; n < len(set) && !c.failed(); n++ {
		var other []int32
		if len(others) > 0 && int(others[0]) == n {
			other, others = []int32{0}, others[1:]
		}
		var s spot
		var p turning
		r := &c.changed[set[n]]
		c.open(&s, t, r)
		c.predictRotation(&p, t, f, m, &g, &s, r)
		c.rotate(t, i, set[n:n+1], other)
		if c.failed() {
			tr.rest(path(n), "refused")
			return
		}
		var codes [4]uint64
		for j := range codes {
			codes[j] = t.cells[f.first+int32(j)].load(s.data, s.at)
		}
		if other != nil {
			tr.note(2, path(n), "largest component", int(codes[0]))
		}
		value := tr.valueOf(t, f.first, codes[:])
		var residuals [3]int64
		for j, v := range g.pack(&p.value, int64(codes[0])) {
			residuals[j] = int64(codes[j+1]) - v
			codes[j+1] = uint64(v)
		}
		was := tr.valueOf(t, f.first, codes[:])
		if was == nil { // the nearest codes may be of no rotation
			was = codes
		}
		tr.note(tr.pos()-tr.end, path(n), fmt.Sprintf("predicted %v, residuals %d as R, now", was, residuals), value)
	}
}

// steps notes the ticks of rows that were sampled on their own.
func (tr *tracer) steps(t *table, f *field) {
	c := tr.c
	if len(c.todo) == 0 || tr.end == tr.pos() {
		return
	}
	path := tr.path(t.index, c.changed[c.todo[0]].at, true)
	if c.failed() {
		tr.rest(path, "ticks")
		return
	}
	typical := max(0, c.ticks-earliest) + int64(tr.peek(stepBits))
	tr.note(stepBits, path, "typical ticks since the base", typical)
	k := uint(tr.peek(2))
	tr.note(2, path, "k of the ticks", int(k))
	for _, i := range c.todo {
		r := &c.changed[i]
		v := int64(r.ticks) - typical
		tr.note(riceBits(bitio.Zigzag(uint64(v)), k, 2), tr.path(t.index, r.at, false), fmt.Sprintf("residual %d as R(k=%d,q=2), ticks since the base", v, k), int(r.ticks))
	}
}

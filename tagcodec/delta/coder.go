package delta

import (
	"bytes"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// coder writes or reads one message. Both directions run the same code, which
// sends a value or receives it at each step, so that they cannot differ.
type coder struct {
	schema  *schema
	reading bool
	w       bitWriter
	r       bitReader

	image        *Image // written, or being read
	base         *Image // the zero value if there is no base
	older        [2]*Image
	ticks        int64    // from the base to the image
	apart        [2]int64 // from the older images to the base
	depth        int
	reservedBits int // bits that the rows allocated so far take at least

	models  [][]model // by table and field; those of a table are set when it is first met
	met     []bool    // by table
	spans   []span
	changed []row
	chosen  []int32 // rows of changed that a field is present in
	set     []int32
	set2    []int32
	old     []int32 // positions of removed elements
	parents []parent
	keys    []uint64
	added   rows
	outside []int32
	todo    []int32
	codes   [wideArray]uint64 // of one row
	aside   bitWriter
	message []byte // scratch memory for a whole message
	writer  bits.Writer
	trace   *tracer // or nil; set only while a message is explained
}

// span is consecutive rows of a table, with the rows of the references that they
// match. Row 0 is the zero value, and matches any number of rows.
type span struct {
	at, base int32
	older    [2]int32 // 0 if there is none
	n        int32
}

// row is a row that differs from its base.
type row struct {
	at, base int32
	older    [2]int32
	last     uint8 // length of its last residual
	ticks    int16 // since the base, or -1 for those of the message
}

// run codes the whole image.
func (c *coder) run() {
	c.spans = c.spans[:0]
	if c.met == nil {
		c.met = make([]bool, len(c.schema.tables))
		c.models = make([][]model, len(c.schema.tables))
	}
	clear(c.met)
	root := span{at: 1, n: 1}
	if c.base.tables[0].n > 1 {
		root.base = 1
		for i, m := range c.older {
			if m != nil {
				root.older[i] = 1
			}
		}
	}
	if c.reading {
		rows := &c.image.tables[0]
		rows.addCopy(c.schema.tables[0], &c.base.tables[0], int(root.base), 1)
	}
	c.depth, c.reservedBits = 0, 0
	c.spans = append(c.spans, root)
	c.batch(c.schema.tables[0], 0)
}

// failed reports whether reading has failed.
func (c *coder) failed() bool { return c.r.bad != nil }

// bit writes a bit, or reads and returns one.
func (c *coder) bit(v bool) bool {
	if c.reading {
		return c.r.get(1) == 1
	}
	n := uint64(0)
	if v {
		n = 1
	}
	c.w.put(n, 1)
	return v
}

// codeSet writes the set of positions in [0, n) that is in c.set, or reads one.
// It returns c.set.
func (c *coder) codeSet(n int) []int32 {
	if c.reading {
		c.set = c.r.getSet(n, c.set[:0])
	} else {
		c.outside = c.w.putSet(n, c.set, c.outside)
	}
	return c.set
}

// batch codes the rows of the spans from spans[from] on, and then their lists.
func (c *coder) batch(t *table, from int) {
	c.findChanged(t, from)
	if c.trace != nil {
		c.trace.rows(t, c.spans[from:])
	}
	for i := 0; i < len(t.fields) && !c.failed() && len(c.changed) > 0; i++ {
		c.field(t, i)
	}
	c.check(t)
	for k := range t.lists {
		if c.failed() {
			return
		}
		for _, target := range t.lists[k].tables {
			in := c.schema.tables[target]
			start := len(c.spans)
			c.list(t, in, k, from, start)
			if c.trace != nil {
				c.trace.elements(t, c.spans[from:start], k, in)
			}
			if len(c.spans) > start && !c.failed() {
				c.enter(&t.lists[k], in, start)
			}
			c.spans = c.spans[:start]
		}
	}
}

// enter codes the elements of a list.
func (c *coder) enter(l *list, in *table, start int) {
	if l.deeper {
		if c.depth++; c.depth > tagcodec.DefaultMaxDepth {
			c.r.fail(ErrDepth)
			return
		}
		defer func() { c.depth-- }()
	}
	c.batch(in, start)
}

// chunk is the number of rows that are compared at once.
const chunk = 64

// findChanged codes which rows of the spans differ from their base, and lists
// them in c.changed.
//
// A row without a base takes t.pay bits: whether it differs from the zero value,
// and zeros that pay for its memory. Of the others, the set of those is sent
// that do not do as expected: what has changed between an older image and the
// base is expected to change again.
func (c *coder) findChanged(t *table, from int) {
	c.changed = c.changed[:0]
	now, base := &c.image.tables[t.index], &c.base.tables[t.index]
	n := 0
	for _, s := range c.spans[from:] {
		if s.base != 0 {
			n += int(s.n)
			continue
		}
		for i := range s.n {
			differs := !c.reading && !now.equal(t, int(s.at+i), base, 0)
			if differs = c.bit(differs); differs {
				c.changed = append(c.changed, row{at: s.at + i, ticks: -1})
			}
			if t.pay > 1 {
				c.pay(t.pay - 1)
			}
		}
		if c.failed() {
			return
		}
	}
	c.reservedBits = 0
	if n == 0 || len(t.fields) == 0 {
		return
	}
	if c.reading {
		c.codeSet(n)
	} else {
		c.set = c.set[:0]
	}
	set, at := c.set, int32(0)
	for _, s := range c.spans[from:] {
		if s.base == 0 {
			continue
		}
		var old *rows
		if s.older[0] != 0 {
			old = &c.older[0].tables[t.index]
		}
		for i := int32(0); i < s.n; {
			end := min(i+chunk, s.n)
			if c.reading && (len(set) == 0 || set[0] >= at+end-i) || !c.reading && same(t, now, s.at+i, base, s.base+i, end-i) {
				if old == nil || same(t, base, s.base+i, old, s.older[0]+i, end-i) {
					at += end - i
					i = end
					continue
				}
			}
			for ; i < end; i++ {
				expected := old != nil && !base.equal(t, int(s.base+i), old, int(s.older[0]+i))
				var differs bool
				if c.reading {
					differs = expected
					if len(set) > 0 && set[0] == at {
						differs, set = !expected, set[1:]
					}
				} else if differs = !now.equal(t, int(s.at+i), base, int(s.base+i)); differs != expected {
					c.set = append(c.set, at)
				}
				if differs {
					r := row{at: s.at + i, base: s.base + i, ticks: -1}
					for k, first := range s.older {
						if first != 0 {
							r.older[k] = first + i
						}
					}
					c.changed = append(c.changed, r)
				}
				at++
			}
		}
	}
	if !c.reading {
		c.codeSet(n)
	}
}

// pay codes n zero bits.
func (c *coder) pay(n int) {
	for ; n > 0; n -= min(n, 32) {
		if !c.reading {
			c.w.put(0, uint(min(n, 32)))
		} else if c.r.get(uint(min(n, 32))) != 0 {
			c.r.fail(ErrPadding)
		}
	}
}

// same reports whether n rows are equal.
func same(t *table, a *rows, i int32, b *rows, j, n int32) bool {
	from, to, size := int(i)*t.stride, int(j)*t.stride, int(n)*t.stride
	if !bytes.Equal(a.data[from:from+size], b.data[to:to+size]) {
		return false
	}
	for k := 0; k < int(n)*t.texts; k++ {
		if a.texts[int(i)*t.texts+k] != b.texts[int(j)*t.texts+k] {
			return false
		}
	}
	return true
}

// check refuses changed rows with an optional value that is zero.
func (c *coder) check(t *table) {
	if !c.reading || len(t.nonzero) == 0 {
		return
	}
	data := c.image.tables[t.index].data
	for i := range c.changed {
		at := int(c.changed[i].at) * t.stride
		for _, k := range t.nonzero {
			cell := &t.cells[k]
			if t.present(cell.guard, data, at) && cell.value(cell.load(data, at)) == 0 {
				c.r.fail(ErrNotCanonical)
			}
		}
	}
}

// spot is where the cells of a changed row are.
type spot struct {
	at, base  int // of the rows, in bytes
	older     [2]int
	has       [2]bool
	data      []byte
	baseData  []byte
	olderData [2][]byte
}

// open sets s to the place of a changed row. It is set in place, as other large
// structs are that every row needs, because copies of them stall.
func (c *coder) open(s *spot, t *table, r *row) {
	s.at, s.base = int(r.at)*t.stride, int(r.base)*t.stride
	s.data, s.baseData = c.image.tables[t.index].data, c.base.tables[t.index].data
	for i, at := range r.older {
		if s.has[i] = at != 0; s.has[i] {
			s.older[i], s.olderData[i] = int(at)*t.stride, c.older[i].tables[t.index].data
		}
	}
}

// modelOf returns the model of a field.
func (c *coder) modelOf(t *table, field int) *model {
	if !c.met[t.index] {
		c.met[t.index] = true
		if c.models[t.index] == nil {
			c.models[t.index] = make([]model, len(t.fields))
		}
		for i := range c.models[t.index] {
			c.models[t.index][i] = fresh
		}
	}
	return &c.models[t.index][field]
}

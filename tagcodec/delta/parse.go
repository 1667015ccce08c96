package delta

import (
	"encoding/binary"
	"slices"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
)

// parser fills an image from a message that the codec has written, or has read
// without an error.
type parser struct {
	schema *schema
	image  *Image
	data   []byte // followed by at least 8 bytes of capacity
	bit    int
	err    error
	strict bool // elements of keyed slices must be sorted
}

// parseRoom is the number of zero bytes after a message that parse may load.
const parseRoom = 8

// parse fills image, which must be empty, from a valid message. If strict is set,
// the elements of keyed slices must be in order.
func (s *schema) parse(image *Image, data []byte, strict bool) error {
	p := parser{schema: s, image: image, strict: strict, data: slices.Grow(data, parseRoom)}
	clear(p.data[len(data) : len(data)+parseRoom])
	rows := &image.tables[0]
	rows.add(s.tables[0], 1)
	p.row(0, 1, none)
	return p.err
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// take reads n bits, at most 64.
func (p *parser) take(n uint) uint64 {
	if n == 0 {
		return 0
	}
	v := bitio.PeekWord(p.data, p.bit) << (64 - n) >> (64 - n)
	p.bit += int(n)
	return v
}

func (p *parser) align() { p.bit = (p.bit + 7) &^ 7 }

// reader returns a Reader at the current bit.
func (p *parser) reader() *bits.Reader {
	r := new(bits.Reader)
	r.Reset(p.data, p.bit)
	return r
}

// row reads row i of a table. before is the element before it, or none.
func (p *parser) row(table int32, i, before int) {
	t, rows := p.schema.tables[table], &p.image.tables[table]
	at := i * t.stride
	if before != none {
		before *= t.stride
	}
	for pc := 0; pc < len(t.steps) && p.err == nil; pc++ {
		s := &t.steps[pc]
		switch s.kind {
		case stepCopy:
			p.copy(rows.data[at:], int(s.cell), int(s.n))
		case stepConst:
			p.bit += int(s.n)
		case stepAlign:
			p.align()
		case stepVarint:
			t.cells[s.cell].store(rows.data, at, p.varint(s.op)&t.cells[s.cell].mask())
		case stepPrefixCoded:
			v, n, _ := s.op.DecodeInteger(p.data, p.bit)
			p.bit += n
			t.cells[s.cell].store(rows.data, at, v&t.cells[s.cell].mask())
		case stepRelative:
			c := &t.cells[s.cell]
			v, n, _ := bitio.DecodeRelative(bitio.PeekWord(p.data, p.bit), s.previous(t, rows.data, at, before), s.relative.Min, s.relative.Max)
			p.bit += n
			c.store(rows.data, at, uint64(v)&c.mask())
		case stepText:
			slot := &rows.texts[i*t.texts+int(s.cell)]
			*slot = s.script.parse(p, *slot)
		case stepIf:
			if !t.present(s.guard, rows.data, at) {
				pc = p.absent(t, rows, i, pc, s)
			}
		case stepListed:
			if v := s.values.parse(p); v != nil {
				p.listed(t, rows, i, s, v)
				pc = int(s.end) - 1
			}
		case stepScale:
			p.scale(t, rows, at, s)
		case stepList:
			p.list(table, i, s)
			rows = &p.image.tables[table]
		}
	}
}

// copy copies n bits to a row, from bit to on.
func (p *parser) copy(row []byte, to, n int) {
	for n > 0 {
		part := min(n, 64)
		c := cell{off: int32(to / 8), shift: uint8(to % 8), width: uint8(part)}
		c.store(row, 0, p.take(uint(part)))
		to, n = to+part, n-part
	}
}

// flat reads n rows that are the same bits in a message.
func (p *parser) flat(t *table, data []byte, n int) {
	bit := p.bit
	for i := range n {
		for at := 0; at < t.bits; at += 64 {
			v := bitio.PeekWord(p.data, bit)
			if left := t.bits - at; left < 64 {
				v &= 1<<left - 1
			}
			// What this stores beyond the row is overwritten by the next, or
			// slack.
			binary.LittleEndian.PutUint64(data[i*t.stride+at/8:], v)
			bit += min(64, t.bits-at)
		}
	}
	p.bit = bit
}

// absent skips the values of a condition that does not hold. It returns the last
// step of the condition.
func (p *parser) absent(t *table, rows *rows, i, pc int, s *step) int {
	for k := range t.steps[pc+1 : s.end] {
		if in := &t.steps[pc+1+k]; in.kind == stepText {
			rows.texts[i*t.texts+int(in.cell)] = in.script.zero
		}
	}
	return int(s.end) - 1
}

func (p *parser) varint(op *plan.Op) (v uint64) {
	for shift := 0; ; shift += 7 {
		group := p.take(8)
		v |= group >> 1 << shift
		if group&1 == 0 || shift > 63 {
			break
		}
	}
	if op.Flags&plan.FlagSigned != 0 {
		v = bitio.Unzigzag(v)
	}
	return v
}

// listed stores a listed value.
func (p *parser) listed(t *table, rows *rows, i int, s *step, v *plan.Value) {
	n := s.cells(t)
	if n == 0 {
		slot := &rows.texts[i*t.texts+int(s.cell)]
		*slot = v.Text
		return
	}
	low, high := s.code(p.schema.plan, v)
	c := &t.cells[s.cell]
	c.store(rows.data, i*t.stride, low&c.mask())
	if n == 2 {
		t.cells[s.cell+1].store(rows.data, i*t.stride, high)
	}
}

// scale reads a scale.
func (p *parser) scale(t *table, rows *rows, at int, s *step) {
	cells := t.cells[s.cell : s.cell+s.n]
	one, same := p.take(1) != 0, false
	if !one && len(cells) > 1 {
		same = p.take(1) != 0
	}
	code := s.values.values[0].Code
	for i := range cells {
		if !one && (i == 0 || !same) {
			code = p.take(uint(cells[i].width))
		}
		cells[i].store(rows.data, at, code)
	}
}

// list reads the elements of a list of row i.
func (p *parser) list(table int32, i int, s *step) {
	t, rows := p.schema.tables[table], &p.image.tables[table]
	k := int(s.cell)
	l := &t.lists[k]
	if l.kind == indexList {
		p.subset(table, i, s)
		return
	}
	n, target := int(l.count), l.tables[0]
	switch l.kind {
	case countList:
		c := &t.cells[l.cell]
		n = l.least + int(c.load(rows.data, i*t.stride))
	case unionList:
		c := &t.cells[l.cell]
		n = 0
		if tag := c.load(rows.data, i*t.stride); tag > 0 {
			n, target = 1, l.tables[tag-1]
		}
	case keyedList:
		n = l.least + int(p.take(uint(s.op.Bits)))
	}
	in := p.schema.tables[target]
	first := p.image.tables[target].add(in, n)
	rows = &p.image.tables[table]
	rows.kids[i*len(t.lists)+k] = kid{int32(first), int32(n)}
	if s.op.Code == plan.CodeRunLength {
		p.stretches(in, p.image.tables[target].data[first*in.stride:], n)
		return
	}
	flat := len(in.steps) == 1 && in.steps[0].kind == stepCopy && in.bits == int(in.steps[0].n)
	if flat {
		p.flat(in, p.image.tables[target].data[first*in.stride:], n)
	}
	before := none
	for j := first; j < first+n && !flat && p.err == nil; j++ {
		p.row(target, j, before)
		before = j
	}
	if l.kind == keyedList {
		if err := p.image.sort(target, first, n, p.strict); err != nil {
			err.Path = l.path
			p.fail(err)
		}
	}
}

// stretches reads n equal elements at a time.
func (p *parser) stretches(t *table, data []byte, n int) {
	code := cell{width: uint8(t.bits)}
	for i := 0; i < n; {
		more, used, _ := bitio.DecodeExpGolomb(p.data, p.bit, bitio.MaxStretch-1, 0)
		p.bit += used
		v := p.take(uint(t.bits))
		for end := i + int(more) + 1; i < end; i++ {
			code.store(data, i*t.stride, v)
		}
	}
}

// subset reads the elements that are present in a subset.
func (p *parser) subset(table int32, i int, s *step) {
	t, k := p.schema.tables[table], int(s.cell)
	rows := &p.image.tables[table]
	l := &t.lists[k]
	total := l.total(t, rows.data, i*t.stride)
	target := l.tables[0]
	in, elem := p.schema.tables[target], &p.schema.plan.Elems[s.op.Aux]
	first := p.image.tables[target].n
	p.image.tables[table].kids[i*len(t.lists)+k] = kid{int32(first), 0}
	if total == 0 {
		return
	}
	mode, left := elem.Subset.Mode, 0
	if elem.Subset.Auto {
		mode = compress.Subset(p.take(2))
	}
	if mode == compress.SubsetIndex {
		left = int(p.take(uint(bitsFor(total))))
	}
	if p.schema.plan.Recursive { // an element may have rows of the same table
		first = p.image.tables[target].add(in, total)
	}
	n := 0
	for previous := -1; p.err == nil; n++ {
		index := p.index(mode, previous, total, &left)
		if index == total {
			break
		}
		j := first + n
		if j == p.image.tables[target].n {
			p.image.tables[target].add(in, 1)
		}
		in.cells[in.key].store(p.image.tables[target].data, j*in.stride, uint64(index))
		p.row(target, j, none)
		previous = index
	}
	p.image.tables[table].kids[i*len(t.lists)+k] = kid{int32(first), int32(n)}
}

// total returns the number of indices of a list with indices.
func (l *list) total(t *table, data []byte, row int) int {
	if l.cell == none {
		return int(l.count)
	}
	return l.least + int(t.cells[l.cell].load(data, row))
}

// index returns the index of the next element that is present, or total.
func (p *parser) index(mode compress.Subset, previous, total int, left *int) int {
	switch mode {
	case compress.SubsetBitmap:
		for previous++; previous < total && p.take(1) == 0; previous++ {
		}
		return previous
	case compress.SubsetIndex:
		if *left == 0 {
			return total
		}
		*left--
		return int(p.take(uint(bitsFor(total - 1))))
	case compress.SubsetSentinel:
		return int(p.take(uint(bitsFor(total))))
	}
	index, n, _ := compress.DecodeIndex(bitio.PeekWord(p.data, p.bit), previous, total)
	p.bit += n
	return index
}

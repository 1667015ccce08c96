package delta

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
)

// packer writes the message of an image.
type packer struct {
	schema *schema
	image  *Image
	w      *bits.Writer
}

// pack appends the message of the image to dst. It uses w.
func (m *Image) pack(w *bits.Writer, dst []byte) ([]byte, error) {
	p := packer{schema: m.schema, image: m, w: w}
	p.w.Resume(dst, len(dst), 0)
	p.row(0, 1, none)
	if err := p.w.Err(); err != nil {
		return dst, err
	}
	return p.w.Bytes(), nil
}

// row writes row i of a table. before is the element before it, or none.
func (p *packer) row(table int32, i, before int) {
	t, rows := p.schema.tables[table], &p.image.tables[table]
	at := i * t.stride
	if before != none {
		before *= t.stride
	}
	for pc := 0; pc < len(t.steps); pc++ {
		s := &t.steps[pc]
		switch s.kind {
		case stepCopy:
			p.copy(rows.data[at:], int(s.cell), int(s.n))
		case stepConst:
			p.w.WriteBits(s.op.Bias, int(s.n))
		case stepAlign:
			p.w.WriteAlign()
		case stepVarint:
			c := &t.cells[s.cell]
			v := c.value(c.load(rows.data, at))
			if s.op.Flags&plan.FlagSigned != 0 {
				v = bitio.Zigzag(v)
			}
			p.w.WriteVarint(v)
		case stepPrefixCoded:
			c := &t.cells[s.cell]
			lo, hi, n := s.op.EncodeInteger(c.value(c.load(rows.data, at)))
			bitio.WriteCode(p.w, lo, hi, n)
		case stepRelative:
			c := &t.cells[s.cell]
			v := int64(c.value(c.load(rows.data, at)))
			p.w.WriteRelative(s.previous(t, rows.data, at, before), v, s.relative.Min, s.relative.Max)
		case stepText:
			s.script.pack(p.w, rows.texts[i*t.texts+int(s.cell)])
		case stepIf:
			if !t.present(s.guard, rows.data, at) {
				pc = int(s.end) - 1
			}
		case stepListed:
			if p.listed(t, rows, i, s) {
				pc = int(s.end) - 1
			}
		case stepScale:
			p.scale(t, rows, at, s)
		case stepList:
			p.list(t, rows, i, s)
		}
	}
}

// copy writes n bits of a row, from bit from on.
func (p *packer) copy(row []byte, from, n int) {
	for n > 0 {
		part := min(n, 64)
		c := cell{off: int32(from / 8), shift: uint8(from % 8), width: uint8(part)}
		p.w.WriteBits(c.load(row, 0), part)
		from, n = from+part, n-part
	}
}

// listed writes a listed value. It returns false if the value is not listed and
// follows.
func (p *packer) listed(t *table, rows *rows, i int, s *step) bool {
	n, found := s.cells(t), none
	for k := range s.values.values {
		v := &s.values.values[k]
		if k == s.values.escape {
			continue
		}
		if n == 0 && rows.texts[i*t.texts+int(s.cell)] != v.Text {
			continue
		}
		if n > 0 {
			low, high := s.code(p.schema.plan, v)
			c := &t.cells[s.cell]
			if c.load(rows.data, i*t.stride) != low&c.mask() || n == 2 && t.cells[s.cell+1].load(rows.data, i*t.stride) != high {
				continue
			}
		}
		found = k
		break
	}
	if !s.values.pack(p.w, found) {
		p.w.Fail(ErrRange)
	}
	return found != none
}

// scale writes a scale.
func (p *packer) scale(t *table, rows *rows, at int, s *step) {
	cells := t.cells[s.cell : s.cell+s.n]
	first := cells[0].load(rows.data, at)
	same := true
	for i := range cells {
		same = same && cells[i].load(rows.data, at) == first
	}
	one := same && first == s.values.values[0].Code
	if p.w.WriteBool(one); one {
		return
	}
	if len(cells) > 1 {
		p.w.WriteBool(same)
	}
	for i := range cells {
		if p.w.WriteBits(cells[i].load(rows.data, at), int(cells[i].width)); same {
			return
		}
	}
}

// list writes the elements of a list of row i.
func (p *packer) list(t *table, rows *rows, i int, s *step) {
	k := int(s.cell)
	l, elems := &t.lists[k], rows.kids[i*len(t.lists)+k]
	if l.kind == indexList {
		p.subset(l, l.total(t, rows.data, i*t.stride), elems, s)
		return
	}
	if l.kind == keyedList {
		if int(elems.n) < l.least || int(elems.n) > l.most {
			p.w.Fail(ErrLength)
		}
		p.w.WriteBits(uint64(int(elems.n)-l.least)&(1<<s.op.Bits-1), int(s.op.Bits)) // the count of a map may have room for more
	}
	target := l.target(t, rows.data, i*t.stride)
	if s.op.Code == plan.CodeRunLength {
		p.stretches(target, elems)
		return
	}
	before := none
	for j := int(elems.first); j < int(elems.first+elems.n) && p.w.Err() == nil; j++ {
		p.row(target, j, before)
		before = j
	}
}

// stretches writes equal elements once.
func (p *packer) stretches(table int32, elems kid) {
	in, data := p.schema.tables[table], p.image.tables[table].data
	code := cell{width: uint8(in.bits)}
	at := func(i int32) uint64 { return code.load(data, int(elems.first+i)*in.stride) }
	for i := int32(0); i < elems.n; {
		v, n := at(i), int32(1)
		for ; i+n < elems.n && n < bitio.MaxStretch && at(i+n) == v; n++ {
		}
		p.w.WriteExpGolomb(uint64(n-1), bitio.MaxStretch-1, 0)
		p.w.WriteBits(v, in.bits)
		i += n
	}
}

// subset writes the elements that are present in a subset.
func (p *packer) subset(l *list, total int, elems kid, s *step) {
	if total == 0 {
		return
	}
	in, rows := p.schema.tables[l.tables[0]], &p.image.tables[l.tables[0]]
	key := &in.cells[in.key]
	indices := make([]int, 0, elems.n+1)
	for j := range int(elems.n) {
		indices = append(indices, int(key.load(rows.data, (int(elems.first)+j)*in.stride)))
	}
	indices = append(indices, total)
	sub := p.schema.plan.Elems[s.op.Aux].Subset
	mode := sub.Mode
	if sub.Auto {
		mode = cheapest(indices, total)
		p.w.WriteBits(uint64(mode), 2)
	}
	if mode == compress.SubsetIndex {
		p.w.WriteUint(uint64(elems.n), 0, uint64(total))
	}
	previous := -1
	for j, index := range indices {
		writeIndex(p.w, mode, previous, index, total)
		if index < total {
			p.row(l.tables[0], int(elems.first)+j, none)
		}
		previous = index
	}
}

// cheapest returns the mode that takes the fewest bits.
func cheapest(indices []int, total int) (best compress.Subset) {
	least := -1
	for mode := compress.SubsetBitmap; mode <= compress.SubsetRelative; mode++ {
		w := bits.NewMeasurer()
		if mode == compress.SubsetIndex {
			w.WriteUint(uint64(len(indices)-1), 0, uint64(total))
		}
		previous := -1
		for _, i := range indices {
			writeIndex(w, mode, previous, i, total)
			previous = i
		}
		if least < 0 || w.Bit() < least {
			best, least = mode, w.Bit()
		}
	}
	return best
}

// writeIndex writes the index of an element after the one at previous. The index
// total ends a subset.
func writeIndex(w *bits.Writer, mode compress.Subset, previous, index, total int) {
	switch mode {
	case compress.SubsetBitmap:
		for previous++; previous < index; previous++ {
			w.WriteBool(false)
		}
		if index < total {
			w.WriteBool(true)
		}
	case compress.SubsetIndex:
		if index < total {
			w.WriteUint(uint64(index), 0, uint64(total-1))
		}
	case compress.SubsetSentinel:
		w.WriteUint(uint64(index), 0, uint64(total))
	case compress.SubsetRelative:
		w.WriteBits(compress.EncodeIndex(previous, index, total))
	}
}

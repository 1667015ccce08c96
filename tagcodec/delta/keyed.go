package delta

import "github.com/gobitpack/bitpack/internal/bitio"

// keyed is list for elements that are matched by key. It codes the set of the
// elements of the base that have been removed, the set of the rows whose list
// has new elements, and for each of these the number of the new elements and
// their keys.
func (c *coder) keyed(t, in *table, k, from, to int) {
	l := &t.lists[k]
	// The elements of the base, and the rows that may have new ones.
	c.old, c.parents = c.old[:0], c.parents[:0]
	total := 0
	for at := from; at < to; at++ {
		s := c.spans[at]
		for row := range s.n {
			here := int(s.at+row) * t.stride
			if l.guard != none && !t.present(l.guard, c.image.tables[t.index].data, here) {
				continue
			}
			p := parent{row: s.at + row}
			if s.base != 0 {
				p.base = c.base.tables[t.index].kids[int(s.base+row)*len(t.lists)+k]
			}
			for n, first := range s.older {
				if first != 0 {
					p.older[n] = c.older[n].tables[t.index].kids[int(first+row)*len(t.lists)+k]
				}
			}
			p.from = total
			total += int(p.base.n)
			c.parents = append(c.parents, p)
		}
	}
	if !c.reading {
		c.diff(t, in, k)
	}
	c.set = append(c.set[:0], c.old...)
	c.old = append(c.old[:0], c.codeSet(total)...)
	if c.trace != nil {
		c.trace.removed(t, in, k, total)
	}
	c.set = c.set[:0]
	for i := range c.parents {
		if c.parents[i].fresh > 0 {
			c.set = append(c.set, int32(i))
		}
	}
	c.codeSet(len(c.parents))
	if c.trace != nil {
		c.trace.grown(t, k)
	}
	with := c.set
	removed := c.old
	for i := range c.parents {
		if c.failed() {
			return
		}
		p := &c.parents[i]
		elems := c.image.tables[t.index].kids[int(p.row)*len(t.lists)+k]
		has := len(with) > 0 && int(with[0]) == i
		if has {
			with = with[1:]
		}
		n := 0
		for n < len(removed) && int(removed[n]) < p.from+int(p.base.n) {
			n++
		}
		gone := removed[:n]
		removed = removed[n:]
		if c.reading {
			elems = c.merge(t, in, l, p, gone, has)
			c.image.tables[t.index].kids[int(p.row)*len(t.lists)+k] = elems
		} else if has {
			c.putKeys(in, p, elems)
		}
		c.match(to, in, p, elems)
	}
}

// parent is a row with a keyed list.
type parent struct {
	row   int32
	base  kid
	older [2]kid
	from  int   // position of the first element of the base in the set of those removed
	fresh int32 // number of new elements
}

// diff finds the elements that are removed, in c.old, and counts those that are
// new.
func (c *coder) diff(t, in *table, k int) {
	rows, base := &c.image.tables[in.index], &c.base.tables[in.index]
	for i := range c.parents {
		p := &c.parents[i]
		elems := c.image.tables[t.index].kids[int(p.row)*len(t.lists)+k]
		a, b := int32(0), int32(0)
		for a < elems.n || b < p.base.n {
			order := 0
			switch {
			case a == elems.n:
				order = 1
			case b == p.base.n:
				order = -1
			default:
				order = rows.compareKeys(in, int(elems.first+a), base, int(p.base.first+b))
			}
			switch {
			case order < 0:
				p.fresh++
				a++
			case order > 0:
				c.old = append(c.old, int32(p.from)+b)
				b++
			default:
				a++
				b++
			}
		}
	}
}

// match appends the spans of elements that match those of the references by key.
func (c *coder) match(to int, in *table, p *parent, elems kid) {
	rows := &c.image.tables[in.index]
	b, older := p.base, p.older
	for i := elems.first; i < elems.first+elems.n; i++ {
		s := span{at: i, n: 1}
		if found := c.find(in, rows, i, &c.base.tables[in.index], &b); found != 0 {
			s.base = found
			for k := range older {
				if older[k].n > 0 {
					s.older[k] = c.find(in, rows, i, &c.older[k].tables[in.index], &older[k])
				}
			}
		}
		c.span(to, s)
	}
}

// find returns the element of a list with the key of row i, or 0. It removes
// the elements up to it from the list.
func (c *coder) find(in *table, r *rows, i int32, other *rows, list *kid) int32 {
	for list.n > 0 {
		order := r.compareKeys(in, int(i), other, int(list.first))
		if order < 0 {
			return 0
		}
		list.first++
		list.n--
		if order == 0 {
			return list.first - 1
		}
	}
	return 0
}

// isNew reports whether no element of the base has the key of row i. It removes
// the elements up to it from base.
func (c *coder) isNew(in *table, i int32, base *kid) bool {
	return c.find(in, &c.image.tables[in.index], i, &c.base.tables[in.index], base) == 0
}

// putKeys writes the number of the new elements of a list and their keys. The
// first integer is relative to the last of the base, and each of the others to
// the one before.
func (c *coder) putKeys(in *table, p *parent, elems kid) {
	rows := &c.image.tables[in.index]
	c.w.golomb(uint64(p.fresh-1), 0)
	base := p.base
	c.keys = c.keys[:0]
	for i := elems.first; i < elems.first+elems.n; i++ {
		if !c.isNew(in, i, &base) {
			continue
		}
		if in.byText {
			c.text(&rows.texts[int(i)*in.texts+int(in.key)], false)
			continue
		}
		c.keys = append(c.keys, rows.keyOf(in, int(i)))
	}
	if in.byText {
		return
	}
	last := c.lastKey(in, p)
	first := bitio.Zigzag(c.keys[0] - last)
	bits := func(k uint) int {
		n := golombBits(first, k)
		for i, key := range c.keys[1:] {
			n += golombBits(key-c.keys[i]-1, k)
		}
		return n
	}
	best := uint(1)
	for k := uint(2); k < 64; k++ {
		if bits(k) < bits(best) {
			best = k
		}
	}
	c.w.put(uint64(best), 6)
	c.w.golomb(first, best)
	for i, key := range c.keys[1:] {
		c.w.golomb(key-c.keys[i]-1, best)
	}
}

// lastKey returns the key after the last one of the base, or 0.
func (c *coder) lastKey(in *table, p *parent) uint64 {
	if p.base.n == 0 {
		return 0
	}
	return c.base.tables[in.index].keyOf(in, int(p.base.first+p.base.n-1)) + 1
}

// merge reads the keys of the new elements of a list, if has is set, and adds
// the rows of the list to the image in the order of the keys. gone are the
// positions of the elements of the base that are removed.
func (c *coder) merge(t, in *table, l *list, p *parent, gone []int32, has bool) kid {
	fresh := 0
	if has {
		n := c.r.golomb(0)
		if n >= uint64(l.most) {
			c.r.fail(ErrLength)
			return kid{}
		}
		if fresh = int(n) + 1; !c.afford(in, fresh) {
			return kid{}
		}
	}
	rows := &c.image.tables[in.index]
	// The new rows come into c.added first.
	c.added.reset(in)
	c.added.add(in, fresh)
	for i := 1; i <= fresh; i++ {
		copy(c.added.texts[i*in.texts:], rows.texts[:in.texts])
	}
	if fresh > 0 {
		c.getKeys(in, p, fresh)
		if c.trace != nil {
			c.trace.newKeys(t, in, l, p, fresh)
		}
	}
	if c.failed() {
		return kid{}
	}
	n := int(p.base.n) - len(gone) + fresh
	if n < l.least || n > l.most {
		c.r.fail(ErrLength)
		return kid{}
	}
	elems := kid{int32(rows.n), int32(n)}
	base := &c.base.tables[in.index]
	next, end := p.base.first, p.base.first+p.base.n
	skip := func() {
		for len(gone) > 0 && p.base.first+gone[0]-int32(p.from) == next {
			gone, next = gone[1:], next+1
		}
	}
	skip()
	for i := 1; i <= fresh+1; i++ {
		for next < end && (i > fresh || base.compareKeys(in, int(next), &c.added, i) < 0) {
			count := int32(1)
			if i > fresh { // nothing is between them
				count = end - next
				if len(gone) > 0 {
					count = p.base.first + gone[0] - int32(p.from) - next
				}
			}
			rows.addCopy(in, base, int(next), int(count))
			next += count
			skip()
		}
		if i > fresh {
			break
		}
		if next < end && base.compareKeys(in, int(next), &c.added, i) == 0 {
			c.r.fail(ErrKey)
			return kid{}
		}
		rows.addCopy(in, &c.added, i, 1)
	}
	if l.kind == indexList && n > 0 {
		total := l.total(t, c.image.tables[t.index].data, int(p.row)*t.stride)
		if rows.keyOf(in, int(elems.first)+n-1) >= uint64(total) {
			c.r.fail(ErrRange)
		}
	}
	return elems
}

// getKeys reads the keys of new elements into c.added.
func (c *coder) getKeys(in *table, p *parent, n int) {
	if in.byText {
		for i := 1; i <= n && !c.failed(); i++ {
			slot := &c.added.texts[i*in.texts+int(in.key)]
			start := c.r.pos
			if c.text(slot, false); c.failed() {
				return
			}
			c.r.failAt(start, in.scripts[in.key].check(*slot))
			if i > 1 && c.added.compareKeys(in, i-1, &c.added, i) >= 0 {
				c.r.fail(ErrKey)
			}
		}
		return
	}
	cell := &in.cells[in.key]
	k := uint(c.r.get(6))
	key := c.lastKey(in, p) + bitio.Unzigzag(c.r.golomb(k))
	for i := 1; i <= n && !c.failed(); i++ {
		if i > 1 {
			before := key
			if key += c.r.golomb(k) + 1; key <= before {
				c.r.fail(ErrKey)
				return
			}
		}
		if key > cell.mask() || key^cell.flip > cell.span {
			c.r.fail(ErrRange)
			return
		}
		cell.store(c.added.data, i*in.stride, key^cell.flip)
	}
}

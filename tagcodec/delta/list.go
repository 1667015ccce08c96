package delta

// list finds the elements of list k of the rows in spans[from:to], and appends
// spans that say which elements of the references they match. Only elements in
// table in count. When reading, it adds the elements to the
// image.
func (c *coder) list(t, in *table, k, from, to int) {
	l := &t.lists[k]
	if l.kind == keyedList || l.kind == indexList {
		c.keyed(t, in, k, from, to)
		return
	}
	for at := from; at < to; at++ {
		s := c.spans[at]
		for row := range s.n {
			elems := c.kid(c.image, t, s.at+row, k, in)
			base := kid{}
			if s.base != 0 {
				base = c.kid(c.base, t, s.base+row, k, in)
			}
			if c.reading {
				if elems = c.count(t, s.at+row, k, in); elems.n < 0 {
					continue
				}
				matched := min(elems.n, base.n)
				if !c.afford(in, int(elems.n-matched)) {
					return
				}
				elems.first = int32(c.grow(in, base, matched, elems.n-matched))
				c.image.tables[t.index].kids[int(s.at+row)*len(t.lists)+k] = elems
			}
			var older [2]kid
			for n, first := range s.older {
				if first != 0 {
					older[n] = c.kid(c.older[n], t, first+row, k, in)
				}
			}
			c.pair(to, elems, base, older)
		}
	}
}

// kid returns the elements of list k of a row, or none if they are in another
// table than in.
func (c *coder) kid(m *Image, t *table, row int32, k int, in *table) kid {
	rows := &m.tables[t.index]
	elems := rows.kids[int(row)*len(t.lists)+k]
	if l := &t.lists[k]; elems.n > 0 && l.kind == unionList && l.target(t, rows.data, int(row)*t.stride) != in.index {
		return kid{}
	}
	return elems
}

// count returns how many elements list k of a row has, which is being read. The
// count is negative if they are in another table than in.
func (c *coder) count(t *table, row int32, k int, in *table) kid {
	l, data, at := &t.lists[k], c.image.tables[t.index].data, int(row)*t.stride
	if l.guard != none && !t.present(l.guard, data, at) {
		return kid{}
	}
	n := int(l.count)
	switch l.kind {
	case countList:
		n = l.least + int(t.cells[l.cell].load(data, at))
	case unionList:
		if n = 1; l.target(t, data, at) != in.index {
			n = -1
		}
	}
	return kid{n: int32(n)}
}

// afford reports whether the bits are there that n rows without a base take at
// least, besides those that have been added before.
func (c *coder) afford(t *table, n int) bool {
	if c.reservedBits += n * t.pay; c.reservedBits > c.r.left() {
		c.r.fail(ErrOverread)
		return false
	}
	return true
}

// grow adds rows that match those of a list of the base, and then rows of the
// zero value.
func (c *coder) grow(in *table, base kid, matched, more int32) (first int) {
	rows := &c.image.tables[in.index]
	first = rows.n
	if matched > 0 {
		rows.addCopy(in, &c.base.tables[in.index], int(base.first), int(matched))
	}
	if more > 0 {
		at := rows.add(in, int(more))
		for i := at; i < rows.n && in.texts > 0; i++ {
			copy(rows.texts[i*in.texts:], rows.texts[:in.texts])
		}
	}
	return first
}

// pair appends the spans of elements that match those of the references by
// index. Spans before spans[to] are those of the rows.
func (c *coder) pair(to int, elems, base kid, older [2]kid) {
	for i := int32(0); i < elems.n; {
		s := span{at: elems.first + i, n: elems.n - i}
		if i < base.n {
			s.base, s.n = base.first+i, min(s.n, base.n-i)
			for k, o := range older {
				if i < o.n {
					s.older[k], s.n = o.first+i, min(s.n, o.n-i)
				}
			}
		}
		i += s.n
		c.span(to, s)
	}
}

// span appends a span, or extends the last one if they are consecutive in every
// image.
func (c *coder) span(to int, s span) {
	if n := len(c.spans); n > to {
		last := &c.spans[n-1]
		follows := func(a, b int32) bool { return a == 0 && b == 0 || a != 0 && a+last.n == b }
		if last.at+last.n == s.at && follows(last.base, s.base) && follows(last.older[0], s.older[0]) && follows(last.older[1], s.older[1]) {
			last.n += s.n
			return
		}
	}
	c.spans = append(c.spans, s)
}

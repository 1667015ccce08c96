package delta

import (
	"cmp"
	"fmt"
	"slices"
)

// Select returns an image with only those elements of a keyed slice whose keys
// are listed. field is the path of the slice from the snapshot, such as "Bodies".
// Keys that no element has are ignored. reuse is released, and may be nil.
//
// A server quantizes its world once per tick, and selects for each receiver what
// it sees.
func (m *Image) Select(field string, keys []int64, reuse *Image) (*Image, error) {
	root := m.schema.tables[0]
	at := slices.IndexFunc(root.lists, func(l list) bool { return l.path == field && l.kind == keyedList })
	if at < 0 {
		return nil, fmt.Errorf("delta: select %q: %w", field, ErrSelect)
	}
	t := m.schema.tables[root.lists[at].tables[0]]
	if t.byText {
		return nil, fmt.Errorf("delta: select %q: %w", field, ErrSelect)
	}
	image := m.schema.empty(m.pools, &m.pools.selected)
	c := copier{to: image, from: m, list: int32(at), keys: keys}
	order := compareUnsigned
	if signedKey(t) {
		order = cmp.Compare
	}
	if !slices.IsSortedFunc(keys, order) {
		c.keys = slices.SortedFunc(slices.Values(keys), order)
	}
	first := image.tables[0].addCopy(root, &m.tables[0], 1, 1)
	c.lists(0, 1, first, true)
	l := &root.lists[at]
	if n := int(image.tables[0].kids[len(root.lists)+at].n); n < l.least {
		image.Release()
		return nil, fmt.Errorf("delta: select %q: %w: %d elements are fewer than the least", field, ErrLength, n)
	}
	reuse.Release()
	return image, nil
}

// copier copies rows with their lists from one image to another.
type copier struct {
	to, from *Image
	list     int32   // the list of the root that is selected from
	keys     []int64 // in the order of the rows
}

// lists copies the lists of row i to row j.
func (c *copier) lists(table int32, i, j int, root bool) {
	t := c.from.schema.tables[table]
	for k := range t.lists {
		list := c.from.tables[table].kids[i*len(t.lists)+k]
		target := t.lists[k].target(t, c.from.tables[table].data, i*t.stride)
		if target == none || list.n == 0 {
			continue
		}
		in := c.from.schema.tables[target]
		from, to := &c.from.tables[target], &c.to.tables[target]
		var first int
		if root && int32(k) == c.list {
			chosen := c.choose(in, from, int(list.first), int(list.n))
			first = to.n
			for _, row := range chosen {
				to.addCopy(in, from, int(row), 1)
			}
			list.n = int32(len(chosen))
			if len(in.lists) > 0 {
				for n, row := range chosen {
					c.lists(target, int(row), first+n, false)
				}
			}
		} else {
			first = to.addCopy(in, from, int(list.first), int(list.n))
			for n := 0; n < int(list.n) && len(in.lists) > 0; n++ {
				c.lists(target, int(list.first)+n, first+n, false)
			}
		}
		c.to.tables[table].kids[j*len(t.lists)+k] = kid{int32(first), list.n}
	}
}

// choose returns the rows that have one of the keys.
func (c *copier) choose(t *table, r *rows, first, n int) (chosen []int32) {
	chosen = make([]int32, 0, min(n, len(c.keys)))
	end := first + n
	for i, key := range c.keys {
		if i > 0 && key == c.keys[i-1] {
			continue
		}
		code, ok := t.cells[t.key].codeOf(uint64(key))
		if !ok {
			continue
		}
		code ^= t.cells[t.key].flip
		low, high := first, end
		for low < high {
			if middle := (low + high) / 2; r.keyOf(t, middle) < code {
				low = middle + 1
			} else {
				high = middle
			}
		}
		if low < end && r.keyOf(t, low) == code {
			chosen = append(chosen, int32(low))
			first = low + 1
		}
	}
	return chosen
}

// codeOf is the inverse of value.
func (c *cell) codeOf(value uint64) (code uint64, ok bool) {
	if c.extend {
		code = value & c.mask()
	} else {
		code = value - c.bias
	}
	return code, code <= c.span && c.value(code) == value
}

// signedKey reports whether the keys of a table may be negative.
func signedKey(t *table) bool {
	c := &t.cells[t.key]
	return c.extend || int64(c.bias) < 0
}

func compareUnsigned(a, b int64) int { return cmp.Compare(uint64(a), uint64(b)) }

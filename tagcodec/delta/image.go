package delta

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Image is a quantized snapshot: the state as every receiver sees it. An image
// never changes, and any number of goroutines may use it.
//
// An image counts its users. [Codec.Quantize], [Codec.Read] and [Image.Select]
// return an image with one user, the caller. [Image.Release] removes the caller. A
// [Sender] and a [Receiver] hold an image for as long as they need it. The memory
// is used again only after the last of all these has left. A program
// that never calls Release leaves its images to the garbage collector.
type Image struct {
	schema *schema
	pools  *pools
	pool   *sync.Pool   // that of the image, one of pools
	users  atomic.Int64 // and held by
	tables []rows
	size   int // of the whole message in bytes, or 0 if it is not known
}

// rows are the elements of one table. Row 0 is the zero value, so that it can be
// the base of what has none.
type rows struct {
	n     int
	data  []byte // n rows and slack
	texts []string
	kids  []kid
}

// kid is one list of one row: consecutive rows of another table.
type kid struct{ first, n int32 }

// pools hold the images of a codec that nobody uses: those of whole states, and
// the smaller ones of some of the elements.
type pools struct{ whole, selected sync.Pool }

// empty returns an image that has only the zero value of each table.
func (s *schema) empty(from *pools, pool *sync.Pool) *Image {
	image, ok := pool.Get().(*Image)
	if !ok {
		image = &Image{schema: s, pools: from, pool: pool, tables: make([]rows, len(s.tables))}
	}
	image.users.Store(1)
	image.size = 0
	for i, t := range s.tables {
		image.tables[i].reset(t)
	}
	return image
}

// reset removes all rows but the zero value.
func (r *rows) reset(t *table) {
	r.n, r.data, r.texts, r.kids = 0, r.data[:0], r.texts[:0], r.kids[:0]
	r.add(t, 1)
	for i, s := range t.scripts {
		r.texts[i] = s.zero
	}
}

// add appends n rows of the zero value, and returns the first. Their texts are
// not set.
func (r *rows) add(t *table, n int) int {
	first := r.n
	r.n += n
	from, end := first*t.stride, r.n*t.stride
	r.data = slices.Grow(r.data[:from], end+slack-from)[:end+slack]
	for done := from; done < end; {
		if done == from {
			done += copy(r.data[from:end], t.zero[:t.stride])
		} else {
			done += copy(r.data[done:end], r.data[from:done])
		}
	}
	clear(r.data[end:])
	r.texts = slices.Grow(r.texts, n*t.texts)[:r.n*t.texts]
	r.kids = slices.Grow(r.kids, n*len(t.lists))[:r.n*len(t.lists)]
	clear(r.kids[first*len(t.lists):])
	return first
}

// addCopy appends n rows of another image from row from on. Their lists are
// empty.
func (r *rows) addCopy(t *table, other *rows, from, n int) int {
	first := r.n
	r.n += n
	r.data = append(r.data[:first*t.stride], other.data[from*t.stride:(from+n)*t.stride+slack]...)
	clear(r.data[r.n*t.stride:])
	r.texts = append(r.texts, other.texts[from*t.texts:(from+n)*t.texts]...)
	r.kids = slices.Grow(r.kids, n*len(t.lists))[:r.n*len(t.lists)]
	clear(r.kids[first*len(t.lists):])
	return first
}

// A sender or receiver that needs an image counts as held, apart from the users,
// who could otherwise release it in its place.
const held = 1 << 32

// Retain adds a user, who must call Release. It returns the image.
func (m *Image) Retain() *Image {
	if m.users.Add(1)%held < 2 {
		panic("delta: an image is used after its last Release")
	}
	return m
}

// Release removes a user. The image must not be used by it again.
func (m *Image) Release() {
	if m == nil {
		return
	}
	for {
		n := m.users.Load()
		if n%held == 0 {
			panic("delta: an image is released more often than it has users")
		}
		if m.users.CompareAndSwap(n, n-1) {
			m.freeIf(n - 1)
			return
		}
	}
}

// hold keeps the image for a Sender or a Receiver.
func (m *Image) hold() *Image {
	m.users.Add(held)
	return m
}

// share adds a user of an image that is held.
func (m *Image) share() *Image {
	m.users.Add(1)
	return m
}

// drop is the inverse of hold.
func (m *Image) drop() { m.freeIf(m.users.Add(-held)) }

// freeIf returns the image to the pool if nobody uses it.
func (m *Image) freeIf(users int64) {
	if users == 0 {
		m.pool.Put(m)
	}
}

// Bytes returns the memory of the image in bytes, texts not included.
func (m *Image) Bytes() int {
	n := 0
	for i := range m.tables {
		r := &m.tables[i]
		n += cap(r.data) + 16*cap(r.texts) + 8*cap(r.kids)
	}
	return n
}

// equal reports whether row a of r equals row b of other.
func (r *rows) equal(t *table, a int, other *rows, b int) bool {
	x, y := r.data[a*t.stride:(a+1)*t.stride], other.data[b*t.stride:(b+1)*t.stride]
	if n := len(x); n >= 8 && n <= 16 { // two words, which may overlap
		if word(x, 0) != word(y, 0) || word(x, n-8) != word(y, n-8) {
			return false
		}
	} else if !bytes.Equal(x, y) {
		return false
	}
	return t.texts == 0 || slices.Equal(r.texts[a*t.texts:(a+1)*t.texts], other.texts[b*t.texts:(b+1)*t.texts])
}

func word(data []byte, at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }

// compareKeys compares the keys of two rows.
func (r *rows) compareKeys(t *table, a int, other *rows, b int) int {
	if t.byText {
		return strings.Compare(r.texts[a*t.texts+int(t.key)], other.texts[b*t.texts+int(t.key)])
	}
	return cmp.Compare(r.keyOf(t, a), other.keyOf(t, b))
}

// keyOf returns a number that sorts like the key of a row.
func (r *rows) keyOf(t *table, i int) uint64 {
	c := &t.cells[t.key]
	return c.load(r.data, i*t.stride) ^ c.flip
}

// keyValue returns the key of a row: an int64, a uint64 or a string.
func (r *rows) keyValue(t *table, i int) any {
	if t.byText {
		return r.texts[i*t.texts+int(t.key)]
	}
	c := &t.cells[t.key]
	value := c.value(c.load(r.data, i*t.stride))
	if signedKey(t) {
		return int64(value)
	}
	return uint64(value)
}

// sort sorts n rows by their key. It refuses keys that repeat, and, if strict is
// set, rows that are not sorted. The error lacks the path.
func (m *Image) sort(table int32, first, n int, strict bool) *KeyError {
	t, r := m.schema.tables[table], &m.tables[table]
	sorted := true
	for i := first + 1; i < first+n && sorted; i++ {
		sorted = r.compareKeys(t, i-1, r, i) < 0
	}
	switch {
	case sorted:
		return nil
	case strict:
		for i := first + 1; ; i++ {
			if c := r.compareKeys(t, i-1, r, i); c >= 0 {
				return &KeyError{First: i - 1 - first, Second: i - first, Key: r.keyValue(t, i), Equal: c == 0}
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = first + i
	}
	slices.SortFunc(order, func(a, b int) int { return r.compareKeys(t, a, r, b) })
	var to rows
	for _, i := range order {
		j := to.addCopy(t, r, i, 1)
		copy(to.kids[j*len(t.lists):], r.kids[i*len(t.lists):(i+1)*len(t.lists)])
	}
	copy(r.data[first*t.stride:], to.data[:n*t.stride])
	copy(r.texts[first*t.texts:], to.texts)
	copy(r.kids[first*len(t.lists):], to.kids)
	for i := first + 1; i < first+n; i++ {
		if r.compareKeys(t, i-1, r, i) == 0 {
			a, b := order[i-1-first]-first, order[i-first]-first
			return &KeyError{First: min(a, b), Second: max(a, b), Key: r.keyValue(t, i), Equal: true}
		}
	}
	return nil
}

// target returns the table of the elements of a list, or none.
func (l *list) target(t *table, data []byte, row int) int32 {
	if l.kind != unionList {
		return l.tables[0]
	}
	c := &t.cells[l.cell]
	if tag := c.load(data, row); tag > 0 && (l.guard == none || t.present(l.guard, data, row)) {
		return l.tables[tag-1]
	}
	return none
}

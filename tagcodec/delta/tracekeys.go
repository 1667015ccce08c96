package delta

import (
	"fmt"
	"reflect"
	"sort"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/typename"
)

// listPath returns the path of list l of a row.
func (tr *tracer) listPath(t *table, l *list, row int32, every bool) string {
	return typename.Join(tr.path(t.index, row, every), l.path)
}

// keyOf returns the key of row i, or its index in a subset.
func (tr *tracer) keyOf(in *table, r *rows, i int) any {
	if in.byText {
		return r.texts[i*in.texts+int(in.key)]
	}
	_, key := tr.meaning(in, in.key, in.cells[in.key].load(r.data, i*in.stride), nil, 0)
	return key
}

// removed notes the set of the elements of the base that are gone, out of total.
func (tr *tracer) removed(t, in *table, k, total int) {
	if total == 0 {
		return
	}
	c, l := tr.c, &t.lists[k]
	tr.set(total, c.old, tr.listPath(t, l, c.parents[0].row, true), "removed elements", func(at int32, gone bool) (string, string, any) {
		i := sort.Search(len(c.parents), func(i int) bool { return c.parents[i].from > int(at) }) - 1
		p := &c.parents[i]
		key := tr.keyOf(in, &c.base.tables[in.index], int(p.base.first)+int(at)-p.from)
		what := "kept, key"
		if gone {
			what = "removed, key"
		}
		return tr.listPath(t, l, p.row, false), what, key
	})
}

// grown notes the set of the rows whose list has new elements.
func (tr *tracer) grown(t *table, k int) {
	c, l := tr.c, &t.lists[k]
	if len(c.parents) == 0 {
		return
	}
	tr.set(len(c.parents), c.set, tr.listPath(t, l, c.parents[0].row, true), "lists with new elements", func(at int32, in bool) (string, string, any) {
		what := "no new elements"
		if in {
			what = "new elements"
		}
		return tr.listPath(t, l, c.parents[at].row, false), what, nil
	})
}

// newKeys notes the keys of the new elements of a list.
func (tr *tracer) newKeys(t, in *table, l *list, p *parent, fresh int) {
	c, path := tr.c, tr.listPath(t, l, p.row, false)
	tr.note(golombBits(uint64(fresh-1), 0), path, "new elements, less 1 as EG(k=0)", fresh)
	if c.failed() {
		tr.rest(path, "keys")
		return
	}
	if in.byText {
		for i := 1; i <= fresh; i++ {
			text := c.added.texts[i*in.texts+int(in.key)]
			tr.note(golombBits(uint64(len(text)), 3), path, "length of a new key as EG(k=3)", len(text))
			tr.note(8*len(text), path, "new key", text)
		}
		return
	}
	k := uint(tr.peek(6))
	tr.note(6, path, "k of the keys", int(k))
	last := c.lastKey(in, p)
	for i := 1; i <= fresh; i++ {
		key := c.added.keyOf(in, i)
		v, what := bitio.Zigzag(key-last), fmt.Sprintf("new key, difference %d as EG(k=%d)", int64(key-last), k)
		if i > 1 {
			v, what = key-last-1, fmt.Sprintf("new key, difference %d as EG(k=%d)", key-last, k)
		}
		tr.note(golombBits(v, k), path, what, tr.keyOf(in, &c.added, i))
		last = key
	}
}

// text notes a text that has been read.
func (tr *tracer) text(path string, s *script, text string, fixed bool) {
	if tr.c.failed() {
		tr.rest(path, "refused")
		return
	}
	if !fixed {
		tr.note(golombBits(uint64(len(text)), 3), path, "length as EG(k=3)", len(text))
	}
	var value any = text
	switch {
	case s.code == plan.CodeCustom:
		value = []byte(text)
		tr.note(8*len(text), path, "Serialize", value)
		return
	case s.code == plan.CodeBinary || s.typ.Kind() != reflect.String && s.code != plan.CodeCString:
		value = []byte(text)
	}
	tr.note(8*len(text), path, "", value)
}

package generator

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
)

// mapping returns the node of a map.
func (b *builder) mapping(n node) ([]node, bool) {
	n.kind = nodeMap
	if n.typ.Key().Kind() == reflect.Bool { // has no order in Go
		return nil, false
	}
	return b.elements(n, b.pl.Elems[n.op.Aux].Type)
}

// access returns the expression of a field. base points to the value, of type t,
// that has the field. In an entry of a map, the path of the field begins in the key
// or the value.
func (b *builder) access(base string, t reflect.Type, f *plan.Field) (string, bool) {
	if !b.elems[base].isEntry {
		return b.names.access(base, t, f)
	}
	part := t.Field(f.Index[0])
	base += "." + part.Name
	if f.Path == "" {
		return base, part.Type == f.Type
	}
	inner := *f
	inner.Index = f.Index[1:]
	return b.names.access(base, part.Type, &inner)
}

// path returns the path of a field, for comments.
func (b *builder) path(base string, f *plan.Field) string {
	e := b.elems[base]
	switch {
	case e.isEntry:
		return f.EntryPath()
	case f.Path == "":
		return e.path
	}
	return f.Path
}

// mapping prints the entries, sorted by key.
func (a *appender) mapping(n *node) {
	a.count(n, n.value)
	entries := a.newLocal("s")
	a.linef("%s := genrt.SortedEntries(%s)", entries, n.value)
	a.segment()
	a.loop(n, entries)
}

// mapping prints the entries, and stores them together.
func (r *reader) mapping(n *node) {
	count := r.count(n)
	r.covers(count, n.op, r.pl.Elems[n.op.Aux].MinBits, r.restAfter(n))
	entries := r.newLocal("s")
	r.linef("%s := genrt.NewEntries(%s, %s)", entries, n.value, count)
	r.loop(n, entries, count)
	r.refuse("!genrt.SetEntries(&%s, %s, %d)", addressable(n.value), entries, n.op.KeepCapacity)
}

package generator

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan/tree"
)

// mapping returns the node of a map.
func (b *builder) mapping(n node) ([]node, bool) {
	if n.typ.Key().Kind() == reflect.Bool { // has no order in Go
		return nil, false
	}
	return b.elements(n, b.pl.Elems[n.op.Aux].Type)
}

// access returns the expression of the field of a node. base points to the value, of
// type t, that has the field. In an entry of a map, the path of the field begins in
// the key or the value.
func (b *builder) access(base string, t reflect.Type, x *tree.Node) (string, bool) {
	if x.Name == x.Field.Path {
		return b.names.access(base, t, x.Field)
	}
	part := t.Field(x.Index[0])
	base += "." + part.Name
	if x.Field.Path == "" {
		return base, part.Type == x.Type
	}
	inner := *x.Field
	inner.Index = x.Index[1:]
	return b.names.access(base, part.Type, &inner)
}

// path returns the path of a node, for comments.
func (b *builder) path(base string, x *tree.Node) string {
	if x.Name == "" {
		return b.elems[base]
	}
	return x.Name
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
	r.covers(count, n, n.Least, r.restAfter(n))
	entries := r.newLocal("s")
	r.linef("%s := genrt.NewEntries(%s, %s)", entries, n.value, count)
	r.loop(n, entries, count)
	r.refuse("!genrt.SetEntries(&%s, %s, %d)", addressable(n.value), entries, n.op.KeepCapacity)
}

//go:build !purego

package fast

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/values"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// endEntry ends an entry of f, the block of the map of op. It fails if the key
// is not greater than that of the entry before. After the last entry it stores
// all of them in the map.
func (d *decoder) endEntry(f *frame, op *plan.Op) error {
	elem := &d.pl.Elems[op.Aux]
	if f.left < f.total && !ascending(d.base, elem) {
		return core.NewRefusal(core.ErrOrder, nil, nil, nil)
	}
	if f.left == 1 {
		m := f.base.At(op.Off).Value(d.pl.Fields[op.Field].Type)
		storeEntries(op, m, f.elem, f.total, elem)
	}
	return nil
}

// storeEntries replaces the contents of a map with the n decoded entries.
func storeEntries(op *plan.Op, m reflect.Value, entries memory.Pointer, n int, elem *plan.Elem) {
	core.ClearMap(m, n, int(op.KeepCapacity))
	all := entries.Values(elem.Type, n)
	for i := range n {
		e := all.Index(i)
		m.SetMapIndex(e.Field(0), e.Field(1))
	}
}

// ascending reports whether the key of an entry is greater than the key of the
// entry before it.
func ascending(entry memory.Pointer, elem *plan.Elem) bool {
	return keyOf(entry.Back(elem.Size), elem).Compare(keyOf(entry, elem)) < 0
}

// keyOf returns the key of an entry.
func keyOf(entry memory.Pointer, elem *plan.Elem) values.Key {
	if elem.KeySize == 0 {
		return values.Key{Text: *entry.Str()}
	}
	v := load(entry, elem.KeySize, elem.KeySigned)
	if elem.KeySigned {
		return values.Signed(int64(v))
	}
	return values.Key{Number: v}
}

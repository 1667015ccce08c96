//go:build !purego

package fast

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/values"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// storeEntries replaces the contents of a map with the n decoded entries.
func storeEntries(op *plan.Op, m reflect.Value, entries memory.Pointer, n int, elem *plan.Elem) {
	core.ClearMap(op, m, n)
	for i := range n {
		e := entries.At(uintptr(i) * elem.Size).Value(elem.Type)
		m.SetMapIndex(e.Field(0), e.Field(1))
	}
}

// ascending reports whether the key of an entry is greater than the key of the
// entry before it.
func ascending(entry memory.Pointer, elem *plan.Elem) bool {
	key := entry.Value(elem.Type).Field(0)
	before := entry.Back(elem.Size).Value(elem.Type).Field(0)
	return values.CompareKeys(before, key) < 0
}

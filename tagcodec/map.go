package tagcodec

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// sortedEntries returns the entries of a map as a slice of structs, sorted by
// key.
func sortedEntries(m reflect.Value, elem *typecache.Elem) reflect.Value {
	entries := reflect.MakeSlice(reflect.SliceOf(elem.Type), m.Len(), m.Len())
	i := 0
	for it := m.MapRange(); it.Next(); i++ {
		e := entries.Index(i)
		e.Field(0).Set(it.Key())
		e.Field(1).Set(it.Value())
	}
	order := make([]int, entries.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return compareKeys(entries.Index(i).Field(0), entries.Index(j).Field(0))
	})
	sorted := reflect.MakeSlice(entries.Type(), len(order), len(order))
	for i, j := range order {
		sorted.Index(i).Set(entries.Index(j))
	}
	return sorted
}

// compareKeys orders two keys of one type as their codes are ordered.
func compareKeys(a, b reflect.Value) int {
	switch {
	case a.Kind() == reflect.String:
		return strings.Compare(a.String(), b.String())
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.Bool() == b.Bool():
		return 0
	case b.Bool():
		return -1
	}
	return 1
}

// storeEntries sets a map to the entries of a block that is finished.
func storeEntries(m reflect.Value, entries memory.Pointer, n int, elem *typecache.Elem) {
	m.Clear()
	if m.IsNil() && n > 0 {
		m.Set(reflect.MakeMapWithSize(m.Type(), n))
	}
	for i := range n {
		e := entries.At(uintptr(i) * elem.Size).Value(elem.Type)
		m.SetMapIndex(e.Field(0), e.Field(1))
	}
}

// ascending reports whether an entry's key is above the one before it.
func ascending(entry memory.Pointer, elem *typecache.Elem) bool {
	key := entry.Value(elem.Type).Field(0)
	before := entry.Back(elem.Size).Value(elem.Type).Field(0)
	return compareKeys(before, key) < 0
}

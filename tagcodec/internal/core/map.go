package core

import (
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/values"
)

// SortedEntries returns the entries of a map, sorted by key, as a slice of
// elem.Type, which is a struct of a key and a value.
func SortedEntries(m reflect.Value, elem *plan.Elem) reflect.Value {
	entries := reflect.MakeSlice(reflect.SliceOf(elem.Type), m.Len(), m.Len())
	keys := make([]values.Key, 0, m.Len())
	for it := m.MapRange(); it.Next(); {
		e := entries.Index(len(keys))
		e.Field(0).SetIterKey(it)
		e.Field(1).SetIterValue(it)
		keys = append(keys, values.KeyOf(e.Field(0)))
	}
	ascending := make([]int, len(keys))
	for i := range ascending {
		ascending[i] = i
	}
	slices.SortStableFunc(ascending, func(i, j int) int { return keys[i].Compare(keys[j]) })
	sorted := reflect.MakeSlice(entries.Type(), len(ascending), len(ascending))
	for i, j := range ascending {
		sorted.Index(i).Set(entries.Index(j))
	}
	return sorted
}

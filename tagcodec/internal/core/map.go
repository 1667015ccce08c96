package core

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/order"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/values"
)

// SortedEntries returns the entries of a map, sorted by key, as a slice of
// elem.Type, which is a struct of a key and a value.
func SortedEntries(m reflect.Value, elem *plan.Elem) reflect.Value {
	entries := reflect.MakeSlice(reflect.SliceOf(elem.Type), m.Len(), m.Len())
	i := 0
	for it := m.MapRange(); it.Next(); i++ {
		e := entries.Index(i)
		e.Field(0).SetIterKey(it)
		e.Field(1).SetIterValue(it)
	}
	ascending := order.Of(entries.Len(), func(i, j int) int {
		return values.CompareKeys(entries.Index(i).Field(0), entries.Index(j).Field(0))
	})
	sorted := reflect.MakeSlice(entries.Type(), len(ascending), len(ascending))
	for i, j := range ascending {
		sorted.Index(i).Set(entries.Index(j))
	}
	return sorted
}

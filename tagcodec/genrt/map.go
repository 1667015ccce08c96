package genrt

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// Entry is an entry of a map. Code handles the entries like the elements of a slice.
type Entry[K cmp.Ordered, V any] struct {
	Key   K
	Value V
}

// SortedEntries returns the entries of m, sorted by key.
func SortedEntries[M ~map[K]V, K cmp.Ordered, V any](m M) []Entry[K, V] {
	entries := make([]Entry[K, V], 0, len(m))
	for k, v := range m {
		entries = append(entries, Entry[K, V]{k, v})
	}
	slices.SortFunc(entries, func(a, b Entry[K, V]) int { return cmp.Compare(a.Key, b.Key) })
	return entries
}

// NewEntries returns n empty entries for a map of the type of m.
func NewEntries[M ~map[K]V, K cmp.Ordered, V any](m M, n int) []Entry[K, V] {
	return make([]Entry[K, V], n)
}

// SetEntries makes entries the contents of *m. It reuses the map unless that has
// more than len(entries) and more than keep entries. It returns false, and leaves *m
// as it is, if the keys do not ascend.
func SetEntries[M ~map[K]V, K cmp.Ordered, V any](m *M, entries []Entry[K, V], keep int) bool {
	for i := 1; i < len(entries); i++ {
		if entries[i-1].Key >= entries[i].Key {
			return false
		}
	}
	core.ClearMap(reflect.ValueOf(m).Elem(), len(entries), keep)
	for i := range entries {
		(*m)[entries[i].Key] = entries[i].Value
	}
	return true
}

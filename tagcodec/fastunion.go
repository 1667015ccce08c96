//go:build !purego

package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// encodeUnion returns the index and the address of the value in an interface.
// The index of nil is 0.
func encodeUnion(u *typecache.Union, v reflect.Value) (index int, target memory.Pointer, err error) {
	index, held, err := memberOf(u, v)
	if index > 0 {
		target = memory.To(held)
	}
	return index, target, err
}

// unionTarget returns memory for a member of type t. It reuses the target of a
// pointer of type t in v.
func unionTarget(t reflect.Type, v reflect.Value) memory.Pointer { return memory.To(newMember(t, v)) }

// setUnion stores the member of type t at p in the interface v.
func setUnion(v reflect.Value, p memory.Pointer, t reflect.Type) {
	of := t
	if t.Kind() == reflect.Pointer {
		of = t.Elem()
	}
	setMember(v, p.Value(of).Addr(), t)
}

// setLink sets a link field to the object with the given id.
func setLink(l resolver, plan *typecache.Data, op *typecache.Op, v reflect.Value, id uint64, stack []frame) error {
	in := func() *storage { return storageOf(plan, op, v, stack) }
	overwrite(l, v, in)
	return resolve(l, v, id, func() (string, fieldRef) { return pathOf(plan, stack, op), newFieldRef(v, in()) })
}

//go:build !purego

package fast

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// encodeUnion returns the index and the address of the value in an interface.
// The index of nil is 0.
func encodeUnion(u *plan.Union, v reflect.Value) (index int, target memory.Pointer, err error) {
	index, held, err := core.MemberOf(u, v)
	if index > 0 {
		target = memory.To(held)
	}
	return index, target, err
}

// unionTarget returns memory for a member of type t. It reuses the target of a
// pointer of type t in v.
func unionTarget(t reflect.Type, v reflect.Value) memory.Pointer {
	return memory.To(core.NewMember(t, v))
}

// setUnion stores the member of type t at p in the interface v, unless it is there
// already.
func setUnion(v reflect.Value, p memory.Pointer, t reflect.Type) {
	of := t
	if t.Kind() == reflect.Pointer {
		if old := v.Elem(); old.IsValid() && old.Type() == t && memory.To(old) == p {
			return
		}
		of = t.Elem()
	}
	core.SetMember(v, p.Value(of).Addr(), t)
}

// setLink sets a link field to the object with the given id.
func setLink(l core.Resolver, pl *plan.Plan, op *plan.Op, v reflect.Value, id uint64, stack []frame) error {
	in := func() *core.Storage { return storageOf(pl, op, v, stack) }
	core.Overwrite(l, v, in)
	return core.Resolve(l, v, id, func() (string, core.FieldRef) { return pathOf(pl, stack, op), core.NewFieldRef(v, in()) })
}

//go:build !purego

package core

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// Exposed returns v with permission to set it and to call its methods, even if
// it was reached through an unexported embedded field.
func Exposed(v reflect.Value) reflect.Value { return memory.To(v.Addr()).Value(v.Type()) }

// pinnedBytes returns the memory that waiting links keep alive. Weak references
// keep none.
func pinnedBytes(*plan.Plan, func() reflect.Value) int { return 0 }

// weakRef is a weak reference to a variable, a slice's elements or a map.
type weakRef struct{ start memory.Weak }

// newWeakRef returns a weak reference to v, which is a variable, slice or map.
// Its second result is the value that a storage must keep in place of v. Here
// it is the zero Value, because nothing needs to stay alive.
func newWeakRef(v reflect.Value) (weakRef, reflect.Value) {
	if k := v.Kind(); k != reflect.Slice && k != reflect.Map {
		v = v.Addr()
	}
	return weakRef{memory.To(v).Weak()}, reflect.Value{}
}

// alive reports whether the memory still exists.
func (w weakRef) alive() bool { return !w.start.Pointer().IsNil() }

// variable returns the variable of type t at offset off.
func (w weakRef) variable(off uintptr, t reflect.Type) (v reflect.Value, ok bool) {
	p := w.start.Pointer()
	if p.IsNil() {
		return v, false
	}
	return p.At(off).Value(t), true
}

// pointee returns the map of type t that w refers to.
func (w weakRef) pointee(t reflect.Type) (v reflect.Value, ok bool) {
	p := w.start.Pointer()
	return memory.Of(&p).Value(t), !p.IsNil()
}

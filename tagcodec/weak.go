//go:build !purego

package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// exposed returns v with permission to set it and to call its methods, even if
// it was reached through an unexported embedded field.
func exposed(v reflect.Value) reflect.Value { return memory.To(v.Addr()).Value(v.Type()) }

// keptAlive returns the memory that waiting links keep alive. Weak references
// keep none.
func keptAlive(*typecache.Plan, func() reflect.Value) int { return 0 }

// weakly is a weak reference to a variable, a slice's elements or a map.
type weakly struct{ start memory.Weak }

// loosened returns a weak reference to v, which is a variable, slice or map.
// Its second result is the value that a storage must keep in place of v. Here
// it is the zero Value, because nothing needs to stay alive.
func loosened(v reflect.Value) (weakly, reflect.Value) {
	if k := v.Kind(); k != reflect.Slice && k != reflect.Map {
		v = v.Addr()
	}
	return weakly{memory.To(v).Weak()}, reflect.Value{}
}

func (w weakly) there() bool { return !w.start.Pointer().IsNil() }

// variable returns the variable of type t at offset off.
func (w weakly) variable(off uintptr, t reflect.Type) (v reflect.Value, ok bool) {
	p := w.start.Pointer()
	if p.IsNil() {
		return v, false
	}
	return p.At(off).Value(t), true
}

// pointee returns the map of type t that w refers to.
func (w weakly) pointee(t reflect.Type) (v reflect.Value, ok bool) {
	p := w.start.Pointer()
	return memory.Of(&p).Value(t), !p.IsNil()
}

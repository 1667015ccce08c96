//go:build !purego

package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// variable is what a message is made of or read into, as the fast loops reach
// it: by its address. Without them, with the build tag purego, it is a
// reflect.Value.
type variable = memory.Pointer

// variableOf returns the variable that v, which is not nil, points to.
func variableOf[T any](v *T) variable { return memory.Of(v) }

// variableTo returns the variable that a pointer refers to. It is missing where
// the pointer is nil.
func variableTo(pointer reflect.Value) variable { return memory.To(pointer) }

// variableIn returns the variable that an interface holds, which is no pointer.
func variableIn(v *any) variable { return memory.In(v) }

// missing reports whether there is no variable.
func missing(v variable) bool { return v.IsNil() }

// exposed returns a variable as one that can be set and whose methods can be
// called, also where an embedded field on the way to it is not exported.
func exposed(v reflect.Value) reflect.Value { return memory.To(v.Addr()).Value(v.Type()) }

// planOf returns the plan of a type.
func planOf(t reflect.Type) (*typecache.Plan, error) { return typecache.Of(t) }

// unreachable fails for a plan whose values are out of reach, as none are.
func unreachable(*typecache.Plan) error { return nil }

// valueOf returns a variable of type t as reflect has it.
func valueOf(v variable, t reflect.Type) reflect.Value { return v.Value(t) }

// encodeInPlace writes the value at base where w stands, which grows. Nothing is
// written after an error.
func encodeInPlace(c *config, plan *typecache.Plan, base variable, w *bits.Writer) error {
	data, bit := w.Bytes(), w.Bit()
	out := output{start: len(data) - w.Len()}
	out.resume(data, bit)
	if err := encodeTo(c, plan, base, &out); err != nil {
		return err
	}
	w.Resume(out.close(), out.start, out.bit())
	return nil
}

// weakly refers to memory, of a variable, of a slice's elements or of a map,
// which it does not keep alive.
type weakly struct{ start memory.Weak }

// loosened returns a reference to what v keeps alive, a variable, a slice or a
// map, in place of v.
func loosened(v reflect.Value) (weakly, reflect.Value) {
	if k := v.Kind(); k != reflect.Slice && k != reflect.Map {
		v = v.Addr()
	}
	return weakly{memory.To(v).Weak()}, reflect.Value{}
}

func (w weakly) there() bool { return !w.start.Pointer().IsNil() }

// variable returns the variable so many bytes from the start.
func (w weakly) variable(off uintptr, t reflect.Type) (v reflect.Value, ok bool) {
	p := w.start.Pointer()
	if p.IsNil() {
		return v, false
	}
	return p.At(off).Value(t), true
}

// pointee returns the map of type t.
func (w weakly) pointee(t reflect.Type) (v reflect.Value, ok bool) {
	p := w.start.Pointer()
	return memory.Of(&p).Value(t), !p.IsNil()
}

//go:build !purego

package tagcodec

import (
	"reflect"

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

// encodeFrom writes the message of the value at base behind some bits of the
// first byte, into the memory of buf if that is enough. It returns the bit
// behind the message.
func encodeFrom(c *config, plan *typecache.Plan, base variable, buf []byte, phase int) (data []byte, end int, err error) {
	out := output{buf: buf[:cap(buf)], fill: uint(phase)}
	if err := encodeTo(c, plan, base, &out); err != nil {
		return nil, 0, err
	}
	return out.close(), out.bit(), nil
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

//go:build !purego

package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// variable is a value to encode or a variable to decode into. The fast loops
// access it by address. With the build tag purego it is a reflect.Value
// instead.
type variable = memory.Pointer

// variableOf returns the variable that v points to. v must not be nil.
func variableOf[T any](v *T) variable { return memory.Of(v) }

// variableTo returns the variable that a pointer points to. It is missing if
// the pointer is nil.
func variableTo(pointer reflect.Value) variable { return memory.To(pointer) }

// variableIn returns the value in an interface, which must not be a pointer.
func variableIn(v *any) variable { return memory.In(v) }

// missing reports whether v is the result of a nil pointer.
func missing(v variable) bool { return v.IsNil() }

// planOf returns the plan of a type.
func planOf(t reflect.Type) (*typecache.Plan, error) { return typecache.Of(t) }

// unreachable fails if reflect cannot reach a value of the plan. The fast loops
// can reach all values.
func unreachable(*typecache.Plan) error { return nil }

// valueOf returns v as a reflect.Value of type t.
func valueOf(v variable, t reflect.Type) reflect.Value { return v.Value(t) }

//go:build !purego

package engine

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/fast"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// Variable is a value to encode or a variable to decode into. It is an address,
// because the fast loops take one. With the build tag purego it is a
// reflect.Value.
type Variable = memory.Pointer

// Variables are variables of one type that are adjacent in memory. With the build
// tag purego they are a slice, as a reflect.Value.
type Variables struct {
	First Variable
	N     int
	Size  uintptr // of each
}

// VariablesIn returns the elements of a slice.
func VariablesIn(slice reflect.Value) Variables {
	return Variables{memory.To(slice), slice.Len(), slice.Type().Elem().Size()}
}

// Len returns the number of variables.
func (all Variables) Len() int { return all.N }

// Index returns variable i.
func (all Variables) Index(i int) Variable { return all.First.At(uintptr(i) * all.Size) }

// Slice returns the variables [i, j).
func (all Variables) Slice(i, j int) Variables {
	return Variables{all.Index(i), j - i, all.Size}
}

// VariableOf returns the variable that v points to. v must not be nil.
func VariableOf[T any](v *T) Variable { return memory.Of(v) }

// PointerTo returns v, which must be a T, as a pointer.
func PointerTo[T any](v Variable) *T { return memory.As[T](v) }

// VariableTo returns the variable that pointer points to. If pointer is nil,
// [Missing] reports true for the result.
func VariableTo(pointer reflect.Value) Variable { return memory.To(pointer) }

// VariableIn returns the value in an interface, which must not be a pointer.
func VariableIn(v *any) Variable { return memory.In(v) }

// Missing reports whether v came from a nil pointer.
func Missing(v Variable) bool { return v.IsNil() }

// PlanOf returns the plan of a type.
func PlanOf(t reflect.Type) (*plan.Plan, error) { return sealed.Plan(typecache.Of(t)) }

// unreachable returns nil, because the fast loops can reach every value of a
// plan.
func unreachable(*plan.Plan) error { return nil }

// Retains reports whether the engine may keep the address of a value on the heap
// while it codes the value. The value must then be on the heap, too.
func Retains(pl *plan.Plan) bool { return fast.FramesOnHeap(pl) }

// ValueOf returns v as a reflect.Value of type t.
func ValueOf(v Variable, t reflect.Type) reflect.Value { return v.Value(t) }

// EncodePlan appends the message of the value at v to dst, without
// generated code.
func EncodePlan(c *core.Settings, pl *plan.Plan, v Variable, dst []byte) ([]byte, error) {
	return fast.Encode(c, pl, v, dst)
}

// encodeFrom is EncodeFrom without generated code.
func encodeFrom(c *core.Settings, pl *plan.Plan, v Variable, dst []byte, start, bit int) ([]byte, int, error) {
	return fast.EncodeFrom(c, pl, v, dst, start, bit)
}

// encodeAll is EncodeAll without generated code.
func encodeAll(c *core.Settings, pl *plan.Plan, all Variables, dst []byte, start, bit int) (buf []byte, end, failed int, err error) {
	return fast.EncodeAll(c, pl, all.First, all.N, dst, start, bit)
}

// decodeAll is DecodeAll without generated code.
func decodeAll(c *core.Settings, pl *plan.Plan, all Variables, data []byte, bit int) (end, failed int, err error) {
	return fast.DecodeAll(c, pl, all.First, all.N, data, bit)
}

// decode decodes data from bit into the variable at v and returns the bit after
// the message.
func decode(c *core.Settings, pl *plan.Plan, v Variable, data []byte, bit int) (int, error) {
	return fast.Decode(c, pl, v, data, bit)
}

// decodeWhole decodes data into the variable at v if one run covers the whole
// plan. If it returns false, the caller must call decodeOps.
func decodeWhole(pl *plan.Plan, v Variable, data []byte) (bit int, ok bool) {
	return fast.DecodeWhole(pl, v, data)
}

// decodeOps decodes data into the variable at v after decodeWhole has returned
// false for them. It returns the bit after the message.
func decodeOps(c *core.Settings, pl *plan.Plan, v Variable, data []byte) (int, error) {
	return fast.DecodeOps(c, pl, v, data)
}

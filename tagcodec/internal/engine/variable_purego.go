//go:build purego

package engine

import (
	"fmt"
	"go/token"
	"reflect"
	"strings"
	"sync"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
	"github.com/gobitpack/bitpack/tagcodec/internal/streams"
	"github.com/gobitpack/bitpack/typecache"
)

// Variable is a value to encode or a variable to decode into. It is settable.
type Variable = reflect.Value

// Variables are variables of one type. They are a slice.
type Variables = reflect.Value

// VariablesIn returns slice.
func VariablesIn(slice reflect.Value) Variables { return slice }

// VariableOf returns the variable that v points to. v must not be nil.
func VariableOf[T any](v *T) Variable { return reflect.ValueOf(v).Elem() }

// PointerTo returns v, which must be a T, as a pointer.
func PointerTo[T any](v Variable) *T { return v.Addr().Interface().(*T) }

// VariableTo returns the variable that pointer points to. If pointer is nil,
// [Missing] reports true for the result.
func VariableTo(pointer reflect.Value) Variable { return pointer.Elem() }

// VariableIn returns a copy of the value in an interface, which must not be a
// pointer.
func VariableIn(v *any) Variable {
	settable := reflect.New(reflect.TypeOf(*v)).Elem()
	settable.Set(reflect.ValueOf(*v))
	return settable
}

// Missing reports whether v came from a nil pointer.
func Missing(v Variable) bool { return !v.IsValid() }

// reachErrors caches the results of unreachable for the plans in package
// typecache.
var reachErrors sync.Map

// PlanOf returns the plan of a type.
func PlanOf(t reflect.Type) (*plan.Plan, error) {
	pl, err := sealed.Plan(typecache.Of(t))
	if err != nil {
		return nil, err
	}
	cached, ok := reachErrors.Load(pl)
	if !ok {
		cached, _ = reachErrors.LoadOrStore(pl, unreachable(pl))
	}
	err, _ = cached.(error)
	return pl, err
}

// unreachable fails if the plan needs methods that reflect cannot call: those
// of an embedded struct of an unexported type.
func unreachable(pl *plan.Plan) error {
	for i := range pl.Ops {
		op := &pl.Ops[i]
		field := &pl.Fields[op.Field]
		name := field.Path[strings.LastIndexByte(field.Path, '.')+1:]
		if (op.Code == plan.CodeCustom || op.Code == plan.CodeBinary) && name != "" && !token.IsExported(name) {
			return &typecache.Error{
				Type: pl.Type, Mistake: typecache.MistakeMethod, Struct: typename.Of(pl.Type), Field: field.Path,
				Problem: fmt.Sprintf("the methods of %v cannot be called with the build tag purego, as it is embedded and not exported", field.Type),
				Fix:     "export it, or make it a field with a name",
			}
		}
	}
	return nil
}

// EncodePlan appends the message of v to dst, without
// generated code.
func EncodePlan(c *core.Settings, pl *plan.Plan, v Variable, dst []byte) ([]byte, error) {
	out, err := reference.Encode(c, pl, v, core.WithRoom(pl, dst))
	if err != nil {
		return dst, err
	}
	return out, nil
}

// Retains returns false, because package reflect sees to it that values are on the
// heap.
func Retains(*plan.Plan) bool { return false }

// ValueOf returns v.
func ValueOf(v Variable, _ reflect.Type) reflect.Value { return v }

// encodeFrom is EncodeFrom without generated code.
func encodeFrom(c *core.Settings, pl *plan.Plan, v Variable, dst []byte, start, bit int) ([]byte, int, error) {
	s := streams.Get()
	defer s.Free()
	s.W.Resume(dst, start, bit)
	if err := reference.Write(c, pl, v, &s.W, dst[start:cap(dst)]); err != nil {
		return dst, bit, err
	}
	return s.W.Bytes(), s.W.Bit(), nil
}

// encodeAll is EncodeAll without generated code.
func encodeAll(c *core.Settings, pl *plan.Plan, all Variables, dst []byte, start, bit int) (buf []byte, end, failed int, err error) {
	s := streams.Get()
	defer s.Free()
	s.W.Resume(dst, start, bit)
	if failed, end, err = reference.WriteAll(c, pl, all, &s.W, dst[start:cap(dst)]); err != nil {
		return dst, end, failed, err
	}
	return s.W.Bytes(), end, 0, nil
}

// decodeAll is DecodeAll without generated code.
func decodeAll(c *core.Settings, pl *plan.Plan, all Variables, data []byte, bit int) (end, failed int, err error) {
	return reference.DecodeAll(c, pl, all, data, bit)
}

// decode decodes data from bit into v and returns the bit after the message.
func decode(c *core.Settings, pl *plan.Plan, v Variable, data []byte, bit int) (int, error) {
	return reference.Decode(c, pl, v, data, bit, nil)
}

// decodeWhole always returns false, so that decodeOps handles the message.
func decodeWhole(*plan.Plan, Variable, []byte) (bit int, ok bool) { return 0, false }

// decodeOps decodes data into v and returns the bit after the message.
func decodeOps(c *core.Settings, pl *plan.Plan, v Variable, data []byte) (int, error) {
	return decode(c, pl, v, data, 0)
}

//go:build purego

package tagcodec

import (
	"fmt"
	"go/token"
	"reflect"
	"strings"
	"sync"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/streams"
	"github.com/gobitpack/bitpack/typecache"
)

// variable is a value to encode or a variable to decode into. It is settable.
type variable = reflect.Value

// variableOf returns the variable that v points to. v must not be nil.
func variableOf[T any](v *T) variable { return reflect.ValueOf(v).Elem() }

// variableTo returns the variable that a pointer points to. It is missing if
// the pointer is nil.
func variableTo(pointer reflect.Value) variable { return pointer.Elem() }

// variableIn returns a copy of the value in an interface, which must not be a
// pointer.
func variableIn(v *any) variable {
	held := reflect.New(reflect.TypeOf(*v)).Elem()
	held.Set(reflect.ValueOf(*v))
	return held
}

// missing reports whether v is the result of a nil pointer.
func missing(v variable) bool { return !v.IsValid() }

// reached caches the results of unreachable for the plans in package typecache.
var reached sync.Map

// planOf returns the plan of a type.
func planOf(t reflect.Type) (*typecache.Plan, error) {
	plan, err := typecache.Of(t)
	if err != nil {
		return nil, err
	}
	said, ok := reached.Load(plan)
	if !ok {
		said, _ = reached.LoadOrStore(plan, unreachable(plan))
	}
	err, _ = said.(error)
	return plan, err
}

// unreachable fails if the plan needs methods that reflect cannot call: those
// of an embedded struct of an unexported type.
func unreachable(p *typecache.Plan) error {
	plan := p.Data()
	for i := range plan.Ops {
		op := &plan.Ops[i]
		field := &plan.Fields[op.Field]
		name := field.Path[strings.LastIndexByte(field.Path, '.')+1:]
		if (op.Code == typecache.CodeCustom || op.Code == typecache.CodeBinary) && name != "" && !token.IsExported(name) {
			return &typecache.Error{
				Type: plan.Type,
				Path: typename.Of(plan.Type) + "." + field.Path,
				Msg:  fmt.Sprintf("the methods of %v cannot be called with the build tag purego, as it is embedded and not exported: export it, or make it a field with a name", field.Type),
			}
		}
	}
	return nil
}

// With the build tag purego, only the reference interpreter exists.

func encode(c *settings, plan *typecache.Data, v variable, dst []byte) ([]byte, error) {
	out, err := plainEncode(c, plan, v, withRoom(plan, dst))
	if err != nil {
		return dst, err
	}
	return out, nil
}

// valueOf returns v.
func valueOf(v variable, _ reflect.Type) reflect.Value { return v }

// encodeInPlace appends v to w, which must be growable. After an error nothing
// has been appended.
func encodeInPlace(c *settings, plan *typecache.Data, v variable, w *bits.Writer) error {
	s := streams.Get()
	defer s.Free()
	data, start := w.Bytes(), len(w.Bytes())-w.Len()
	s.W.Resume(data, start, w.Bit())
	if err := plainWrite(c, plan, v, &s.W, data[start:cap(data)]); err != nil {
		return err
	}
	w.Resume(s.W.Bytes(), start, s.W.Bit())
	return nil
}

func decode(c *settings, plan *typecache.Data, v variable, data []byte, bit int) (int, error) {
	return plainDecode(c, plan, v, data, bit, nil)
}

// decodeWhole always returns false, so that decode handles the message.
func decodeWhole(*typecache.Data, variable, []byte) (bit int, ok bool) { return 0, false }

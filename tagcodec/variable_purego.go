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

// variable is what a message is made of or read into. It can be set.
type variable = reflect.Value

// variableOf returns the variable that v, which is not nil, points to.
func variableOf[T any](v *T) variable { return reflect.ValueOf(v).Elem() }

// variableTo returns the variable that a pointer refers to. It is missing where
// the pointer is nil.
func variableTo(pointer reflect.Value) variable { return pointer.Elem() }

// variableIn returns a variable of the value that an interface holds, which is
// no pointer.
func variableIn(v *any) variable {
	held := reflect.New(reflect.TypeOf(*v)).Elem()
	held.Set(reflect.ValueOf(*v))
	return held
}

// missing reports whether there is no variable.
func missing(v variable) bool { return !v.IsValid() }

// exposed returns a variable as reflect has it, which is one that can be set
// and whose methods can be called wherever a plan that is not unreachable needs
// that.
func exposed(v reflect.Value) reflect.Value { return v }

// reached holds what unreachable said of the plans that package typecache
// keeps.
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

// unreachable fails for a plan with methods that reflect cannot call: those of
// an embedded struct whose type is not exported.
func unreachable(plan *typecache.Plan) error {
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

// Without unsafe the plain interpreter is all there is.

func encode(c *config, plan *typecache.Plan, v variable, dst []byte) ([]byte, error) {
	out, err := plainEncode(c, plan, v, withRoom(plan, dst))
	if err != nil {
		return dst, err
	}
	return out, nil
}

// valueOf returns a variable as reflect has it.
func valueOf(v variable, _ reflect.Type) reflect.Value { return v }

// encodeInPlace writes v where w stands, which grows. Nothing is written after
// an error.
func encodeInPlace(c *config, plan *typecache.Plan, v variable, w *bits.Writer) error {
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

func decode(c *config, plan *typecache.Plan, v variable, data []byte, bit int) (int, error) {
	return plainDecode(c, plan, v, data, bit, nil)
}

// decodeWhole leaves all to decode.
func decodeWhole(*typecache.Plan, variable, []byte) (bit int, ok bool) { return 0, false }

// weakly stands for a reference that does not keep its memory alive, of which
// there is none without unsafe: a patch keeps its message, see account.
type weakly struct{}

// loosened returns v, which stays.
func loosened(v reflect.Value) (weakly, reflect.Value) { return weakly{}, v }

func (weakly) there() bool { return false }

func (weakly) variable(uintptr, reflect.Type) (v reflect.Value, ok bool) { return v, false }

func (weakly) pointee(reflect.Type) (v reflect.Value, ok bool) { return v, false }

package core

import (
	"encoding"
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
)

// PathAt returns the field and element indices of the scalar at offset off
// within the struct or array type t.
func PathAt(t reflect.Type, off uintptr) (path []int) {
	for {
		switch t.Kind() {
		case reflect.Struct:
			i := t.NumField() - 1
			for t.Field(i).Offset > off {
				i-- // the last field at this offset; those before it have no size
			}
			f := t.Field(i)
			path, t, off = append(path, i), f.Type, off-f.Offset
		case reflect.Array:
			t = t.Elem()
			path, off = append(path, int(off/t.Size())), off%t.Size()
		default:
			return path
		}
	}
}

// Along returns the field or element of v at a path that PathAt returned.
func Along(v reflect.Value, path []int) reflect.Value {
	for _, i := range path {
		if v.Kind() == reflect.Struct {
			v = v.Field(i)
		} else {
			v = v.Index(i)
		}
	}
	return v
}

// FieldAt returns the value of op within base, the value of the op's block.
func FieldAt(pl *plan.Plan, op *plan.Op, base reflect.Value) reflect.Value {
	for _, i := range pl.Fields[op.Field].Index {
		base = base.Field(i)
	}
	return base
}

// BinaryForm returns the result of v's AppendBinary or MarshalBinary method.
func BinaryForm(v reflect.Value) ([]byte, error) {
	switch m := Exposed(v).Addr().Interface().(type) {
	case encoding.BinaryAppender:
		return m.AppendBinary(nil)
	case encoding.BinaryMarshaler:
		return m.MarshalBinary()
	}
	return nil, nil // plans contain no other types
}

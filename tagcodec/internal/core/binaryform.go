package core

import (
	"encoding"
	"reflect"
)

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

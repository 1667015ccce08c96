package tagcodec

import (
	"encoding"
	"reflect"
)

// binaryForm returns the result of v's AppendBinary or MarshalBinary method.
func binaryForm(v reflect.Value) ([]byte, error) {
	switch m := exposed(v).Addr().Interface().(type) {
	case encoding.BinaryAppender:
		return m.AppendBinary(nil)
	case encoding.BinaryMarshaler:
		return m.MarshalBinary()
	}
	return nil, nil // plans contain no other types
}

package tagcodec

import (
	"reflect"
)

// pathAt returns the field and element indices of the scalar at offset off
// within the struct or array type t.
func pathAt(t reflect.Type, off uintptr) (path []int) {
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

// along follows a path returned by pathAt.
func along(v reflect.Value, path []int) reflect.Value {
	for _, i := range path {
		if v.Kind() == reflect.Struct {
			v = v.Field(i)
		} else {
			v = v.Index(i)
		}
	}
	return v
}

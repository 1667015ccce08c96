package core

import (
	"reflect"
	"strconv"

	"github.com/gobitpack/bitpack/bits"
)

// PathIn returns the path of a part within self, such as ".Pos" or ".Items[3].Pos".
// part is a variable. PathIn returns "" if part is not in the struct, array or slice
// that self points to, or in those that it contains.
func PathIn(self bits.Serializer, part reflect.Value) string {
	p := reflect.ValueOf(self)
	if p.Kind() != reflect.Pointer || p.IsNil() || part.Type().Size() == 0 {
		return ""
	}
	path, _ := pathTo(p.Elem(), part.UnsafeAddr(), part.Type())
	return path
}

// pathTo returns the path from v to the variable of type t at an address.
func pathTo(v reflect.Value, address uintptr, t reflect.Type) (path string, ok bool) {
	var start, size uintptr
	if v.Kind() == reflect.Slice {
		start, size = v.Pointer(), uintptr(v.Len())*v.Type().Elem().Size()
	}
	switch from, all := v.UnsafeAddr(), v.Type().Size(); {
	case address == from && v.Type() == t:
		return "", true
	case v.Kind() == reflect.Slice:
	default:
		start, size = from, all
	}
	if address-start >= size { // also if it is below start
		return "", false
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if path, ok := pathTo(v.Field(i), address, t); ok {
				return "." + v.Type().Field(i).Name + path, true
			}
		}
	case reflect.Array, reflect.Slice:
		i := int((address - start) / v.Type().Elem().Size())
		if path, ok := pathTo(v.Index(i), address, t); ok {
			return "[" + strconv.Itoa(i) + "]" + path, true
		}
	}
	return "", false
}

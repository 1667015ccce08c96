package core

import (
	"reflect"
	"strconv"

	"github.com/gobitpack/bitpack/bits"
)

// PathIn returns the path of a part within self, such as ".Pos" or ".Items[3].Pos".
// part is a variable. PathIn returns "" if part is not in the struct, array or slice
// that self points to, or in those that it contains. Slices in the elements of others
// do not count.
func PathIn(self bits.Serializer, part reflect.Value) string {
	p := reflect.ValueOf(self)
	if p.Kind() != reflect.Pointer || p.IsNil() || part.Type().Size() == 0 {
		return ""
	}
	path, _ := pathTo(p.Elem(), part.UnsafeAddr(), part.Type())
	return path
}

// pathTo returns the path from v to the variable of type t at an address. It does not
// look at the elements of an array or slice that the variable is not part of, so it
// takes no longer than the type has fields.
func pathTo(v reflect.Value, address uintptr, t reflect.Type) (path string, ok bool) {
	if v.UnsafeAddr() == address && v.Type() == t {
		return "", true
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if path, ok := pathTo(v.Field(i), address, t); ok {
				return "." + v.Type().Field(i).Name + path, true
			}
		}
	case reflect.Array, reflect.Slice:
		var start uintptr
		each := v.Type().Elem().Size()
		if v.Kind() == reflect.Slice {
			start = v.Pointer()
		} else {
			start = v.UnsafeAddr()
		}
		if address-start >= uintptr(v.Len())*each { // also if it is below start
			break
		}
		i := int((address - start) / each)
		if path, ok := pathTo(v.Index(i), address, t); ok {
			return "[" + strconv.Itoa(i) + "]" + path, true
		}
	}
	return "", false
}

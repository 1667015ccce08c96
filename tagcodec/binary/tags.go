package binary

import (
	"reflect"
	"strings"

	"github.com/fatih/structtag"
)

// hasTags reports whether any field in t has a bp tag, including the fields of
// structs reached through arrays, slices, maps and pointers.
func hasTags(t reflect.Type) bool {
	seen := map[reflect.Type]bool{}
	var look func(t reflect.Type) bool
	look = func(t reflect.Type) bool {
		if seen[t] {
			return false
		}
		seen[t] = true
		switch t.Kind() {
		case reflect.Array, reflect.Slice, reflect.Pointer:
			return look(t.Elem())
		case reflect.Map:
			return look(t.Key()) || look(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				if f := t.Field(i); hasTag(f.Tag) || look(f.Type) {
					return true
				}
			}
		}
		return false
	}
	return look(t)
}

// hasReferences reports whether a value of type t may have other memory than its
// own. Strings do not count, because their memory does not change.
func hasReferences(t reflect.Type) bool {
	none := map[reflect.Type]bool{} // struct types without references
	var look func(t reflect.Type) bool
	look = func(t reflect.Type) bool {
		switch k := t.Kind(); k {
		case reflect.Array:
			return look(t.Elem())
		case reflect.Struct:
			for i := 0; i < t.NumField() && !none[t]; i++ {
				if look(t.Field(i).Type) {
					return true
				}
			}
			none[t] = true
			return false
		default:
			return k > reflect.Complex128 && k != reflect.String
		}
	}
	return look(t)
}

// hasTag reports whether a field has a bp tag or appears to be meant to have
// one. A tag with a syntax error counts, so that the plan refuses it.
func hasTag(tag reflect.StructTag) bool {
	if _, ok := tag.Lookup("bp"); ok {
		return true
	}
	if !strings.Contains(string(tag), "bp:") {
		return false
	}
	_, err := structtag.Parse(string(tag))
	return err != nil
}

package binary

import (
	"reflect"
	"strings"

	"github.com/fatih/structtag"
)

// hasTags reports whether a field anywhere in t has a bp tag: in a struct, and
// in the structs that its arrays, slices, maps and pointers lead to.
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

// hasTag reports whether a field has a bp tag, or one that is meant to be: a
// tag with a fault in its syntax is for the plan to refuse.
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

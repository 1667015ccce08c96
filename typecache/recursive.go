package typecache

import (
	"reflect"
	"strings"
)

// isCustom reports whether values of type t serialize themselves.
func isCustom(t reflect.Type) bool {
	return t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(serializerType)
}

// recursive reports whether a value of struct type t may hold another one.
func (b *builder) recursive(t reflect.Type) bool {
	loops, ok := b.loops[t]
	if !ok {
		loops = reaches(t, t, map[reflect.Type]bool{})
		b.loops[t] = loops
	}
	return loops
}

// reaches reports whether a value of type from may hold one of struct type t,
// other than itself.
func reaches(from, t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[from] || isCustom(from) {
		return false
	}
	seen[from] = true
	step := func(to reflect.Type) bool { return to == t || reaches(to, t, seen) }
	switch from.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return step(from.Elem())
	case reflect.Struct:
		for i := range from.NumField() {
			f := from.Field(i)
			kind, _, _ := strings.Cut(f.Tag.Get("bp"), ",")
			if kind != "-" && kind != "binary" && kind != "link" && (f.IsExported() || f.Anonymous) && step(f.Type) {
				return true
			}
		}
	}
	return false
}

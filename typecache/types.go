package typecache

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
)

// isAggregate reports whether values of type t hold other values. Strings and
// interfaces are not aggregates.
func isAggregate(t reflect.Type) bool { return t.Kind() == reflect.Struct || isContainer(t) }

// holdsScalars reports whether t is an aggregate without elements or fields that
// are aggregates or interfaces.
func holdsScalars(t reflect.Type) bool {
	holds := func(t reflect.Type) bool { return isAggregate(t) || t.Kind() == reflect.Interface }
	if t.Kind() != reflect.Struct {
		return isContainer(t) && !holds(t.Elem())
	}
	for i := range t.NumField() {
		if holds(t.Field(i).Type) {
			return false
		}
	}
	return true
}

// isList reports whether t is an array or a slice.
func isList(t reflect.Type) bool { return t.Kind() == reflect.Array || t.Kind() == reflect.Slice }

// isContainer reports whether t is a pointer, a slice, an array or a map. The tag
// of a container's field applies to the values in it.
func isContainer(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return false
}

// isScalar reports whether type t is a scalar or an array of scalars. An array of
// such values is one op with a Count.
func isScalar(t reflect.Type) bool {
	if isCustom(t) {
		return false
	}
	switch t.Kind() {
	case reflect.Array:
		return isScalar(t.Elem())
	case reflect.Struct:
		return t == plan.Uint128Type || t == plan.Int128Type
	}
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128
}

func isInteger(t reflect.Type) bool { return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uintptr }

func signed(t reflect.Type) bool { return t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64 }

func isFloat(t reflect.Type) bool {
	return t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64
}

// pointerFlag returns [plan.FlagPointers] if memory of type t holds pointers. Such
// memory must be written with the garbage collector's write barriers.
func (b *builder) pointerFlag(t reflect.Type) plan.Flags {
	if b.hasPointers(t) {
		return plan.FlagPointers
	}
	return 0
}

// hasPointers reports whether memory of type t holds pointers. It examines each
// struct type once, however often it occurs.
func (b *builder) hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && b.hasPointers(t.Elem())
	case reflect.Struct:
		has, known := b.pointers[t]
		if known {
			return has
		}
		for i := 0; i < t.NumField() && !has; i++ {
			has = b.hasPointers(t.Field(i).Type)
		}
		b.pointers[t] = has
		return has
	}
	return t.Kind() == reflect.String || t.Kind() >= reflect.Chan && t.Kind() != reflect.Struct ||
		t.Kind() == reflect.UnsafePointer
}

// fieldNamed is t.FieldByName(name), or nil. Programs have [reflect.VisibleFields]
// anyway. fieldNamed is not copied into its callers.
//
//go:noinline
func fieldNamed(t reflect.Type, name string) *reflect.StructField {
	fields := reflect.VisibleFields(t)
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

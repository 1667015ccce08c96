package core

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/internal/plan"
)

// MemberOf returns the index that the wire gives to the value of the interface
// v, and a pointer to the value. The index of nil is 0, and that of u.Types[i]
// is i+1.
func MemberOf(u *plan.Union, v reflect.Value) (index int, pointer reflect.Value, err error) {
	if v.IsNil() {
		return 0, pointer, nil
	}
	v = v.Elem()
	index = slices.Index(u.Types, v.Type())
	switch {
	case index < 0:
		return 0, pointer, NewRefusal(ErrUnion, describeNonMember(u, v.Type()), nil, nil)
	case v.Kind() != reflect.Pointer:
		pointer = reflect.New(v.Type())
		pointer.Elem().Set(v)
		return index + 1, pointer, nil
	case v.IsNil():
		return 0, pointer, NewRefusal(ErrUnion, "nil "+v.Type().String(), nil, nil)
	}
	return index + 1, v, nil
}

// describeNonMember returns the name of a type that is not a member of a union.
// If its element type or the pointer to it is a member, the text says how to
// use that.
func describeNonMember(u *plan.Union, t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Pointer && slices.Contains(u.Types, t.Elem()):
		return fmt.Sprintf("%v, where %v is one: use the value in place of a pointer to it", t, t.Elem())
	case slices.Contains(u.Types, reflect.PointerTo(t)):
		return fmt.Sprintf("%v, where %v is one: use a pointer to the value", t, reflect.PointerTo(t))
	}
	return t.String()
}

// NewMember returns a pointer to memory for a member of type t. If the
// interface v already contains a non-nil pointer of type t, NewMember returns
// that pointer.
func NewMember(t reflect.Type, v reflect.Value) reflect.Value {
	if t.Kind() != reflect.Pointer {
		return reflect.New(t)
	}
	if old := v.Elem(); old.IsValid() && old.Type() == t && !old.IsNil() {
		return old
	}
	return reflect.New(t.Elem())
}

// SetMember stores the member of type t that p points to in the interface v.
func SetMember(v, p reflect.Value, t reflect.Type) {
	if t.Kind() != reflect.Pointer {
		p = p.Elem()
	}
	v.Set(p)
}

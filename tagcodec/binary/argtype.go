package binary

import (
	"reflect"
	"sync"
)

// form is how an argument holds its elements.
type form uint8

const (
	formValue        form = iota // one element, in the interface
	formPointer                  // one element, behind a pointer
	formSlice                    // the elements of a slice
	formSlicePointer             // the elements of a slice behind a pointer
)

// argType describes the type of an argument.
type argType struct {
	fastPaths // for the fast loops; empty with the build tag purego

	form form
	elem reflect.Type // of one element

	tagged bool        // elements have bp tags
	plan   *streamPlan // the plan of elements with tags
	err    error       // why there is no plan

	// shaped reports whether an interface may hold such a value directly rather
	// than its address.
	maybeDirect bool
}

// argTypes maps a reflect.Type to its *entry. It holds only types that can be
// encoded: a program has finitely many of these, and no input can create new
// ones. It does not hold types that cannot be encoded, because a program that
// makes types at run time may bring ever more of them. Package typecache caches
// the errors of tagged types. Such a type may get a plan later, when the types
// of its unions are registered.
var argTypes sync.Map

// nilArgType is the entry of nil, which has no type.
var nilArgType = newArgType(nil)

// newArgType returns a new entry for the type of data.
func newArgType(data any) *argType {
	t := reflect.TypeOf(data)
	e := &argType{elem: t}
	switch {
	case t == nil:
	case t.Kind() == reflect.Slice:
		e.form, e.elem = formSlice, t.Elem()
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Slice:
		e.form, e.elem = formSlicePointer, t.Elem().Elem()
	case t.Kind() == reflect.Pointer:
		e.form, e.elem = formPointer, t.Elem()
	}
	if t != nil && hasTags(e.elem) {
		e.tagged = true
		e.plan, e.err = planOf(e.elem)
		e.maybeDirect = t.Size() == reflect.TypeFor[uintptr]().Size()
	}
	e.fastPaths = newFastPaths(e, data)
	return e
}

// findArgType returns the entry for the type of data.
//
//go:noinline
func findArgType(data any) *argType {
	t := reflect.TypeOf(data)
	if t == nil {
		return nilArgType
	}
	e, ok := argTypes.Load(t)
	found, _ := e.(*argType)
	if !ok {
		found = newArgType(data)
		if found.err != nil {
			return found
		}
		if found.tagged || found.fixed(data) {
			e, _ = argTypes.LoadOrStore(t, found)
			found = e.(*argType)
		}
	}
	found.remember()
	return found
}

package binary

import (
	"reflect"
	"sync"
)

// form is how an argument holds its elements.
type form uint8

const (
	value        form = iota // one, in the interface
	pointer                  // one, that it points to
	slice                    // those of the slice in the interface
	slicePointer             // those of the slice that it points to
)

// entry is what is known of the type of an argument.
type entry struct {
	programs // of the fast loops; there are none with the build tag purego

	form form
	elem reflect.Type // of one element

	tagged *tagged // for elements with bp tags

	// shaped says that an interface may hold such a value itself, in place of
	// its address.
	shaped bool
}

// entries holds an *entry per reflect.Type. A program has finitely many types,
// and nothing that a reader holds makes new ones.
var entries sync.Map

// noEntry is the entry of nil, which has no type.
var noEntry = newEntry(nil)

// newEntry makes the entry of the type of data.
func newEntry(data any) *entry {
	t := reflect.TypeOf(data)
	e := &entry{elem: t}
	switch {
	case t == nil:
	case t.Kind() == reflect.Slice:
		e.form, e.elem = slice, t.Elem()
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Slice:
		e.form, e.elem = slicePointer, t.Elem().Elem()
	case t.Kind() == reflect.Pointer:
		e.form, e.elem = pointer, t.Elem()
	}
	if t != nil && hasTags(e.elem) {
		e.tagged = newTagged(e.elem)
		e.shaped = t.Size() == reflect.TypeFor[uintptr]().Size()
	}
	e.programs = newPrograms(e, data)
	return e
}

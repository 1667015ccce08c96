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

	tagged bool     // elements have bp tags
	plan   *planned // of these
	err    error    // why they have no plan

	// shaped says that an interface may hold such a value itself, in place of
	// its address.
	shaped bool
}

// entries holds an *entry per reflect.Type that can be encoded. A program has
// finitely many of these, and nothing that a reader holds makes new ones. It holds
// no types that cannot be encoded, of which one that makes types itself may come
// with ever more: for those with tags, package typecache has the error, until
// types of a union are registered with which there may be a plan.
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
		e.tagged = true
		e.plan, e.err = planOf(e.elem)
		e.shaped = t.Size() == reflect.TypeFor[uintptr]().Size()
	}
	e.programs = newPrograms(e, data)
	return e
}

// findEntry returns the entry of the type of data.
//
//go:noinline
func findEntry(data any) *entry {
	t := reflect.TypeOf(data)
	if t == nil {
		return noEntry
	}
	e, ok := entries.Load(t)
	found, _ := e.(*entry)
	if !ok {
		found = newEntry(data)
		if found.err != nil {
			return found
		}
		if found.tagged || found.fixed(data) {
			e, _ = entries.LoadOrStore(t, found)
			found = e.(*entry)
		}
	}
	found.remember()
	return found
}

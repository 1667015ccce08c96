package binary

import (
	"reflect"
	"sync"

	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
)

// form says where the elements of an argument are.
type form uint8

const (
	formValue        form = iota // one element, in the interface
	formPointer                  // one element, in the target of a pointer
	formSlice                    // the elements of a slice
	formSlicePointer             // the elements of a slice that a pointer points to
)

// argType describes the type of an argument.
type argType struct {
	fastPaths // for the fast loops; empty with the build tag purego

	form form
	elem reflect.Type // of one element

	elemSize uintptr // bytes of an element with tags in memory

	tagged bool        // elements have bp tags
	plan   *streamPlan // the plan of elements with tags
	err    error       // why there is no plan

	// copied reports whether an element that is not in a slice is copied to the
	// heap: if methods or the engine may retain its address, or if an interface may
	// contain an argument of this type itself, not its address.
	copied bool
	// single reports whether the argument is one element that has a plan and is not
	// copied.
	single      bool
	least, most int // the smallest and the largest size in bytes of a single element
	// references reports whether an element may have other memory than its own,
	// which can be changed.
	references bool
}

// argTypes maps a reflect.Type to its *argType. It contains only types that can
// be encoded: a program has finitely many of these, and no input can create new
// ones. It does not contain types that cannot be encoded, because a program
// that makes types at run time may pass ever more of them. Package typecache
// caches the errors of tagged types. Such a type may get a plan later, when the
// types of its unions are registered.
var argTypes sync.Map

// nilArgType is the argType of nil, which has no type.
var nilArgType = newArgType(nil)

// newArgType returns a new argType for the type of data.
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
		if e.plan, e.err = planOf(e.elem); e.err == nil {
			e.err = undecided(e.elem)
		}
		e.copied = e.err == nil && (e.plan.methods || engine.Retains(e.plan.Plan)) || e.form == formValue && t.Size() == reflect.TypeFor[uintptr]().Size()
		e.single = e.err == nil && e.form < formSlice && !e.copied
		if e.single {
			e.least, e.most = saturate.Bytes(e.plan.MinBits), saturate.Bytes(e.plan.MaxBits)
		}
		e.elemSize = e.elem.Size()
		e.references = hasReferences(e.elem)
	}
	e.fastPaths = newFastPaths(e, data)
	return e
}

// findArgType returns the argType for the type of data. It caches those of types
// that can be encoded.
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

package core

import (
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/bits"
)

// Resolver is a Linker in the form that the engines call.
type Resolver interface {
	ID(object any) (id uint64, ok bool)
	Object(id uint64) (object any, ok bool)
	Unresolved(id uint64, path string, at WaitingLink)

	// HasWaiting reports whether any link waits for its object.
	HasWaiting() bool
	// HasWaitingFor reports whether a link of the field with the given key
	// waits for its object.
	HasWaitingFor(at FieldKey) bool
	// RemoveWaiting removes the waiting link of the field with the given key.
	RemoveWaiting(at FieldKey)
}

// assignLink sets a pointer or interface to the object with the given id.
func assignLink(field reflect.Value, id uint64, object any) error {
	v := reflect.ValueOf(object)
	if !v.IsValid() || !v.Type().AssignableTo(field.Type()) {
		return Explain(ErrLink, "object %d is a %T, not a %v", id, object, field.Type())
	}
	field.Set(v)
	return nil
}

// EncodeLink returns the id of the object that the link field v refers to. The
// id has at most n bits. The id of nil is 0.
func EncodeLink(l Resolver, n int, v reflect.Value) (uint64, error) {
	if c, ok := l.(*CopiedLinks); ok {
		return c.write()
	}
	if v.IsNil() {
		return 0, nil
	}
	if l == nil {
		return 0, Explain(ErrLink, "give the codec a Linker")
	}
	id, ok := l.ID(v.Interface())
	switch {
	case !ok:
		return 0, Explain(ErrLink, "the Linker has no id for the %v", v.Type())
	case id>>(n-1)>>1 != 0:
		return 0, NewRefusal(bits.ErrRange, id, uint64(1), uint64(1)<<n-1)
	}
	return id, nil
}

// Resolve sets the link field v to the object with the given id. If the object
// is not known, Resolve sets v to nil and passes the link to l. It calls
// unresolved for the path of the field and for a reference to it.
func Resolve(l Resolver, v reflect.Value, id uint64, unresolved func() (path string, at FieldRef)) error {
	v.SetZero()
	if c, ok := l.(*CopiedLinks); ok {
		c.read(v, id)
		return nil
	}
	if id == 0 {
		return nil
	}
	if l == nil {
		return Explain(ErrLink, "give the codec a Linker")
	}
	object, ok := l.Object(id)
	if !ok {
		path, at := unresolved()
		l.Unresolved(id, path, WaitingLink{Field: at})
		return nil
	}
	return assignLink(v, id, object)
}

// Overwrite records that a message has a link for field. Once the message is
// accepted, the waiting link of an earlier message no longer sets the field. in
// returns the storage of the field.
func Overwrite(l Resolver, field reflect.Value, in func() *Storage) {
	if w, ok := l.(*WithheldLinks); ok && w.HasWaiting() {
		if at := NewFieldRef(field, in()).key(); w.HasWaitingFor(at) {
			w.overwritten = append(w.overwritten, at)
		}
	}
}

// WaitingLink is a link field whose object is not known yet. It does not keep
// the memory of the field alive once its message has been accepted.
type WaitingLink struct {
	Field FieldRef
	Cost  *MessageCost // shared by the links of a message
}

// Set sets the field to the object with the given id. It does nothing if the
// field is no longer nil, or if the variable, map entry or interface value that
// contained it is gone.
func (l WaitingLink) Set(id uint64, object any) error {
	field, copies, ok := l.Field.find()
	if !ok || !field.IsNil() {
		return nil
	}
	if err := assignLink(field, id, object); err != nil {
		return err
	}
	for _, c := range slices.Backward(copies) {
		c.store()
	}
	return nil
}

// Alive reports whether the memory of the field still exists.
func (l WaitingLink) Alive() bool {
	s := l.Field.In
	for s.copied != nil && !s.key.IsValid() {
		s = s.container.In
	}
	return s.alive()
}

// Key returns the key of the field.
func (l WaitingLink) Key() FieldKey { return l.Field.key() }

package core

import (
	"reflect"
	"slices"
)

// WaitingLink is a link field whose object is not known yet. It does not keep the
// memory of the field alive.
type WaitingLink struct {
	Field FieldRef
	Cost  *MessageCost // shared by the links of a message
}

// Set sets the field to the object with the given id. It does nothing if the
// Field is no longer nil, or if the variable, map entry or interface value that
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

func (l WaitingLink) Key() FieldKey { return l.Field.key() }

// copied is a copy of a map entry's value or of the value in an interface.
type copied struct{ in, key, value reflect.Value }

func (c *copied) store() {
	if c.key.IsValid() {
		c.in.SetMapIndex(c.key, c.value)
	} else {
		c.in.Set(c.value)
	}
}

// FieldRef is the FieldKey of a variable: an offset in bytes within a storage.
type FieldRef struct {
	In  *Storage
	off uintptr
	t   reflect.Type
}

func NewFieldRef(v reflect.Value, in *Storage) FieldRef {
	return FieldRef{in, v.Addr().Pointer() - in.Start, v.Type()}
}

// find returns the variable of a slot. If a map or interface contains the
// variable, it is part of a copy, and the caller must store the copies in
// reverse order.
func (p FieldRef) find() (v reflect.Value, copies []copied, ok bool) {
	s := p.In
	if s.copied == nil {
		v, ok = s.variable(p.off, p.t)
		return v, nil, ok
	}
	var in, current reflect.Value
	if s.key.IsValid() {
		if in, ok = s.entries(); ok {
			current = in.MapIndex(s.key)
		}
	} else if in, copies, ok = s.container.find(); ok {
		current = in.Elem()
	}
	if !current.IsValid() || current.Type() != s.copied {
		return v, nil, false
	}
	v = reflect.New(s.copied).Elem()
	v.Set(current)
	copies = append(copies, copied{in, s.key, v})
	return Along(v, PathAt(s.copied, p.off)), copies, true
}

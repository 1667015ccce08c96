package tagcodec

import (
	"reflect"
	"slices"
)

// waitingLink is a link field whose object is not known yet. It does not keep the
// memory of the field alive.
type waitingLink struct {
	field fieldRef
	cost  *messageCost // shared by the links of a message
}

// set sets the field to the object with the given id. It does nothing if the
// field is no longer nil, or if the variable, map entry or interface value that
// contained it is gone.
func (l waitingLink) set(id uint64, object any) error {
	field, copies, ok := l.field.find()
	if !ok || !field.IsNil() {
		return nil
	}
	if err := assign(field, id, object); err != nil {
		return err
	}
	for _, c := range slices.Backward(copies) {
		c.store()
	}
	return nil
}

// alive reports whether the memory of the field still exists.
func (l waitingLink) alive() bool {
	s := l.field.in
	for s.copied != nil && !s.key.IsValid() {
		s = s.of.in
	}
	return s.alive()
}

func (l waitingLink) key() fieldKey { return l.field.key() }

// copied is a copy of a map entry's value or of the value in an interface.
type copied struct{ in, key, value reflect.Value }

func (c *copied) store() {
	if c.key.IsValid() {
		c.in.SetMapIndex(c.key, c.value)
	} else {
		c.in.Set(c.value)
	}
}

// fieldRef is the fieldKey of a variable: an offset in bytes within a storage.
type fieldRef struct {
	in  *storage
	off uintptr
	t   reflect.Type
}

func newFieldRef(v reflect.Value, in *storage) fieldRef {
	return fieldRef{in, v.Addr().Pointer() - in.start, v.Type()}
}

// find returns the variable of a slot. If a map or interface contains the
// variable, it is part of a copy, and the caller must store the copies in
// reverse order.
func (p fieldRef) find() (v reflect.Value, copies []copied, ok bool) {
	s := p.in
	if s.copied == nil {
		v, ok = s.variable(p.off, p.t)
		return v, nil, ok
	}
	var in, now reflect.Value
	if s.key.IsValid() {
		if in, ok = s.entries(); ok {
			now = in.MapIndex(s.key)
		}
	} else if in, copies, ok = s.of.find(); ok {
		now = in.Elem()
	}
	if !now.IsValid() || now.Type() != s.copied {
		return v, nil, false
	}
	v = reflect.New(s.copied).Elem()
	v.Set(now)
	copies = append(copies, copied{in, s.key, v})
	return along(v, pathAt(s.copied, p.off)), copies, true
}

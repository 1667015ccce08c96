package core

import (
	"hash/maphash"
	"reflect"
)

// copied is a copy of a map entry's value or of the value in an interface.
type copied struct {
	in    reflect.Value // the map or interface
	key   reflect.Value // key of the map entry; unset for an interface
	value reflect.Value // the copy
}

// store puts the copy back into its map or interface.
func (c *copied) store() {
	if c.key.IsValid() {
		c.in.SetMapIndex(c.key, c.value)
	} else {
		c.in.Set(c.value)
	}
}

// FieldRef finds a variable: it is at an offset in bytes within a storage.
type FieldRef struct {
	In  *Storage
	off uintptr
	t   reflect.Type
}

// NewFieldRef returns the reference to v, which is inside the storage in.
func NewFieldRef(v reflect.Value, in *Storage) FieldRef {
	return FieldRef{in, v.Addr().Pointer() - in.Start, v.Type()}
}

// find returns the variable, or false if its memory is gone. If a map or
// interface contains the variable, v is part of a copy, and the caller must
// store the copies in reverse order.
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

// FieldKey identifies the field of a waiting link. Two waiting links with the
// same FieldKey are for the same field, even if the memory of the field, an
// entry of a map for example, is another copy.
type FieldKey struct {
	at uintptr // address of the field, or its offset in a copy
	in uint64  // identity of the copy, or 0
}

// key returns the key of the variable.
func (p FieldRef) key() FieldKey {
	if p.In.copied == nil {
		return FieldKey{at: p.In.Start + p.off}
	}
	return FieldKey{p.off, p.In.identity()}
}

// fieldKeySeed is the seed of the hashes in field keys.
var fieldKeySeed = maphash.MakeSeed()

// identity returns a hash that identifies the copy in s: that of the map key and
// of the FieldKey of the map or interface. It is computed once per storage,
// because copies may nest deeply and the cost per link must not grow with the
// depth. The seed is random, so a peer cannot cause collisions.
func (s *Storage) identity() uint64 {
	if s.hash == 0 {
		key := ""
		if s.key.IsValid() {
			key = keyText(s.key)
		}
		s.hash = maphash.Comparable(fieldKeySeed, struct {
			container FieldKey
			key       string
		}{s.container.key(), key})
	}
	return s.hash
}

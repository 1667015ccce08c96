package core

import "reflect"

// Storage is memory that contains link fields: a variable, the elements of a
// slice, or the copy of a value in a map or an interface. A change to a copy
// must be stored in its map or interface. All waiting links within the memory
// share the Storage.
//
// A Storage keeps its memory alive while the message is being read. The method
// weaken ends that when the links are passed to the Linker.
type Storage struct {
	Start uintptr       // the address while a message is being read
	root  reflect.Value // the variable or slice; for a map entry, the map
	weak  weakRef       // replaces root after weaken

	copied    reflect.Type  // type of the copied value; nil if the memory is not a copy
	container FieldRef      // the map or interface that contains the value
	key       reflect.Value // key of the map entry

	weakened bool
	hash     uint64 // hash from identity; 0 if not computed yet
}

// OwnStorage returns the storage of a variable.
func OwnStorage(v reflect.Value) *Storage { return &Storage{Start: v.Addr().Pointer(), root: v} }

// SliceStorage returns the storage of a slice's elements.
func SliceStorage(v reflect.Value) *Storage {
	return &Storage{Start: v.Pointer(), root: v.Slice(0, v.Len())}
}

// EntryStorage returns the storage of an entry of the map m, which is inside
// outer. The entry is a struct of key and value.
func EntryStorage(m, entry reflect.Value, outer *Storage) *Storage {
	key := reflect.New(entry.Field(0).Type()).Elem() // a copy, so as not to keep all entries alive
	key.Set(entry.Field(0))
	value := entry.Field(1)
	return &Storage{Start: value.Addr().Pointer(), root: m, copied: value.Type(), container: NewFieldRef(m, outer), key: key}
}

// MemberStorage returns the storage of a value that will be stored in the
// interface in, which is inside outer.
func MemberStorage(in, value reflect.Value, outer *Storage) *Storage {
	return &Storage{Start: value.Addr().Pointer(), copied: value.Type(), container: NewFieldRef(in, outer)}
}

// variable returns the variable of type t at offset off. s must not be a copy.
func (s *Storage) variable(off uintptr, t reflect.Type) (reflect.Value, bool) {
	if !s.root.IsValid() {
		return s.weak.variable(off, t)
	}
	v := s.root
	if v.Kind() == reflect.Slice {
		size := v.Type().Elem().Size()
		v, off = v.Index(int(off/size)), off%size
	}
	return Along(v, PathAt(v.Type(), off)), true
}

// entries returns the map that contains the entry.
func (s *Storage) entries() (reflect.Value, bool) {
	if !s.root.IsValid() {
		return s.weak.pointee(s.container.t)
	}
	return s.root, true
}

// alive reports whether the variable, slice or map still exists.
func (s *Storage) alive() bool { return s.root.IsValid() || s.weak.alive() }

// weaken makes s and the storages around it stop keeping their memory alive. It
// returns the size in bytes of the storages that were not weakened before.
func (s *Storage) weaken() (bytes int) {
	for ; s != nil && !s.weakened; s = s.container.In {
		s.weakened = true
		bytes += storageBytes
		if s.key.IsValid() {
			m := reflect.New(s.root.Type()).Elem() // a copy, as s.root may be part of another variable
			m.Set(s.root)
			s.root = m
			if s.key.Kind() == reflect.String {
				bytes += s.key.Len()
			}
		}
		if s.root.IsValid() {
			s.weak, s.root = newWeakRef(s.root)
		}
	}
	return bytes
}

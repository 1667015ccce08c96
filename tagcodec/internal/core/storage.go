package core

import (
	"hash/maphash"
	"reflect"
)

// Storage is a piece of memory that contains links. It is a variable, the
// elements of a slice, or the copy of a value in a map or an interface. A
// change to a copy must be stored in its map or interface. All patches within
// the memory share the storage.
//
// A storage keeps its memory alive while the message is being read. The method
// weaken ends that when the patches are handed to the Linker.
type Storage struct {
	Start uintptr       // the address while a message is being read
	root  reflect.Value // the variable or slice; for a map entry, the map
	weak  weakRef       // replaces own after loosen

	copied    reflect.Type  // type of the copied value; nil if the memory is not a copy
	container FieldRef      // FieldKey of the map or interface
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

// Variable returns the variable of type t at offset off. It must not be called
// for a copy.
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

// Alive reports whether the variable, slice or map still exists.
func (s *Storage) alive() bool { return s.root.IsValid() || s.weak.alive() }

// Approximate memory of a waiting link and of a storage, including what a
// LinkingContext keeps for each.
const (
	linkBytes    = 256
	storageBytes = 256
)

// weaken makes s and the storages around it stop keeping their memory alive. It
// returns the size in bytes of the storages that were not already newWeakRef.
func (s *Storage) weaken() (bytes int) {
	for ; s != nil && !s.weakened; s = s.container.In {
		s.weakened = true
		bytes += storageBytes
		if s.key.IsValid() {
			m := reflect.New(s.root.Type()).Elem() // a copy, as s.own may be part of another variable
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

// MessageCost is the memory that the patches of one message keep alive
// together.
type MessageCost struct{ Bytes int }

// Key identifies the field of a patch. Two patches with the same FieldKey
// are for the same field, even if they were read into different memory.
type FieldKey struct {
	at uintptr // address of the field, or its offset in a copy
	in uint64  // identity of the copy, or 0
}

func (p FieldRef) key() FieldKey {
	if p.In.copied == nil {
		return FieldKey{at: p.In.Start + p.off}
	}
	return FieldKey{p.off, p.In.identity()}
}

// locationSeed is the seed of the hashes in locations.
var fieldKeySeed = maphash.MakeSeed()

// identity returns a hash of the key and of the FieldKey of the map or
// interface. It is computed once per storage, because copies may nest deeply
// and the cost per link must not grow with the depth. The seed is random, so a
// peer cannot cause collisions.
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

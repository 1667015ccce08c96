package tagcodec

import (
	"hash/maphash"
	"reflect"
)

// storage is a piece of memory that contains links. It is a variable, the
// elements of a slice, or the copy of a value in a map or an interface. A
// change to a copy must be stored in its map or interface. All patches within
// the memory share the storage.
//
// A storage keeps its memory alive while the message is being read. The method
// weaken ends that when the patches are handed to the Linker.
type storage struct {
	start uintptr       // the address while a message is being read
	root  reflect.Value // the variable or slice; for a map entry, the map
	weak  weakRef       // replaces own after loosen

	copied reflect.Type  // type of the copied value; nil if the memory is not a copy
	of     fieldRef      // fieldKey of the map or interface
	key    reflect.Value // key of the map entry

	weakened bool
	hash     uint64 // hash from identity; 0 if not computed yet
}

// ownStorage returns the storage of a variable.
func ownStorage(v reflect.Value) *storage { return &storage{start: v.Addr().Pointer(), root: v} }

// sliceStorage returns the storage of a slice's elements.
func sliceStorage(v reflect.Value) *storage {
	return &storage{start: v.Pointer(), root: v.Slice(0, v.Len())}
}

// entryStorage returns the storage of an entry of the map m, which is inside
// outer. The entry is a struct of key and value.
func entryStorage(m, entry reflect.Value, outer *storage) *storage {
	key := reflect.New(entry.Field(0).Type()).Elem() // a copy, so as not to keep all entries alive
	key.Set(entry.Field(0))
	value := entry.Field(1)
	return &storage{start: value.Addr().Pointer(), root: m, copied: value.Type(), of: newFieldRef(m, outer), key: key}
}

// memberStorage returns the storage of a value that will be stored in the
// interface in, which is inside outer.
func memberStorage(in, value reflect.Value, outer *storage) *storage {
	return &storage{start: value.Addr().Pointer(), copied: value.Type(), of: newFieldRef(in, outer)}
}

// variable returns the variable of type t at offset off. It must not be called
// for a copy.
func (s *storage) variable(off uintptr, t reflect.Type) (reflect.Value, bool) {
	if !s.root.IsValid() {
		return s.weak.variable(off, t)
	}
	v := s.root
	if v.Kind() == reflect.Slice {
		size := v.Type().Elem().Size()
		v, off = v.Index(int(off/size)), off%size
	}
	return along(v, pathAt(v.Type(), off)), true
}

// entries returns the map that contains the entry.
func (s *storage) entries() (reflect.Value, bool) {
	if !s.root.IsValid() {
		return s.weak.pointee(s.of.t)
	}
	return s.root, true
}

// alive reports whether the variable, slice or map still exists.
func (s *storage) alive() bool { return s.root.IsValid() || s.weak.alive() }

// Approximate memory of a waiting link and of a storage, including what a
// LinkingContext keeps for each.
const (
	linkBytes    = 256
	storageBytes = 256
)

// weaken makes s and the storages around it stop keeping their memory alive. It
// returns the size in bytes of the storages that were not already newWeakRef.
func (s *storage) weaken() (bytes int) {
	for ; s != nil && !s.weakened; s = s.of.in {
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

// messageCost is the memory that the patches of one message keep alive
// together.
type messageCost struct{ bytes int }

// key identifies the field of a patch. Two patches with the same fieldKey
// are for the same field, even if they were read into different memory.
type fieldKey struct {
	at uintptr // address of the field, or its offset in a copy
	in uint64  // identity of the copy, or 0
}

func (p fieldRef) key() fieldKey {
	if p.in.copied == nil {
		return fieldKey{at: p.in.start + p.off}
	}
	return fieldKey{p.off, p.in.identity()}
}

// locationSeed is the seed of the hashes in locations.
var locationSeed = maphash.MakeSeed()

// identity returns a hash of the key and of the fieldKey of the map or
// interface. It is computed once per storage, because copies may nest deeply
// and the cost per link must not grow with the depth. The seed is random, so a
// peer cannot cause collisions.
func (s *storage) identity() uint64 {
	if s.hash == 0 {
		key := ""
		if s.key.IsValid() {
			key = keyText(s.key)
		}
		s.hash = maphash.Comparable(locationSeed, struct {
			container fieldKey
			key       string
		}{s.of.key(), key})
	}
	return s.hash
}

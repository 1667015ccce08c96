package tagcodec

import (
	"hash/maphash"
	"reflect"
	"slices"
)

// Patch is a link whose object was not known when the link was decoded. A patch
// does not keep the memory of its field alive, and has no effect once that
// memory is gone. A Patch is valid until its field is decoded again; a
// [LinkingContext] then forgets it.
type Patch struct {
	ID   uint64
	Path string // path of the field, as in an [Error]: "Scene.Cats[1].Home"

	field slot
	cost  *messageCost // shared by the patches of a message
}

// Set sets the field to object. It fails with [ErrLink] if object does not fit
// the type of the field. Set must be called after the message has been decoded. It
// does nothing if the field is no longer nil, or if the memory of the field is
// no longer in use. It also does nothing if the map entry or interface value
// that contained the field is gone.
func (p Patch) Set(object any) error {
	field, copies, ok := p.field.find()
	if !ok || !field.IsNil() {
		return nil
	}
	if err := assign(field, p.ID, object); err != nil {
		return err
	}
	for _, c := range slices.Backward(copies) {
		c.store()
	}
	return nil
}

// waits reports whether the memory of the field still exists.
func (p Patch) waits() bool {
	s := p.field.in
	for s.copied != nil && !s.key.IsValid() {
		s = s.of.in
	}
	return s.there()
}

// copied is a copy of a map entry's value or of the value in an interface.
type copied struct{ in, key, value reflect.Value }

func (c *copied) store() {
	if c.key.IsValid() {
		c.in.SetMapIndex(c.key, c.value)
	} else {
		c.in.Set(c.value)
	}
}

// slot is the location of a variable: an offset in bytes within a storage.
type slot struct {
	in  *storage
	off uintptr
	t   reflect.Type
}

func slotOf(v reflect.Value, in *storage) slot {
	return slot{in, v.Addr().Pointer() - in.start, v.Type()}
}

// find returns the variable of a slot. If a map or interface contains the
// variable, it is part of a copy, and the caller must store the copies in
// reverse order.
func (p slot) find() (v reflect.Value, copies []copied, ok bool) {
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

// storage is a piece of memory that contains links. It is a variable, the
// elements of a slice, or the copy of a value in a map or an interface. A
// change to a copy must be stored in its map or interface. All patches within
// the memory share the storage.
//
// A storage keeps its memory alive while the message is being read. The method
// loosen ends that when the patches are handed to the Linker.
type storage struct {
	start uintptr       // the address while a message is being read
	own   reflect.Value // the variable or slice; for a map entry, the map
	weak  weakly        // replaces own after loosen

	copied reflect.Type  // type of the copied value; nil if the memory is not a copy
	of     slot          // location of the map or interface
	key    reflect.Value // key of the map entry

	loose bool
	sum   uint64 // hash from identity; 0 if not computed yet
}

// ownStorage returns the storage of a variable.
func ownStorage(v reflect.Value) *storage { return &storage{start: v.Addr().Pointer(), own: v} }

// sliceStorage returns the storage of a slice's elements.
func sliceStorage(v reflect.Value) *storage {
	return &storage{start: v.Pointer(), own: v.Slice(0, v.Len())}
}

// entryStorage returns the storage of an entry of the map m, which is inside
// outer. The entry is a struct of key and value.
func entryStorage(m, entry reflect.Value, outer *storage) *storage {
	key := reflect.New(entry.Field(0).Type()).Elem() // a copy, so as not to keep all entries alive
	key.Set(entry.Field(0))
	value := entry.Field(1)
	return &storage{start: value.Addr().Pointer(), own: m, copied: value.Type(), of: slotOf(m, outer), key: key}
}

// memberStorage returns the storage of a value that will be stored in the
// interface in, which is inside outer.
func memberStorage(in, value reflect.Value, outer *storage) *storage {
	return &storage{start: value.Addr().Pointer(), copied: value.Type(), of: slotOf(in, outer)}
}

// variable returns the variable of type t at offset off. It must not be called
// for a copy.
func (s *storage) variable(off uintptr, t reflect.Type) (reflect.Value, bool) {
	if !s.own.IsValid() {
		return s.weak.variable(off, t)
	}
	v := s.own
	if v.Kind() == reflect.Slice {
		size := v.Type().Elem().Size()
		v, off = v.Index(int(off/size)), off%size
	}
	return along(v, pathAt(v.Type(), off)), true
}

// entries returns the map that contains the entry.
func (s *storage) entries() (reflect.Value, bool) {
	if !s.own.IsValid() {
		return s.weak.pointee(s.of.t)
	}
	return s.own, true
}

// there reports whether the variable, slice or map still exists.
func (s *storage) there() bool { return s.own.IsValid() || s.weak.there() }

// Approximate memory of a patch and of a storage, including what a
// LinkingContext keeps for each.
const (
	patchBytes   = 256
	storageBytes = 256
)

// loosen makes s and the storages around it stop keeping their memory alive. It
// returns the size in bytes of the storages that were not already loosened.
func (s *storage) loosen() (bytes int) {
	for ; s != nil && !s.loose; s = s.of.in {
		s.loose = true
		bytes += storageBytes
		if s.key.IsValid() {
			m := reflect.New(s.own.Type()).Elem() // a copy, as s.own may be part of another variable
			m.Set(s.own)
			s.own = m
			if s.key.Kind() == reflect.String {
				bytes += s.key.Len()
			}
		}
		if s.own.IsValid() {
			s.weak, s.own = loosened(s.own)
		}
	}
	return bytes
}

// messageCost is the memory that the patches of one message keep alive
// together.
type messageCost struct{ bytes int }

// location identifies the field of a patch. Two patches with the same location
// are for the same field, even if they were read into different memory.
type location struct {
	at uintptr // address of the field, or its offset in a copy
	in uint64  // identity of the copy, or 0
}

func (p Patch) location() location { return p.field.location() }

func (p slot) location() location {
	if p.in.copied == nil {
		return location{at: p.in.start + p.off}
	}
	return location{p.off, p.in.identity()}
}

// locationSeed is the seed of the hashes in locations.
var locationSeed = maphash.MakeSeed()

// identity returns a hash of the key and of the location of the map or
// interface. It is computed once per storage, because copies may nest deeply
// and the cost per link must not grow with the depth. The seed is random, so a
// peer cannot cause collisions.
func (s *storage) identity() uint64 {
	if s.sum == 0 {
		key := ""
		if s.key.IsValid() {
			key = keyText(s.key)
		}
		s.sum = maphash.Comparable(locationSeed, struct {
			container location
			key       string
		}{s.of.location(), key})
	}
	return s.sum
}

// patchKeeper is a Linker that stores patches, such as a LinkingContext or a
// type that embeds one.
type patchKeeper interface {
	keeps() bool               // reports whether any patch is stored
	keepsFor(at location) bool // reports whether a patch is stored for the field
	forget(at location)        // removes the patch of the field
}

// overwrite records that a message has a link for field, so that an earlier
// patch no longer sets it.
func overwrite(l Linker, field reflect.Value, in func() *storage) {
	held, ok := l.(*heldLinks)
	if !ok {
		return
	}
	if keeper, ok := held.Linker.(patchKeeper); ok && keeper.keeps() {
		if at := slotOf(field, in()).location(); keeper.keepsFor(at) {
			held.overwritten = append(held.overwritten, at)
		}
	}
}

// heldLinks is a Linker that withholds the patches of a message until the
// message is accepted. Refused messages must not make the Linker grow, and must
// not remove patches from it.
type heldLinks struct {
	Linker
	patches     []Patch
	overwritten []location // fields whose earlier patches are to be removed
	bytes       int        // size of the message in memory, if patches keep it alive
}

// holdLinks returns a config whose Linker withholds patches. If c has no
// Linker, it returns c and nil.
func (c *config) holdLinks() (*config, *heldLinks) {
	if c.linker == nil {
		return c, nil
	}
	held := *c
	links := &heldLinks{Linker: c.linker}
	held.linker = links
	return &held, links
}

// Unresolved stores p until release.
func (l *heldLinks) Unresolved(p Patch) { l.patches = append(l.patches, p) }

// release hands the patches to the Linker and removes those they replace.
func (l *heldLinks) release() {
	if l == nil {
		return
	}
	for _, at := range l.overwritten {
		l.Linker.(patchKeeper).forget(at)
	}
	cost := &messageCost{l.bytes}
	for i := range l.patches {
		p := &l.patches[i]
		p.cost = cost
		cost.bytes += patchBytes + len(p.Path) + p.field.in.loosen()
	}
	for _, p := range l.patches {
		l.Linker.Unresolved(p)
	}
}

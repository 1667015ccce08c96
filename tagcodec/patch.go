package tagcodec

import (
	"hash/maphash"
	"reflect"
	"slices"
)

// Patch is a link to an object that did not exist when the link arrived. It
// does not keep the memory alive that the link is in: once the program has
// dropped that, the patch sets nothing. It is for the field as it was read:
// where the same memory is read again, the patches of the message before are to
// be forgotten, as a [LinkingContext] does.
type Patch struct {
	ID   uint64
	Path string // of the field, as in an [Error]: "Scene.Cats[1].Home"

	field slot
	cost  *messageCost // of the message that it came with
}

// Set makes the field refer to object. It fails with [ErrLink] if that is not
// of the field's type. It is called after the message was read, and does
// nothing if the field is no longer nil, if nothing refers any more to what it
// is in, or if it is in an entry of a map, or in a value of an interface, that
// is no longer there.
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

// waits reports whether the memory of the field is still there.
func (p Patch) waits() bool {
	s := p.field.in
	for s.copied != nil && !s.key.IsValid() {
		s = s.of.in
	}
	return s.there()
}

// copied is a value that was taken out of a map or an interface.
type copied struct{ in, key, value reflect.Value }

func (c *copied) store() {
	if c.key.IsValid() {
		c.in.SetMapIndex(c.key, c.value)
	} else {
		c.in.Set(c.value)
	}
}

// slot is where a variable is: so many bytes from the start of a storage.
type slot struct {
	in  *storage
	off uintptr
	t   reflect.Type
}

func slotOf(v reflect.Value, in *storage) slot {
	return slot{in, v.Addr().Pointer() - in.start, v.Type()}
}

// find returns the variable of a slot. One in a map or an interface is in a
// copy, to be stored after those that follow it.
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

// storage is a piece of memory with links in it. It is one of its own, a
// variable or the elements of a slice; or a map or an interface has a copy of
// it, and what is set must get there. All patches inside of it share it.
//
// While a message is read, a storage keeps its memory alive. It no longer does
// when its patches are handed on, see loosen.
type storage struct {
	start uintptr       // the address, while a message is read
	own   reflect.Value // the variable, or the slice; of an entry, the map
	weak  weakly        // the same in the place of own

	copied reflect.Type  // of what a map or an interface has a copy of
	of     slot          // of the map or the interface
	key    reflect.Value // of a map's entry

	loose bool
	sum   uint64 // of what identifies a copy, or 0 if that is not known yet
}

// ownStorage returns the storage of a variable.
func ownStorage(v reflect.Value) *storage { return &storage{start: v.Addr().Pointer(), own: v} }

// sliceStorage returns the storage of the elements of a slice.
func sliceStorage(v reflect.Value) *storage {
	return &storage{start: v.Pointer(), own: v.Slice(0, v.Len())}
}

// entryStorage returns the storage of the entry of a map that is in outer. Its
// key and its value are fields of a struct.
func entryStorage(m, entry reflect.Value, outer *storage) *storage {
	key := reflect.New(entry.Field(0).Type()).Elem() // alone, and not in the memory of all entries
	key.Set(entry.Field(0))
	value := entry.Field(1)
	return &storage{start: value.Addr().Pointer(), own: m, copied: value.Type(), of: slotOf(m, outer), key: key}
}

// memberStorage returns the storage of a value that an interface in outer gets.
func memberStorage(in, value reflect.Value, outer *storage) *storage {
	return &storage{start: value.Addr().Pointer(), copied: value.Type(), of: slotOf(in, outer)}
}

// variable returns a variable in a memory of its own.
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

// entries returns the map of an entry.
func (s *storage) entries() (reflect.Value, bool) {
	if !s.own.IsValid() {
		return s.weak.pointee(s.of.t)
	}
	return s.own, true
}

// there reports whether the variable, the slice or the map is still there.
func (s *storage) there() bool { return s.own.IsValid() || s.weak.there() }

// What patches themselves take, roughly, with what a context keeps of each.
const (
	patchBytes   = 256
	storageBytes = 256
)

// loosen makes the storage, and those around it, no longer keep their memory
// alive. It returns the bytes that they take themselves, other than those that
// were loosened before.
func (s *storage) loosen() (bytes int) {
	for ; s != nil && !s.loose; s = s.of.in {
		s.loose = true
		bytes += storageBytes
		if s.key.IsValid() {
			m := reflect.New(s.own.Type()).Elem() // it may be in the memory of something else
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

// messageCost is what the patches of a message keep alive together.
type messageCost struct{ bytes int }

// location identifies the field of a patch: two patches of one location are for
// the same field, though the memory that they were read into may not be the same.
type location struct {
	at uintptr // the field's address, or its offset in a copy
	in uint64  // the copy, or 0
}

func (p Patch) location() location { return p.field.location() }

func (p slot) location() location {
	if p.in.copied == nil {
		return location{at: p.in.start + p.off}
	}
	return location{p.off, p.in.identity()}
}

// locationSeed is that of the hashes in locations.
var locationSeed = maphash.MakeSeed()

// identity returns a hash of what the map or the interface is, and of the key.
// Copies may be nested as deeply as values, and a link in each must not cost what
// all those around it do. Nobody who does not know the seed can make two copies
// share a hash.
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

// patchKeeper is a Linker that keeps patches itself, as a LinkingContext does, or
// what has one in it.
type patchKeeper interface {
	keeps() bool               // whether there is any
	keepsFor(at location) bool // whether there is one for a field
	forget(at location)        // drops that one
}

// overwrite notes that a link is read into a field: the patch of a message
// before is not to set it.
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

// heldLinks is a Linker that keeps the patches of a message until it is
// accepted: one that is refused must leave nothing with the Linker, which
// whoever sends such messages could make grow, and take nothing from it.
type heldLinks struct {
	Linker
	patches     []Patch
	overwritten []location // where the Linker keeps patches of messages before
	bytes       int        // that the message took, where patches keep it alive
}

// holdLinks returns a config whose Linker, if there is one, holds the patches.
func (c *config) holdLinks() (*config, *heldLinks) {
	if c.linker == nil {
		return c, nil
	}
	held := *c
	links := &heldLinks{Linker: c.linker}
	held.linker = links
	return &held, links
}

// Unresolved keeps a patch.
func (l *heldLinks) Unresolved(p Patch) { l.patches = append(l.patches, p) }

// release hands the patches on, in place of those before them.
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

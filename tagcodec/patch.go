package tagcodec

import (
	"hash/maphash"
	"reflect"
)

// Patch is a link to an object that did not exist when the link arrived.
// It is for the field as it was read: where the same memory is read again, the
// patches of the message before are to be forgotten, as a [LinkingContext] does.
type Patch struct {
	ID   uint64
	Path string // of the field, as in an [Error]: "Scene.Cats[1].Home"

	field reflect.Value
	kept  *kept // the copy of the field's surroundings
}

// Set makes the field refer to object. It fails with [ErrLink] if that is not
// of the field's type. It is called after the message was read, and does
// nothing if the field is no longer nil, or is in an entry of a map, or in a
// value of an interface, that is no longer there.
func (p Patch) Set(object any) error {
	if !p.kept.load() || !p.field.IsNil() {
		return nil
	}
	if err := assign(p.field, p.ID, object); err != nil {
		return err
	}
	for k := p.kept; k != nil; k = k.outer {
		k.store()
	}
	return nil
}

// kept is a value that a map or an interface has a copy of: what is set in the
// memory it was read into must get there. All patches inside of it share it.
type kept struct {
	outer *kept // what the map or the interface is itself copied with

	in   reflect.Value // the map or the interface
	key  reflect.Value // of a map's entry
	read reflect.Value // the memory

	sum uint64 // of what identifies it, or 0 if that is not known yet
}

// load reads the value again, which may have changed in other places, after
// those around it.
func (k *kept) load() bool {
	if k == nil {
		return true
	}
	if !k.outer.load() {
		return false
	}
	var now reflect.Value
	if k.key.IsValid() {
		now = k.in.MapIndex(k.key)
	} else {
		now = k.in.Elem()
	}
	if !now.IsValid() || now.Type() != k.read.Type() {
		return false
	}
	k.read.Set(now)
	return true
}

func (k *kept) store() {
	if k.key.IsValid() {
		k.in.SetMapIndex(k.key, k.read)
	} else {
		k.in.Set(k.read)
	}
}

// location identifies the field of a patch: two patches of one location are for
// the same field, though the memory that they were read into may not be the same.
type location struct {
	at uintptr // the field's address, or its offset in a copy
	in uint64  // the copy, or 0
}

func (p Patch) location() location { return locationOf(p.field, p.kept) }

func locationOf(field reflect.Value, k *kept) location {
	at := field.Addr().Pointer()
	if k == nil {
		return location{at: at}
	}
	return location{at - k.read.Addr().Pointer(), k.identity()}
}

// locationSeed is that of the hashes in locations.
var locationSeed = maphash.MakeSeed()

// identity returns a hash of what the map or the interface is, and of the key.
// Copies may be nested as deeply as values, and a link in each must not cost what
// all those around it do. Nobody who does not know the seed can make two copies
// share a hash.
func (k *kept) identity() uint64 {
	if k.sum == 0 {
		key := ""
		if k.key.IsValid() {
			key = keyText(k.key)
		}
		k.sum = maphash.Comparable(locationSeed, struct {
			container location
			key       string
		}{locationOf(k.in, k.outer), key})
	}
	return k.sum
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
func overwrite(l Linker, field reflect.Value, copies func() *kept) {
	held, ok := l.(*heldLinks)
	if !ok {
		return
	}
	if keeper, ok := held.Linker.(patchKeeper); ok && keeper.keeps() {
		if at := locationOf(field, copies()); keeper.keepsFor(at) {
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
	for _, p := range l.patches {
		l.Linker.Unresolved(p)
	}
}

package tagcodec

import "reflect"

// Patch is a link to an object that did not exist when the link arrived.
// It is for the field as it was read: where the same memory is read again, the
// patches of the message before are to be forgotten.
type Patch struct {
	ID   uint64
	Path string // of the field: "Cats[1].Home"; in more than 32 blocks without those in the middle: "A.B[...].Y.Z"

	field reflect.Value
	kept  *kept // the copy of the field's surroundings
}

// mostBlocks is how many blocks the path of a patch names. A peer could send many
// links deep inside of a value, and have a long path kept for each.
const mostBlocks = 32

// Set makes the field refer to object. It fails with [ErrLink] if that is not
// of the field's type. It is called after the message was read, and does
// nothing if the field is in an entry of a map, or in a value of an interface,
// that is no longer there.
func (p Patch) Set(object any) error {
	if !p.kept.load() {
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

// heldLinks is a Linker that keeps the patches of a message until it is
// accepted: one that is refused must leave nothing with the Linker, which
// whoever sends such messages could make grow.
type heldLinks struct {
	Linker
	patches []Patch
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

// release hands the patches on.
func (l *heldLinks) release() {
	if l == nil {
		return
	}
	for _, p := range l.patches {
		l.Linker.Unresolved(p)
	}
}

package tagcodec

import "github.com/gobitpack/bitpack/tagcodec/internal/core"

// Linker maps objects to network ids and back. A codec with [WithLinker] calls
// it for each field of kind link.
type Linker interface {
	// ID returns the id of an object, which is a pointer or the value in an
	// interface. The id 0 sends nil in place of the object: the receiver sets
	// its field to nil, and does not call its Linker. If ok is false, the
	// object cannot be sent, and encoding fails with [ErrLink].
	ID(object any) (id uint64, ok bool)
	// Object returns the object with the given id.
	Object(id uint64) (object any, ok bool)
	// Unresolved is called after a message has been accepted, once for each
	// field whose object is not known. The field is nil until [Patch.Set] sets
	// it.
	Unresolved(p Patch)
}

// WithLinker sets the Linker that resolves the links of a codec.
func WithLinker(l Linker) Option {
	return core.Set(func(c *core.Settings) {
		c.Linker = nil
		if l != nil {
			c.Linker = linker{l}
		}
	})
}

// Patch is a link whose object was not known when the link was decoded. A patch
// does not keep the memory of its field alive, and has no effect once that
// memory is gone. A Patch is valid until its field is decoded again; a
// [LinkingContext] then forgets it.
type Patch struct {
	ID   uint64
	Path string // path of the field, as in an [Error]: "Scene.Cats[1].Home"

	link core.WaitingLink
}

// Set sets the field to object. It fails with [ErrLink] if object does not fit
// the type of the field. Set must be called after the message has been decoded.
// It does nothing if the field is no longer nil, or if the memory of the field
// is no longer in use. It also does nothing if the map entry or interface value
// that contained the field is gone.
func (p Patch) Set(object any) error { return p.link.Set(p.ID, object) }

// linker is a Linker in the form that the engines call.
type linker struct{ Linker }

// Unresolved passes a waiting link to the Linker as a Patch.
func (l linker) Unresolved(id uint64, path string, at core.WaitingLink) {
	l.Linker.Unresolved(Patch{id, path, at})
}

// patchStore is a Linker that keeps patches until their objects are added: a
// LinkingContext, or a type that embeds one.
type patchStore interface {
	hasWaiting() bool
	hasWaitingFor(at core.FieldKey) bool
	removeWaiting(at core.FieldKey)
}

var _ patchStore = (*LinkingContext)(nil)

// HasWaiting reports whether the Linker keeps any patch.
func (l linker) HasWaiting() bool {
	k, ok := l.Linker.(patchStore)
	return ok && k.hasWaiting()
}

// HasWaitingFor reports whether the Linker keeps a patch of the field with the
// given key.
func (l linker) HasWaitingFor(at core.FieldKey) bool { return l.Linker.(patchStore).hasWaitingFor(at) }

// RemoveWaiting removes the patch of the field with the given key.
func (l linker) RemoveWaiting(at core.FieldKey) { l.Linker.(patchStore).removeWaiting(at) }

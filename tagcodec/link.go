package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
)

// resolver is a Linker as the engines use it.
type resolver interface {
	ID(object any) (id uint64, ok bool)
	Object(id uint64) (object any, ok bool)
	Unresolved(id uint64, path string, at waitingLink)

	HasWaiting() bool               // reports whether any link waits
	HasWaitingFor(at fieldKey) bool // reports whether a link waits for the field at a fieldKey
	RemoveWaiting(at fieldKey)      // removes that link
}

// assign sets a pointer or interface to the object with the given id.
func assign(field reflect.Value, id uint64, object any) error {
	v := reflect.ValueOf(object)
	if !v.IsValid() || !v.Type().AssignableTo(field.Type()) {
		return explain(errLink, "object %d is a %T, not a %v", id, object, field.Type())
	}
	field.Set(v)
	return nil
}

// encodeLink returns the id of the object that a field refers to.
func encodeLink(l resolver, op *typecache.Op, v reflect.Value) (uint64, error) {
	if v.IsNil() {
		return 0, nil
	}
	if l == nil {
		return 0, explain(errLink, "give the codec a Linker")
	}
	id, ok := l.ID(v.Interface())
	switch {
	case !ok || id == 0:
		return 0, explain(errLink, "the Linker has no id for the %v", v.Type())
	case op.Bits < 64 && id>>op.Bits != 0:
		return 0, newRefusal(bits.ErrRange, id, uint64(1), uint64(1)<<op.Bits-1)
	}
	return id, nil
}

// resolve sets a field to the object with the given id. If the object is not
// known, resolve passes the link to the Linker. unresolved returns the path and
// the fieldKey of the field.
func resolve(l resolver, v reflect.Value, id uint64, unresolved func() (path string, at fieldRef)) error {
	v.SetZero()
	if id == 0 {
		return nil
	}
	if l == nil {
		return explain(errLink, "give the codec a Linker")
	}
	object, ok := l.Object(id)
	if !ok {
		path, at := unresolved()
		l.Unresolved(id, path, waitingLink{field: at})
		return nil
	}
	return assign(v, id, object)
}

// overwrite records that a message has a link for field, so that an earlier
// message's link no longer sets it.
func overwrite(l resolver, field reflect.Value, in func() *storage) {
	if w, ok := l.(*withheldLinks); ok && w.HasWaiting() {
		if at := newFieldRef(field, in()).key(); w.HasWaitingFor(at) {
			w.overwritten = append(w.overwritten, at)
		}
	}
}

// withheldLinks is a Linker that withholds the links of a message until the message
// is accepted. Refused messages must not make the Linker grow, and must not
// remove links from it.
type withheldLinks struct {
	resolver
	links       []withheldLink
	overwritten []fieldKey // fields whose earlier links are to be removed
}

// withheldLink is a link to an object that is not known yet.
type withheldLink struct {
	id   uint64
	path string
	waitingLink
}

// withhold returns settings whose Linker withholds links. If c has no Linker,
// withhold returns c and nil.
func (c *settings) withhold() (*settings, *withheldLinks) {
	if c.linker == nil {
		return c, nil
	}
	inner, w := *c, &withheldLinks{resolver: c.linker}
	inner.linker = w
	return &inner, w
}

// Unresolved stores a link until release.
func (w *withheldLinks) Unresolved(id uint64, path string, at waitingLink) {
	w.links = append(w.links, withheldLink{id, path, at})
}

// freeStream hands the links to the Linker and removes those they replace. The
// message, which is in v, has been accepted.
func (w *withheldLinks) release(p *typecache.Data, v func() reflect.Value) {
	if w == nil {
		return
	}
	for _, at := range w.overwritten {
		w.RemoveWaiting(at)
	}
	if len(w.links) == 0 {
		return
	}
	cost := &messageCost{pinnedBytes(p, v)}
	for i := range w.links {
		l := &w.links[i]
		l.cost = cost
		cost.bytes += linkBytes + len(l.path) + l.field.in.weaken()
	}
	for _, l := range w.links {
		w.resolver.Unresolved(l.id, l.path, l.waitingLink)
	}
}

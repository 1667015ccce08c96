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
	Unresolved(id uint64, path string, at link)

	Keeps() bool               // reports whether any link waits
	KeepsFor(at location) bool // reports whether a link waits for the field at a location
	Forget(at location)        // removes that link
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
		return 0, refusal(bits.ErrRange, id, uint64(1), uint64(1)<<op.Bits-1)
	}
	return id, nil
}

// resolve sets a field to the object with the given id. If the object is not
// known, resolve passes the link to the Linker. unresolved returns the path and
// the location of the field.
func resolve(l resolver, v reflect.Value, id uint64, unresolved func() (path string, at slot)) error {
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
		l.Unresolved(id, path, link{field: at})
		return nil
	}
	return assign(v, id, object)
}

// overwrite records that a message has a link for field, so that an earlier
// message's link no longer sets it.
func overwrite(l resolver, field reflect.Value, in func() *storage) {
	if w, ok := l.(*withheld); ok && w.Keeps() {
		if at := slotOf(field, in()).location(); w.KeepsFor(at) {
			w.overwritten = append(w.overwritten, at)
		}
	}
}

// withheld is a Linker that withholds the links of a message until the message
// is accepted. Refused messages must not make the Linker grow, and must not
// remove links from it.
type withheld struct {
	resolver
	links       []waiting
	overwritten []location // fields whose earlier links are to be removed
}

// waiting is a link to an object that is not known yet.
type waiting struct {
	id   uint64
	path string
	link
}

// withhold returns settings whose Linker withholds links. If c has no Linker,
// withhold returns c and nil.
func (c *config) withhold() (*config, *withheld) {
	if c.linker == nil {
		return c, nil
	}
	inner, w := *c, &withheld{resolver: c.linker}
	inner.linker = w
	return &inner, w
}

// Unresolved stores a link until release.
func (w *withheld) Unresolved(id uint64, path string, at link) {
	w.links = append(w.links, waiting{id, path, at})
}

// release hands the links to the Linker and removes those they replace. The
// message, which is in v, has been accepted.
func (w *withheld) release(p *typecache.Plan, v func() reflect.Value) {
	if w == nil {
		return
	}
	for _, at := range w.overwritten {
		w.Forget(at)
	}
	if len(w.links) == 0 {
		return
	}
	cost := &messageCost{keptAlive(p, v)}
	for i := range w.links {
		l := &w.links[i]
		l.cost = cost
		cost.bytes += linkBytes + len(l.path) + l.field.in.loosen()
	}
	for _, l := range w.links {
		w.resolver.Unresolved(l.id, l.path, l.link)
	}
}

package core

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
)

// Resolver is a Linker as the engines use it.
type Resolver interface {
	ID(object any) (id uint64, ok bool)
	Object(id uint64) (object any, ok bool)
	Unresolved(id uint64, path string, at WaitingLink)

	HasWaiting() bool               // reports whether any link waits
	HasWaitingFor(at FieldKey) bool // reports whether a link waits for the field with a key
	RemoveWaiting(at FieldKey)      // removes that link
}

// assign sets a pointer or interface to the object with the given id.
func assignLink(field reflect.Value, id uint64, object any) error {
	v := reflect.ValueOf(object)
	if !v.IsValid() || !v.Type().AssignableTo(field.Type()) {
		return explain(ErrLink, "object %d is a %T, not a %v", id, object, field.Type())
	}
	field.Set(v)
	return nil
}

// EncodeLink returns the id of the object that a field refers to.
func EncodeLink(l Resolver, op *plan.Op, v reflect.Value) (uint64, error) {
	if v.IsNil() {
		return 0, nil
	}
	if l == nil {
		return 0, explain(ErrLink, "give the codec a Linker")
	}
	id, ok := l.ID(v.Interface())
	switch {
	case !ok:
		return 0, explain(ErrLink, "the Linker has no id for the %v", v.Type())
	case op.Bits < 64 && id>>op.Bits != 0:
		return 0, NewRefusal(bits.ErrRange, id, uint64(1), uint64(1)<<op.Bits-1)
	}
	return id, nil
}

// Resolve sets a field to the object with the given id. If the object is not
// known, resolve passes the link to the Linker. unresolved returns the path and
// the FieldKey of the field.
func Resolve(l Resolver, v reflect.Value, id uint64, unresolved func() (path string, at FieldRef)) error {
	v.SetZero()
	if id == 0 {
		return nil
	}
	if l == nil {
		return explain(ErrLink, "give the codec a Linker")
	}
	object, ok := l.Object(id)
	if !ok {
		path, at := unresolved()
		l.Unresolved(id, path, WaitingLink{Field: at})
		return nil
	}
	return assignLink(v, id, object)
}

// Overwrite records that a message has a link for field, so that an earlier
// message's link no longer sets it.
func Overwrite(l Resolver, field reflect.Value, in func() *Storage) {
	if w, ok := l.(*WithheldLinks); ok && w.HasWaiting() {
		if at := NewFieldRef(field, in()).key(); w.HasWaitingFor(at) {
			w.overwritten = append(w.overwritten, at)
		}
	}
}

// WithheldLinks is a Linker that withholds the links of a message until the message
// is accepted. Refused messages must not make the Linker grow, and must not
// remove links from it.
type WithheldLinks struct {
	Resolver
	links       []withheldLink
	overwritten []FieldKey // fields whose earlier links are to be removed
}

// withheldLink is a link to an object that is not known yet.
type withheldLink struct {
	id   uint64
	path string
	WaitingLink
}

// Withhold returns settings whose Linker withholds links. If c has no Linker,
// Withhold returns c and nil.
func (c *Settings) Withhold() (*Settings, *WithheldLinks) {
	if c.Linker == nil {
		return c, nil
	}
	inner, w := *c, &WithheldLinks{Resolver: c.Linker}
	inner.Linker = w
	return &inner, w
}

// Unresolved stores a link until release.
func (w *WithheldLinks) Unresolved(id uint64, path string, at WaitingLink) {
	w.links = append(w.links, withheldLink{id, path, at})
}

// freeStream hands the links to the Linker and removes those they replace. The
// message, which is in v, has been accepted.
func (w *WithheldLinks) Release(pl *plan.Plan, v func() reflect.Value) {
	if w == nil {
		return
	}
	for _, at := range w.overwritten {
		w.RemoveWaiting(at)
	}
	if len(w.links) == 0 {
		return
	}
	cost := &MessageCost{pinnedBytes(pl, v)}
	for i := range w.links {
		l := &w.links[i]
		l.Cost = cost
		cost.Bytes += linkBytes + len(l.path) + l.Field.In.weaken()
	}
	for _, l := range w.links {
		w.Resolver.Unresolved(l.id, l.path, l.WaitingLink)
	}
}

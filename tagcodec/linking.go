package tagcodec

import (
	"reflect"
	"slices"
)

// LinkingContext is a [Linker] that keeps the objects of a connection and
// their ids both ways, and the links that wait for an object. It is for one
// goroutine at a time.
type LinkingContext struct {
	ids     map[any]uint64
	objects map[uint64]any
	waiting []Patch
}

// NewLinkingContext returns a context that knows no objects.
func NewLinkingContext() *LinkingContext {
	return &LinkingContext{ids: map[any]uint64{}, objects: map[uint64]any{}}
}

// Add gives an object, a pointer, its id, and sets the links that wait for it.
// It fails with [ErrLink] if one of these is of another type; the others are
// set all the same. It panics on the id 0, which is nil.
func (c *LinkingContext) Add(id uint64, object any) error {
	if id == 0 {
		panic("tagcodec: the id 0 is nil and cannot be an object's")
	}
	c.Remove(id)
	if old, ok := c.ids[object]; ok {
		c.Remove(old)
	}
	c.ids[object], c.objects[id] = id, object
	var first error
	c.waiting = slices.DeleteFunc(c.waiting, func(p Patch) bool {
		if p.ID != id {
			return false
		}
		if err := p.Set(object); err != nil && first == nil {
			first = err
		}
		return true
	})
	return first
}

// Remove forgets the object of an id.
func (c *LinkingContext) Remove(id uint64) {
	delete(c.ids, c.objects[id])
	delete(c.objects, id)
}

// ID returns the id of an object.
func (c *LinkingContext) ID(object any) (uint64, bool) {
	if !reflect.ValueOf(object).Comparable() {
		return 0, false // an interface may hold what no map has as a key
	}
	id, ok := c.ids[object]
	return id, ok
}

// Object returns the object of an id.
func (c *LinkingContext) Object(id uint64) (any, bool) {
	object, ok := c.objects[id]
	return object, ok
}

// Unresolved keeps a link until its object is added.
func (c *LinkingContext) Unresolved(p Patch) { c.waiting = append(c.waiting, p) }

// Waiting returns the links whose objects are not known yet.
func (c *LinkingContext) Waiting() []Patch { return slices.Clone(c.waiting) }

// Forget drops the links that wait: their fields stay nil.
func (c *LinkingContext) Forget() { c.waiting = nil }

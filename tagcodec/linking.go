package tagcodec

import (
	"container/list"
	"fmt"
	"reflect"

	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// DefaultMaxWaiting is the maximum number of links that wait in a
// [LinkingContext] unless [LinkingContext.SetMaxWaiting] sets another.
const DefaultMaxWaiting = 4096

// LinkingContext is a [Linker] that maps the objects of a connection to ids and
// back, and keeps the links that wait for an object. It is not safe for
// concurrent use. The zero LinkingContext knows no objects and is ready to use.
//
// # Waiting links
//
// A link to an unknown object waits until [LinkingContext.Add] adds the object.
// A waiting link does not keep the memory of its field alive. That memory is
// the variable the message was decoded into, or a slice, map or pointer target
// in it. If the program drops the memory, the link is forgotten, and
// [LinkingContext.Waiting] omits it once the garbage collector has run.
//
// A peer that sends unknown ids cannot make the context grow without bound. If
// more links wait than [DefaultMaxWaiting] or [LinkingContext.SetMaxWaiting]
// allows, the oldest is dropped and its field stays nil. The oldest links are
// dropped because their objects are the least likely to arrive. Links inside
// nested interfaces and under long map keys take more memory. Links are
// therefore also dropped if together they take more than 4 kB times the number
// that may wait.
//
// With the build tag purego there are no weak references, so a waiting link
// keeps the memory of its whole message alive. The estimated size of the
// message then counts toward the memory limit. The links of the latest message
// may always wait, whatever its size.
//
// # Decoding into an existing variable
//
// The latest link of a field replaces any earlier one. When a message with a
// link for the field is accepted, the link that waited for that field is
// forgotten, whatever the new id. A field that the program has set in the
// meantime is left unchanged. All of this also applies to a Linker that embeds
// a LinkingContext. A Linker that only forwards calls to the methods of
// [Linker] learns only of unresolved links.
//
// The context does not notice when a later message leaves a link out, because
// an optional value is absent, a condition is false, or a slice is shorter. It
// also does not notice when the program reuses the memory of one object for
// another. Before decoding into such a variable again, call
// [LinkingContext.Forget] or use a new variable. Also call Forget when the
// program discards everything that contains links, for example at the end of a
// level.
type LinkingContext struct {
	ids     map[any]uint64
	objects map[uint64]any

	waiting    list.List // values are Patches, oldest first
	byField    map[core.FieldKey]*list.Element
	maxWaiting int // maximum number of waiting links; 0 means DefaultMaxWaiting
	dropped    uint64

	messages map[*core.MessageCost]int // number of waiting patches per message
	bytes    int                       // total cost of these messages
}

// NewLinkingContext returns a new LinkingContext that knows no objects.
func NewLinkingContext() *LinkingContext { return new(LinkingContext) }

// SetMaxWaiting sets the maximum number of waiting links. If more are waiting,
// it drops the oldest at once. It panics if n is less than 1.
func (c *LinkingContext) SetMaxWaiting(n int) {
	if n < 1 {
		panic(fmt.Sprintf("tagcodec: SetMaxWaiting: at least 1 link must be able to wait, not %d", n))
	}
	c.maxWaiting = n
	c.dropExcess()
}

// waitingBytes is the memory limit of waiting links in bytes, per link that may
// wait. Most links take less than a quarter of it.
const waitingBytes = 4096

// dropExcess drops the oldest links until both limits are met. The links of the
// latest message may exceed the memory limit.
func (c *LinkingContext) dropExcess() {
	most := c.maxWaiting
	if most == 0 {
		most = DefaultMaxWaiting
	}
	for c.waiting.Len() > most || c.bytes/waitingBytes >= most && len(c.messages) > 1 {
		c.drop(c.waiting.Front())
		c.dropped++
	}
}

// drop removes a waiting patch and returns it.
func (c *LinkingContext) drop(e *list.Element) Patch {
	p := c.waiting.Remove(e).(Patch)
	delete(c.byField, p.link.Key())
	if cost := p.link.Cost; cost != nil {
		if c.messages[cost]--; c.messages[cost] == 0 {
			delete(c.messages, cost)
			c.bytes -= cost.Bytes
		}
	}
	return p
}

// Add assigns an id to an object, which must be a non-nil pointer, and sets the
// links that wait for the id. Links that are already set do not change. If the
// id belonged to another object, or the object had another id, the old
// assignment is removed. Add fails with [ErrArgument] if object is not a
// non-nil pointer. It fails with [ErrLink] if the object does not fit the type
// of a waiting link, but still sets the other links. It panics if id is 0,
// which means nil.
func (c *LinkingContext) Add(id uint64, object any) error {
	if id == 0 {
		panic("tagcodec: the id 0 is nil and cannot be an object's")
	}
	switch v := reflect.ValueOf(object); {
	case v.Kind() != reflect.Pointer:
		return core.Explain(ErrArgument, "object %d must be a pointer, not %T", id, object)
	case v.IsNil():
		return core.Explain(ErrArgument, "object %d is a nil %T", id, object)
	}
	c.Remove(id)
	if old, ok := c.ids[object]; ok {
		c.Remove(old)
	}
	if c.ids == nil {
		c.ids, c.objects = map[any]uint64{}, map[uint64]any{}
	}
	c.ids[object], c.objects[id] = id, object
	var first error
	for e := c.waiting.Front(); e != nil; {
		at := e
		e = e.Next()
		if at.Value.(Patch).ID != id {
			continue
		}
		if err := c.drop(at).Set(object); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Remove removes an id and its object.
func (c *LinkingContext) Remove(id uint64) {
	delete(c.ids, c.objects[id])
	delete(c.objects, id)
}

// ID returns the id of an object.
func (c *LinkingContext) ID(object any) (uint64, bool) {
	if !reflect.ValueOf(object).Comparable() {
		return 0, false // for example, a slice in an interface, which cannot be a map key
	}
	id, ok := c.ids[object]
	return id, ok
}

// Object returns the object with the given id.
func (c *LinkingContext) Object(id uint64) (any, bool) {
	object, ok := c.objects[id]
	return object, ok
}

// Unresolved keeps p until its object is added. It replaces an earlier patch of
// the same field.
func (c *LinkingContext) Unresolved(p Patch) {
	at := p.link.Key()
	c.removeWaiting(at)
	if c.byField == nil {
		c.byField, c.messages = map[core.FieldKey]*list.Element{}, map[*core.MessageCost]int{}
	}
	c.byField[at] = c.waiting.PushBack(p)
	if cost := p.link.Cost; cost != nil {
		if c.messages[cost]++; c.messages[cost] == 1 {
			c.bytes += cost.Bytes
		}
	}
	c.dropExcess()
}

// hasWaiting reports whether any patch waits.
func (c *LinkingContext) hasWaiting() bool { return c.waiting.Len() > 0 }

// hasWaitingFor reports whether a patch of the field with the given key waits.
func (c *LinkingContext) hasWaitingFor(at core.FieldKey) bool {
	_, ok := c.byField[at]
	return ok
}

// removeWaiting removes the patch of the field with the given key, if any.
func (c *LinkingContext) removeWaiting(at core.FieldKey) {
	if e, ok := c.byField[at]; ok {
		c.drop(e)
	}
}

// Waiting returns the waiting links, oldest first. It omits links whose memory
// has been freed.
func (c *LinkingContext) Waiting() []Patch {
	patches := make([]Patch, 0, c.waiting.Len())
	for e := c.waiting.Front(); e != nil; e = e.Next() {
		if p := e.Value.(Patch); p.link.Alive() {
			patches = append(patches, p)
		}
	}
	return patches
}

// Dropped returns the number of links dropped because too many were waiting or
// they took too much memory.
func (c *LinkingContext) Dropped() uint64 { return c.dropped }

// Forget drops all waiting links. Their fields stay nil.
func (c *LinkingContext) Forget() {
	c.waiting.Init()
	clear(c.byField)
	clear(c.messages)
	c.bytes = 0
}

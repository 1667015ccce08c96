package tagcodec

import (
	"container/list"
	"fmt"
	"reflect"
)

// DefaultMaxWaiting is how many links wait for their objects in a
// [LinkingContext] where [LinkingContext.SetMaxWaiting] does not set another
// number.
const DefaultMaxWaiting = 4096

// LinkingContext is a [Linker] that keeps the objects of a connection and
// their ids both ways, and the links that wait for an object. It is for one
// goroutine at a time. The zero LinkingContext knows no objects and is ready.
//
// # Links that wait
//
// A link whose object is not known waits until [LinkingContext.Add] brings it.
// It does not keep alive what it is in. If the program drops the value the link
// is forgotten: the variable that a message was read into, or the slice, the
// map, or the value of a pointer in it that the link is in, whichever the
// program keeps of them. [LinkingContext.Waiting] no longer has such a link once
// the garbage collector has freed the memory.
//
// Whoever sends ids that nobody will ever know cannot make more than a set
// number of links wait: beyond [DefaultMaxWaiting], or what
// [LinkingContext.SetMaxWaiting] sets, the one that waits longest is dropped and
// its field stays nil. The newest are those of the world as it is, and the
// oldest those whose object was most likely never sent. Long keys of maps and
// interfaces in each other count more: links also are dropped where they take
// more than 4 kB for each that may wait.
//
// A program that is built with the tag purego has no references that do not keep
// alive what they refer to. A link then keeps its message, which counts as what
// it takes, by estimate. The links of the last message may wait, whatever it
// takes.
//
// # Reading into the same variable again
//
// A field has the link that was read last: when a message is accepted that has
// a link for the field, whatever its id, the one that waited there is forgotten.
// A field that is not nil any more, because the program has set it, is left as
// it is. All this holds for a Linker that embeds a context, too; one that only
// hands on the calls of its methods is told of the links that nobody knows.
//
// A link that a later message does not have is not read, and the context does
// not learn of that: of an optional value that is absent, of a condition that
// does not hold, of an element that a shorter slice has no more. Nor does it
// learn what a program does with memory, such as to give the place of an object
// that is gone to another. Call [LinkingContext.Forget] before such a variable
// is used again, or use a fresh one; and when what the links are in is left as a
// whole, as at the end of a level.
type LinkingContext struct {
	ids     map[any]uint64
	objects map[uint64]any

	waiting   list.List // of Patch, that which waits longest first
	locations map[location]*list.Element
	most      int // patches that may wait, or 0 for DefaultMaxWaiting
	dropped   uint64

	messages map[*messageCost]int // how many patches of a message wait
	bytes    int                  // what those messages cost
}

// NewLinkingContext returns a context that knows no objects.
func NewLinkingContext() *LinkingContext { return new(LinkingContext) }

// SetMaxWaiting sets how many links may wait for their objects, 1 or more. If
// more do, those that wait longest are dropped at once. It panics if n is below
// 1.
func (c *LinkingContext) SetMaxWaiting(n int) {
	if n < 1 {
		panic(fmt.Sprintf("tagcodec: SetMaxWaiting: at least 1 link must be able to wait, not %d", n))
	}
	c.most = n
	c.bound()
}

// waitingBytes is how many bytes waiting links may keep alive, for each that may
// wait. Most keep less than a quarter.
const waitingBytes = 4096

// bound drops the links that are too many, or keep too much alive. Those of the
// last message may wait whatever they keep.
func (c *LinkingContext) bound() {
	most := c.most
	if most == 0 {
		most = DefaultMaxWaiting
	}
	for c.waiting.Len() > most || c.bytes/waitingBytes >= most && len(c.messages) > 1 {
		c.drop(c.waiting.Front())
		c.dropped++
	}
}

// drop makes a patch wait no longer.
func (c *LinkingContext) drop(e *list.Element) Patch {
	p := c.waiting.Remove(e).(Patch)
	delete(c.locations, p.location())
	if p.cost != nil {
		if c.messages[p.cost]--; c.messages[p.cost] == 0 {
			delete(c.messages, p.cost)
			c.bytes -= p.cost.bytes
		}
	}
	return p
}

// Add gives an object, a pointer that is not nil, its id, and sets the links
// that wait for it. Links that were set before keep their objects, whatever
// their id is now. It fails with [ErrArgument] if the object is no such pointer;
// and with [ErrLink] if one of the links is of another type: the others are set
// all the same. It panics on the id 0, which is nil.
func (c *LinkingContext) Add(id uint64, object any) error {
	if id == 0 {
		panic("tagcodec: the id 0 is nil and cannot be an object's")
	}
	switch v := reflect.ValueOf(object); {
	case v.Kind() != reflect.Pointer:
		return fmt.Errorf("%w: object %d must be a pointer, not %T", ErrArgument, id, object)
	case v.IsNil():
		return fmt.Errorf("%w: object %d is a nil %T", ErrArgument, id, object)
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

// Unresolved keeps a link until its object is added, in place of another of the
// same field.
func (c *LinkingContext) Unresolved(p Patch) {
	at := p.location()
	c.forget(at)
	if c.locations == nil {
		c.locations, c.messages = map[location]*list.Element{}, map[*messageCost]int{}
	}
	c.locations[at] = c.waiting.PushBack(p)
	if p.cost != nil {
		if c.messages[p.cost]++; c.messages[p.cost] == 1 {
			c.bytes += p.cost.bytes
		}
	}
	c.bound()
}

func (c *LinkingContext) keeps() bool { return c.waiting.Len() > 0 }

func (c *LinkingContext) keepsFor(at location) bool {
	_, ok := c.locations[at]
	return ok
}

func (c *LinkingContext) forget(at location) {
	if e, ok := c.locations[at]; ok {
		c.drop(e)
	}
}

// Waiting returns the links whose objects are not known yet, that which waits
// longest first. Those whose memory is gone are not among them.
func (c *LinkingContext) Waiting() []Patch {
	patches := make([]Patch, 0, c.waiting.Len())
	for e := c.waiting.Front(); e != nil; e = e.Next() {
		if p := e.Value.(Patch); p.waits() {
			patches = append(patches, p)
		}
	}
	return patches
}

// Dropped returns how many links were dropped because too many waited, or because
// they took too much memory.
func (c *LinkingContext) Dropped() uint64 { return c.dropped }

// Forget drops the links that wait: their fields stay nil.
func (c *LinkingContext) Forget() {
	c.waiting.Init()
	clear(c.locations)
	clear(c.messages)
	c.bytes = 0
}

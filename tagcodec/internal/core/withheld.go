package core

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
)

// WithheldLinks is a Resolver that withholds the unresolved links of a message
// until the message is accepted. Refused messages must not make the Linker grow,
// and must not remove links from it.
type WithheldLinks struct {
	Resolver
	silent      bool // Release does nothing
	links       []withheldLink
	overwritten []FieldKey // fields whose earlier links are to be removed
}

// withheldLink is an unresolved link with its id and path.
type withheldLink struct {
	id   uint64
	path string
	WaitingLink
}

// Withhold returns settings whose Linker withholds links until
// [WithheldLinks.Release]. If c has no Linker, Withhold returns c and nil.
func (c *Settings) Withhold() (*Settings, *WithheldLinks) {
	if c.Linker == nil {
		return c, nil
	}
	inner, w := *c, &WithheldLinks{Resolver: c.Linker, silent: c.LinksSilent}
	inner.Linker = w
	return &inner, w
}

// Unresolved stores a link until Release.
func (w *WithheldLinks) Unresolved(id uint64, path string, at WaitingLink) {
	w.links = append(w.links, withheldLink{id, path, at})
}

// Release passes the links to the Linker and removes the waiting links that they
// replace. The caller has accepted the message, and v returns its value. Release
// does nothing if w is nil, or if the settings say that the Linker does not learn
// of links.
func (w *WithheldLinks) Release(pl *plan.Plan, v func() reflect.Value) {
	if w == nil || w.silent {
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

// MessageCost is the approximate memory in bytes that the waiting links of one
// message take together. It includes the memory that they keep alive.
type MessageCost struct{ Bytes int }

// linkBytes and storageBytes are the approximate memory of a waiting link and of
// a storage, including what a LinkingContext keeps for each.
const (
	linkBytes    = 256
	storageBytes = 256
)

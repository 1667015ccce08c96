package tagcodec

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// A value that serializes itself may hand parts of itself back to this package.
// The parts are coded by the settings of the codec that the value belongs to,
// and count how deeply they are nested and which bits others still need. All of
// this is a config, which the value's Reader or Writer carries.

// maxOpen is how many parts of a message may be open on the goroutine's stack at
// once: values that serialize themselves, and the blocks of the plain
// interpreter. Each takes up to three kilobytes, and a program whose stack is too
// large ends. With [DefaultMaxDepth] a plan would need 65 blocks from one value
// of a recursive type to the next to get there.
const maxOpen = 1 << 16

// unknown is what a loop panics with that has no way to do something with a
// code: one that was added to package typecache and not to the loop.
func unknown(way string, code typecache.Code) string {
	return "tagcodec: no way to " + way + " " + code.String()
}

// contextOf returns what a stream carries, or nil.
func contextOf(s *bits.Stream) *access.Context {
	if s.Reading() {
		return *access.ReaderContext(s.Reader())
	}
	return *access.WriterContext(s.Writer())
}

// settingsOf returns the settings that a stream carries, or nil outside of a
// codec.
func settingsOf(s *bits.Stream) *config {
	if ctx := contextOf(s); ctx != nil {
		c, _ := ctx.Settings.(*config)
		return c
	}
	return nil
}

// within returns the settings of c for a part of a value that outer are the
// settings of, if there are any. The stricter of the two hold.
func (c *config) within(outer *config) *config {
	switch {
	case outer == nil:
		return c
	case c.maxDepth == DefaultMaxDepth && !c.brief && c.linker == nil && (c.registry == nil || c.registry == outer.registry):
		return outer
	}
	inner := *outer
	if most := outer.depth + c.maxDepth; c.maxDepth < outer.maxDepth && most < inner.maxDepth {
		inner.maxDepth = most
	}
	inner.brief = inner.brief || c.brief
	if c.linker != nil {
		inner.linker = c.linker
	}
	if c.registry != nil {
		inner.registry = c.registry
	}
	return &inner
}

// enter checks that a part of a value, which starts at a bit, may be nested as
// deeply as it is and has as many bits as it needs at least: left are there.
func (c *config) enter(op string, plan *typecache.Plan, bit, left int) error {
	var err error
	switch {
	case c.depth > c.maxDepth:
		err = refusal(ErrDepth, c.depth, 0, c.maxDepth)
	case c.open > maxOpen:
		err = refusal(ErrDepth, c.open, 0, maxOpen)
	case !pays(left-c.owed, 1, plan.Least):
		err = refusal(ErrOverread, saturate.MulAdd(1, plan.Least, c.owed), nil, left)
	default:
		return nil
	}
	if c.brief && op == "unmarshal" {
		return sentinel(err)
	}
	place(err, op, bit)
	return newError(op, plan.Type, typename.Of(plan.Type), bit, err)
}

package tagcodec

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// settings holds the settings made by the options.
type settings struct {
	maxDepth     int
	sentinelOnly bool
	linker       resolver            // or nil
	registry     *typecache.Registry // unions of this codec alone, or nil

	// These are set only inside a value that serializes itself. depth is its
	// nesting depth. owed is the minimum number of bits that the values after
	// it need. open is the number of levels on the goroutine's stack; see
	// maxStackLevels.
	depth, reservedBits, stackLevels int
}

// defaultMaxDepth is the default of maxDepth.
const defaultMaxDepth = 1000

// A value that serializes itself may pass parts of itself to this package.
// These parts use the settings of the surrounding codec, continue its nesting
// depth, and leave the bits that later values need. A config with all of this
// travels in the value's Reader or Writer.

// maxStackLevels is the maximum number of levels on the goroutine's stack. A level is
// a value that serializes itself, or a block of the reference interpreter. Each
// takes up to three kilobytes, and a stack overflow would end the program. At
// the default depth a type would need 65 blocks from one recursive value to the
// next to reach this limit.
const maxStackLevels = 1 << 16

// unhandledCode is the text of a panic in a loop that does not handle a code: the code
// was added to package typecache, but not to the loop.
func unhandledCode(way string, code typecache.Code) string {
	return "tagcodec: no way to " + way + " " + code.String()
}

// contextOf returns the context carried by s, or nil.
func contextOf(s *bits.Stream) *access.Context {
	if s.Reading() {
		return *access.ReaderContext(s.Reader())
	}
	return *access.WriterContext(s.Writer())
}

// settingsOf returns the settings carried by s, or nil outside a codec.
func settingsOf(s *bits.Stream) *settings {
	if ctx := contextOf(s); ctx != nil {
		c, _ := ctx.Settings.(*settings)
		return c
	}
	return nil
}

// within returns the settings for a value coded by c inside a value coded by
// outer, which may be nil. The depth limit of c counts from the value and can
// only lower that of outer. The Linker and unions of c replace those of outer.
func (c *settings) within(outer *settings) *settings {
	switch {
	case outer == nil:
		return c
	case c.maxDepth == defaultMaxDepth && !c.sentinelOnly && c.linker == nil && (c.registry == nil || c.registry == outer.registry):
		return outer
	}
	inner := *outer
	if most := outer.depth + c.maxDepth; c.maxDepth < outer.maxDepth && most < inner.maxDepth {
		inner.maxDepth = most
	}
	inner.sentinelOnly = inner.sentinelOnly || c.sentinelOnly
	if c.linker != nil {
		inner.linker = c.linker
	}
	if c.registry != nil {
		inner.registry = c.registry
	}
	return &inner
}

// pushBlock checks that a value inside a Serialize method may be coded. It fails if
// the value starting at bit is nested too deeply, or if the left bits do not
// cover the minimum sizes of the value and of what follows it.
func (c *settings) checkNested(op string, plan *typecache.Data, bit, left int) error {
	var err error
	switch {
	case c.depth > c.maxDepth:
		err = newRefusal(errDepth, c.depth, 0, c.maxDepth)
	case c.stackLevels > maxStackLevels:
		err = newRefusal(errDepth, c.stackLevels, 0, maxStackLevels)
	case !covers(left-c.reservedBits, 1, plan.Least):
		err = newRefusal(bits.ErrOverread, saturate.MulAdd(1, plan.Least, c.reservedBits), nil, left)
	default:
		return nil
	}
	if c.sentinelOnly && op == "unmarshal" {
		return sentinelOf(err)
	}
	setPosition(err, op, bit)
	return newMessageError(op, plan.Type, typename.Of(plan.Type), bit, err)
}

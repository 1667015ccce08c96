package core

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// Settings holds the settings made by the options.
type Settings struct {
	MaxDepth     int
	SentinelOnly bool
	Linker       Resolver            // or nil
	Registry     *typecache.Registry // unions of this codec alone, or nil

	// These are set only inside a value that serializes itself. depth is its
	// nesting depth. owed is the minimum number of bits that the values after
	// it need. open is the number of levels on the goroutine's stack; see
	// MaxStackLevels.
	Depth, ReservedBits, StackLevels int
}

// DefaultMaxDepth is the default of MaxDepth.
const DefaultMaxDepth = 1000

// A value that serializes itself may pass parts of itself to this package.
// These parts use the settings of the surrounding codec, continue its nesting
// depth, and leave the bits that later values need. A config with all of this
// travels in the value's Reader or Writer.

// MaxStackLevels is the maximum number of levels on the goroutine's stack. A level is
// a value that serializes itself, or a block of the reference interpreter. Each
// takes up to three kilobytes, and a stack overflow would end the program. At
// the default depth a type would need 65 blocks from one recursive value to the
// next to reach this limit.
const MaxStackLevels = 1 << 16

// UnhandledCode is the text of a panic in a loop that does not handle a code: the code
// was added to package typecache, but not to the loop.
func UnhandledCode(way string, code plan.Code) string {
	return "tagcodec: no way to " + way + " " + code.String()
}

// contextOf returns the context carried by s, or nil.
func contextOf(s *bits.Stream) *access.Context {
	if s.Reading() {
		return *access.ReaderContext(s.Reader())
	}
	return *access.WriterContext(s.Writer())
}

// SettingsOf returns the settings carried by s, or nil outside a codec.
func SettingsOf(s *bits.Stream) *Settings {
	if ctx := contextOf(s); ctx != nil {
		c, _ := ctx.Settings.(*Settings)
		return c
	}
	return nil
}

// Within returns the settings for a value coded by c inside a value coded by
// outer, which may be nil. The depth limit of c counts from the value and can
// only lower that of outer. The Linker and unions of c replace those of outer.
func (c *Settings) Within(outer *Settings) *Settings {
	switch {
	case outer == nil:
		return c
	case c.MaxDepth == DefaultMaxDepth && !c.SentinelOnly && c.Linker == nil && (c.Registry == nil || c.Registry == outer.Registry):
		return outer
	}
	inner := *outer
	if most := outer.Depth + c.MaxDepth; c.MaxDepth < outer.MaxDepth && most < inner.MaxDepth {
		inner.MaxDepth = most
	}
	inner.SentinelOnly = inner.SentinelOnly || c.SentinelOnly
	if c.Linker != nil {
		inner.Linker = c.Linker
	}
	if c.Registry != nil {
		inner.Registry = c.Registry
	}
	return &inner
}

// pushBlock checks that a value inside a Serialize method may be coded. It fails if
// the value starting at bit is nested too deeply, or if the left bits do not
// cover the minimum sizes of the value and of what follows it.
func (c *Settings) CheckNested(op string, pl *plan.Plan, bit, left int) error {
	var err error
	switch {
	case c.Depth > c.MaxDepth:
		err = NewRefusal(ErrDepth, c.Depth, 0, c.MaxDepth)
	case c.StackLevels > MaxStackLevels:
		err = NewRefusal(ErrDepth, c.StackLevels, 0, MaxStackLevels)
	case !Covers(left-c.ReservedBits, 1, pl.Least):
		err = NewRefusal(bits.ErrOverread, saturate.MulAdd(1, pl.Least, c.ReservedBits), nil, left)
	default:
		return nil
	}
	if c.SentinelOnly && op == "unmarshal" {
		return SentinelOf(err)
	}
	SetPosition(err, op, bit)
	return NewMessageError(op, pl.Type, typename.Of(pl.Type), bit, err)
}

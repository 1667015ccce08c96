package core

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// Settings holds what the options of a codec set.
type Settings struct {
	MaxDepth       int
	SentinelErrors bool
	Linker         Resolver          // or nil
	LinksSilent    bool              // the Linker does not learn of unresolved links
	Plans          typecache.Options // the options of the plans of this codec

	// These are nonzero only inside a value that serializes itself. Depth is the
	// nesting depth of the value. ReservedBits is the minimum number of bits
	// that the values after it need. StackLevels is the number of levels on the
	// goroutine's stack; see MaxStackLevels. Self is the value, as a pointer, for
	// the paths of errors.
	Depth, ReservedBits, StackLevels int
	Self                             bits.Serializer
}

// DefaultMaxDepth is the MaxDepth of a codec without options.
const DefaultMaxDepth = 1000

// UnhandledCode returns the text of a panic in a loop that does not handle a
// code. The code was added to package plan, but not to the loop. way is what
// the loop does: "read", "write" or "compare". It is not copied into its callers.
//
//go:noinline
func UnhandledCode(way string, code plan.Code) string {
	return "tagcodec: no way to " + way + " " + code.String()
}

// ContextOf returns the context carried by s, or nil.
func ContextOf(s *bits.Stream) *access.Context {
	if s.Reading() {
		return *access.ReaderContext(s.Reader())
	}
	return *access.WriterContext(s.Writer())
}

// SettingsOf returns the settings carried by s, or nil outside a codec.
func SettingsOf(s *bits.Stream) *Settings {
	if ctx := ContextOf(s); ctx != nil {
		c, _ := ctx.Settings.(*Settings)
		return c
	}
	return nil
}

// Within returns the settings for a value that a codec with settings c writes
// or reads inside a message of a codec with settings outer, which may be nil.
// The depth limit of c counts from the value and can only lower that of outer.
// The Linker and the options of plans of c replace those of outer.
func (c *Settings) Within(outer *Settings) *Settings {
	switch {
	case outer == nil:
		return c
	case c.MaxDepth == DefaultMaxDepth && !c.SentinelErrors && c.Linker == nil && (c.Plans == typecache.Options{} || c.Plans == outer.Plans):
		return outer
	}
	inner := *outer
	if most := outer.Depth + c.MaxDepth; c.MaxDepth < outer.MaxDepth && most < inner.MaxDepth {
		inner.MaxDepth = most
	}
	inner.SentinelErrors = inner.SentinelErrors || c.SentinelErrors
	if _, copied := outer.Linker.(*CopiedLinks); c.Linker != nil && !copied {
		inner.Linker = c.Linker
	}
	if c.Plans != (typecache.Options{}) {
		inner.Plans = c.Plans
	}
	return &inner
}

// FillNested sets inner to the settings for self, a value that serializes itself
// in a message with the settings c. Such a value may pass parts of itself to
// tagcodec.Serialize. The parts then have the settings of the message, continue
// its nesting depth, and leave the bits that later values need.
//
// depth is the nesting depth at the value, and blocks is the number of blocks
// of the reference interpreter around it. reservedBits is the minimum number of
// bits that the values after it need.
func (c *Settings) FillNested(inner *Settings, self bits.Serializer, depth, blocks, reservedBits int) {
	*inner = *c
	inner.Self = self
	inner.Depth, inner.ReservedBits, inner.StackLevels = depth+1, reservedBits, c.StackLevels+blocks+1
}

// CheckNested checks that a value inside a Serialize method may be written or
// read. op is "marshal" or "unmarshal". CheckNested fails if the value is
// nested too deeply, or if the left bits do not cover the minimum sizes of the
// value and of what follows it. The value starts at bit.
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
	if c.SentinelErrors && op == "unmarshal" {
		return SentinelOf(err)
	}
	SetPosition(err, op, bit)
	return NewMessageError(op, pl.Type, typename.Of(pl.Type), bit, err)
}

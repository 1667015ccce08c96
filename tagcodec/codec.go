package tagcodec

import (
	"reflect"
	"sync/atomic"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/typecache"
)

// Codec marshals and unmarshals values of type T. It holds the plan of T, so
// Append and Unmarshal need no lookup, and they allocate only what the value
// itself needs. A Codec is safe for concurrent use. It must not be copied.
type Codec[T any] struct {
	plan     *plan.Plan
	settings core.Settings

	// code is the generated code of the plan once a message has used it. The calls
	// that find it cost more than those that a small message needs.
	code atomic.Pointer[engine.Code[T]]
}

// An Option changes how a [Codec] works. Only a [WireOption] changes the bytes on
// the wire. Only the functions of this package make Options.
type Option option

// A WireOption is an [Option] that changes the bytes on the wire and, if the type
// has what it is about, the hash. The two sides must agree on it. It is part of the
// plan, so it is for [For] alone. The command bp follows WireOptions that are
// written out in a call of For.
type WireOption wireOption

// These are what the two are to the other packages of this module.
type (
	option     = core.Option
	wireOption = core.WireOption
)

// WithMaxDepth sets how deeply values of recursive types, unions, and types
// that pass themselves to [Serialize] may nest. The default is
// [DefaultMaxDepth]. A deeper value fails with [ErrDepth].
//
// Each level of Serialize takes two or three kilobytes of stack. More than
// 65536 levels of Serialize, or 512 in WebAssembly, fail with [ErrDepth],
// whatever n is.
func WithMaxDepth(n int) Option { return core.Set(func(c *core.Settings) { c.MaxDepth = n }) }

// WithSentinelErrors makes decoding return only a sentinel error such as
// [ErrRange], without the path, the position or the bounds. It suits servers
// that only count bad messages: errors are then cheap, and a message that ends
// too early costs no allocation.
func WithSentinelErrors() Option {
	return core.Set(func(c *core.Settings) { c.SentinelErrors = true })
}

// WithoutChecks leaves fields of the kind check off the wire. They find mistakes
// during development, so a program may give this option in its release builds
// alone, for example from a constant under a build tag. The two sides must
// agree: [Codec.Hash] differs if the type has such fields. A Serialize method
// that calls [bits.Stream.Check] still does.
func WithoutChecks() WireOption { return core.SetPlans(typecache.Options.WithoutChecks) }

// DefaultMaxDepth is the maximum nesting depth, 1000, unless [WithMaxDepth]
// sets another.
const DefaultMaxDepth = core.DefaultMaxDepth

// newSettings returns the settings that opts set.
func newSettings(opts []Option) core.Settings {
	c := core.Settings{MaxDepth: DefaultMaxDepth}
	core.Apply(&c, opts)
	return c
}

// defaultSettings is the settings of functions that take no options.
var defaultSettings = newSettings(nil)

// For returns the codec of T. It fails with an error that wraps a
// [*typecache.Error] if T or its tags are not valid.
func For[T any](opts ...Option) (*Codec[T], error) {
	c := newSettings(opts)
	pl, err := engine.PlanFor(&c, reflect.TypeFor[T](), "")
	if err != nil {
		return nil, err
	}
	return &Codec[T]{plan: pl, settings: c}, nil
}

// findGenerated stores the generated code of the plan, which may have been
// registered after the codec was made. It returns false if the plan has no code.
// Codecs with a Linker do not use it, because a link that was read must be withheld
// until the message has been accepted.
func (c *Codec[T]) findGenerated() bool {
	code := engine.CodeOf[T](c.plan)
	if code == nil || c.settings.Linker != nil {
		return false
	}
	c.code.Store(code)
	return true
}

// With returns a codec that has the same plan and additional options. It is
// cheap, so a server may call it for each connection to set the connection's
// [Linker]. It panics if an option is a [WireOption] that changes the plan, which
// must be passed to [For] instead.
func (c *Codec[T]) With(opts ...Option) *Codec[T] {
	d := &Codec[T]{plan: c.plan, settings: c.settings}
	core.Apply(&d.settings, opts)
	if d.settings.Plans != c.settings.Plans {
		panic("tagcodec: With: the unions and checks of a codec cannot be changed: give them to For")
	}
	return d
}

// MustFor is like [For] but panics on an error. It is meant for package
// variables.
func MustFor[T any](opts ...Option) *Codec[T] {
	c, err := For[T](opts...)
	if err != nil {
		panic(err)
	}
	return c
}

// Append appends the message of *v to dst. Spare capacity of dst beyond the
// message is left untouched. After an error Append returns dst unchanged, but
// its spare capacity may have been overwritten. The value must not share memory
// with that spare capacity; see the function [Append].
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	if v != nil {
		if code := c.code.Load(); code != nil {
			if out, _, ok := code.Append(&c.settings, v, dst); ok {
				return out, nil
			}
		} else if c.plan.Generated() == nil {
			return engine.EncodePlan(&c.settings, c.plan, engine.VariableOf(v), dst)
		}
	}
	return c.append(dst, v)
}

// append is Append for the first message of a type with generated code, and for
// those that the code does not write.
func (c *Codec[T]) append(dst []byte, v *T) ([]byte, error) {
	switch {
	case v == nil:
		return dst, argumentError("marshal", c.plan.Type, "the pointer is nil")
	case c.code.Load() == nil && c.findGenerated():
		return c.Append(dst, v)
	}
	return engine.EncodePlan(&c.settings, c.plan, engine.VariableOf(v), dst)
}

// Unmarshal decodes all of data into *v. After an error *v holds what was
// decoded before it, and every value is within its range, as described for the
// function [Unmarshal].
func (c *Codec[T]) Unmarshal(data []byte, v *T) error {
	if v != nil {
		if code := c.code.Load(); code != nil {
			bit, ok := code.Read(&c.settings, v, data, 0)
			// As engine.EndsAt, which the compiler does not inline into generic methods.
			if ok && 8*len(data)-bit < 8 && (bit&7 == 0 || data[len(data)-1]>>(bit&7) == 0) {
				return nil
			}
		} else if c.plan.Generated() == nil {
			return engine.UnmarshalPlan(&c.settings, c.plan, engine.VariableOf(v), data)
		}
	}
	return c.unmarshal(data, v)
}

// unmarshal is Unmarshal for the first message of a type with generated code, and
// for those that the code does not read.
func (c *Codec[T]) unmarshal(data []byte, v *T) error {
	switch {
	case v == nil:
		return argumentError("unmarshal", c.plan.Type, "the pointer is nil")
	case c.code.Load() == nil && c.findGenerated():
		return c.Unmarshal(data, v)
	}
	return engine.UnmarshalPlan(&c.settings, c.plan, engine.VariableOf(v), data)
}

// UnmarshalFirst decodes one message from the start of data into *v and returns
// the bytes after it. The unused bits of the message's last byte may have any
// value.
func (c *Codec[T]) UnmarshalFirst(data []byte, v *T) (rest []byte, err error) {
	if v == nil {
		return data, argumentError("unmarshal", c.plan.Type, "the pointer is nil")
	}
	return engine.UnmarshalFirst(&c.settings, c.plan, engine.VariableOf(v), data)
}

// Size returns the length in bytes of the message of *v. It fails with the
// error that Append would return.
func (c *Codec[T]) Size(v *T) (int, error) {
	if v == nil {
		return 0, argumentError("marshal", c.plan.Type, "the pointer is nil")
	}
	return engine.Size(&c.settings, c.plan, engine.VariableOf(v))
}

// MinBits returns the length in bits of the shortest message. It may be too low
// if the type contains alignment or subset indices, whose size depends on the
// value.
func (c *Codec[T]) MinBits() int { return c.plan.MinBits }

// MaxBits returns the length in bits of the longest message. It may be too high
// if the type contains alignment, whose size depends on the value. It is
// [typecache.Unbounded] for recursive types and for types that serialize
// themselves and have no MaxBits method.
func (c *Codec[T]) MaxBits() int { return c.plan.MaxBits }

// MaxSize returns MaxBits rounded up to bytes. No message is longer. It is
// [typecache.Unbounded] if MaxBits is. Do not allocate a buffer of this size,
// which may exceed the available memory. Instead, reuse the buffer that Append
// returns, which grows to the longest message written:
//
//	buffer, err = codec.Append(buffer[:0], &v)
func (c *Codec[T]) MaxSize() int { return saturate.Bytes(c.plan.MaxBits) }

// Hash returns the SHA-256 of everything in the plan that affects the wire. Two
// sides with the same hash can decode each other's messages.
func (c *Codec[T]) Hash() [32]byte { return c.plan.Hash() }

// Plan returns the plan. Its String method formats it as a table.
func (c *Codec[T]) Plan() *typecache.Plan { return sealed.ViewOf(c.plan) }

package tagcodec

import (
	"reflect"
	"slices"
	"sync"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// Codec marshals and unmarshals values of type T. It holds the type's plan, so
// that nothing is looked up and nothing is boxed: Append and Unmarshal take no
// memory other than what the value itself needs. A Codec is safe for
// concurrent use.
type Codec[T any] struct {
	plan   *typecache.Plan
	config config
}

// config is what the options set.
type config struct {
	maxDepth int
	brief    bool
	linker   Linker
	registry *typecache.Registry // the unions of the codec alone, or nil

	// Inside of a value that serializes itself: how deep it is, the bits that what
	// follows it still needs, and what is open on the goroutine's stack.
	depth, owed, open int
}

// An Option changes how a [Codec] works. None changes a byte of the wire.
type Option func(*config)

// WithMaxDepth sets how many values of recursive types, of unions and of types
// that hand themselves to [Serialize] may be nested in each other, which is
// [DefaultMaxDepth] otherwise. A deeper value is refused with [ErrDepth].
//
// Each level of Serialize takes two or three kilobytes of the goroutine's stack.
// More than 65536 levels of it are refused whatever n is.
func WithMaxDepth(n int) Option { return func(c *config) { c.maxDepth = n } }

// WithBriefErrors makes reading fail with the sentinel alone: not which value
// was refused, nor where, nor what its bounds are. A server that only counts
// what it refuses then pays little for bad packets, and takes no memory for
// those that end too early.
func WithBriefErrors() Option { return func(c *config) { c.brief = true } }

// DefaultMaxDepth is the nesting of recursive types that is accepted where
// [WithMaxDepth] does not set another.
const DefaultMaxDepth = 1000

func newConfig(opts []Option) config {
	c := config{maxDepth: DefaultMaxDepth}
	for _, o := range opts {
		o(&c)
	}
	return c
}

// defaults is the config of the functions that take no options.
var defaults = newConfig(nil)

// For returns the codec of T. It fails with a [*typecache.Error] if T or its
// tags are not what a plan can be made of.
func For[T any](opts ...Option) (*Codec[T], error) {
	c := newConfig(opts)
	plan, err := c.plan(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	return &Codec[T]{plan, c}, nil
}

// plan returns the plan of a type, with the unions of the codec if it has any.
func (c *config) plan(t reflect.Type) (*typecache.Plan, error) {
	if c == nil || c.registry == nil {
		return planOf(t)
	}
	plan, err := c.registry.Of(t)
	if err != nil {
		return nil, err
	}
	return plan, unreachable(plan)
}

// With returns a codec of the same plan with more options. It is cheap: a
// server may make one for every connection, with the connection's [Linker].
// Unions are part of the plan, and [WithUnion] is for [For] alone.
func (c *Codec[T]) With(opts ...Option) *Codec[T] {
	d := *c
	for _, o := range opts {
		o(&d.config)
	}
	if d.config.registry != c.config.registry {
		panic("tagcodec: With: the union of a codec cannot be changed: give it to For")
	}
	return &d
}

// MustFor is [For] for package variables: it panics on an error.
func MustFor[T any](opts ...Option) *Codec[T] {
	c, err := For[T](opts...)
	if err != nil {
		panic(err)
	}
	return c
}

// Append appends the message of *v to dst, and changes nothing behind it in the
// memory of dst if that is enough. After an error it returns dst as it was; the
// memory behind its length may have changed. The value must not be in that
// memory, as the function [Append] says.
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	if v == nil {
		return dst, argument("marshal", c.plan.Type, "a nil pointer has no message")
	}
	return encode(&c.config, c.plan, variableOf(v), dst)
}

// Unmarshal reads all of data into *v. After an error *v holds what was read
// before it, and no value is outside its range, as for the function
// [Unmarshal].
func (c *Codec[T]) Unmarshal(data []byte, v *T) error {
	if v == nil {
		return argument("unmarshal", c.plan.Type, "a nil pointer has no room for a message")
	}
	return unmarshal(&c.config, c.plan, variableOf(v), data)
}

// UnmarshalFirst reads one message from the start of data into *v and returns
// the bytes after it. The unused bits of the message's last byte may have any
// value.
func (c *Codec[T]) UnmarshalFirst(data []byte, v *T) (rest []byte, err error) {
	if v == nil {
		return data, argument("unmarshal", c.plan.Type, "a nil pointer has no room for a message")
	}
	return unmarshalFirst(&c.config, c.plan, variableOf(v), data)
}

// Size returns the length in bytes of the message of *v, and the error that
// Append would return.
func (c *Codec[T]) Size(v *T) (int, error) {
	if v == nil {
		return 0, argument("marshal", c.plan.Type, "a nil pointer has no message")
	}
	return size(&c.config, c.plan, variableOf(v))
}

// MinBits returns the bits of the shortest message, or fewer where its
// alignment or the indices of a subset depend on the value.
func (c *Codec[T]) MinBits() int { return c.plan.MinBits }

// MaxBits returns the bits of the longest message, or more where its alignment
// depends on the value. It is [typecache.Unbounded] for recursive types and
// for types that serialize themselves.
func (c *Codec[T]) MaxBits() int { return c.plan.MaxBits }

// MaxSize returns MaxBits in bytes: no message is longer. It is
// [typecache.Unbounded] where MaxBits is. Do not make a buffer of that size: it
// may be more than there is memory for. Reuse the one that Append returns, which
// grows to the longest message that was written:
//
//	buffer, err = codec.Append(buffer[:0], &v)
func (c *Codec[T]) MaxSize() int { return bytesOf(c.plan.MaxBits) }

// Hash returns the SHA-256 of all that touches the wire. Two sides of the same
// hash understand each other.
func (c *Codec[T]) Hash() [32]byte { return c.plan.Hash() }

// Plan returns the plan, which prints itself as a table.
func (c *Codec[T]) Plan() *typecache.Plan { return c.plan }

// shortMessage is the length in bytes up to which new memory is taken for the
// longest message of a type: what is left over is less than a copy costs.
const shortMessage = 128

// withRoom returns dst with memory for a message if it has too little for every
// message of the plan: for the shortest, or the longest if that is short.
func withRoom(plan *typecache.Plan, dst []byte) []byte {
	if cap(dst)-len(dst) >= plan.MinBits>>3 {
		return dst
	}
	return grow(plan, dst)
}

func grow(plan *typecache.Plan, dst []byte) []byte {
	if plan.MaxBits <= 8*shortMessage {
		return slices.Grow(dst, bytesOf(plan.MaxBits))
	}
	// The elements that a slice must have may be missing, which is found out
	// later: they get no memory here. All else takes about as much as the value.
	return slices.Grow(dst, min(bytesOf(plan.MinBits), int(plan.Type.Size())+shortMessage))
}

// buffers holds messages until their length is known.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 1024); return &b }}

// size encodes into a buffer of its own: whatever a value may refuse to
// encode, it is refused here too.
func size(c *config, plan *typecache.Plan, base variable) (int, error) {
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	out, err := encode(c, plan, base, (*b)[:0])
	*b = out[:0]
	return len(out), err
}

func unmarshal(c *config, plan *typecache.Plan, base variable, data []byte) error {
	bit, ok := decodeWhole(plan, base, data)
	if ok && endsAt(data, bit) {
		return nil
	}
	if !ok {
		held, links := c.holdLinks()
		var err error
		if bit, err = decode(held, plan, base, data, 0); err != nil {
			return err
		}
		if endsAt(data, bit) {
			links.release()
			return nil
		}
	}
	if c.brief {
		return ErrTrailing
	}
	return &Error{Op: "unmarshal", Type: plan.Type, Path: typename.Of(plan.Type), Bit: bit,
		Err: &bits.Error{Op: "read", Bit: bit, Err: ErrTrailing}}
}

func unmarshalFirst(c *config, plan *typecache.Plan, base variable, data []byte) ([]byte, error) {
	c, links := c.holdLinks()
	bit, err := decode(c, plan, base, data, 0)
	if err != nil {
		return data, err
	}
	links.release()
	return data[bytesOf(bit):], nil
}

// endsAt reports whether a bit is in the last byte of data, or behind it, and
// only zeros follow.
func endsAt(data []byte, bit int) bool {
	end := (bit + 7) >> 3
	return len(data) <= end && (bit&7 == 0 || data[end-1]>>(bit&7) == 0)
}

// bytesOf returns the bytes that n bits take.
func bytesOf(n int) int {
	if n == typecache.Unbounded {
		return n
	}
	return (n + 7) / 8
}

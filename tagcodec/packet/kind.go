package packet

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
	"github.com/gobitpack/bitpack/tagcodec/internal/streams"
)

// Type is a packet type of a [Protocol]. [Of] returns one.
type Type struct {
	typ       reflect.Type
	build     func(more ...tagcodec.Option) (codec, error)
	mayExceed bool
	maxPacket int      // or 0
	carries   Encoding // or nil
}

// Of returns the packet type T. T must not be a pointer; the protocol accepts
// values of both T and *T. The options are those of its [tagcodec.Codec].
func Of[T any](opts ...tagcodec.Option) Type {
	return Type{typ: reflect.TypeFor[T](), build: func(more ...tagcodec.Option) (codec, error) {
		c, err := tagcodec.For[T](slices.Concat(opts, more)...)
		if err != nil {
			return nil, err
		}
		return &typed[T]{c, slices.Concat(opts, more)}, nil
	}}
}

// MayExceed returns a copy of t whose packets may exceed the protocol's MTU.
// Use it if the largest packets need not fit, or if the size has no bound. A
// packet that does not fit fails with [ErrBudget] when it is sent.
func (t Type) MayExceed() Type {
	t.mayExceed = true
	return t
}

// MaxPacket returns a copy of t with its own [Config.MaxPacket]. Packets of t are
// not sent in fragments if n is at most [Protocol.Room]. It panics if n is not
// positive.
func (t Type) MaxPacket(n int) Type {
	if n <= 0 {
		panic(fmt.Sprintf("packet: MaxPacket: the size is %d; it must be positive", n))
	}
	t.maxPacket = n
	return t
}

// codec is a tagcodec.Codec with its type parameter erased.
type codec interface {
	plan() *plan.Plan
	with(opts []tagcodec.Option) codec
	write(s *bits.Stream, v any) error // v is a T or a *T
	read(s *bits.Stream, v any) error  // v is a *T
	fresh() any                        // returns a *T
	holds(v any) bool                  // reports whether v is a non-nil *T

	// explain calls part for each part of the message that begins at a bit of
	// data. It returns the bit after it.
	explain(data []byte, bit int, part func(reference.Part)) (int, error)

	profile() profile // returns an empty one
}

type typed[T any] struct {
	codec   *tagcodec.Codec[T]
	options []tagcodec.Option // of codec
}

func (t *typed[T]) plan() *plan.Plan { return sealed.PlanOf(t.codec.Plan()) }

func (t *typed[T]) with(opts []tagcodec.Option) codec {
	return &typed[T]{t.codec.With(opts...), slices.Concat(t.options, opts)}
}

func (t *typed[T]) write(s *bits.Stream, v any) error {
	if p, ok := v.(*T); ok {
		return t.codec.Serialize(s, p)
	}
	value := v.(T)
	return t.codec.Serialize(s, &value)
}

func (t *typed[T]) read(s *bits.Stream, v any) error { return t.codec.Serialize(s, v.(*T)) }

func (t *typed[T]) fresh() any { return new(T) }

func (t *typed[T]) holds(v any) bool {
	p, ok := v.(*T)
	return ok && p != nil
}

// appendPacket appends the packet of v: the index of its type, of width bits,
// and the value. It is padded to whole bytes, so that packets can follow each
// other. It takes at least one byte, so that packets of no bits can be counted.
// It returns the number of bits of the value, too.
func appendPacket(dst []byte, c codec, index, width int, v any) (data []byte, size int, err error) {
	s := streams.Get()
	defer s.Free()
	s.W.Resume(dst, len(dst), 0)
	if width > 0 {
		s.W.WriteBits(uint64(index), width)
	}
	if err := c.write(s.Writing, v); err != nil {
		return dst, 0, err
	}
	size = s.W.Bit() - width
	if s.W.Bit() == 0 {
		s.W.WriteBits(0, 8)
	}
	return s.W.Bytes(), size, nil
}

// packetLen returns the length in bytes of a packet of end bits.
func packetLen(end int) int { return max(1, (end+7)/8) }

// readPacket reads the packet at the start of data into v and returns its
// length in bits, without padding. It skips the type index of width bits. If exact is set, data
// must end with the packet.
func readPacket(data []byte, c codec, width int, exact bool, v any) (int, error) {
	s := streams.Get()
	defer s.Free()
	s.R.Reset(data, width)
	if err := c.read(s.Reading, v); err != nil {
		return 0, err
	}
	return packetEnd(data, s.R.Bit(), exact)
}

// packetEnd returns the length in bits of the packet at the start of data, whose
// value ends before bit. It refuses bits that are not zero in its last byte. If
// exact is set, data must end with the packet.
func packetEnd(data []byte, bit int, exact bool) (int, error) {
	n := packetLen(bit)
	if bitio.Peek(data[:n], bit) != 0 || exact && n < len(data) {
		return 0, fmt.Errorf("%w: after bit %d", tagcodec.ErrTrailing, bit)
	}
	return bit, nil
}

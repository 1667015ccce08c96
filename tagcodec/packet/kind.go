package packet

import (
	"fmt"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/streams"
	"github.com/gobitpack/bitpack/typecache"
)

// Type is a packet type to build a [Protocol] of. It is made by [Of].
type Type struct {
	typ       reflect.Type
	build     func() (codec, error)
	mayExceed bool
}

// Of returns the packet type T, which is not a pointer: a protocol of T takes
// values of T and *T alike. The options are those of its [tagcodec.Codec].
func Of[T any](opts ...tagcodec.Option) Type {
	return Type{typ: reflect.TypeFor[T](), build: func() (codec, error) {
		c, err := tagcodec.For[T](opts...)
		if err != nil {
			return nil, err
		}
		return &typed[T]{c}, nil
	}}
}

// MayExceed returns the type with leave to exceed the protocol's MTU: its
// largest packets need not fit, or it has no largest packet. One that does not
// fit is refused when it is sent, with [ErrBudget].
func (t Type) MayExceed() Type {
	t.mayExceed = true
	return t
}

// codec is a tagcodec.Codec of any type.
type codec interface {
	plan() *typecache.Plan
	with(opts []tagcodec.Option) codec
	write(s *bits.Stream, v any) error // v is a T or a *T
	read(s *bits.Stream, v any) error  // v is a *T
	fresh() any                        // a *T
	holds(v any) bool                  // v is a *T that is not nil
}

type typed[T any] struct{ codec *tagcodec.Codec[T] }

func (t *typed[T]) plan() *typecache.Plan { return t.codec.Plan() }

func (t *typed[T]) with(opts []tagcodec.Option) codec {
	return &typed[T]{t.codec.With(opts...)}
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

// appendPacket appends the packet of v, whose type has an index of width bits,
// in whole bytes and one at least, so that packets can be told from each other
// wherever they follow each other.
func appendPacket(dst []byte, c codec, index, width int, v any) ([]byte, error) {
	s := streams.Get()
	defer s.Free()
	s.W.Resume(dst, len(dst), 0)
	if width > 0 {
		s.W.WriteBits(uint64(index), width)
	}
	if err := c.write(s.Writing, v); err != nil {
		return dst, err
	}
	if s.W.Bit() == 0 {
		s.W.WriteBits(0, 8)
	}
	return s.W.Bytes(), nil
}

// readPacket reads the packet that data starts with into v, behind the index
// of its type, and returns its length.
func readPacket(data []byte, c codec, width int, v any) (int, error) {
	s := streams.Get()
	defer s.Free()
	s.R.Reset(data, width)
	if err := c.read(s.Reading, v); err != nil {
		return 0, err
	}
	bit := s.R.Bit()
	n := max(1, (bit+7)/8)
	if bits.Peek(data[:n], bit) != 0 {
		return 0, fmt.Errorf("%w: after bit %d", tagcodec.ErrTrailing, bit)
	}
	return n, nil
}

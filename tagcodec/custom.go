package tagcodec

import (
	"encoding"
	"math"
	"reflect"
	"sync"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// encodeBinary writes the form that a value has of its own.
func encodeBinary(op *typecache.Op, v reflect.Value, out *output) error {
	var form []byte
	var err error
	switch m := v.Addr().Interface().(type) {
	case encoding.BinaryAppender:
		form, err = m.AppendBinary(nil)
	case encoding.BinaryMarshaler:
		form, err = m.MarshalBinary()
	}
	if err != nil {
		return err
	}
	if uint64(len(form)) > op.Span {
		return lengthError(op, len(form))
	}
	out.put(uint64(len(form)), uint(op.Bits))
	out.raw(form)
	return nil
}

// decodeBinary is the reverse of encodeBinary.
func decodeBinary(v reflect.Value, form []byte) error {
	return v.Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(form)
}

// streams holds what a type that serializes itself is given.
var streams = sync.Pool{New: func() any {
	s := new(stream)
	s.writing, s.reading = bits.NewWriteStream(&s.w), bits.NewReadStream(&s.r)
	return s
}}

type stream struct {
	w                bits.Writer
	r                bits.Reader
	writing, reading *bits.Stream
}

// release gives a stream back without the memory it worked on.
func (s *stream) release() {
	s.w.Reset(nil)
	s.r.Reset(nil, 0)
	streams.Put(s)
}

// encodeCustom has a value serialize itself in place.
func encodeCustom(op *typecache.Op, v reflect.Value, out *output) error {
	s := streams.Get().(*stream)
	defer s.release()
	bit := out.bit()
	s.w.Resume(out.close(), out.start, bit)
	err := v.Addr().Interface().(bits.Serializer).Serialize(s.writing)
	if e := s.w.Err(); e != nil {
		err = e
	}
	if err != nil {
		return err
	}
	if s.w.Bit() == bit && op.Flags&typecache.Paid != 0 {
		return refusal(ErrLength, 0, 1, math.MaxInt)
	}
	out.resume(s.w.Bytes(), s.w.Bit())
	return nil
}

// decodeCustom is the reverse of encodeCustom. It returns the bit it stopped
// at.
func decodeCustom(op *typecache.Op, v reflect.Value, data []byte, bit int) (int, error) {
	s := streams.Get().(*stream)
	defer s.release()
	s.r.Reset(data, bit)
	err := v.Addr().Interface().(bits.Serializer).Serialize(s.reading)
	if e := s.r.Err(); e != nil {
		err = e
	}
	end := s.r.Bit()
	if err == nil && end == bit && op.Flags&typecache.Paid != 0 {
		err = refusal(ErrLength, 0, 1, math.MaxInt)
	}
	return end, err
}

// Serialize writes or reads *v, a non-nil pointer, in place: a tagged struct
// inside a serialize function. Like the Stream's own methods it does nothing
// after an error; it returns the Stream's error.
//
// A type that has a serialize function of its own is serialized by that. The
// function that wants the tags of its own type therefore hands on a type
// without methods:
//
//	func (p *Player) Serialize(s *bits.Stream) error {
//		type tagged Player
//		return tagcodec.Serialize(s, (*tagged)(p))
//	}
func Serialize(s *bits.Stream, v any) error {
	plan, base, err := destination(v)
	if err != nil {
		if e, ok := err.(*Error); ok {
			e.Op = "serialize"
		}
		s.Fail(err)
		return s.Err()
	}
	return serialize(&defaults, plan, base, s)
}

// Serialize writes or reads *v in place, as the function [Serialize] does.
func (c *Codec[T]) Serialize(s *bits.Stream, v *T) error {
	if v == nil {
		s.Fail(argument("serialize", c.plan.Type, "a nil pointer has no value"))
		return s.Err()
	}
	return serialize(&c.config, c.plan, memory.Of(v), s)
}

func serialize(c *config, plan *typecache.Plan, base memory.Pointer, s *bits.Stream) error {
	if s.Err() != nil {
		return s.Err()
	}
	if s.Reading() {
		r := s.Reader()
		c, links := c.holdLinks()
		end, err := decode(c, plan, base, r.Data(), r.Bit())
		if err != nil {
			s.Fail(err)
		} else {
			r.Skip(end - r.Bit())
			links.release()
		}
		return s.Err()
	}
	// The value is encoded apart, from the same bit of a byte on, so that it
	// aligns as it would in place.
	w := s.Writer()
	start := w.Bit() &^ 7
	phase := w.Bit() & 7
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	out := output{buf: (*b)[:cap(*b)], fill: uint(phase)}
	if err := encodeTo(c, plan, base, &out); err != nil {
		s.Fail(moved(err, start))
		return s.Err()
	}
	data, end := out.close(), out.bit()
	for bit := phase; bit < end; bit += 64 {
		w.WriteBits(bits.PeekWord(data, bit), min(64, end-bit))
	}
	*b = data[:0]
	return s.Err()
}

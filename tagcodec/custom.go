package tagcodec

import (
	"encoding"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
)

// binaryForm returns the form that a value has of its own.
func binaryForm(v reflect.Value) ([]byte, error) {
	switch m := exposed(v).Addr().Interface().(type) {
	case encoding.BinaryAppender:
		return m.AppendBinary(nil)
	case encoding.BinaryMarshaler:
		return m.MarshalBinary()
	}
	return nil, nil // no plan has others
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
	return serialize(&c.config, c.plan, variableOf(v), s)
}

// inPlace marks an error as one of the message that a Stream is of.
func inPlace(err error) error {
	if e, ok := err.(*Error); ok { // and not the sentinel of brief errors
		e.inPlace = true
	}
	return err
}

func serialize(c *config, plan *typecache.Plan, base variable, s *bits.Stream) error {
	if s.Err() != nil {
		return s.Err()
	}
	if s.Reading() {
		r := s.Reader()
		c, links := c.holdLinks()
		end, err := decode(c, plan, base, r.Data(), r.Bit())
		if err != nil {
			s.Fail(inPlace(err))
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
	data, end, err := encodeFrom(c, plan, base, *b, phase)
	if err != nil {
		s.Fail(inPlace(moved(err, start)))
		return s.Err()
	}
	for bit := phase; bit < end; bit += 64 {
		w.WriteBits(bits.PeekWord(data, bit), min(64, end-bit))
	}
	*b = data[:0]
	return s.Err()
}

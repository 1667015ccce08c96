package tagcodec

import (
	"encoding"
	"math"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/saturate"
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
//
// Inside of a codec's message, *v is coded by the codec's options: its depth
// limit, of which *v takes one level, its [Linker], its unions and its brief
// errors. They are part of the Stream's Reader or Writer. A Reader or a Writer
// that the function makes itself has none of them.
func Serialize(s *bits.Stream, v any) error {
	if s.Err() != nil {
		return s.Err()
	}
	plan, base, err := destinationOf(settingsOf(s), v)
	if err != nil {
		if e, ok := err.(*Error); ok {
			e.Op = "serialize"
		}
		s.Fail(err)
		return s.Err()
	}
	return serialize(&defaults, plan, base, s)
}

// Serialize writes or reads *v in place, as the function [Serialize] does. Where
// the options of c and those of the codec around differ, the smaller depth limit
// holds and errors are brief if either says so. The unions are those of c, if it
// has any of its own, and so is the [Linker], which is told of links as soon as
// *v is read.
func (c *Codec[T]) Serialize(s *bits.Stream, v *T) error {
	if v == nil {
		s.Fail(argument("serialize", c.plan.Type, "a nil pointer has no value"))
		return s.Err()
	}
	return serialize(&c.config, c.plan, variableOf(v), s)
}

// serialize writes or reads the value at base in place.
func serialize(c *config, plan *typecache.Plan, base variable, s *bits.Stream) error {
	if s.Err() != nil {
		return s.Err()
	}
	outer := settingsOf(s)
	c = c.within(outer)
	var err error
	if s.Reading() {
		err = readPart(c, outer, plan, base, s.Reader())
	} else {
		err = writePart(c, plan, base, s.Writer())
	}
	if err != nil {
		if e, ok := err.(*Error); ok { // and not the sentinel of brief errors
			e.inPlace = true
		}
		s.Fail(err)
	}
	return s.Err()
}

// readPart reads the value at base where r stands, and moves r to its end.
func readPart(c, outer *config, plan *typecache.Plan, base variable, r *bits.Reader) error {
	if outer != nil {
		access.Need(r, saturate.MulAdd(1, plan.Least, c.owed))
		if err := c.enter("unmarshal", plan, r.Bit(), r.Remaining()); err != nil {
			return err
		}
	}
	var links *heldLinks // until the whole message is accepted
	if outer == nil || c.linker != outer.linker {
		c, links = c.holdLinks()
	}
	var end int
	var err error
	if ctx := *access.ReaderContext(r); ctx != nil && ctx.Fill != nil {
		end, err = plainDecode(c, plan, valueOf(base, plan.Type), r.Data(), r.Bit(), ctx.Fill)
	} else {
		end, err = decode(c, plan, base, r.Data(), r.Bit())
	}
	if err == nil {
		r.Skip(end - r.Bit())
		links.release()
	}
	return err
}

// writePart writes the value at base where w stands.
func writePart(c *config, plan *typecache.Plan, base variable, w *bits.Writer) error {
	if err := c.enter("marshal", plan, w.Bit(), math.MaxInt); err != nil {
		return err
	}
	if access.Grows(w) {
		intact := *access.Intact(w) // which Resume clears
		err := encodeInPlace(c, plan, base, w)
		*access.Intact(w) = intact
		return err
	}
	// The value is encoded apart, from the same bit of a byte on, so that it
	// aligns as it would in place.
	phase := w.Bit() & 7
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	var apart bits.Writer
	apart.Resume(append((*b)[:0], 0), 0, phase)
	if err := encodeInPlace(c, plan, base, &apart); err != nil {
		return moved(err, w.Bit()-phase)
	}
	data, end := apart.Bytes(), apart.Bit()
	for bit := phase; bit < end; bit += 64 {
		w.WriteBits(bits.PeekWord(data, bit), min(64, end-bit))
	}
	*b = data[:0]
	return nil
}

// moved adds n to the bits of an error.
func moved(err error, n int) error {
	if e, ok := err.(*Error); ok {
		e.Bit += n
		if cause, ok := e.Err.(*bits.Error); ok {
			cause.Bit += n
		}
	}
	return err
}

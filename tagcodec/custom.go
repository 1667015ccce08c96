package tagcodec

import (
	"math"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// Serialize reads or writes *v in place, where v must be a non-nil pointer. It
// lets a Serialize method code a tagged struct. Like the methods of
// [bits.Stream], it does nothing after an error and returns the error of the
// Stream.
//
// A type with a Serialize method is coded by that method. A method that wants
// to use the tags of its own type must therefore convert to a type without
// methods:
//
//	func (p *Player) Serialize(s *bits.Stream) error {
//		type tagged Player
//		return tagcodec.Serialize(s, (*tagged)(p))
//	}
//
// Inside the message of a codec, the codec's options apply to *v: its depth
// limit, its [Linker], its unions and [WithSentinelErrors]. *v counts as one level
// of nesting. The Reader or Writer of the Stream carries these options. A Reader
// or Writer created by the method itself does not have them.
func Serialize(s *bits.Stream, v any) error {
	if s.Err() != nil {
		return s.Err()
	}
	pl, base, err := destinationOf(core.SettingsOf(s), v, "")
	if err != nil {
		if e, ok := err.(*Error); ok {
			e.Op = "serialize"
		}
		s.Fail(err)
		return s.Err()
	}
	return serialize(&defaultSettings, pl, base, s)
}

// Serialize reads or writes *v in place, like the function [Serialize]. Inside
// the message of another codec, the options of both apply. The depth limit of c
// counts from *v and can only lower that of the other codec. Errors are sentinel
// errors if either codec has [WithSentinelErrors]. A [Linker] or unions of c replace those of
// the other codec. The Linker of c learns of unresolved links as soon as *v has
// been read.
func (c *Codec[T]) Serialize(s *bits.Stream, v *T) error {
	if v == nil {
		s.Fail(argumentError("serialize", c.plan.Type, "the pointer is nil"))
		return s.Err()
	}
	return serialize(&c.settings, c.plan, engine.VariableOf(v), s)
}

// serialize reads or writes the value at base in place.
func serialize(c *core.Settings, pl *plan.Plan, base engine.Variable, s *bits.Stream) error {
	if s.Err() == nil {
		s.Fail(transfer(c, pl, base, s, pl.Least))
	}
	return s.Err()
}

// transfer is serialize for a Stream without an error, and leaves the error to the
// caller. It refuses to read if fewer than the least bits are left, besides the
// reserved ones.
func transfer(c *core.Settings, pl *plan.Plan, base engine.Variable, s *bits.Stream, least int) error {
	outer := core.SettingsOf(s)
	c = c.Within(outer)
	var err error
	if s.Reading() {
		err = readPart(c, outer, pl, base, s.Reader(), least)
	} else {
		err = writePart(c, pl, base, s.Writer())
	}
	if e, ok := err.(*Error); ok { // with SentinelErrors, errors are bare sentinels
		e.inPlace = true
	}
	return err
}

// readPart reads the value at base from r and advances r past it, or to the value
// that is refused.
func readPart(c, outer *core.Settings, pl *plan.Plan, base engine.Variable, r *bits.Reader, least int) error {
	if outer != nil {
		left := math.MaxInt
		if least > 0 {
			access.Ensure(r, saturate.MulAdd(1, least, c.ReservedBits))
			left = r.Remaining()
		}
		if err := c.CheckNested("unmarshal", pl, r.Bit(), left); err != nil {
			return err
		}
	}
	var withheld *core.WithheldLinks // nil if a message around the value withholds its links
	if outer == nil || c.Linker != outer.Linker {
		c, withheld = c.Withhold()
	}
	var end int
	var err error
	if ctx := *access.ReaderContext(r); ctx != nil && ctx.Fill != nil {
		end, err = reference.Decode(c, pl, engine.ValueOf(base, pl.Type), access.Data(r), r.Bit(), ctx.Fill)
	} else {
		end, err = engine.Decode(c, pl, base, access.Data(r), r.Bit())
	}
	n := end - r.Bit()
	if err != nil { // to the value, unless a method has reset the Reader
		n = min(max(n, 0), r.Remaining())
	}
	r.Skip(n)
	if err == nil {
		withheld.Release(pl, func() reflect.Value { return engine.ValueOf(base, pl.Type) })
	}
	return err
}

// writePart writes the value at base to w.
func writePart(c *core.Settings, pl *plan.Plan, base engine.Variable, w *bits.Writer) error {
	if err := c.CheckNested("marshal", pl, w.Bit(), math.MaxInt); err != nil {
		return err
	}
	if access.Grows(w) {
		untouched := *access.Untouched(w) // Resume clears it
		err := engine.EncodeInPlace(c, pl, base, w)
		*access.Untouched(w) = untouched
		return err
	}
	// Encode the value in a separate buffer. Start at the same bit within a
	// byte, so that the padding of aligned values is the same.
	phase := w.Bit() & 7
	b := core.Buffers.Get().(*[]byte)
	defer core.Buffers.Put(b)
	var separate bits.Writer
	separate.Resume(append((*b)[:0], 0), 0, phase)
	if err := engine.EncodeInPlace(c, pl, base, &separate); err != nil {
		return moved(err, w.Bit()-phase)
	}
	data, end := separate.Bytes(), separate.Bit()
	for bit := phase; bit < end; bit += 64 {
		w.WriteBits(bitio.PeekWord(data, bit), min(64, end-bit))
	}
	*b = data[:0]
	return nil
}

// moved adds n to the bit positions in an error.
func moved(err error, n int) error {
	if e, ok := err.(*Error); ok {
		e.Bit += n
		if cause, ok := e.Err.(*bits.Error); ok {
			cause.Bit += n
		}
	}
	return err
}

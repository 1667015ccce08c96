package binary

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/streams"
)

// checkOrder refuses byte orders other than little-endian.
func (e *argType) checkOrder(call string, order ByteOrder) error {
	if isLittle(order) {
		return nil
	}
	name := "nil"
	if order != nil {
		name = order.String()
	}
	return fmt.Errorf("binary.%s: %w: %v has bp tags, and the wire of bits is little-endian on every machine: use LittleEndian, not %s",
		call, tagcodec.ErrArgument, e.elem, name)
}

// isLittle reports whether order is little-endian. It compares types, because a
// byte order that the user defines may not be comparable.
func isLittle(order ByteOrder) bool {
	t := reflect.TypeOf(order)
	return t == reflect.TypeOf(LittleEndian) || t == reflect.TypeOf(NativeEndian) && NativeEndian.Uint16([]byte{1, 0}) == 1
}

// serialize writes or reads the elements of data, packed without gaps.
func (e *argType) serialize(s *bits.Stream, data any) error {
	if e.err != nil {
		return e.err
	}
	// Only methods of user types may retain an address. For those types, a
	// single value is copied to the heap. Slice elements and targets of
	// pointers within the value are passed as they are, and the methods may
	// retain them.
	unescaped := unboxed(data)
	switch {
	case e.form >= formSlice:
		return e.serializeSlice(s, unescaped)
	case e.form == formPointer && !e.plan.methods:
		return tagcodec.Serialize(s, unescaped)
	case e.form == formValue && !e.plan.methods && !e.maybeDirect:
		return tagcodec.Serialize(s, e.element(unescaped, 0).Addr().Interface())
	}
	v := reflect.Indirect(reflect.ValueOf(unescaped))
	copied := reflect.New(e.elem)
	copied.Elem().Set(v)
	err := tagcodec.Serialize(s, copied.Interface())
	if s.Reading() {
		v.Set(copied.Elem())
	}
	return err
}

func (e *argType) serializeSlice(s *bits.Stream, data any) error {
	for i := range e.count(data) {
		if err := tagcodec.Serialize(s, e.element(data, i).Addr().Interface()); err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	return nil
}

func (e *argType) append(buf []byte, order ByteOrder, data any) ([]byte, error) {
	if !e.usable(data) {
		return binary.Append(buf, order, data)
	}
	if err := e.checkOrder("Append", order); err != nil {
		return nil, err
	}
	s := streams.Get()
	defer s.Free()
	s.W.Resume(buf, len(buf), 0)
	if err := e.serialize(s.Writing, data); err != nil {
		return nil, err
	}
	return s.W.Bytes(), nil
}

// errTooSmall is the standard library's error for a buffer that is too small.
var _, errTooSmall = binary.Encode(nil, LittleEndian, uint8(0))

func (e *argType) encode(buf []byte, order ByteOrder, data any) (int, error) {
	if !e.usable(data) {
		return binary.Encode(buf, order, data)
	}
	if err := e.checkOrder("Encode", order); err != nil {
		return 0, err
	}
	s := streams.Get()
	defer s.Free()
	s.W.Reset(buf)
	if err := e.serialize(s.Writing, data); errors.Is(err, bits.ErrOverflow) {
		return 0, errTooSmall
	} else if err != nil {
		return 0, err
	}
	return len(s.W.Bytes()), nil
}

func (e *argType) measure(data any) int {
	if !e.usable(data) {
		return binary.Size(data)
	}
	s := streams.Get()
	defer s.Free()
	s.W = *bits.NewMeasurer()
	if err := e.serialize(s.Writing, data); err != nil {
		return -1
	}
	return s.W.Len()
}

func (e *argType) write(w io.Writer, order ByteOrder, data any) error {
	if !e.usable(data) {
		return binary.Write(w, order, data)
	}
	if err := e.checkOrder("Write", order); err != nil {
		return err
	}
	b := newBuffer(0)
	defer b.free()
	s := streams.Get()
	defer s.Free()
	s.W.Resume(b.bytes, 0, 0)
	if err := e.serialize(s.Writing, data); err != nil {
		return err
	}
	b.bytes = s.W.Bytes()
	_, err := w.Write(b.bytes)
	return err
}

func (e *argType) decode(buf []byte, order ByteOrder, data any) (int, error) {
	if !e.usable(data) || e.form == formValue {
		return binary.Decode(buf, order, data)
	}
	if err := e.checkOrder("Decode", order); err != nil {
		return 0, err
	}
	return e.deserialize(buf, data)
}

// deserialize reads the elements of data from the start of buf and returns the
// number of bytes consumed. It requires the unused bits of the last byte to be
// zero.
func (e *argType) deserialize(buf []byte, data any) (int, error) {
	s := streams.Get()
	defer s.Free()
	s.R.Reset(buf, 0)
	return e.deserializeFrom(s, data)
}

// deserializeFrom is like deserialize, but reads from the Reader of s.
func (e *argType) deserializeFrom(s *streams.Stream, data any) (int, error) {
	if err := e.serialize(s.Reading, data); err != nil {
		return 0, err
	}
	end := s.R.Bit()
	if s.R.ReadAlign(); s.R.Err() != nil {
		return 0, &tagcodec.Error{Op: "unmarshal", Type: e.elem, Path: typename.Of(e.elem), Bit: end,
			Err: &bits.Error{Op: "read", Bit: end, Err: bits.ErrTrailing}}
	}
	return (end + 7) / 8, nil
}

func (e *argType) read(r io.Reader, order ByteOrder, data any) error {
	if !e.usable(data) || e.form == formValue {
		return binary.Read(r, order, data)
	}
	if err := e.checkOrder("Read", order); err != nil {
		return err
	}
	p := e.plan
	if e.err != nil {
		return e.err
	}
	b := newBuffer(0)
	defer b.free()
	if p.custom {
		return e.readCustom(r, b, data)
	}
	x := walker{source: source{r: r, data: b.bytes}, plan: p}
	unescaped := unboxed(data)
	n := e.count(unescaped)
	if p.MinBits == p.MaxBits && p.phaseIndependent {
		x.ensureAll(n, p.MinBits, 0)
	} else {
		for range n {
			x.element()
		}
	}
	b.bytes = x.data
	if x.err != nil && x.err != errRefused {
		return x.err
	}
	_, err := e.deserialize(x.data, data)
	return err
}

// readCustom reads elements that contain custom serializers. Only their methods
// know how many bits they take, so they get a Reader that reads from r as
// needed.
func (e *argType) readCustom(r io.Reader, b *buffer, data any) error {
	from := source{r: r, data: b.bytes}
	s := streams.Get()
	defer s.Free()
	s.R.Reset(from.data, 0)
	s.Context.Fill = from.fill
	_, err := e.deserializeFrom(s, data)
	b.bytes = from.data
	if from.err != nil && from.err != errRefused {
		return from.err
	}
	return err
}

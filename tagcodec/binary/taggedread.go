package binary

import (
	"bufio"
	"bytes"
	"io"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
	"github.com/gobitpack/bitpack/tagcodec/internal/streams"
)

func (e *argType) read(r io.Reader, order ByteOrder, data any) error {
	if err := e.unreadable("Read", data); err != nil {
		return err
	}
	if !isLittle(order) {
		return e.orderError("Read", order)
	}
	if e.err != nil {
		return failed(e.err)
	}
	n := e.count(data)
	if fromBuffer(r, func(buf []byte) (int, bool) { return e.attempt(buf, n, data) }) {
		return nil
	}
	if !e.plan.fixed {
		return e.readAsNeeded(r, n, func(from *bits.Reader) error { return e.readElements(from, unboxed(data)) })
	}
	b := newBuffer(0)
	defer b.free()
	err := e.plan.readFixed(r, n, b)
	if err == nil {
		_, err = e.unmarshal(&settings, b.bytes, data)
	}
	return err
}

// readFixed reads n elements of a fixed size into b.
func (p *streamPlan) readFixed(r io.Reader, n int, b *buffer) error {
	from := source{r: r, data: b.bytes[:0]}
	b.bytes = from.fill(saturate.Bytes(saturate.Mul(n, p.MinBits)))
	return from.err
}

// fromBuffer calls attempt with the bytes in the buffer of r, and consumes as many as
// it returns. If fromBuffer returns false, it has consumed nothing. Then the message
// is not complete there, or is invalid, or r has no buffer.
func fromBuffer(r io.Reader, attempt func(buf []byte) (size int, ok bool)) bool {
	switch r := r.(type) {
	case *bytes.Buffer:
		size, ok := attempt(r.Bytes())
		if ok {
			r.Next(size)
		}
		return ok
	case *bytes.Reader:
		size, ok := attempt(unread(r))
		if ok {
			r.Seek(int64(size), io.SeekCurrent)
		}
		return ok
	case *bufio.Reader:
		buf, _ := r.Peek(r.Buffered())
		size, ok := attempt(buf)
		if ok {
			r.Discard(size - 1)
			r.ReadByte() // allows UnreadByte, as after a Read
		}
		return ok
	}
	return false
}

// attempt decodes n elements from the start of buf and returns the number of bytes
// consumed, which is at least 1. It may fail where readAsNeeded would not, for example
// if there are methods, which must run only once.
func (e *argType) attempt(buf []byte, n int, data any) (size int, ok bool) {
	if least := saturate.Bytes(saturate.Mul(n, e.plan.MinBits)); least == 0 || least > len(buf) || e.plan.methods {
		return 0, false
	}
	size, err := e.unmarshal(&sentinels, buf, data)
	return size, err == nil
}

// readAsNeeded calls decode with a Reader that reads the bytes of n elements from r
// when they are needed, and none after them. The size of the elements is known only
// when they have been decoded. The unused bits of the last byte must be zero.
func (e *argType) readAsNeeded(r io.Reader, n int, decode func(*bits.Reader) error) error {
	b := newBuffer(0)
	defer b.free()
	from := source{r: r, data: b.bytes}
	s := streams.Get()
	defer s.Free()
	s.Context.Fill = from.fill
	if n == 1 && !e.plan.custom || e.plan.phaseIndependent { // there are at least so many bytes
		from.fill(saturate.Bytes(saturate.Mul(n, e.plan.MinBits)))
		s.Context.Ahead = new(int)
	}
	s.R.Reset(from.data, 0)
	err := decode(&s.R)
	if b.bytes = from.data; from.err != nil {
		return from.err
	}
	if end := s.R.Bit(); err == nil {
		if s.R.ReadAlign(); s.R.Err() != nil {
			return e.trailing(end)
		}
	}
	return err
}

// readElements decodes the elements of data.
func (e *argType) readElements(r *bits.Reader, data any) error {
	if e.form < formSlice {
		return e.readElement(r, reflect.ValueOf(data).Elem())
	}
	all := reflect.Indirect(reflect.ValueOf(data))
	for i := range all.Len() {
		if err := reference.Read(&settings, e.plan.Plan, all.Index(i), r); err != nil {
			return failedElement(i, err)
		}
	}
	return nil
}

// readElement decodes an element by way of a copy on the heap, where the interpreter
// and methods of user types may retain its address.
func (e *argType) readElement(r *bits.Reader, element reflect.Value) error {
	copied := reflect.New(e.elem).Elem()
	copied.Set(element)
	err := reference.Read(&settings, e.plan.Plan, copied, r)
	element.Set(copied)
	if err != nil {
		return failed(err)
	}
	return nil
}

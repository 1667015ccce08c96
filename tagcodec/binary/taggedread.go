package binary

import (
	"bufio"
	"bytes"
	"io"
	"reflect"

	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec"
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
	p, n := e.plan, e.count(data)
	if fromBuffer(r, func(buf []byte) (int, bool) { return e.attempt(buf, n, data) }) {
		return nil
	}
	least := saturate.Bytes(saturate.Mul(n, p.MinBits))
	if p.fixed && least <= maxChunk {
		b := newBuffer(least)
		_, err := io.ReadFull(r, b.bytes)
		if err == nil {
			_, err = e.unmarshal(&settings, b.bytes, data)
		}
		b.free()
		return err
	}
	b := newBuffer(0)
	defer b.free()
	if p.custom {
		return e.readCustom(r, b, data)
	}
	if err := p.load(r, n, b); err != nil {
		return err
	}
	_, err := e.unmarshal(&settings, b.bytes, data)
	return err
}

// load reads the messages of n elements from r into b, or their start if the decoder
// will refuse it.
func (p *streamPlan) load(r io.Reader, n int, b *buffer) error {
	x := walker{source: source{r: r, data: b.bytes[:0]}, plan: p}
	if p.fixed {
		x.ensureAll(n, p.MinBits, 0)
	} else {
		x.elements(n)
	}
	if b.bytes = x.data; x.err == errRefused {
		return nil
	}
	return x.err
}

// fromBuffer calls attempt with the bytes in the buffer of r, and consumes as many as
// it returns. That takes no walk that finds the end of the message first. If
// fromBuffer returns false, it has consumed nothing. Then the message is not complete
// there, or is invalid, or r has no buffer.
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
// consumed, which is at least 1. It may fail where a walk would not, for example if
// there are methods, which must run only once.
func (e *argType) attempt(buf []byte, n int, data any) (size int, ok bool) {
	if least := saturate.Bytes(saturate.Mul(n, e.plan.MinBits)); least == 0 || least > len(buf) || e.plan.methods {
		return 0, false
	}
	size, err := e.unmarshal(&brief, buf, data)
	return size, err == nil
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
	err := e.serialize(s, unboxed(data))
	b.bytes = from.data
	if from.err != nil && from.err != errRefused {
		return from.err
	}
	return err
}

// serialize reads the elements of data from the Reader of s. It requires the
// unused bits of the last byte to be zero.
func (e *argType) serialize(s *streams.Stream, data any) error {
	if e.form < formSlice {
		copied := e.copyOf(data)
		err := tagcodec.Serialize(s.Reading, copied.Interface())
		reflect.ValueOf(data).Elem().Set(copied.Elem())
		if err != nil {
			return failed(err)
		}
	} else {
		for i := range e.count(data) {
			if err := tagcodec.Serialize(s.Reading, e.element(data, i)); err != nil {
				return failedElement(i, err)
			}
		}
	}
	end := s.R.Bit()
	if s.R.ReadAlign(); s.R.Err() != nil {
		return e.trailing(end)
	}
	return nil
}

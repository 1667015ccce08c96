package binary

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"reflect"

	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/streams"
)

func (e *argType) read(r io.Reader, order ByteOrder, data any) error {
	if !e.usable(data) || e.form == formValue {
		return binary.Read(r, order, data)
	}
	if !isLittle(order) {
		return e.orderError("Read", order)
	}
	if e.err != nil {
		return e.err
	}
	b := newBuffer(0)
	defer b.free()
	p := e.plan
	if p.custom {
		return e.readCustom(r, b, data)
	}
	n := e.count(data)
	if e.readBuffered(r, b, n, data) {
		return nil
	}
	x := walker{source: source{r: r, data: b.bytes[:0]}, plan: p}
	if p.fixed {
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
	_, err := e.unmarshal(&settings, x.data, data)
	return err
}

// mostCopied limits the bytes that readBuffered copies from a bytes.Reader: so
// many, and so many times the smallest size of the message.
const mostCopied, mostTimes = 512, 8

// readBuffered decodes n elements from bytes that r has in memory, without a walk
// that finds the end of the message first. If it returns false, it has consumed
// nothing: the message is not complete there, is invalid, or has methods that
// should run once only.
func (e *argType) readBuffered(r io.Reader, b *buffer, n int, data any) bool {
	p := e.plan
	if n == 0 || p.MinBits == 0 || p.methods {
		return false
	}
	switch r := r.(type) {
	case *bytes.Buffer:
		size, err := e.unmarshal(&brief, r.Bytes(), data)
		if err == nil {
			r.Next(size)
		}
		return err == nil
	case *bufio.Reader:
		have, _ := r.Peek(r.Buffered())
		size, err := e.unmarshal(&brief, have, data)
		if err == nil {
			b.resize(size)
			io.ReadFull(r, b.bytes) // unlike Discard, it allows UnreadByte
		}
		return err == nil
	case *bytes.Reader:
		if p.fixed {
			return false
		}
		b.resize(min(r.Len(), saturate.MulAdd(n, mostTimes*saturate.Bytes(p.MinBits), mostCopied)))
		r.ReadAt(b.bytes, r.Size()-int64(r.Len()))
		size, err := e.unmarshal(&brief, b.bytes, data)
		if err == nil {
			r.Seek(int64(size), io.SeekCurrent)
		}
		return err == nil
	}
	return false
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
			return err
		}
	} else {
		for i := range e.count(data) {
			if err := tagcodec.Serialize(s.Reading, e.element(data, i)); err != nil {
				return elementError(i, err)
			}
		}
	}
	end := s.R.Bit()
	if s.R.ReadAlign(); s.R.Err() != nil {
		return e.trailing(end)
	}
	return nil
}

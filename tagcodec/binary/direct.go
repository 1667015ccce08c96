//go:build !purego

package binary

import (
	"bufio"
	"bytes"
	"io"

	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// This file codes arguments with tags that are one element and whose address no
// method may retain. For them the calls cost little more than those of a Codec.

// direct returns the value of an argument with tags, if it is such an argument and
// not a nil pointer, and if order is little-endian.
func (e *argType) direct(data any, order ByteOrder) (v engine.Variable, ok bool) {
	v = memory.HiddenDataOf(&data)
	return v, e.single && isLittle(order) && !v.IsNil()
}

// target is direct for an argument that is decoded.
func (e *argType) target(data any, order ByteOrder) (v engine.Variable, ok bool) {
	v = memory.HiddenDataOf(&data)
	return v, e.single && e.form == formPointer && isLittle(order) && !v.IsNil()
}

// encodeOne encodes the element at v into buf. If ok is false, it has failed, and encode
// finds the error.
func (e *argType) encodeOne(buf []byte, v engine.Variable) (n int, ok bool) {
	if !e.references && !v.Overlaps(int(e.elemSize), buf) {
		out, err := engine.Encode(&settings, e.plan.Plan, v, buf[:0:len(buf)])
		if err != nil || len(out) > len(buf) {
			return 0, false
		}
		return copyTo(buf, out), true
	}
	b := buffers.Get().(*buffer)
	out, err := engine.Encode(&settings, e.plan.Plan, v, b.bytes[:0])
	n, ok = len(out), err == nil && len(out) <= len(buf)
	if ok {
		copy(buf, out)
	}
	b.bytes = out
	b.free()
	return n, ok
}

// decodeOne decodes the element at v from the start of buf and returns the number of
// bytes consumed.
func (e *argType) decodeOne(v engine.Variable, buf []byte) (int, error) {
	end, err := engine.Decode(&settings, e.plan.Plan, v, buf, 0)
	if err != nil {
		return 0, err
	}
	if end&7 != 0 && buf[end>>3]>>(end&7) != 0 {
		return 0, e.trailing(end)
	}
	return (end + 7) >> 3, nil
}

// attemptOne is attempt for the element at v.
func (e *argType) attemptOne(v engine.Variable, buf []byte) (size int, ok bool) {
	if e.least == 0 || e.least > len(buf) {
		return 0, false
	}
	end, err := engine.Decode(&brief, e.plan.Plan, v, buf, 0)
	return (end + 7) >> 3, err == nil && (end&7 == 0 || buf[end>>3]>>(end&7) == 0)
}

// measureOne returns the size of the message of the element at v, or -1.
func (e *argType) measureOne(v engine.Variable) int {
	b := buffers.Get().(*buffer)
	out, err := engine.Encode(&settings, e.plan.Plan, v, b.bytes[:0])
	n := len(out)
	if err != nil {
		n = -1
	}
	b.bytes = out
	b.free()
	return n
}

// writeOne writes the element at v.
func (e *argType) writeOne(w io.Writer, v engine.Variable) error {
	if !e.references {
		if own := availableBuffer(w); cap(own) >= e.most {
			out, err := engine.Encode(&settings, e.plan.Plan, v, own)
			if err == nil {
				_, err = w.Write(out)
			}
			return err
		}
	}
	b := buffers.Get().(*buffer)
	out, err := engine.Encode(&settings, e.plan.Plan, v, b.bytes[:0])
	b.bytes = out
	if err == nil {
		_, err = w.Write(out)
	}
	b.free()
	return err
}

// readOne reads the element at v.
func (e *argType) readOne(r io.Reader, v engine.Variable) (err error) {
	switch r := r.(type) {
	case *bytes.Buffer:
		size, ok := e.attemptOne(v, r.Bytes())
		if ok {
			r.Next(size)
			return nil
		}
	case *bufio.Reader:
		buf, _ := r.Peek(r.Buffered())
		size, ok := e.attemptOne(v, buf)
		if ok {
			r.Discard(size - 1)
			r.ReadByte() // allows UnreadByte, as after a Read
			return nil
		}
	case *bytes.Reader:
		if size, ok := e.attemptOne(v, unread(r)); ok {
			r.Seek(int64(size), io.SeekCurrent)
			return nil
		}
	}
	b := buffers.Get().(*buffer)
	if e.plan.fixed && e.least <= maxChunk {
		b.resize(e.least)
		_, err = io.ReadFull(r, b.bytes)
	} else {
		err = e.plan.load(r, 1, b)
	}
	if err == nil {
		_, err = e.decodeOne(v, b.bytes)
	}
	b.free()
	return err
}

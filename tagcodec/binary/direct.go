//go:build !purego

package binary

import (
	"io"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
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
	b, err := e.encoded(v)
	n, ok = len(b.bytes), err == nil && len(b.bytes) <= len(buf)
	if ok {
		copy(buf, b.bytes)
	}
	b.free()
	return n, ok
}

// encoded returns a buffer with the message of the element at v.
func (e *argType) encoded(v engine.Variable) (b *buffer, err error) {
	b = newBuffer(0)
	if b.bytes, err = engine.Encode(&settings, e.plan.Plan, v, b.bytes); err != nil {
		err = failed(err)
	}
	return b, err
}

// decodeOne decodes the element at v from the start of buf and returns the number of
// bytes consumed.
func (e *argType) decodeOne(c *core.Settings, v engine.Variable, buf []byte) (int, error) {
	end, err := engine.Decode(c, e.plan.Plan, v, buf, 0)
	if err != nil {
		if c != &sentinels {
			err = failed(err)
		}
		return 0, err
	}
	return e.consumed(buf, end)
}

// measureOne returns the size of the message of the element at v, or -1.
func (e *argType) measureOne(v engine.Variable) int {
	b, err := e.encoded(v)
	n := len(b.bytes)
	if err != nil {
		n = -1
	}
	b.free()
	return n
}

// writeOne writes the element at v.
func (e *argType) writeOne(w io.Writer, v engine.Variable) error {
	if !e.references {
		if own := availableBuffer(w); cap(own) >= e.most {
			out, err := engine.Encode(&settings, e.plan.Plan, v, own)
			if err != nil {
				return failed(err)
			}
			_, err = w.Write(out)
			return err
		}
	}
	b, err := e.encoded(v)
	if err == nil {
		_, err = w.Write(b.bytes)
	}
	b.free()
	return err
}

// readOne reads the element at v.
func (e *argType) readOne(r io.Reader, v engine.Variable) (err error) {
	if e.least > 0 && fromBuffer(r, func(buf []byte) (size int, ok bool) {
		if e.least > len(buf) {
			return 0, false
		}
		size, err := e.decodeOne(&sentinels, v, buf)
		return size, err == nil
	}) {
		return nil
	}
	if !e.plan.fixed {
		return e.readAsNeeded(r, 1, func(from *bits.Reader) error { return e.readElement(from, engine.ValueOf(v, e.elem)) })
	}
	b := newBuffer(0)
	if err = e.plan.readFixed(r, 1, b); err == nil {
		_, err = e.decodeOne(&settings, v, b.bytes)
	}
	b.free()
	return err
}

package binary

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
)

// settings are those of a codec without options, and sentinels those of a codec with
// sentinel errors.
var (
	settings  = core.Settings{MaxDepth: core.DefaultMaxDepth}
	sentinels = core.Settings{MaxDepth: core.DefaultMaxDepth, SentinelErrors: true}
)

// marshal appends the elements of data to dst, packed without gaps. With an error
// it returns the number of bits before the element that failed.
func (e *argType) marshal(dst []byte, data any) (out []byte, before int, err error) {
	if e.err != nil {
		return nil, 0, failed(e.err)
	}
	// Methods of user types may retain an address, and the engine may keep one on the
	// heap while it codes a deep value. For those types, variable returns a copy of a
	// single value on the heap. Slice elements are there anyway. They and the
	// targets of pointers within the value are passed as they are, and the
	// methods may retain them.
	unescaped := unboxed(data)
	if e.form >= formSlice {
		out, before, i, err := engine.EncodeAll(&settings, e.plan.Plan, e.variables(unescaped), dst, len(dst), 0)
		if err != nil {
			return nil, before, failedElement(i, err)
		}
		return out, 0, nil
	}
	if out, err = engine.Encode(&settings, e.plan.Plan, e.variable(unescaped), dst); err != nil {
		return nil, 0, failed(err)
	}
	return out, 0, nil
}

// unmarshal decodes the elements of data from the start of buf and returns the
// number of bytes consumed. It requires the unused bits of the last byte to be
// zero.
func (e *argType) unmarshal(c *core.Settings, buf []byte, data any) (n int, err error) {
	if e.err != nil {
		return 0, failed(e.err)
	}
	unescaped := unboxed(data) // see marshal
	var end int
	switch {
	case e.form >= formSlice:
		var i int
		if end, i, err = engine.DecodeAll(c, e.plan.Plan, e.variables(unescaped), buf, 0); err != nil && c != &sentinels {
			return 0, failedElement(i, err)
		}
	case e.copied:
		copied := e.copyOf(unescaped)
		end, err = engine.Decode(c, e.plan.Plan, engine.VariableTo(copied), buf, 0)
		reflect.ValueOf(unescaped).Elem().Set(copied.Elem())
	default:
		end, err = engine.Decode(c, e.plan.Plan, e.variable(unescaped), buf, 0)
	}
	if err != nil {
		return 0, failed(err)
	}
	return e.consumed(buf, end)
}

// consumed returns the number of bytes of a message that ends before bit end of buf.
// It fails unless the unused bits of the last byte are zero.
func (e *argType) consumed(buf []byte, end int) (int, error) {
	if end&7 != 0 && buf[end>>3]>>(end&7) != 0 {
		return 0, e.trailing(end)
	}
	return (end + 7) >> 3, nil
}

// trailing returns the error for unused bits, from bit on, that are not zero.
func (e *argType) trailing(bit int) error {
	return failed(&tagcodec.Error{Op: "unmarshal", Type: e.elem, Path: typename.Of(e.elem), Bit: bit,
		Err: &bits.Error{Op: "read", Bit: bit, Err: bits.ErrTrailing}})
}

// copyOf returns a pointer to a copy of data or of the value that data points to.
func (e *argType) copyOf(data any) reflect.Value {
	copied := reflect.New(e.elem)
	copied.Elem().Set(reflect.Indirect(reflect.ValueOf(data)))
	return copied
}

func (e *argType) append(buf []byte, order ByteOrder, data any) ([]byte, error) {
	if !e.usable(data) {
		return nil, nilPointer("Append", data)
	}
	if !isLittle(order) {
		return nil, e.orderError("Append", order)
	}
	out, _, err := e.marshal(buf, data)
	return out, err
}

// errTooSmall is the standard library's error for a buffer that is too small.
var _, errTooSmall = binary.Encode(nil, LittleEndian, uint8(0))

func (e *argType) encode(buf []byte, order ByteOrder, data any) (int, error) {
	if !e.usable(data) {
		return 0, nilPointer("Encode", data)
	}
	if !isLittle(order) {
		return 0, e.orderError("Encode", order)
	}
	if e.apart(data, buf) {
		out, before, err := e.marshal(buf[:0:len(buf)], data)
		return fitted(buf, out, before, err)
	}
	b := newBuffer(0)
	defer b.free()
	out, before, err := e.marshal(b.bytes, data)
	if err == nil {
		b.bytes = out
	}
	return fitted(buf, out, before, err)
}

// fitted copies the results of marshal to buf, unless they are there already.
func fitted(buf, out []byte, before int, err error) (int, error) {
	switch {
	case err == nil && len(out) > len(buf), before > 8*len(buf), errors.Is(err, bits.ErrOverflow):
		return 0, errTooSmall
	case err != nil:
		return 0, err
	}
	return copyTo(buf, out), nil
}

// copyTo copies a message to buf, unless it is there already, and returns its
// length.
func copyTo(buf, out []byte) int {
	if len(out) > 0 && &out[0] != &buf[0] {
		copy(buf, out)
	}
	return len(out)
}

// measured is the number of elements that measure encodes at a time.
const measured = 256

// measure encodes the elements into a buffer, because values may be invalid. A long
// slice is encoded in parts, so that the buffer stays small.
func (e *argType) measure(data any) int {
	if !e.usable(data) {
		return -1
	}
	b := newBuffer(0)
	defer b.free()
	if e.err != nil || e.form < formSlice {
		out, _, err := e.marshal(b.bytes, data)
		if err != nil {
			return -1
		}
		b.bytes = out
		return len(out)
	}
	bit, all := 0, e.variables(unboxed(data))
	for i, n := 0, all.Len(); i < n; i += measured {
		phase := bit & 7
		part := append(b.bytes[:0], 0)[:(phase+7)/8]
		out, end, _, err := engine.EncodeAll(&settings, e.plan.Plan, all.Slice(i, min(i+measured, n)), part, 0, phase)
		if err != nil || end-phase > math.MaxInt-7-bit {
			return -1
		}
		b.bytes = out
		bit += end - phase
	}
	return (bit + 7) / 8
}

func (e *argType) write(w io.Writer, order ByteOrder, data any) error {
	if !e.usable(data) {
		return nilPointer("Write", data)
	}
	if !isLittle(order) {
		return e.orderError("Write", order)
	}
	if own := availableBuffer(w); own != nil && e.fits(own, data) {
		out, _, err := e.marshal(own, data)
		if err == nil {
			_, err = w.Write(out)
		}
		return err
	}
	b := newBuffer(0)
	defer b.free()
	out, _, err := e.marshal(b.bytes, data)
	if err != nil {
		return err
	}
	b.bytes = out
	_, err = w.Write(out)
	return err
}

// availableBuffer returns a slice of length 0 that is the spare capacity of w's
// buffer, or nil.
func availableBuffer(w io.Writer) []byte {
	switch w := w.(type) {
	case *bytes.Buffer:
		return w.AvailableBuffer()
	case *bufio.Writer:
		return w.AvailableBuffer()
	}
	return nil
}

// fits reports whether the spare capacity of buf has room for every message of
// data, and no memory that data refers to.
func (e *argType) fits(buf []byte, data any) bool {
	return e.err == nil && !e.references && cap(buf) >= saturate.Bytes(saturate.Mul(e.count(data), e.plan.MaxBits))
}

func (e *argType) decode(buf []byte, order ByteOrder, data any) (int, error) {
	if err := e.unreadable("Decode", data); err != nil {
		return 0, err
	}
	if !isLittle(order) {
		return 0, e.orderError("Decode", order)
	}
	return e.unmarshal(&settings, buf, data)
}

package bench

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/icza/bitio"
)

// byBitio returns a codec that uses bitio with hand-written code. A
// bitio.Writer or bitio.Reader keeps its first error. A new one is created for
// each message because they cannot be reset.
func byBitio[T any](write func(*bitio.Writer, *T), read func(*bitio.Reader, *T)) Codec[T] {
	return Codec[T]{"bitio, by hand", ByHand, "icza/bitio, nothing aligned", same[T]().open(always(functions[T]{
		func(dst []byte, v *T) ([]byte, error) {
			buf := bytes.NewBuffer(dst[:0])
			w := bitio.NewWriter(buf)
			write(w, v)
			if w.TryError != nil {
				return nil, w.TryError
			}
			err := w.Close()
			return buf.Bytes(), err
		},
		func(data []byte, v *T) error {
			r := bitio.NewReader(bytes.NewReader(data))
			read(r, v)
			return r.TryError
		},
	}))}
}

// byBinary returns a codec that uses encoding/binary with hand-written code. It
// appends the fields one by one, and reads them from a cursor.
func byBinary[T any](write func([]byte, *T) []byte, read func([]byte, *T) error) Codec[T] {
	return Codec[T]{"encoding/binary, by hand", ByHand, "whole bytes", same[T]().open(always(functions[T]{
		func(dst []byte, v *T) ([]byte, error) { return write(dst[:0], v), nil },
		read,
	}))}
}

// cursor reads whole bytes. It keeps the first error and returns zeros after
// it.
type cursor struct {
	data []byte
	err  error
}

// zeros is the result of reading past the end. No field is longer.
var zeros [255]byte

func (c *cursor) bytes(n int) []byte {
	if n > len(c.data) {
		c.data, c.err = nil, io.ErrUnexpectedEOF
		return zeros[:n]
	}
	b := c.data[:n]
	c.data = c.data[n:]
	return b
}

// end returns the first error, or errTrailing if there is none and data is left
// over.
func (c *cursor) end() error {
	if c.err == nil && len(c.data) > 0 {
		return errTrailing
	}
	return c.err
}

func (c *cursor) uint8() uint8   { return c.bytes(1)[0] }
func (c *cursor) uint16() uint16 { return binary.LittleEndian.Uint16(c.bytes(2)) }
func (c *cursor) uint32() uint32 { return binary.LittleEndian.Uint32(c.bytes(4)) }
func (c *cursor) uint64() uint64 { return binary.LittleEndian.Uint64(c.bytes(8)) }

func toByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

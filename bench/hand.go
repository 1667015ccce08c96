package bench

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/icza/bitio"
)

// byBitio is bitio by hand. A bitio.Writer and a bitio.Reader keep their first
// error, and are made for each message, for want of a way to use them again.
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

// byBinary is encoding/binary by hand: the code appends the fields one by one,
// and takes them from a cursor.
func byBinary[T any](write func([]byte, *T) []byte, read func([]byte, *T) error) Codec[T] {
	return Codec[T]{"encoding/binary, by hand", ByHand, "whole bytes", same[T]().open(always(functions[T]{
		func(dst []byte, v *T) ([]byte, error) { return write(dst[:0], v), nil },
		read,
	}))}
}

// cursor reads whole bytes. It keeps the first error, after which all is zero.
type cursor struct {
	data []byte
	err  error
}

// zeros is what is read past the end. No field is longer.
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

// end returns the first error, which is that of data that is left over if
// there was none before.
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

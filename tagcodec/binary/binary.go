package binary

import (
	"encoding/binary"
	"io"
)

// Read reads structured binary data from r into data, in the given byte order.
// Data must be a pointer to a fixed-size value or a slice of fixed-size values.
// A zero byte is read as false and any other as true; the bytes of blank (_)
// fields are skipped; all other fields must be exported, or Read may panic. The
// error is [io.EOF] only if no bytes were read, and [io.ErrUnexpectedEOF] if
// some but not all bytes were read.
//
// A type with bp tags is read as the package comment describes: Read consumes
// exactly the bytes that [Write] wrote, and none after them.
func Read(r io.Reader, order ByteOrder, data any) error { return read(r, order, data) }

// readOther is Read without the fast loops.
func readOther(r io.Reader, order ByteOrder, data any, e *argType) error {
	if e.tagged {
		return e.read(r, order, data)
	}
	return binary.Read(r, order, data)
}

// Write writes the binary representation of data to w, in the given byte order.
// Data must be a fixed-size value or a slice of fixed-size values, or a pointer
// to such data. Bools are written as 1 for true and 0 for false; blank (_)
// fields are written as zeros.
//
// A value of a type with bp tags is written as the package comment describes,
// and may have any size.
func Write(w io.Writer, order ByteOrder, data any) error { return write(w, order, data) }

// writeOther is Write without the fast loops.
func writeOther(w io.Writer, order ByteOrder, data any, e *argType) error {
	if e.tagged {
		return e.write(w, order, data)
	}
	return binary.Write(w, order, data)
}

// Append appends the binary representation of data to buf, which may be nil,
// and returns the extended buffer. On error it returns nil. [Write] describes
// which data are acceptable.
func Append(buf []byte, order ByteOrder, data any) ([]byte, error) { return appendTo(buf, order, data) }

// appendOther is Append without the fast loops.
func appendOther(buf []byte, order ByteOrder, data any, e *argType) ([]byte, error) {
	if e.tagged {
		return e.append(buf, order, data)
	}
	return binary.Append(buf, order, data)
}

// Encode encodes the binary representation of data into buf and returns the
// number of bytes written. It returns an error if buf is too small. [Write]
// describes which data are acceptable.
func Encode(buf []byte, order ByteOrder, data any) (int, error) { return encode(buf, order, data) }

// encodeOther is Encode without the fast loops.
func encodeOther(buf []byte, order ByteOrder, data any, e *argType) (int, error) {
	if e.tagged {
		return e.encode(buf, order, data)
	}
	return binary.Encode(buf, order, data)
}

// Decode decodes binary data from the start of buf into data and returns the
// number of bytes consumed. It returns an error if buf is too small. [Read]
// describes which data are acceptable.
func Decode(buf []byte, order ByteOrder, data any) (int, error) { return decode(buf, order, data) }

// decodeOther is Decode without the fast loops.
func decodeOther(buf []byte, order ByteOrder, data any, e *argType) (int, error) {
	if e.tagged {
		return e.decode(buf, order, data)
	}
	return binary.Decode(buf, order, data)
}

// Size returns the number of bytes that [Write] would write for v, or -1 if
// Write would fail.
func Size(v any) int { return size(v) }

// sizeOther is Size without the fast loops.
func sizeOther(v any, e *argType) int {
	if e.tagged {
		return e.measure(v)
	}
	return binary.Size(v)
}

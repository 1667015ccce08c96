package binary

import (
	"encoding/binary"
	"io"
	"slices"

	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// Read reads structured binary data from r into data, which must be a pointer
// to a fixed-size value or a slice of fixed-size values, in the given byte
// order. Zero bytes are false and all others true; the data of blank (_) fields
// is skipped; all other fields must be exported, or Read may panic. The error
// is [io.EOF] only if no bytes were read, and [io.ErrUnexpectedEOF] if some but
// not all were.
//
// A type with bp tags is read as the package comment says: exactly the bytes
// that [Write] wrote, and none after them.
func Read(r io.Reader, order ByteOrder, data any) error {
	e := recall(memory.TypeOf(&data))
	if e == nil {
		e = findEntry(data)
	}
	which := programFor(order)
	first, n, ok := e.elements(memory.DataOf(&data))
	p := e.decoder[which]
	if p == nil || !ok {
		return readOther(r, order, data, e)
	}
	if e.wordTo > 0 {
		b := make([]byte, e.wordTo) // in less time than the pool has one
		_, err := io.ReadFull(r, b)
		if err == nil {
			copyWord(first, memory.Start(b), e.wordTo, which == foreign)
		}
		return err
	}
	b := newBuffer(n * p.fromEach)
	_, err := io.ReadFull(r, b.bytes)
	if err == nil {
		p.run(first, memory.Start(b.bytes), n)
	}
	b.free()
	return err
}

func readOther(r io.Reader, order ByteOrder, data any, e *entry) error {
	if e.tagged != nil {
		return e.read(r, order, data)
	}
	return binary.Read(r, order, data)
}

// Write writes the binary representation of data into w, which must be a
// fixed-size value or a slice of fixed-size values, or a pointer to such data,
// in the given byte order. Bools are 1 for true and 0 for false; blank (_)
// fields are zeros.
//
// A value of a type with bp tags is written as the package comment says. It
// may have any size.
func Write(w io.Writer, order ByteOrder, data any) error {
	e := recall(memory.TypeOf(&data))
	if e == nil {
		e = findEntry(data)
	}
	first, n, ok := e.elements(memory.DataOf(&data))
	if e.bytes && n > 0 {
		_, err := w.Write(*memory.DataOf(&data).Bytes())
		return err
	}
	which := programFor(order)
	p := e.encoder[which]
	if p == nil || !ok {
		return writeOther(w, order, data, e)
	}
	if e.word > 0 {
		b := make([]byte, e.word) // in less time than the pool has one
		copyWord(memory.Start(b), first, e.word, which == foreign)
		_, err := w.Write(b)
		return err
	}
	b := newBuffer(n * p.toEach)
	p.run(memory.Start(b.bytes), first, n)
	_, err := w.Write(b.bytes)
	b.free()
	return err
}

func writeOther(w io.Writer, order ByteOrder, data any, e *entry) error {
	if e.tagged != nil {
		return e.write(w, order, data)
	}
	return binary.Write(w, order, data)
}

// Append appends the binary representation of data to buf, which may be nil.
// See [Write] on which data are acceptable. It returns the extended buffer, or
// nil and an error.
func Append(buf []byte, order ByteOrder, data any) ([]byte, error) {
	e := recall(memory.TypeOf(&data))
	if e == nil {
		e = findEntry(data)
	}
	first, n, ok := e.elements(memory.DataOf(&data))
	which := programFor(order)
	if e.word > 0 && ok && which != unknown {
		return appendWord(buf, first, e.word, which == foreign), nil
	}
	if e.bytes {
		return append(buf, *memory.DataOf(&data).Bytes()...), nil
	}
	p := e.encoder[which]
	if p == nil || !ok {
		return appendOther(buf, order, data, e)
	}
	size := n * p.toEach
	out := slices.Grow(buf, size)[:len(buf)+size]
	if first.Overlaps(n*p.fromEach, out[len(buf):]) {
		return appendOther(buf, order, data, e)
	}
	p.run(memory.Start(out[len(buf):]), first, n)
	return out, nil
}

func appendOther(buf []byte, order ByteOrder, data any, e *entry) ([]byte, error) {
	if e.tagged != nil {
		return e.append(buf, order, data)
	}
	return binary.Append(buf, order, data)
}

// Encode encodes the binary representation of data into buf. See [Write] on
// which data are acceptable. It returns the number of bytes written, or an
// error if buf is too small.
func Encode(buf []byte, order ByteOrder, data any) (int, error) {
	e := recall(memory.TypeOf(&data))
	if e == nil {
		e = findEntry(data)
	}
	first, n, ok := e.elements(memory.DataOf(&data))
	which := programFor(order)
	if e.word > 0 && ok && which != unknown && len(buf) >= int(e.word) {
		copyWord(memory.Start(buf), first, e.word, which == foreign)
		return int(e.word), nil
	}
	if e.bytes && len(buf) >= n {
		return copy(buf, *memory.DataOf(&data).Bytes()), nil
	}
	p := e.encoder[which]
	if p == nil || !ok {
		return encodeOther(buf, order, data, e)
	}
	size := n * p.toEach
	if len(buf) < size || first.Overlaps(n*p.fromEach, buf[:size]) {
		return encodeOther(buf, order, data, e)
	}
	p.run(memory.Start(buf), first, n)
	return size, nil
}

func encodeOther(buf []byte, order ByteOrder, data any, e *entry) (int, error) {
	if e.tagged != nil {
		return e.encode(buf, order, data)
	}
	return binary.Encode(buf, order, data)
}

// Decode decodes binary data from the start of buf into data. See [Read] on
// which data are acceptable. It returns the number of bytes consumed, or an
// error if buf is too small.
func Decode(buf []byte, order ByteOrder, data any) (int, error) {
	e := recall(memory.TypeOf(&data))
	if e == nil {
		e = findEntry(data)
	}
	first, n, ok := e.elements(memory.DataOf(&data))
	which := programFor(order)
	if e.wordTo > 0 && ok && which != unknown && len(buf) >= int(e.wordTo) {
		copyWord(first, memory.Start(buf), e.wordTo, which == foreign)
		return int(e.wordTo), nil
	}
	if e.bytes && len(buf) >= n {
		return copy(*memory.DataOf(&data).Bytes(), buf), nil
	}
	p := e.decoder[which]
	if p == nil || !ok {
		return decodeOther(buf, order, data, e)
	}
	size := n * p.fromEach
	if len(buf) < size || e.strict && len(buf) > size || first.Overlaps(n*p.toEach, buf[:size]) {
		return decodeOther(buf, order, data, e)
	}
	p.run(first, memory.Start(buf), n)
	return size, nil
}

func decodeOther(buf []byte, order ByteOrder, data any, e *entry) (int, error) {
	if e.tagged != nil {
		return e.decode(buf, order, data)
	}
	return binary.Decode(buf, order, data)
}

// Size returns how many bytes [Write] would write for v, or -1 if it would
// fail.
func Size(v any) int {
	e := recall(memory.TypeOf(&v))
	if e == nil {
		e = findEntry(v)
	}
	data := memory.DataOf(&v)
	switch {
	case e.size < 0 || data.IsNil():
		return sizeOther(v, e)
	case e.form <= pointer:
		return e.size
	}
	return data.Slice().Len * e.size
}

func sizeOther(v any, e *entry) int {
	if e.tagged != nil {
		return e.measure(v)
	}
	return binary.Size(v)
}

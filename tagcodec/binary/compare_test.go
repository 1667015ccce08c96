package binary_test

import (
	"bytes"
	std "encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/gobitpack/bitpack/tagcodec/binary"
	"github.com/stretchr/testify/require"
)

// library is the part of the API that this package reimplements.
type library struct {
	read   func(io.Reader, std.ByteOrder, any) error
	write  func(io.Writer, std.ByteOrder, any) error
	append func([]byte, std.ByteOrder, any) ([]byte, error)
	encode func([]byte, std.ByteOrder, any) (int, error)
	decode func([]byte, std.ByteOrder, any) (int, error)
	size   func(any) int
}

var (
	theirs = library{std.Read, std.Write, std.Append, std.Encode, std.Decode, std.Size}
	ours   = library{binary.Read, binary.Write, binary.Append, binary.Encode, binary.Decode, binary.Size}
)

// ownOrder is a byte order that a user might define: the middle-endian order of
// the PDP-11 for 32 bits, and big-endian otherwise.
type ownOrder struct{ std.ByteOrder }

func (o ownOrder) Uint32(b []byte) uint32 {
	return uint32(b[1])<<24 | uint32(b[0])<<16 | uint32(b[3])<<8 | uint32(b[2])
}

func (o ownOrder) PutUint32(b []byte, v uint32) {
	b[0], b[1], b[2], b[3] = byte(v>>16), byte(v>>24), byte(v), byte(v>>8)
}

var orders = []std.ByteOrder{
	std.LittleEndian, std.BigEndian, std.NativeEndian, &std.BigEndian, // a pointer to an order is an order, too
	ownOrder{std.BigEndian}, nil,
}

// outcome is everything that a caller can observe of a call.
type outcome struct {
	N     int
	Bytes []byte // what the call returned or wrote, including the rest of a buffer it wrote to
	Cap   int
	Calls int
	Err   string
	Is    error // the error itself, if it is one that callers compare
	Panic string
	Value []byte // the memory of the destination
	Left  int    // bytes left in the reader
}

// observe runs f and records its result and error.
func observe(f func(o *outcome) error) (o outcome) {
	defer func() {
		if r := recover(); r != nil {
			o.Panic = fmt.Sprint(r)
		}
	}()
	if err := f(&o); err != nil {
		o.Err = err.Error()
		o.Is = err
		if reflect.TypeOf(err) == reflect.TypeOf(errors.New("")) && err != io.EOF && err != io.ErrUnexpectedEOF && err != errDisk {
			o.Is = nil // created by the call
		}
	}
	return o
}

var errDisk = errors.New("the disk is full")

// failingWriter accepts some bytes and then fails.
type failingWriter struct {
	o    *outcome
	left int
}

func (w *failingWriter) Write(p []byte) (int, error) {
	w.o.Calls++
	if p == nil {
		w.o.Calls += 100
	}
	n := min(len(p), w.left)
	w.o.Bytes = append(w.o.Bytes, p[:n]...)
	if w.left -= n; n < len(p) {
		return n, errDisk
	}
	return n, nil
}

// encodings runs every call that reads from data.
func encodings(l library, order std.ByteOrder, data any) []outcome {
	var all []outcome
	run := func(f func(o *outcome) error) { all = append(all, observe(f)) }
	run(func(o *outcome) error {
		o.N = l.size(data)
		return nil
	})
	size := 0
	observe(func(*outcome) error {
		size = max(0, std.Size(data))
		return nil
	})
	for _, room := range []int{1 << 30, size, size - 1, 0} {
		run(func(o *outcome) error { return l.write(&failingWriter{o, room}, order, data) })
	}
	for _, buf := range [][]byte{nil, {}, []byte("head"), append(make([]byte, 0, 5+size), "exact"...), append(make([]byte, 0, 100+size), "spare"...)} {
		run(func(o *outcome) (err error) {
			o.Bytes, err = l.append(buf, order, data)
			o.Cap = cap(o.Bytes)
			return err
		})
	}
	for _, n := range []int{size - 1, size, size + 3, 0} {
		run(func(o *outcome) (err error) {
			o.Bytes = bytes.Repeat([]byte{0xA5}, max(0, n))
			o.N, err = l.encode(o.Bytes, order, data)
			return err
		})
	}
	return all
}

// decodings runs every call that writes to data, each with its own destination.
func decodings(l library, order std.ByteOrder, wire []byte, data func() any) []outcome {
	var all []outcome
	run := func(f func(o *outcome, data any) error) {
		d := data()
		o := observe(func(o *outcome) error { return f(o, d) })
		o.Value = valueBytes(d)
		all = append(all, o)
	}
	for _, n := range []int{len(wire), len(wire) - 1, len(wire) / 2, 1, 0} {
		if n < 0 || n > len(wire) {
			continue
		}
		run(func(o *outcome, data any) (err error) {
			o.N, err = l.decode(wire[:n:n], order, data)
			return err
		})
		for _, wrap := range []func(io.Reader) io.Reader{
			func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.DataErrReader,
			func(r io.Reader) io.Reader { return io.MultiReader(r, iotest.ErrReader(errDisk)) },
		} {
			run(func(o *outcome, data any) error {
				r := bytes.NewReader(wire[:n])
				err := l.read(wrap(r), order, data)
				o.Left = r.Len()
				return err
			})
		}
	}
	longer := append(bytes.Clone(wire), 1, 2, 3)
	run(func(o *outcome, data any) (err error) {
		o.N, err = l.decode(longer, order, data)
		return err
	})
	run(func(o *outcome, data any) (err error) {
		r := bytes.NewReader(longer)
		err = l.read(r, order, data)
		o.Left = r.Len()
		return err
	})
	return all
}

// valueBytes returns the memory of the elements of data, if they have a fixed
// size.
func valueBytes(data any) []byte {
	v := reflect.ValueOf(data)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	switch {
	case v.Kind() == reflect.Slice && v.Len() > 0 && isFixed(v.Type().Elem()):
		return memoryOf(v)
	case v.CanAddr() && isFixed(v.Type()):
		return memoryOf(v)
	}
	return nil
}

func isFixed(t reflect.Type) bool {
	return t.Kind() != reflect.Pointer && t.Kind() != reflect.Slice && std.Size(reflect.New(t).Interface()) >= 0
}

// compare checks that both packages do the same with the result of data, which
// must be the same each time.
func compare(t testing.TB, data func() any) {
	t.Helper()
	for _, order := range orders {
		name := fmt.Sprintf("%T %v", data(), order)
		equal(t, encodings(theirs, order, data()), encodings(ours, order, data()), name)

		size := 0
		observe(func(*outcome) error {
			size = max(0, std.Size(data()))
			return nil
		})
		wire := make([]byte, size)
		for i := range wire {
			wire[i] = byte(i*37 + i>>3)
		}
		equal(t, decodings(theirs, order, wire, data), decodings(ours, order, wire, data), name)
	}
}

func equal(t testing.TB, want, got []outcome, name string) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, want[i], got[i], "%s, call %d", name, i)
	}
}

// Package flush slices the buffers of Writers. A comment has the text that the
// analyzer reports.
package flush

import (
	"io"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

type message struct{ A, B uint8 }

func never(buf []byte, m *message) []byte {
	w := bits.NewWriter(buf)
	w.WriteUint(uint64(m.A), 0, 9)
	return buf[:w.Len()] // want: buf[:w.Len()] may end in old bytes, because the Writer has not stored its last bits: call w.Flush before, or use w.Bytes()
}

func counted(out io.Writer, m *message) {
	var buf [64]byte
	data := buf[:]
	w := bits.NewWriter(data)
	w.WriteUint(uint64(m.A), 0, 9)
	n := w.Len()
	_, _ = out.Write(data[0:n]) // want: data[:w.Len()] may end in old bytes, because the Writer has not stored its last bits: call w.Flush before, or use w.Bytes()
}

func streamed(buf []byte, m *message) []byte {
	var w = bits.NewWriter(buf)
	s := bits.NewWriteStream(w)
	if err := tagcodec.Serialize(s, m); err != nil {
		return nil
	}
	body(w, m)
	if w.Err() != nil {
		return nil
	}
	return buf[:w.Len()] // want: buf[:w.Len()] may end in old bytes, because the Writer has not stored its last bits: call w.Flush before, or use w.Bytes()
}

func body(w *bits.Writer, m *message) { w.WriteUint(uint64(m.B), 0, 9); tail(w) }

func tail(w *bits.Writer) { w.WriteBool(true) }

func again(buf []byte, out io.Writer) {
	w := bits.NewWriter(buf)
	w.WriteBool(true)
	if err := w.Flush(); err != nil {
		return
	}
	_, _ = out.Write(buf[:w.Len()])
	w.WriteBits(3, 2)
	_, _ = out.Write(buf[:w.Len()]) // want: buf[:w.Len()] may end in old bytes, because the Writer has not stored its last bits: call w.Flush before, or use w.Bytes()
}

// What follows is right, or may be.

func flushed(buf []byte) []byte {
	w := bits.NewWriter(buf)
	w.WriteBool(true)
	if w.Flush() != nil {
		return nil
	}
	return buf[:w.Len()]
}

func later(buf []byte) ([]byte, error) {
	w := bits.NewWriter(buf)
	w.WriteBool(true)
	return buf[:w.Len()], w.Flush()
}

func deferred(buf []byte) (out []byte) {
	w := bits.NewWriter(buf)
	defer func() { _ = w.Flush() }()
	w.WriteBool(true)
	return buf[:w.Len()]
}

func helped(buf []byte) []byte {
	w := bits.NewWriter(buf)
	w.WriteBool(true)
	end(w)
	return buf[:w.Len()]
}

func end(w *bits.Writer) { deeper(w) }

func deeper(w *bits.Writer) { _ = w.Flush() }

type kept struct{ w *bits.Writer }

func keeps(buf []byte, k *kept) []byte {
	w := bits.NewWriter(buf)
	k.w = w
	k.end()
	return buf[:w.Len()]
}

func (k *kept) end() { _ = k.w.Flush() }

func hidden(buf []byte) []byte {
	w := bits.NewWriter(buf)
	f := w.Flush
	w.WriteBool(true)
	_ = f()
	return buf[:w.Len()]
}

func other(buf, scratch []byte) []byte {
	w := bits.NewWriter(scratch)
	w.WriteBool(true)
	return buf[:w.Len()]
}

func given(w *bits.Writer, buf []byte) []byte { return buf[:w.Len()] }

func looped(buf []byte, out io.Writer) {
	w := bits.NewWriter(buf)
	for i := range 3 {
		if i > 0 {
			_, _ = out.Write(buf[:w.Len()])
		}
		w.WriteBool(true)
		_ = w.Flush()
	}
}

func bytes(buf []byte) int {
	w := bits.NewWriter(buf)
	w.WriteBool(true)
	w.Bytes()
	return len(buf[:w.Len()])
}

func boxed(buf []byte) []byte {
	w := bits.NewWriter(buf)
	box(w)
	return buf[:w.Len()]
}

func box(w *bits.Writer) { k := kept{w: w}; k.end() }

var _ = []any{never, counted, streamed, again, flushed, later, deferred, helped, keeps, hidden, other, given, looped, bytes, boxed}

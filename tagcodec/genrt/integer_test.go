package genrt

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
)

// message is a message that generated code writes.
type message struct {
	buf []byte
	pos int
	w   uint64
	n   uint
}

// writers returns a message and a Writer, both with the same bits.
func writers(before int) (message, *bits.Writer) {
	w := bits.NewAppendWriter(nil)
	w.WriteBits(1<<before-1, before)
	var m message
	m.buf, m.pos, m.w, m.n = Put(nil, 0, 0, 0, 1<<before-1, uint(before))
	return m, w
}

func (m *message) bytes() []byte { return Close(m.buf, m.pos, m.w, m.n) }

// padded returns data with 8 more bytes, so that it can be loaded.
func padded(data []byte) []byte { return append(data[:len(data):len(data)], make([]byte, 8)...) }

func TestVarint(t *testing.T) {
	for _, x := range []uint64{0, 1, 127, 128, 1<<14 - 1, 1 << 14, 1 << 56, 1<<63 - 1, 1 << 63, math.MaxUint64} {
		for before := 1; before < 20; before++ {
			m, w := writers(before)
			w.WriteVarint(x)
			m.buf, m.pos, m.w, m.n = Varint(m.buf, m.pos, m.w, m.n, x, false)
			m.buf, m.pos, m.w, m.n = Varint(m.buf, m.pos, m.w, m.n, x, true)
			end := w.Bit()
			w.WriteVarint(bitio.Zigzag(x))
			data := m.bytes()
			require.Equal(t, w.Bytes(), data)

			got, next := ReadVarint(padded(data), before, w.Bit(), false)
			require.Equal(t, []uint64{x, uint64(end)}, []uint64{got, uint64(next)})
			got, next = ReadVarint(padded(data), end, w.Bit(), true)
			require.Equal(t, []uint64{x, uint64(w.Bit())}, []uint64{got, uint64(next)})
			_, next = ReadVarint(padded(data), before, end-1, false)
			require.Negative(t, next)
		}
	}
	for name, data := range map[string][]byte{
		"a group of zeros": {3, 0}, "65 bits": {1, 1, 1, 1, 1, 1, 1, 1, 1, 4}, "eleven groups": {1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 2},
	} {
		_, next := ReadVarint(padded(data), 0, 8*len(data), false)
		require.Negative(t, next, name)
	}
}

func TestRelative(t *testing.T) {
	const least, most = -1000, 1<<31 - 1
	for _, pair := range [][2]int64{{-1000, -999}, {0, 2}, {5, 11}, {5, 30}, {5, 300}, {5, 5000}, {7, 1 << 20}, {7, most}} {
		for before := 1; before < 20; before++ {
			m, w := writers(before)
			w.WriteRelative(pair[0], pair[1], least, most)
			var ok bool
			m.buf, m.pos, m.w, m.n, ok = Relative(m.buf, m.pos, m.w, m.n, pair[0], pair[1], least, most)
			require.True(t, ok)
			require.Equal(t, w.Bytes(), m.bytes())
			x, next := ReadRelative(padded(w.Bytes()), before, w.Bit(), pair[0], least, most)
			require.Equal(t, []int64{pair[1], int64(w.Bit())}, []int64{x, int64(next)})
			for end := before; end < w.Bit(); end++ {
				_, next = ReadRelative(padded(w.Bytes()), before, end, pair[0], least, most)
				require.Negative(t, next)
			}
			_, next = ReadRelative(padded(w.Bytes()), before, w.Bit(), pair[0], least, pair[1]-1)
			require.Negative(t, next, "above the bound")
		}
	}
	for _, pair := range [][2]int64{{5, 5}, {5, 4}, {5, most + 1}, {-2000, least - 1}} {
		_, _, _, _, ok := Relative(nil, 0, 0, 0, pair[0], pair[1], least, most)
		require.False(t, ok, pair)
	}
}

// TestSubsetCount reads a count of indices above the number of elements.
func TestSubsetCount(t *testing.T) {
	for count, want := range map[uint64]int{5: 3, 6: -1, 7: -1} {
		s := NewSubset(1, 5) // by index
		require.Equal(t, want, s.ReadStart(padded([]byte{byte(count)}), 0, 8))
	}
}

// TestLast checks that only the bytes of the message change.
func TestLast(t *testing.T) {
	for pos := range 17 {
		for n := range uint(65) {
			out := make([]byte, 40)
			for i := range out {
				out[i] = byte(0xA0 + i)
			}
			want := append([]byte{}, out...)
			w := uint64(0x0123456789ABCDEF) & (1<<n - 1)
			size := int(n+7) / 8
			for i := range size {
				want[pos+i] = byte(w >> (8 * i))
			}
			require.Equal(t, pos+size, Last(out, pos, w, n))
			require.Equal(t, want, out, "%d bits at %d", n, pos)
		}
	}
}

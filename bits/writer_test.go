package bits_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

// A value of more than n bits is refused in every width, by every kind of
// Writer, before the room is checked. Nothing is written.
func TestWriteBitsRange(t *testing.T) {
	for n := 1; n < 64; n++ {
		for _, v := range []uint64{1 << n, 1<<n + 1, 1 << 63, math.MaxUint64} {
			for _, w := range []*bits.Writer{
				bits.NewWriter(make([]byte, 64)), bits.NewWriter(make([]byte, 1)), bits.NewAppendWriter(nil), bits.NewMeasurer(),
			} {
				w.WriteBits(5, 3)
				w.WriteBits(v, n)
				w.WriteBits(0, 1)
				want := &bits.Error{Op: "write", Bit: 3, Err: bits.ErrRange, Value: v, Min: uint64(0), Max: uint64(1)<<n - 1}
				require.Equal(t, want, w.Err())
				require.Equal(t, 3, w.Bit(), "nothing is written after an error")
			}
		}
		w := bits.NewAppendWriter(nil)
		w.WriteBits(1<<n-1, n)
		require.NoError(t, w.Err(), "the largest value of %d bits", n)
	}
	w := bits.NewAppendWriter(nil)
	w.WriteBits(200, 7)
	require.EqualError(t, w.Err(), "bits: write at bit 0: value out of range: 200 is outside [0, 127]")
	require.Empty(t, w.Bytes())
}

func TestAppendWriterAllocs(t *testing.T) {
	dst := make([]byte, 5, 5+128)
	payload := make([]byte, 100)
	var w bits.Writer
	var out []byte
	allocs := testing.AllocsPerRun(100, func() {
		w.Resume(dst, len(dst), 0)
		w.WriteBits(1, 3)
		w.WriteInt(-3, -100, 100)
		w.WriteBytes(payload)
		w.WriteString("name", 31)
		w.WriteBits(1, 64)
		w.WriteBits(1, 64)
		out = w.Bytes()
	})
	require.Zero(t, allocs)
	require.NoError(t, w.Err())
	require.Len(t, out, 5+2+100+1+4+16)
	require.Same(t, &dst[0], &out[0])
}

func TestResume(t *testing.T) {
	for bit := range 131 {
		for _, prefix := range []int{0, 3} {
			w := bits.NewAppendWriter(make([]byte, prefix))
			var want bitString
			for i := range bit {
				w.WriteBool(i%3 == 0)
				want = append(want, map[bool]byte{true: 1}[i%3 == 0])
			}
			// The rest of the last byte and the bytes after it do not belong to
			// the message.
			dst := append(bytes.Clone(w.Bytes()), 0xFF, 0xFF)
			if bit%8 != 0 {
				dst[prefix+bit/8] |= 0xFF << (bit % 8)
			}
			var resumed bits.Writer
			resumed.Resume(dst, prefix, bit)
			require.Equal(t, bit, resumed.Bit())
			require.True(t, bytes.Equal(want.pack(), resumed.Bytes()[prefix:]), "resumed at bit %d", bit)

			resumed.WriteBits(0, 2)
			resumed.WriteBits(0x123456789ABCDEF5, 64)
			resumed.WriteBytes([]byte{0xA5})
			want = want.add(0, 2).add(0x123456789ABCDEF5, 64)
			want = want.add(0, -len(want)&7).add(0xA5, 8)
			require.NoError(t, resumed.Err())
			require.Equal(t, len(want), resumed.Bit())
			require.Equal(t, want.pack(), resumed.Bytes()[prefix:], "resumed at bit %d", bit)
			require.Equal(t, make([]byte, prefix), resumed.Bytes()[:prefix])
		}
	}
}

// Before Flush, the whole words of a message are in the buffer and the bytes
// after them are unchanged. After it the message is there. The bytes after the
// message never change.
func TestFlush(t *testing.T) {
	for bit := range 2 * 200 {
		buf := bytes.Repeat([]byte{0xEE}, 32)
		w := bits.NewWriter(buf)
		if bit >= 200 {
			bit, w = bit-200, bits.NewAppendWriter(buf[:0])
		}
		var want bitString
		for i := range bit {
			w.WriteBool(i%5 != 0)
			want = append(want, map[bool]byte{true: 1}[i%5 != 0])
		}
		message := want.pack()
		stored := bit / 64 * 8
		require.Equal(t, message[:stored], buf[:stored], "%d bits", bit)
		require.Equal(t, bytes.Repeat([]byte{0xEE}, 32-stored), buf[stored:], "%d bits", bit)

		require.NoError(t, w.Flush())
		require.Equal(t, message, buf[:w.Len()], "%d bits", bit)
		require.Equal(t, bytes.Repeat([]byte{0xEE}, 32-w.Len()), buf[w.Len():], "%d bits", bit)

		w.WriteBits(0x1FF, 9) // after a Flush in the middle of a byte
		require.NoError(t, w.Flush())
		require.Equal(t, want.add(0x1FF, 9).pack(), buf[:w.Len()])
	}
}

// Flush returns the first error and stores what was written before it.
func TestFlushError(t *testing.T) {
	buf := make([]byte, 2)
	w := bits.NewWriter(buf)
	w.WriteBits(0x1FF, 9)
	w.WriteBits(0, 8)
	require.Equal(t, &bits.Error{Op: "write", Bit: 9, Err: bits.ErrOverflow}, w.Flush())
	require.Equal(t, []byte{0xFF, 1}, buf)

	m := bits.NewMeasurer()
	m.WriteBits(1, 3)
	require.NoError(t, m.Flush())
	m.WriteBits(8, 3)
	require.ErrorIs(t, m.Flush(), bits.ErrRange)

	dst := make([]byte, 1, 8)
	a := bits.NewAppendWriter(dst)
	a.WriteBits(0xAB, 8)
	require.NoError(t, a.Flush())
	require.Equal(t, []byte{0, 0xAB}, dst[:2])
}

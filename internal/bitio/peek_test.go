package bitio_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/stretchr/testify/require"
)

// TestPeek compares the words at every bit of short data, and past its end,
// with those of its bits one by one.
func TestPeek(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range 20 {
		room := slices.Repeat([]byte{0xFF}, 40) // memory after the data must not be read
		data := room[:n]
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		for bit := range 8*n + 70 {
			var want uint64
			for i := range min(64, 8*n-bit) {
				if bitOf(data, bit+i) {
					want |= 1 << i
				}
			}
			require.Equal(t, want, bitio.PeekWord(data, bit), "bit %d of %d bytes", bit, n)
			require.Equal(t, want<<7>>7, bitio.Peek(data, bit)<<7>>7, "bit %d of %d bytes", bit, n)
		}
	}
}

func TestShiftedBits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range effort.Rounds(t, 300) {
		src := make([]byte, random.IntN(40))
		for i := range src {
			src[i] = byte(random.Uint32())
		}
		phase, most := uint(1+random.IntN(7)), random.IntN(400)
		n := max(min(8*len(src)-int(phase), most), 0)

		got, unused := bitio.ShiftBits([]byte{0xAB}, src, phase, most)
		require.Equal(t, (n+7)/8, len(got)-1)
		require.Equal(t, 8*(len(got)-1)-n, unused)
		require.Equal(t, byte(0xAB), got[0])
		for i := range n {
			require.Equal(t, bitOf(src, int(phase)+i), bitOf(got[1:], i), "bit %d of %d from %d", i, n, phase)
		}

		// Back to where they were, with the unused bits cleared.
		if unused > 0 {
			got[len(got)-1] &= 1<<(8-unused) - 1
		}
		spare := []byte{0x55, 1<<phase - 1, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE}
		out := bitio.AppendBits(spare[:2], phase, got[1:], n)
		require.Equal(t, 1+(int(phase)+n+7)/8, len(out))
		require.Equal(t, byte(0x55), out[0])
		for i := range 8*len(out) - 8 {
			want := i < int(phase)
			if i >= int(phase) && i < int(phase)+n {
				want = bitOf(src, i)
			}
			require.Equal(t, want, bitOf(out[1:], i), "bit %d", i)
		}
		for i := len(out); i < len(spare); i++ {
			require.Equal(t, byte(0xEE), spare[i], "a byte after the message has changed")
		}
	}
}

func bitOf(data []byte, i int) bool { return data[i/8]>>(i%8)&1 != 0 }

func TestStoreTail(t *testing.T) {
	const word = 0x8877665544332211
	for size := range 9 {
		buf := bytes.Repeat([]byte{0xEE}, 12)
		bitio.StoreTail(buf, 2, 2+size, word)
		want := append(bytes.Repeat([]byte{0xEE}, 2), binary.LittleEndian.AppendUint64(nil, word)[:size]...)
		want = append(want, bytes.Repeat([]byte{0xEE}, 10-size)...)
		require.Equal(t, want, buf)
	}
}

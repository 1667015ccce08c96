package bitio_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/stretchr/testify/require"
)

// TestPeek compares the words at every bit of short data, and past its end,
// with those of a big integer.
func TestPeek(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range 20 {
		room := slices.Repeat([]byte{0xFF}, 40) // memory after the data must not be read
		data := room[:n]
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		backward := slices.Clone(data)
		slices.Reverse(backward) // SetBytes takes the high byte first
		all := new(big.Int).SetBytes(backward)
		for bit := range 8*n + 70 {
			want, _ := bitio.Low128(new(big.Int).Rsh(all, uint(bit)))
			require.Equal(t, want, bitio.PeekWord(data, bit), "bit %d of %d bytes", bit, n)
			require.Equal(t, want<<7>>7, bitio.Peek(data, bit)<<7>>7, "bit %d of %d bytes", bit, n)
		}
	}
}

// TestLow128 checks that Low128 ignores everything above the low 128 bits.
func TestLow128(t *testing.T) {
	edges := []uint64{0, 1, 1<<63 - 1, 1 << 63, 1<<64 - 1, 0x0123456789ABCDEF}
	for _, hi := range edges {
		for _, lo := range edges {
			want := new(big.Int).SetUint64(hi)
			want.Lsh(want, 64).Or(want, new(big.Int).SetUint64(lo))
			for _, above := range []int64{0, 1, -1, 5, -12345, 1<<63 - 1, -1 << 63} {
				x := new(big.Int).Lsh(big.NewInt(above), 128)
				gotLo, gotHi := bitio.Low128(x.Add(x, want))
				require.Equal(t, [2]uint64{lo, hi}, [2]uint64{gotLo, gotHi}, "%v", x)
			}
		}
	}
}

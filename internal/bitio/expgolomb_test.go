package bitio_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/stretchr/testify/require"
)

// expGolomb returns the code as a string of bits in the order of the wire,
// computed from v + 2^k in decimal arithmetic.
func expGolomb(v uint64, k int) string {
	sum := new(big.Int).Lsh(big.NewInt(1), uint(k))
	sum.Add(sum, new(big.Int).SetUint64(v))
	z := sum.BitLen() - 1 - k
	s := strings.Repeat("0", z) + "1"
	for i := range z + k {
		s += fmt.Sprint(sum.Bit(i))
	}
	return s
}

// bitsOf returns the low n bits of hi:lo, and zeros after the 128th.
func bitsOf(lo, hi uint64, n int) (s string) {
	for i := range n {
		switch {
		case i < 64:
			s += fmt.Sprint(lo >> i & 1)
		case i < 128:
			s += fmt.Sprint(hi >> (i - 64) & 1)
		default:
			s += "0"
		}
	}
	return s
}

// pack returns a string of bits as bytes, after offset ones and before more.
func pack(s string, offset int) []byte {
	s = strings.Repeat("1", offset) + s + strings.Repeat("1", 16)
	data := make([]byte, (len(s)+7)/8)
	for i, c := range s {
		data[i/8] |= byte(c-'0') << (i % 8)
	}
	return data
}

// Codes at both ends of every class have the bits of the definition, and decode
// at every bit of a byte.
func TestExpGolomb(t *testing.T) {
	require.Equal(t, "1", expGolomb(0, 0))
	require.Equal(t, "010", expGolomb(1, 0))
	require.Equal(t, "00110", expGolomb(4, 0))
	require.Equal(t, "1010", expGolomb(2, 3))
	for k := range bitio.MaxExpGolombOrder + 1 {
		if k > 3 && k%16 < 14 && effort.Factor() == 1 {
			continue
		}
		values := []uint64{0, 1, 2, math.MaxUint64 - 1, math.MaxUint64}
		for i := range 64 {
			first := uint64(1)<<i - 1<<k
			values = append(values, 1<<i-1, 1<<i, 1<<i+1, first-1, first, first+1)
		}
		for i, v := range values {
			want := expGolomb(v, k)
			require.Equal(t, want, bitsOf(bitio.EncodeExpGolomb(v, k)), "%d of order %d", v, k)
			for _, max := range []uint64{v, math.MaxUint64} {
				back, n, ok := bitio.DecodeExpGolomb(pack(want, i%8), i%8, max, k)
				if back != v || n != len(want) || !ok {
					t.Fatalf("%d of order %d up to %d: got %d in %d bits, %v", v, k, max, back, n, ok)
				}
			}
			if v > 0 {
				back, n, ok := bitio.DecodeExpGolomb(pack(want, i%8), i%8, v-1, k)
				require.False(t, ok, "%d of order %d", v, k)
				require.LessOrEqual(t, n, len(want))
				if n == len(want) && back > 0 {
					require.Equal(t, v, back)
				}
			}
		}
	}
}

// Too many zeros are refused as soon as they are too many. Integers above 64 bits
// do not wrap around.
func TestExpGolombRefused(t *testing.T) {
	for _, tt := range []struct {
		name string
		bits string
		max  uint64
		k    int
		v    uint64
		n    int
	}{
		{"one class too many", "000", 6, 0, 0, 3},
		{"the class after one integer", "0", 0, 0, 0, 1},
		{"above max in its class", "00111", 5, 0, 6, 5},
		{"no one", strings.Repeat("0", 65), math.MaxUint64, 0, 0, 65},
		{"a one after 64 zeros, of order 1", strings.Repeat("0", 64) + "1", math.MaxUint64, 1, 0, 64},
		{"2^64 of order 0", strings.Repeat("0", 64) + "11" + strings.Repeat("0", 63), math.MaxUint64, 0, 0, 129},
		{"2^64 of order 1", strings.Repeat("0", 63) + "101" + strings.Repeat("0", 62), math.MaxUint64, 1, 0, 128},
		{"the largest of order 1", strings.Repeat("0", 63) + "1" + strings.Repeat("1", 64), math.MaxUint64, 1, math.MaxUint64 - 2, 128},
	} {
		v, n, ok := bitio.DecodeExpGolomb(pack(tt.bits, 3), 3, tt.max, tt.k)
		require.False(t, ok, tt.name)
		require.Equal(t, tt.n, n, tt.name)
		require.Equal(t, tt.v, v, tt.name)
	}
}

func TestZigzag(t *testing.T) {
	for x, want := range map[int64]uint64{0: 0, -1: 1, 1: 2, -2: 3, math.MaxInt64: math.MaxUint64 - 1, math.MinInt64: math.MaxUint64} {
		require.Equal(t, want, bitio.Zigzag(uint64(x)))
		require.Equal(t, uint64(x), bitio.Unzigzag(want))
	}
}

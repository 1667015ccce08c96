package bits_test

import (
	"math"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

func TestExpGolombRefused(t *testing.T) {
	w := bits.NewAppendWriter(nil)
	w.WriteBool(true)
	w.WriteExpGolomb(8, 7, 0)
	require.Equal(t, &bits.Error{Op: "write", Bit: 1, Err: bits.ErrRange, Value: uint64(8), Min: uint64(0), Max: uint64(7)}, w.Err())

	read := func(data []byte, max uint64, k int) error {
		r := bits.NewReader(inside(data, 0xFF))
		require.Zero(t, r.ReadExpGolomb(max, k))
		require.Zero(t, r.Bit())
		return r.Err()
	}
	wide, _ := write(t, []op{opExpGolomb(256, 256, 2)})
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrRange, Value: uint64(256), Min: uint64(0), Max: uint64(255)}, read(wide, 255, 2))
	nine, _ := write(t, []op{opExpGolomb(9, 9, 0)})
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrRange, Value: uint64(9), Min: uint64(0), Max: uint64(8)}, read(nine, 8, 0))
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrRange}, read(make([]byte, 1), 100, 0), "more zeros than 100 has")
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: 9, Max: 8}, read(make([]byte, 1), 255, 0), "as many zeros as 255 has")
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: 65, Max: 64}, read(make([]byte, 8), math.MaxUint64, 0))
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrRange}, read(make([]byte, 9), math.MaxUint64, 0))
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: 7, Max: 0}, read(nil, 100, 0))
}

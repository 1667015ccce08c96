package compress_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
)

func TestToFixed(t *testing.T) {
	require.Equal(t, int16(384), compress.ToFixed[int16](1.5, 8))
	require.Equal(t, int16(-384), compress.ToFixed[int16](-1.5, 8))
	require.Equal(t, int16(0), compress.ToFixed[int16](math.Copysign(0, -1), 8))
	require.Equal(t, int16(2), compress.ToFixed[int16](2.5/256, 8), "a tie goes to the even one")
	require.Equal(t, int16(math.MaxInt16), compress.ToFixed[int16](128, 8), "past the end")
	require.Equal(t, int16(math.MinInt16), compress.ToFixed[int16](-128, 8), "the end")
	require.Equal(t, uint8(0), compress.ToFixed[uint8](-0.25, 4))
	require.Equal(t, uint8(255), compress.ToFixed[uint8](1e300, 4))
	require.Equal(t, int64(math.MaxInt64), compress.ToFixed[int64](0x1p63, 0))
	require.Equal(t, int64(1<<63-1024), compress.ToFixed[int64](math.Nextafter(0x1p63, 0), 0))
	require.Equal(t, int64(math.MinInt64), compress.ToFixed[int64](-0x1p63, 0))
	require.Equal(t, uint64(math.MaxUint64), compress.ToFixed[uint64](0x1p64, 0))
	require.Equal(t, uint64(1<<63), compress.ToFixed[uint64](0.5, 64))
	require.Equal(t, int64(1<<62), compress.ToFixed[int64](0.5, 63))

	require.Equal(t, 1.5, compress.FromFixed(int16(384), 8))
	require.Equal(t, -1.0/256, compress.FromFixed(int16(-1), 8))
	require.Equal(t, 0.5, compress.FromFixed(uint64(1<<63), 64))
	require.Equal(t, -1.0, compress.FromFixed(int64(math.MinInt64), 63))
	for raw := math.MinInt16; raw <= math.MaxInt16; raw++ {
		if compress.ToFixed[int16](compress.FromFixed(int16(raw), 8), 8) != int16(raw) {
			require.Failf(t, "not exact", "%d", raw)
		}
	}
}

func ExampleToFixed() {
	raw := compress.ToFixed[int32](-1234.5, 8) // a field with the tag fixed,frac=8
	fmt.Println(raw, compress.FromFixed(raw, 8))
	// Output: -316032 -1234.5
}

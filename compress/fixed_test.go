package compress_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
)

func TestFixed(t *testing.T) {
	type row struct {
		name       string
		q          compress.Fixed
		bits       int
		first, end uint64 // smallest and largest raw integers
	}
	signed := func(name string, storage, frac int, min, max int64, bits int) row {
		q, err := compress.NewFixed(storage, frac, min, max)
		require.NoError(t, err, name)
		return row{name, q, bits, uint64(min << frac), uint64(max << frac)}
	}
	unsigned := func(name string, storage, frac int, min, max uint64, bits int) row {
		q, err := compress.NewFixedUint(storage, frac, min, max)
		require.NoError(t, err, name)
		return row{name, q, bits, min << frac, max << frac}
	}
	rows := []row{
		signed("Q8.8 around zero", 16, 8, -1, 1, 10),
		signed("Q8.8, all whole units", 16, 8, -128, 127, 16),
		signed("below zero", 16, 8, -100, -90, 12),
		signed("a coordinate", 32, 8, -2000, 2000, 20),
		signed("one value takes no bits", 32, 8, 7, 7, 0),
		signed("all of int64", 64, 0, math.MinInt64, math.MaxInt64, 64),
		signed("all fraction but the sign", 64, 63, -1, 0, 64),
		unsigned("Q8.8", 16, 8, 0, 255, 16),
		unsigned("all of uint64", 64, 0, 0, math.MaxUint64, 64),
		unsigned("the upper half of uint64", 64, 1, 1<<62, 1<<63-1, 63),
		unsigned("all fraction but one bit", 8, 7, 0, 1, 8),
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			q := row.q
			require.Equal(t, row.bits, q.Bits())
			require.Equal(t, row.first, q.Decode(0))
			require.Equal(t, row.end, q.Decode(q.Span))
			for _, raw := range []uint64{row.first, row.end, row.first + (row.end-row.first)/3} {
				code, ok := q.Encode(raw)
				require.True(t, ok)
				require.Equal(t, raw, q.Decode(code))
			}
			if q.Span < math.MaxUint64 {
				_, ok := q.Encode(row.end + 1)
				require.False(t, ok, "past the end")
				_, ok = q.Encode(row.first - 1)
				require.False(t, ok, "before the first")
			}
		})
	}
}

func TestFixedConstructorErrors(t *testing.T) {
	rows := []struct {
		storage, frac int
		min, max      int64
		want          string
	}{
		{24, 8, 0, 1, "storage must be 8, 16, 32 or 64 bits, not 24"},
		{16, -1, 0, 1, "frac must be in [0, 15], not -1"},
		{16, 16, 0, 1, "frac must be in [0, 15], not 16"},
		{16, 8, 1, 0, "invalid range [1, 0]: min exceeds max"},
		{16, 8, -128, 128, "invalid range [-128, 128]: int16 with 8 fraction bits holds [-128, 127]"},
		{16, 8, -129, 0, "invalid range [-129, 0]: int16 with 8 fraction bits holds [-128, 127]"},
		{64, 63, -1, 1, "invalid range [-1, 1]: int64 with 63 fraction bits holds [-1, 0]"},
	}
	for _, row := range rows {
		_, err := compress.NewFixed(row.storage, row.frac, row.min, row.max)
		require.EqualError(t, err, "compress: "+row.want)
	}
	_, err := compress.NewFixedUint(8, 8, 0, 1)
	require.EqualError(t, err, "compress: frac must be in [0, 7], not 8")
	_, err = compress.NewFixedUint(16, 8, 2, 1)
	require.EqualError(t, err, "compress: invalid range [2, 1]: min exceeds max")
	_, err = compress.NewFixedUint(16, 8, 0, 256)
	require.EqualError(t, err, "compress: invalid range [0, 256]: uint16 with 8 fraction bits holds [0, 255]")
}

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

func ExampleFixed() {
	// An int32 with 8 fraction bits holds a coordinate in [-2000, 2000].
	q, err := compress.NewFixed(32, 8, -2000, 2000)
	if err != nil {
		panic(err)
	}
	raw := compress.ToFixed[int32](-1234.5, 8)
	code, ok := q.Encode(uint64(raw))
	fmt.Println(q.Bits(), "bits:", raw, code, ok)
	fmt.Println(compress.FromFixed(int32(q.Decode(code)), 8))
	// Output:
	// 20 bits: -316032 195968 true
	// -1234.5
}

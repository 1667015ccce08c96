package bitio_test

import (
	"math"
	"testing"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/stretchr/testify/require"
)

func TestEncodeRelative(t *testing.T) {
	tests := []struct {
		previous, current int64
		code              uint64
		n                 int
	}{
		{5, 5, 0, 0}, {5, 4, 0, 0}, {math.MaxInt64, math.MinInt64, 0, 0},
		{5, 6, 0b1, 1}, {5, 7, 0b00010, 5}, {5, 11, 0b10010, 5}, {5, 12, 0b00000100, 8},
		{math.MinInt64, math.MaxInt64, 0xFFFFFFFF << 6, 38},
		{math.MaxInt64 - 1, math.MaxInt64, 1, 1},
	}
	for _, tt := range tests {
		code, n := bitio.EncodeRelative(tt.previous, tt.current)
		require.Equal(t, tt.code, code, "%d after %d", tt.current, tt.previous)
		require.Equal(t, tt.n, n, "%d after %d", tt.current, tt.previous)
	}
}

// TestDecodeRelativeWrap uses all of int64 as bounds of DecodeRelative. Nothing
// wraps around.
func TestDecodeRelativeWrap(t *testing.T) {
	code, _ := bitio.EncodeRelative(0, 2)
	_, n, ok := bitio.DecodeRelative(code, math.MaxInt64-1, math.MinInt64, math.MaxInt64)
	require.Equal(t, 5, n)
	require.False(t, ok)
	current, _, ok := bitio.DecodeRelative(code, math.MaxInt64-2, math.MinInt64, math.MaxInt64)
	require.True(t, ok)
	require.Equal(t, int64(math.MaxInt64), current)
}

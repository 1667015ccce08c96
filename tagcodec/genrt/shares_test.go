package genrt

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShares checks that only the spare capacity counts, up to its last byte.
func TestShares(t *testing.T) {
	memory := make([]byte, 20)
	dst := memory[2:5:10]
	for _, row := range []struct {
		from, to int
		want     bool
	}{{0, 5, false}, {4, 6, true}, {5, 6, true}, {9, 10, true}, {10, 20, false}, {0, 20, true}, {7, 7, false}} {
		require.Equal(t, row.want, Shares(dst, memory[row.from:row.to]), "%+v", row)
	}
	require.False(t, Shares(nil, memory))
	require.False(t, Shares(memory, memory))
	require.False(t, Shares(dst, nil))
}

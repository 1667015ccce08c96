package saturate

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSaturate(t *testing.T) {
	const most = math.MaxInt
	require.Equal(t, 7, Add(3, 4))
	require.Equal(t, most, Add(most-1, 1))
	require.Equal(t, most, Add(most-1, 2))
	require.Equal(t, most, Add(most, most))
	require.Equal(t, most, Add(0, most))
	require.Equal(t, 12, Mul(3, 4))
	require.Equal(t, 0, Mul(0, most))
	require.Equal(t, 0, Mul(most, 0))
	require.Equal(t, most, Mul(most, 1))
	require.Equal(t, most, Mul(most/2+1, 2))
	require.Equal(t, most-1, Mul(most/2, 2))
	require.Equal(t, most, MulAdd(most/2, 2, 1))
	require.Equal(t, 0, Bytes(0))
	require.Equal(t, 1, Bytes(1))
	require.Equal(t, 1, Bytes(8))
	require.Equal(t, 2, Bytes(9))
	require.Equal(t, most/8+1, Bytes(most-1))
	require.Equal(t, most, Bytes(most))
	require.Equal(t, most, MulAdd(most/2, 2, 2))
}

package compress

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Rounding makes min + (max-min) exceed max in one of nine ranges whose bounds have one
// decimal. No code has a value outside the bounds, and the last value keeps its code.
func TestFloatWithinBounds(t *testing.T) {
	beyond32, beyond64 := 0, 0
	for lo := -50; lo < 50; lo++ {
		for hi := lo + 1; hi <= 50; hi++ {
			q, err := NewFloat32(float32(lo)/10, float32(hi)/10, 0.01)
			require.NoError(t, err)
			if q.Min+q.Delta > q.Max {
				beyond32++
				require.Equal(t, q.Max, q.Decode(q.Steps))
			}
			require.LessOrEqual(t, q.Decode(q.Steps), float32(hi)/10)
			require.Equal(t, float32(lo)/10, q.Decode(0))
			require.Equal(t, q.Steps, q.Encode(q.Decode(q.Steps)))

			d, err := NewFloat64(float64(lo)/10, float64(hi)/10, 0.01)
			require.NoError(t, err)
			if d.Min+d.Delta > d.Max {
				beyond64++
				require.Equal(t, d.Max, d.Decode(d.Steps))
			}
			require.LessOrEqual(t, d.Decode(d.Steps), float64(hi)/10)
			require.Equal(t, float64(lo)/10, d.Decode(0))
			require.Equal(t, d.Steps, d.Encode(d.Decode(d.Steps)))
		}
	}
	require.Greater(t, beyond32, 400)
	require.Greater(t, beyond64, 400)

	// Here a step is smaller than the spacing of float32 at max, so several codes have
	// the value max.
	q, err := NewFloat32Bits(-3.3, 1, 26)
	require.NoError(t, err)
	for code := q.Steps - 1000; code <= q.Steps; code++ {
		require.LessOrEqual(t, q.Decode(code), float32(1))
	}
}

package genrt

import (
	"math"
	mathbits "math/bits"
	"math/rand/v2"
	"testing"

	"github.com/gobitpack/bitpack/compress"
	"github.com/stretchr/testify/require"
)

// TestScaleBy compares the functions for deltas that are powers of two with package
// compress, at values near the codes and far from them.
func TestScaleBy(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	far := []float64{math.Inf(-1), -math.MaxFloat64, -math.MaxFloat32, -1e30, 0, math.Copysign(0, -1), math.SmallestNonzeroFloat64,
		math.SmallestNonzeroFloat32, 1e-40, 1e30, math.MaxFloat32, math.MaxFloat64, math.Inf(1), math.NaN()}
	for range 2000 {
		delta := math.Ldexp(1, random.IntN(65)-32)
		least := float64(float32((random.Float64() - 0.5) * delta))
		res := delta / math.Ldexp(1+random.Float64(), random.IntN(32))
		q32, err := compress.NewFloat32(float32(least), float32(least+delta), float32(res))
		if random.IntN(2) == 0 {
			q32, err = compress.NewFloat32Bits(float32(least), float32(least+delta), 1+random.IntN(32))
		}
		require.NoError(t, err)
		q64, err := compress.NewFloat64Bits(least, least+delta, mathbits.Len32(q32.Steps))
		require.NoError(t, err)
		if float64(q32.Delta) != delta || q64.Delta != delta {
			continue
		}
		steps, steps64 := q32.Steps, q64.Steps
		list := far
		for range 20 {
			code := random.Uint32N(uint32(min(uint64(steps), steps64)))
			list = append(list, least+delta*float64(code)/float64(steps), least+delta*(float64(code)+0.5)/float64(steps), least+delta*(3*random.Float64()-1))
			require.Equal(t, q32.Decode(code), ValueBy32(uint64(code), float32(steps)/float32(delta), float32(least)))
			require.Equal(t, q64.Decode(uint64(code)), ValueBy64(uint64(code), float64(steps64)/delta, least))
		}
		limit := float32(steps) + 1
		if steps >= 1<<23 {
			if limit = float32(steps); float64(limit) <= float64(steps) {
				limit = math.Nextafter32(limit, math.MaxFloat32)
			}
		}
		for _, v := range list {
			want, want32 := uint64(Wrong), uint64(Wrong)
			if v-v == 0 {
				want = q64.Encode(v)
			}
			v32 := float32(v)
			if v32-v32 == 0 {
				want32 = uint64(q32.Encode(v32))
			}
			require.Equal(t, want, Quantize64(ScaleBy64(v, least, float64(steps64)/delta), v, least, float64(steps64)+1, steps64), "%v of %+v", v, q64)
			require.Equal(t, want32, Quantize32(ScaleBy32(v32, float32(least), float32(steps)/float32(delta)), v32, float32(least), limit, uint64(steps)), "%v of %+v", v32, q32)
		}
	}
}

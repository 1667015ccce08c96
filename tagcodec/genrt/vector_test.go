package genrt

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/tagcodec"
)

// TestVectorCode compares rotations and directions with the engine.
func TestVectorCode(t *testing.T) {
	type vectors struct {
		A [4]float64 `bp:"quat,bits=9"`
		B [4]float64 `bp:"quat,mode=sign,bits=9"`
		C [3]float64 `bp:"unit,bits=9"`
	}
	codec := tagcodec.MustFor[vectors]()
	pl := sealed.PlanOf(codec.Plan())
	var code Code[vectors]
	code.generated.Plan = pl
	v := vectors{[4]float64{0.5, -0.5, 0.5, 0.5}, [4]float64{0, 0.6, 0, -0.8}, [3]float64{0.6, 0, -0.8}}
	want, err := codec.Append(nil, &v)
	require.NoError(t, err)
	var back vectors
	require.NoError(t, codec.Unmarshal(want, &back))
	w := bits.NewAppendWriter(nil)
	for i, x := range [][]float64{v.A[:], v.B[:], v.C[:]} {
		c, ok := code.VectorCode(i, x...)
		require.True(t, ok)
		w.WriteBits(c, int(pl.Ops[i].Bits))
		got, ok := code.Vector(i, c)
		require.True(t, ok)
		require.Equal(t, [][]float64{back.A[:], back.B[:], back.C[:]}[i], got[:len(x)])
		x[0] = math.NaN()
		_, ok = code.VectorCode(i, x...)
		require.False(t, ok)
	}
	require.Equal(t, want, w.Bytes())
}

func TestAngle(t *testing.T) {
	for _, n := range []int{1, 12, 32} {
		a, err := compress.NewAngle(n, 2*math.Pi)
		require.NoError(t, err)
		step := math.Ldexp(a.Period, -n)
		for _, v := range []float64{0, 1, -1, 3.2, 6.28, 2 * math.Pi, -7, 1000, -1e18} {
			require.Equal(t, uint64(a.Encode(v)), Angle(v, a.Period, step, a.Mask), v)
		}
		for _, code := range []uint32{0, 1, a.Mask} {
			require.Equal(t, a.Decode(code), AngleValue(uint64(code), step))
			last := math.Nextafter32(float32(2*math.Pi), 0)
			require.Equal(t, a.Decode32(code), AngleValue32(uint64(code), step, last))
		}
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			require.Equal(t, uint64(Wrong), Angle(v, a.Period, step, a.Mask))
		}
	}
	require.Equal(t, uint64(0x3E00), Half(1.5))
	require.Equal(t, float32(1.5), HalfValue(0x3E00))
}

// TestScale compares a range that is no power of two with package compress.
func TestScale(t *testing.T) {
	q32, err := compress.NewFloat32(-3, 7, 0.01)
	require.NoError(t, err)
	q64, err := compress.NewFloat64Bits(-3, 7, 20)
	require.NoError(t, err)
	steps := float32(q32.Steps)
	for i := range 3000 {
		v := -5 + float64(i)/250
		require.Equal(t, uint64(q32.Encode(float32(v))),
			Quantize32(Scale32(float32(v), q32.Min, q32.Delta, steps), float32(v), q32.Min, steps+1, uint64(q32.Steps)), v)
		require.Equal(t, q64.Encode(v), Quantize64(Scale64(v, q64.Min, q64.Delta, float64(q64.Steps)), v, q64.Min, float64(q64.Steps)+1, q64.Steps), v)
	}
	for code := range uint64(q32.Steps) {
		require.Equal(t, q32.Decode(uint32(code)), Value32(code, steps, q32.Delta, q32.Min))
		require.Equal(t, q64.Decode(code), Value64(code, float64(q64.Steps), q64.Delta, q64.Min))
	}
}

package compress

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/stretchr/testify/require"
)

// moved returns the number of codes whose values encode to another code.
func moved[F float32 | float64, C uint32 | uint64](decode func(C) F, encode func(F) C, steps C) (n int) {
	for code := C(0); code <= steps; code++ {
		if encode(decode(code)) != code {
			n++
		}
	}
	return n
}

// The number of codes that are not canonical does not depend on the number of
// steps alone.
func TestCanonicalCodes(t *testing.T) {
	for _, tt := range []struct {
		name     string
		min, max float32
		bits     int
		res      float32
		others   int
	}{
		{"around zero, 22 bits", -1, 1, 22, 0, 0},
		{"a million and one more", 1e6, 1e6 + 1, 12, 0, 4079},
		{"a million and one more, in hundredths", 1e6, 1e6 + 1, 0, 0.01, 84},
		{"a million and one more, in steps of float32", 1e6, 1e6 + 1, 0, 0.0625, 0},
		{"a thousand and one more, 13 bits", 1000, 1001, 13, 0, 0},
		{"a thousand and one more, 14 bits", 1000, 1001, 14, 0, 6},
		{"a thousand and one more, 15 bits", 1000, 1001, 15, 0, 16383},
		{"a thousand below zero", -1001, -1000, 18, 0, 245759},
		{"one step", 1e6, 1e6 + 1, 1, 0, 0},
		{"the least float32", 0, 0x1p-149, 1, 0, 0},
		{"in halves of the least float32", 0, 0x1p-148, 2, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q, err := NewFloat32Bits(tt.min, tt.max, max(tt.bits, 1))
			if tt.res > 0 {
				q, err = NewFloat32(tt.min, tt.max, tt.res)
			}
			require.NoError(t, err)
			require.Equal(t, tt.others, moved(q.Decode, q.Encode, q.Steps))
			require.Equal(t, tt.others == 0, q.Canonical())
		})
	}
	for _, tt := range []struct {
		min, max  float64
		bits      int
		canonical bool
	}{{-1, 1, 48, true}, {-1, 1, 53, false}, {1e15, 1e15 + 1, 3, true}, {1e15, 1e15 + 1, 4, false}} {
		q, err := NewFloat64Bits(tt.min, tt.max, tt.bits)
		require.NoError(t, err)
		require.Equal(t, tt.canonical, q.Canonical(), "%+v", tt)
	}
}

// TestCanonicalBound checks the bound on rounding errors: if it is below half a
// step, every code is canonical. If a step is smaller than half the spacing of
// floats, some codes are not.
func TestCanonicalBound(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	near, fine, rounds := 0, 0, effort.Rounds(t, 400)
	for range rounds {
		lo := random.NormFloat64() * math.Pow(10, float64(random.IntN(12)-5))
		hi := lo + random.ExpFloat64()*math.Pow(10, float64(random.IntN(12)-5))
		n := 1 + random.IntN(14)
		if random.IntN(4) == 0 { // near the bound
			hi = lo + max(math.Abs(lo), math.Abs(hi))*(0.9+random.Float64())*0x1p-23*float64(uint(1)<<n-1)
		}
		q, err := NewFloat32Bits(float32(lo), float32(hi), n)
		if err != nil {
			continue
		}
		far := max(math.Abs(float64(q.Min)), math.Abs(float64(q.Min)+float64(q.Delta)))
		other := moved(q.Decode, q.Encode, q.Steps)
		require.Equal(t, other == 0, q.Canonical(), "%+v", q)
		step := float64(q.Delta) / float64(q.Steps)
		if surelyCanonical(far, float64(q.Delta), float64(q.Steps), 0x1p-24, 0x1p-149) {
			require.Zero(t, other, "%+v", q)
			if step < far*0x1p-21 {
				near++
			}
		}
		if q.Steps > 8 && float64(q.Delta) < far/4 && step < far*0x1p-26 {
			require.NotZero(t, other, "%+v", q)
			fine++
		}
	}
	require.Greater(t, near, rounds/60, "the bound is nearly reached")
	require.Greater(t, fine, rounds/60)
}

// With more than 2^23+1 steps, an odd code is never the result of encoding.
func TestCanonicalSteps(t *testing.T) {
	for _, steps := range []uint32{1<<23 + 2, 1<<23 + 3, 1 << 24, 1<<31 + 1, maxSteps32} {
		for _, bounds := range [][2]float32{{-1, 1}, {0, 1}, {0, 3}, {-10, 1000}, {5, 6}} {
			var q Float32
			require.NoError(t, q.setBounds(bounds[0], bounds[1]))
			q.setSteps(steps)
			require.False(t, q.Canonical())
			const odd = 1<<23 + 1
			require.NotEqual(t, uint32(odd), q.Encode(q.Decode(odd)))
		}
	}
}

package compress_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
)

// The tests of fused products hold each formula to rounding its products before
// it sums them. Go lets a compiler compute x*y+z with one rounding unless the
// product is converted explicitly, and those of arm64, s390x and GOAMD64=v3 do.
// Nearly always the result is the same. So the tests look for inputs of which it
// is not: with one product fused, and nothing else changed, the formula comes to
// another code or another value. Of each product there must be such inputs, and
// for all of them the package must give what rounds. The search computes what an
// instruction would give, so that it needs none and runs everywhere.
//
// The package converts some products that need it not today. Fused or not, they
// give the same results:
//
//   - A product with 2 is exact: those of the diagonal in Affine.Matrix.
//   - Of the cross product in NewAffine only the sign of its dot product with
//     the third axis counts, which is 1 or -1, nearly, where there is no shear.
//   - The distance in NewQuat from which on Encode takes its shorter way has the
//     same bits for each N.
//   - In QuatSign.Encode the magnitude of w is between the product and the sum.
//   - Quat.Decode has no sum. Its products are converted for the callers that it
//     may be inlined into, for which it is too large today.

// fused is the set of the products that are not rounded, by their numbers in a
// formula: none of them, or one.
type fused uint

// add returns x*y + z.
func (f fused) add(product int, x, y, z float64) float64 {
	if f>>product&1 != 0 {
		return math.FMA(x, y, z)
	}
	return float64(x*y) + z
}

// dot returns a[0]*b[0] + a[1]*b[1] and so on, from the left. In the first sum
// both are products, of which one alone can be fused.
func (f fused) dot(product int, a, b []float64) float64 {
	var sum float64
	if f>>product&1 != 0 {
		sum = f.add(product, a[0], b[0], float64(a[1]*b[1]))
	} else {
		sum = f.add(product+1, a[1], b[1], float64(a[0]*b[0]))
	}
	for i := 2; i < len(a); i++ {
		sum = f.add(product+i, a[i], b[i], sum)
	}
	return sum
}

// unit returns v divided by its length.
func (f fused) unit(product int, v []float64) []float64 {
	n := math.Sqrt(f.dot(product, v, v))
	u := make([]float64, len(v))
	for i, x := range v {
		u[i] = x / n
	}
	return u
}

// fused32 returns x*y + z, rounded once.
func fused32(x, y, z float32) float32 {
	exact := func(v float32) *big.Float { return new(big.Float).SetPrec(1000).SetFloat64(float64(v)) }
	product := exact(x)
	product.Mul(product, exact(y))
	sum, _ := product.Add(product, exact(z)).Float32()
	return sum
}

// requireFused fails if there are fewer than ten inputs of which a formula with
// that product fused has another result.
func requireFused(t *testing.T, formula string, found []int) {
	t.Helper()
	for product, n := range found {
		require.GreaterOrEqual(t, n, 10, "%s: inputs that tell whether product %d is fused", formula, product)
	}
}

// randomBounds returns bounds around zero or far from it.
func randomBounds(random *rand.Rand) (lower, upper float64) {
	lower = 100 * (2*random.Float64() - 1)
	return lower, lower + math.Ldexp(1+random.Float64(), random.IntN(16)-8)
}

func TestFusedFloat32(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	encoded, decoded := 0, 0
	check := func(q *compress.Float32, v float32) {
		steps := float32(q.Steps)
		x := (v - q.Min) / q.Delta
		require.True(t, x >= 0 && x <= 1)
		rounded := float32(float32(x*steps) + 0.5)
		code := min(uint64(rounded), uint64(q.Steps))
		if min(uint64(fused32(x, steps, 0.5)), uint64(q.Steps)) != code {
			encoded++
			require.Equal(t, code, uint64(q.Encode(v)), "%v of %+v", v, *q)
		}
		part := float32(code) / steps
		value := float32(part*q.Delta) + q.Min
		if fused32(part, q.Delta, q.Min) != value {
			decoded++
			require.Equal(t, value, q.Decode(uint32(code)), "%d of %+v", code, *q)
		}
	}
	for i := range 4000 {
		lower, upper := randomBounds(random)
		q := newFloat32Bits(t, float32(lower), float32(upper), 1+i%32)
		check(q, min(q.Min+float32(random.Float32()*q.Delta), float32(upper)))
	}
	requireFused(t, "Float32", []int{encoded, decoded})
	// With few steps there is only one value that tells: the greatest float32
	// below a half, which a sum with a half rounds to 1.
	encoded = 0
	for steps := range 1 << 12 {
		q := newFloat32(t, 0, 1, 1/float32(steps+1))
		check(q, math.Nextafter32(0.5, 0)/float32(q.Steps))
	}
	requireFused(t, "Float32.Encode with few steps", []int{encoded})
}

func TestFusedFloat64(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	encoded, decoded := 0, 0
	check := func(q *compress.Float64, v float64) {
		steps := float64(q.Steps)
		x := (v - q.Min) / q.Delta
		require.True(t, x >= 0 && x <= 1)
		code := min(uint64(fused(0).add(0, x, steps, 0.5)), q.Steps)
		if min(uint64(fused(1).add(0, x, steps, 0.5)), q.Steps) != code {
			encoded++
			require.Equal(t, code, q.Encode(v), "%v of %+v", v, *q)
		}
		part := float64(code) / steps
		value := fused(0).add(0, part, q.Delta, q.Min)
		if fused(1).add(0, part, q.Delta, q.Min) != value {
			decoded++
			require.Equal(t, value, q.Decode(code), "%d of %+v", code, *q)
		}
	}
	for i := range 4000 {
		lower, upper := randomBounds(random)
		q := newFloat64Bits(t, lower, upper, 1+i%53)
		check(q, min(q.Min+float64(random.Float64()*q.Delta), upper))
	}
	requireFused(t, "Float64", []int{encoded, decoded})
	encoded = 0
	for steps := range 1 << 12 {
		q := newFloat64(t, 0, 1, 1/float64(steps+1))
		check(q, math.Nextafter(0.5, 0)/float64(q.Steps))
	}
	requireFused(t, "Float64.Encode with few steps", []int{encoded})
}

// The sum is that of a caller, into which Decode is inlined.
func TestFusedAngle(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	q, err := compress.NewAngle(32, 2*math.Pi)
	require.NoError(t, err)
	step := math.Ldexp(2*math.Pi, -32)
	found := 0
	for range 1000 {
		code := random.Uint32()
		// What Float64 returns is a product too, of which the compiler knows.
		offset := float64(random.Float64())
		sum := fused(0).add(0, float64(code), step, offset)
		if fused(1).add(0, float64(code), step, offset) != sum {
			found++
			require.Equal(t, sum, q.Decode(code)+offset, "%d and %v", code, offset)
		}
	}
	requireFused(t, "Angle.Decode", []int{found})
}

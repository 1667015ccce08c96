package compress_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
)

// The tests of fused products check that each formula rounds its products
// before it adds them. Go allows a compiler to compute x*y+z with a single
// rounding unless the product is converted explicitly, and the compilers for
// arm64, s390x and GOAMD64=v3 do so. The result is nearly always the same. The
// tests therefore search for inputs for which it is not: with a single product
// fused, the formula gives another code or another value. Such inputs must
// exist for each product, and for all of them the package must give the rounded
// result. The search computes the result of the fused instruction in software,
// so it runs everywhere.
//
// The package also converts some products that do not need it today. Fused or
// not, they give the same results:
//
//   - A product with 2 is exact, as on the diagonal in Affine.Matrix.
//   - Only the sign of the dot product of the cross product and the third axis
//     matters in NewAffine. Without shear the dot product is close to 1 or -1.
//   - The distance in NewQuat above which Encode takes its shorter path has the
//     same bits for each N.
//   - In QuatSign.Encode the magnitude of w is between the product and the sum.
//   - Quat.Decode has no sum. It converts its products in case it is inlined,
//     though today it is too large for that.

// fused is a bit set of the products in a formula that are not rounded. It has
// at most one element.
type fused uint

// add returns x*y + z, and fuses them if product is in f.
func (f fused) add(product int, x, y, z float64) float64 {
	if f>>product&1 != 0 {
		return math.FMA(x, y, z)
	}
	return float64(x*y) + z
}

// dot returns a[0]*b[0] + a[1]*b[1] and so on, added from the left. The first
// sum has two products, only one of which can be fused.
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

// requireFused fails if, for some product, fusing it changed the formula's
// result for fewer than ten inputs.
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
	// With few steps only one value shows the difference: the largest float32
	// below 0.5, which becomes 1 when 0.5 is added.
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

// The sum is in the caller, into which Decode is inlined.
func TestFusedAngle(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	q, err := compress.NewAngle(32, 2*math.Pi)
	require.NoError(t, err)
	step := math.Ldexp(2*math.Pi, -32)
	found := 0
	for range 1000 {
		code := random.Uint32()
		// Float64 is inlined too, and its result is also a product.
		offset := float64(random.Float64())
		sum := fused(0).add(0, float64(code), step, offset)
		if fused(1).add(0, float64(code), step, offset) != sum {
			found++
			require.Equal(t, sum, q.Decode(code)+offset, "%d and %v", code, offset)
		}
	}
	requireFused(t, "Angle.Decode", []int{found})
}

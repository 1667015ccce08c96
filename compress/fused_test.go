package compress_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
)

// The tests of fused products check that each formula rounds its products
// before it adds them. Go allows a compiler to compute x*y+z with a single
// rounding unless the product is converted explicitly, and the compilers for
// arm64, s390x and GOAMD64=v3 do so. The result is nearly always the same, so
// the tests search for the borders between two codes, where a single rounding
// makes a difference. The sums of the borders are the same on every machine.
// They were recorded on amd64, where nothing is fused. A formula with
// math.FMA in place of one product and sum changes them.
//
// The inputs are computed without products that round.

// checksum is an FNV-1a hash of words.
type checksum uint64

func (c *checksum) add(word uint64) { *c = (*c ^ checksum(word)) * 1099511628211 }

// uniform returns a number in [-1, 1).
func uniform(random *rand.Rand) float64 {
	return float64(float64(int64(random.Uint64())>>10) * 0x1p-53)
}

// border returns the last number from lower on that has the same code as lower, if
// a bisection ends there. upper must have another code.
func border(lower, upper float64, code func(x float64) uint64) float64 {
	for first := code(lower); ; {
		middle := lower + float64((upper-lower)/2)
		switch {
		case middle == lower || middle == upper:
			return lower
		case code(middle) == first:
			lower = middle
		default:
			upper = middle
		}
	}
}

// vectorBorders returns the sum of the borders between codes of random vectors of
// size components. Half of them have nearly equal components.
func vectorBorders(t *testing.T, size, least, most int, encoder func(n int) func(v []float64) (uint64, bool)) (sum checksum) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		n := least + i%(most-least+1)
		if i%2 == 0 {
			n = least + i%5 // distances differ by as little as their rounding errors
		}
		encode := encoder(n)
		v := make([]float64, size)
		for j := range v {
			if v[j] = uniform(random); i%3 == 0 {
				v[j] = math.Copysign(1+math.Ldexp(v[j], 1-n), v[j])
			}
		}
		at := random.IntN(size)
		code := func(x float64) uint64 {
			v[at] = x
			code, ok := encode(v)
			require.True(t, ok)
			return code
		}
		lower, upper := v[at], v[at]+uniform(random)
		if code(lower) == code(upper) {
			continue
		}
		lower = border(lower, upper, code)
		sum.add(math.Float64bits(lower))
		v[at] = lower
		for range 8 { // the last bits of every component decide
			other := append([]float64(nil), v...)
			for j, x := range other {
				other[j] = x + float64(x*0x1p-52*float64(random.IntN(5)-2))
			}
			code, _ := encode(other)
			sum.add(code)
		}
	}
	return sum
}

func TestFusedVectors(t *testing.T) {
	require.Equal(t, checksum(0xe6596e4a3dbcb3ce), vectorBorders(t, 4, 2, 20, func(n int) func(v []float64) (uint64, bool) {
		q := newQuat(t, n)
		return func(v []float64) (uint64, bool) { return q.Encode([4]float64(v)) }
	}), "Quat")
	require.Equal(t, checksum(0xee93872a7fc847b4), vectorBorders(t, 4, 2, 20, func(n int) func(v []float64) (uint64, bool) {
		q := newQuatSign(t, n)
		return func(v []float64) (uint64, bool) { return q.Encode([4]float64(v)) }
	}), "QuatSign")
	require.Equal(t, checksum(0x88e6d49efe1b6d5d), vectorBorders(t, 3, 2, 24, func(n int) func(v []float64) (uint64, bool) {
		q := newUnit(t, n)
		return func(v []float64) (uint64, bool) { return q.Encode([3]float64(v)) }
	}), "Unit")
}

func TestFusedFloats(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var encoded, decoded, encoded64, decoded64 checksum
	for i := range 3000 {
		lower := 64 * uniform(random) // exact
		upper := lower + math.Ldexp(2+uniform(random), random.IntN(16)-8)
		at := (1 + uniform(random)) / 2
		encoded.add(uint64(newFloat32Bits(t, float32(lower), float32(upper), 1+i%32).Encode(float32(lower + float64(at*(upper-lower))))))
		encoded64.add(newFloat64Bits(t, lower, upper, 1+i%53).Encode(lower + float64(at*(upper-lower))))
		// Of few steps, the largest number below half a step tells.
		few, few64 := newFloat32(t, 0, 1, 1/float32(i+1)), newFloat64(t, 0, 1, 1/float64(i+1))
		encoded.add(uint64(few.Encode(math.Nextafter32(0.5, 0) / float32(few.Steps))))
		encoded64.add(few64.Encode(math.Nextafter(0.5, 0) / float64(few64.Steps)))
		q := newFloat32Bits(t, float32(lower), float32(upper), 1+i%22)
		code := random.Uint32N(q.Steps)
		decoded.add(uint64(math.Float32bits(q.Decode(code))))
		encoded.add(math.Float64bits(border(float64(q.Decode(code)), float64(q.Decode(code+1)),
			func(x float64) uint64 { return uint64(q.Encode(float32(x))) })))
		q64 := newFloat64Bits(t, lower, upper, 1+i%48)
		code64 := random.Uint64N(q64.Steps)
		decoded64.add(math.Float64bits(q64.Decode(code64)))
		encoded64.add(math.Float64bits(border(q64.Decode(code64), q64.Decode(code64+1), q64.Encode)))
	}
	require.Equal(t, [4]checksum{0x9738f4949de9b194, 0x38e439181ce86cc0, 0x1bf069c95e09bad9, 0x2a25efb274b9cbb8}, [4]checksum{encoded, decoded, encoded64, decoded64})
}

// The sum is in the caller, into which Decode is inlined.
func TestFusedAngle(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	q := newAngle(t, 32, turn)
	var sum checksum
	for range 1000 {
		code, offset := random.Uint32(), uniform(random)
		sum.add(math.Float64bits(q.Decode(code) + offset))
	}
	require.Equal(t, checksum(0x7e8774b8f5d23727), sum)
}

// TestFusedAffine uses quaternions for which some matrix elements would be zero
// without rounding, and matrices at the largest accepted shear.
func TestFusedAffine(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var matrices, shears checksum
	for range 1000 {
		a, b := float32(uniform(random)), float32(uniform(random))
		q := [4]float32{a, b, -b, a}
		random.Shuffle(4, func(i, j int) { q[i], q[j] = q[j], q[i] })
		affine := compress.Affine{Rotation: q, Scale: [3]float32{1, 1, 1}}
		for _, x := range affine.Matrix() {
			matrices.add(uint64(math.Float32bits(x)))
		}
	}
	for i := range 1000 {
		// The cosine of the angle between x and y is 2^-12, except for the
		// rounding of these elements to float32. The third element of x is near
		// 0, so it is fine enough to make up for that rounding.
		sin, cos := circle(uniform(random))
		up, along := circle(0.5 + uniform(random)*0x1p-2)
		rows := [3][3]float64{
			{cos, sin, 0},
			{0x1p-12*cos - float64(sin*along), 0x1p-12*sin + float64(cos*along), up},
			{sin * up, -cos * up, along},
		}
		m := [16]float32{15: 1}
		for axis, row := range rows {
			for j, x := range row {
				m[4*axis+(i+j)%3] = float32(x)
			}
		}
		third := &m[(i+2)%3]
		sheared := func(x float64) (refused uint64) {
			*third = float32(x)
			if _, err := compress.NewAffine(&m); err != nil {
				refused = 1
			}
			return refused
		}
		*third = float32(border(-0x1p-20, 0x1p-20, sheared))
		shears.add(uint64(math.Float32bits(*third)))
		for range 16 {
			shears.add(sheared(float64(*third)))
			*third = math.Nextafter32(*third, 1)
		}
	}
	require.Equal(t, [2]checksum{0x3e1e05d168044400, 0x3658cf994d3e7522}, [2]checksum{matrices, shears})
}

// circle returns a point on the circle of radius 1.
func circle(x float64) (sin, cos float64) {
	square := float64(x * x)
	return 2 * x / (1 + square), (1 - square) / (1 + square)
}

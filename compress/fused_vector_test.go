package compress_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
)

// formula encodes a vector with the products in f fused.
type formula func(f fused, v []float64) (code uint64)

// testBorders runs a formula, with each of its products fused in turn, on
// vectors near the border between two codes. A single rounding can make a
// difference only there.
func testBorders(t *testing.T, random *rand.Rand, found []int, v []float64, code formula, encode func(v []float64) (uint64, bool)) {
	lower := append([]float64(nil), v...)
	upper := append([]float64(nil), v...)
	i := random.IntN(len(v))
	upper[i] += random.Float64() - 0.5
	first := code(0, lower)
	if code(0, upper) == first {
		return
	}
	for {
		middle := append([]float64(nil), lower...)
		middle[i] += (upper[i] - lower[i]) / 2
		if middle[i] == lower[i] || middle[i] == upper[i] {
			break
		}
		if code(0, middle) == first {
			lower = middle
		} else {
			upper = middle
		}
	}
	for range 16 {
		for j := range v {
			v[j] = lower[j] + lower[j]*0x1p-52*float64(random.IntN(5)-2)
		}
		want := code(0, v)
		got, ok := encode(v)
		if !ok || got != want {
			require.Failf(t, "code", "%v gives %#x, want %#x", v, got, want)
		}
		for product := range found {
			if code(1<<product, v) != want {
				found[product]++
			}
		}
	}
}

// clearly makes near-ties count as ties: a squared distance d counts as smaller
// than another, e, only if d < e*clearly.
const clearly = 1 - 0x1p-30

func TestFusedQuat(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := make([]int, 4+3+4)
	for i := range 3000 {
		n := 2 + i%19
		if i%2 == 0 {
			n = 2 + i%5 // distances differ by as little as their rounding errors
		}
		q := newQuat(t, n)
		m := math.Ldexp(1, n) - 1
		code := func(f fused, v []float64) (code uint64) {
			v = f.unit(0, v)
			nearest := math.Inf(1)
			for largest := range v {
				c, product := uint64(largest), 4
				for j, x := range v {
					if j != largest {
						grid := f.add(product, x, math.Copysign(m/math.Sqrt2, v[largest]), math.Ldexp(1, n-1))
						c |= uint64(min(max(grid, 0), m)) << (2 + (product-4)*n)
						product++
					}
				}
				u, ok := q.Decode(c)
				if !ok {
					continue
				}
				d := make([]float64, 4)
				for j := range d {
					d[j] = v[j] - u[j]*math.Copysign(1, v[largest])
				}
				if sum := f.dot(7, d, d); sum < nearest*clearly {
					code, nearest = c, sum
				}
			}
			return code
		}
		v := nearlyEqualQuat(random, n)
		if i%3 == 0 {
			v = randomQuat(random)
		}
		testBorders(t, random, found, v[:], code, func(v []float64) (uint64, bool) { return q.Encode([4]float64(v)) })
	}
	requireFused(t, "Quat.Encode", found)
}

func TestFusedQuatSign(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := make([]int, 4+3+4)
	for i := range 1500 {
		n := 2 + i%19
		if i%2 == 0 {
			n = 2 + i%5 // distances differ by as little as their rounding errors
		}
		q := newQuatSign(t, n)
		z := math.Ldexp(1, n-1) - 1
		code := func(f fused, v []float64) (code uint64) {
			v = f.unit(0, v)
			nearest := math.Inf(1)
			for corner := range 8 {
				d := make([]float64, 4)
				c, rest := uint64(0), z*z
				for j, x := range v[:3] {
					k := math.Floor(x*z) + float64(corner>>j&1)
					d[j] = f.add(4+j, -x, z, k)
					c |= uint64(k+z) << (j * n)
					rest -= float64(k * k)
				}
				if rest < 0 {
					continue
				}
				if rest > 0 && v[3] < 0 {
					c |= 1 << (3 * n)
				}
				d[3] = math.Sqrt(rest) - math.Abs(float64(v[3]*z))
				if sum := f.dot(7, d, d); sum < nearest*clearly {
					code, nearest = c, sum
				}
			}
			return code
		}
		v := randomQuat(random)
		testBorders(t, random, found, v[:], code, func(v []float64) (uint64, bool) { return q.Encode([4]float64(v)) })
	}
	requireFused(t, "QuatSign.Encode", found)
}

func TestFusedUnit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := make([]int, 3+3)
	for i := range 1500 {
		n := 2 + i%23
		if i%2 == 0 {
			n = 2 + i%5 // as for Quat
		}
		q := newUnit(t, n)
		z := 1<<(n-1) - 1
		code := func(f fused, v []float64) (code uint64) {
			v = f.unit(0, v)
			sum := math.Abs(v[0]) + math.Abs(v[1]) + math.Abs(v[2])
			x, y := v[0]/sum, v[1]/sum
			if v[2] < 0 {
				x, y = math.Copysign(1-math.Abs(y), x), math.Copysign(1-math.Abs(x), y)
			}
			nearest := math.Inf(1)
			for corner := range 4 {
				i, j := int(math.Floor(x*float64(z)))+corner&1, int(math.Floor(y*float64(z)))+corner>>1
				if max(i, -i, j, -j) > z {
					continue
				}
				// Of the two edge points for the same vector, choose the valid
				// one.
				if max(i, -i) == z {
					j = max(j, -j)
				}
				if max(j, -j) == z {
					i = max(i, -i)
				}
				c := uint64(i+z) | uint64(j+z)<<n
				u, ok := q.Decode(c)
				require.True(t, ok)
				d := []float64{u[0] - v[0], u[1] - v[1], u[2] - v[2]}
				if sum := f.dot(3, d, d); sum < nearest*clearly {
					code, nearest = c, sum
				}
			}
			return code
		}
		v := randomQuat(random)
		testBorders(t, random, found, v[:3], code, func(v []float64) (uint64, bool) { return q.Encode([3]float64(v)) })
	}
	requireFused(t, "Unit.Encode", found)
}

// TestFusedAffineMatrix uses quaternions for which some matrix elements would
// be zero without rounding.
func TestFusedAffineMatrix(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := make([]int, 9)
	matrix := func(f fused, rotation [4]float32) (m [16]float32) {
		v := fused(0).unit(0, []float64{float64(rotation[0]), float64(rotation[1]), float64(rotation[2]), float64(rotation[3])})
		factors := [9][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}, {3, 0}, {3, 1}, {3, 2}}
		const xx, yy, zz, xy, xz, yz, wx, wy, wz = 0, 1, 2, 3, 4, 5, 6, 7, 8
		sum := func(a, b int, sign float64) float64 {
			x, y := v[factors[a][0]], v[factors[a][1]]
			p, q := sign*v[factors[b][0]], v[factors[b][1]]
			if f>>a&1 != 0 {
				return f.add(a, x, y, float64(p*q))
			}
			return f.add(b, p, q, float64(x*y))
		}
		axes := [3][3]float64{
			{1 - 2*sum(yy, zz, 1), 2 * sum(xy, wz, 1), 2 * sum(xz, wy, -1)},
			{2 * sum(xy, wz, -1), 1 - 2*sum(xx, zz, 1), 2 * sum(yz, wx, 1)},
			{2 * sum(xz, wy, 1), 2 * sum(yz, wx, -1), 1 - 2*sum(xx, yy, 1)},
		}
		for i, axis := range axes {
			for j, x := range axis {
				m[4*i+j] = float32(x)
			}
		}
		m[15] = 1
		return m
	}
	for range 1000 {
		a, b := random.Float32()-0.5, random.Float32()-0.5
		q := [4]float32{a, b, -b, a}
		random.Shuffle(4, func(i, j int) { q[i], q[j] = q[j], q[i] })
		want := matrix(0, q)
		affine := compress.Affine{Rotation: q, Scale: [3]float32{1, 1, 1}}
		require.Equal(t, want, affine.Matrix(), "%v", q)
		for product := range found {
			if matrix(1<<product, q) != want {
				found[product]++
			}
		}
	}
	requireFused(t, "Affine.Matrix", found)
}

// TestFusedAffineShear uses matrices close to the largest accepted shear, so
// that a single rounding decides.
func TestFusedAffineShear(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := make([]int, 3)
	sheared := func(f fused, m *[16]float32) bool {
		var axes [3][]float64
		for i := range axes {
			axes[i] = fused(0).unit(0, []float64{float64(m[4*i]), float64(m[4*i+1]), float64(m[4*i+2])})
		}
		x, y, z := axes[0], axes[1], axes[2]
		return max(math.Abs(f.dot(0, x, y)), math.Abs(f.dot(0, y, z)), math.Abs(f.dot(0, z, x))) > 0x1p-12
	}
	for i := range 1000 {
		// The cosine of the angle between x and y is 2^-12, except for the
		// rounding of these elements to float32. The third element of x is near
		// 0, so it is fine enough to make up for that rounding.
		sin, cos := math.Sincos(random.Float64() * 2 * math.Pi)
		up, along := math.Sincos((0.1 + 0.8*random.Float64()) * math.Pi / 2)
		rows := [3][3]float64{
			{cos, sin, 0},
			{0x1p-12*cos - sin*along, 0x1p-12*sin + cos*along, up},
			{sin * up, -cos * up, along},
		}
		m := [16]float32{15: 1}
		for axis, row := range rows {
			for j, x := range row {
				m[4*axis+(i+j)%3] = float32(x)
			}
		}
		third := &m[(i+2)%3]
		lower, upper := float32(-0x1p-20), float32(0x1p-20)
		for {
			*third = lower + (upper-lower)/2
			if *third == lower || *third == upper {
				break
			}
			if sheared(0, &m) {
				upper = *third
			} else {
				lower = *third
			}
		}
		for range 16 {
			want := sheared(0, &m)
			_, err := compress.NewAffine(&m)
			require.Equal(t, want, err != nil, "%v", m)
			for product := range found {
				if sheared(1<<product, &m) != want {
					found[product]++
				}
			}
			*third = math.Nextafter32(*third, 1)
		}
	}
	requireFused(t, "NewAffine", found)
}

package compress_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/effort"
)

func newQuat(t testing.TB, n int) *compress.Quat {
	t.Helper()
	q, err := compress.NewQuat(n)
	require.NoError(t, err)
	return &q
}

// quatCode assembles a code from its parts.
func quatCode(n int, index, a, b, c uint64) uint64 { return index | a<<2 | b<<(2+n) | c<<(2+2*n) }

func dot(a, b [4]float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func randomQuat(random *rand.Rand) (v [4]float64) {
	for i := range v {
		v[i] = random.NormFloat64()
	}
	n := math.Sqrt(dot(v, v))
	return [4]float64{v[0] / n, v[1] / n, v[2] / n, v[3] / n}
}

// nearlyEqualQuat returns a rotation with two or more components that differ by
// a few multiples of 2^-n.
func nearlyEqualQuat(random *rand.Rand, n int) (v [4]float64) {
	for i := range v {
		v[i] = (1 + math.Ldexp(random.NormFloat64(), 1-n)) * float64(1-2*random.IntN(2))
	}
	for i := 2 + random.IntN(3); i < 4; i++ {
		v[i] = random.Float64()
	}
	random.Shuffle(4, func(i, j int) { v[i], v[j] = v[j], v[i] })
	l := math.Sqrt(dot(v, v))
	return [4]float64{v[0] / l, v[1] / l, v[2] / l, v[3] / l}
}

func TestQuatRows(t *testing.T) {
	const r = 1 / math.Sqrt2
	negativeZero := math.Copysign(0, -1)
	rows := []struct {
		name           string
		v              [4]float64
		index, a, b, c uint64
	}{
		{"identity", [4]float64{0, 0, 0, 1}, 3, 256, 256, 256},
		{"negative zeros", [4]float64{negativeZero, negativeZero, negativeZero, 1}, 3, 256, 256, 256},
		{"the length does not matter", [4]float64{0, 0, 0, 1e-300}, 3, 256, 256, 256},
		{"a length whose square overflows", [4]float64{0, 0, -1e300, 0}, 2, 256, 256, 256},
		{"half a turn about x", [4]float64{1, 0, 0, 0}, 0, 256, 256, 256},
		{"a quarter about z", [4]float64{0, 0, r, r}, 2, 256, 256, 511},
		{"equal components: of two codes as near the lower index", [4]float64{.5, .5, .5, .5}, 0, 436, 436, 436},
		{"with signs", [4]float64{-.5, .5, -.5, .5}, 0, 75, 436, 75},
		{"a small negative component", [4]float64{-0.002, 0, 0, 1}, 3, 255, 256, 256},
	}
	q := newQuat(t, 9)
	require.Equal(t, 29, q.Bits())
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			code, ok := q.Encode(row.v)
			require.True(t, ok)
			require.Equal(t, quatCode(9, row.index, row.a, row.b, row.c), code,
				"%d %d %d %d", code&3, code>>2&511, code>>11&511, code>>20)
		})
	}
}

func TestQuatRefuses(t *testing.T) {
	q := newQuat(t, 9)
	inf, nan := math.Inf(1), math.NaN()
	for i := range 4 {
		for _, bad := range []float64{nan, inf, -inf} {
			v := [4]float64{1, 1, 1, 1}
			v[i] = bad
			_, ok := q.Encode(v)
			require.False(t, ok, "%v", v)
			_, ok = q.Encode32([4]float32{float32(v[0]), float32(v[1]), float32(v[2]), float32(v[3])})
			require.False(t, ok, "%v", v)
		}
	}
	_, ok := q.Encode([4]float64{0, math.Copysign(0, -1), 0, 0})
	require.False(t, ok, "zero")
	rows := []struct {
		name    string
		a, b, c uint64
		ok      bool
	}{
		{"one at the end", 511, 256, 256, true},
		{"two at the end sum to 1", 511, 511, 256, false},
		{"180 steps each side: 2*4*180^2 = 259200 is below 511^2", 436, 436, 75, true},
		{"181 steps each: 262088 is above 261121", 437, 437, 74, false},
		{"one more step for one: 2*(181^2*2 + 180^2*2) = 260644", 437, 436, 436, true},
		{"for two: 261366", 437, 437, 436, false},
	}
	for _, row := range rows {
		for index := range uint64(4) {
			_, ok := q.Decode(quatCode(9, index, row.a, row.b, row.c))
			require.Equal(t, row.ok, ok, row.name)
		}
	}
	for _, n := range []int{1, 21} {
		_, err := compress.NewQuat(n)
		require.EqualError(t, err, fmt.Sprintf("compress: bits must be in [2, 20], not %d", n))
	}
}

func TestQuatEveryCode(t *testing.T) {
	codes := []int{0, 0, 256, 1632, 11808, 91264}
	for n := 2; n <= 5; n++ {
		q, count := newQuat(t, n), 0
		for code := range uint64(1) << q.Bits() {
			v, ok := q.Decode(code)
			if !ok {
				continue
			}
			count++
			narrow, _ := q.Decode32(code)
			again, ok := q.Encode(v)
			again32, ok32 := q.Encode32(narrow)
			if !ok || !ok32 || again != code || again32 != code || math.Abs(dot(v, v)-1) > 1e-15 {
				require.Failf(t, "code", "%#x of %d bits decodes to %v and encodes to %#x and %#x", code, n, v, again, again32)
			}
		}
		require.Equal(t, codes[n], count, "%d bits", n)
	}
}

// encodeQuat is the definition of the encoding: it tries each component as the
// largest and returns the nearest valid code.
func encodeQuat(n int, v [4]float64) (code uint64) {
	m, nearest := math.Ldexp(1, n)-1, math.Inf(1)
	for index := range v {
		c, shift, sum, lower, most, d, rest := uint64(index), 2, 0.0, 0.0, 0.0, 0.0, 2*m*m
		for i := range v {
			if i == index {
				continue
			}
			x := v[i] * math.Copysign(1, v[index])
			u := math.Min(math.Max(math.Floor(x*m/math.Sqrt2+(m+1)/2), 0), m)
			k := 2*u - m
			near := math.Max((k-1)/2, (-k-1)/2)
			lower, most, rest = lower+near*near, math.Max(most, near), rest-k*k
			sum += k * k
			d += (k/(math.Sqrt2*m) - x) * (k/(math.Sqrt2*m) - x)
			c |= uint64(u) << shift
			shift += n
		}
		if 2*(lower+most*most) > m*m {
			continue
		}
		last := math.Abs(v[index]) - math.Sqrt(math.Max(rest, 0))/(math.Sqrt2*m)
		if d += last * last; d < nearest*(1-0x1p-30) {
			code, nearest = c, d
		}
	}
	return code
}

func TestQuatNearest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	rounds := effort.Rounds(t, 2500)
	for n := 3; n <= 20; n++ {
		q := newQuat(t, n)
		for i := range rounds {
			v := nearlyEqualQuat(random, n)
			if i%2 == 0 {
				v = randomQuat(random)
			}
			if code, ok := q.Encode(v); !ok || code != encodeQuat(n, v) {
				require.Failf(t, "not the nearest", "%v in %d bits gives %#x, want %#x", v, n, code, encodeQuat(n, v))
			}
		}
	}
}

func ExampleQuat() {
	q, err := compress.NewQuat(9)
	if err != nil {
		panic(err)
	}
	code, ok := q.Encode32([4]float32{0, 0, 0.38268343, 0.9238795}) // 45 degrees about z
	fmt.Println(q.Bits(), "bits, index", code&3, ok)
	v, ok := q.Decode32(code)
	fmt.Printf("%.3f %v\n", v, ok)
	// Output:
	// 29 bits, index 3 true
	// [0.001 0.001 0.383 0.924] true
}

package compress_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
)

func newUnit(t testing.TB, n int) *compress.Unit {
	t.Helper()
	q, err := compress.NewUnit(n)
	require.NoError(t, err)
	return &q
}

func TestUnitRows(t *testing.T) {
	const r = 1 / math.Sqrt2
	negativeZero := math.Copysign(0, -1)
	rows := []struct {
		name  string
		v     [3]float64
		i, j  int
		exact bool
	}{
		{"+x", [3]float64{1, 0, 0}, 127, 0, true},
		{"-x", [3]float64{-1, 0, 0}, -127, 0, true},
		{"+y", [3]float64{0, 1, 0}, 0, 127, true},
		{"-y", [3]float64{0, -1, 0}, 0, -127, true},
		{"+z, the middle", [3]float64{0, 0, 1}, 0, 0, true},
		{"-z, of four corners the positive one", [3]float64{0, 0, -1}, 127, 127, true},
		{"+x with negative zeros", [3]float64{1, negativeZero, negativeZero}, 127, 0, true},
		{"-z from just beside it", [3]float64{-1e-9, -1e-9, -1}, 127, 127, false},
		{"-x from just below the equator", [3]float64{-1, 0, -1e-9}, -127, 0, false},
		{"on the edge y = -127", [3]float64{0, -r, -r}, 63, -127, false},
		{"the length does not matter", [3]float64{0, -5e-324, 0}, 0, -127, false},
		{"a length whose square overflows", [3]float64{0, 0, 1e308}, 0, 0, false},
		{"on the equator, a tie of two points", [3]float64{r, r, 0}, 64, 63, false},
	}
	q := newUnit(t, 8)
	require.Equal(t, 16, q.Bits())
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			code, ok := q.Encode(row.v)
			require.True(t, ok)
			require.Equal(t, uint64(row.i+127)|uint64(row.j+127)<<8, code, "%d %d", int(code&255)-127, int(code>>8)-127)
			v, ok := q.Decode(code)
			require.True(t, ok)
			if row.exact {
				require.Equal(t, row.v, v)
			}
		})
	}
}

func TestUnitRefuses(t *testing.T) {
	q := newUnit(t, 8)
	for i := range 3 {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			v := [3]float64{1, 1, 1}
			v[i] = bad
			_, ok := q.Encode(v)
			require.False(t, ok, "%v", v)
			_, ok = q.Encode32([3]float32{float32(v[0]), float32(v[1]), float32(v[2])})
			require.False(t, ok, "%v", v)
		}
	}
	_, ok := q.Encode([3]float64{0, math.Copysign(0, -1), 0})
	require.False(t, ok, "zero")
	rows := []struct {
		name string
		i, j uint64
		ok   bool
	}{
		{"the corner that counts", 254, 254, true},
		{"another corner", 0, 254, false},
		{"another corner", 254, 0, false},
		{"another corner", 0, 0, false},
		{"the half of an edge that counts", 0, 128, true},
		{"the middle of an edge", 0, 127, true},
		{"the other half of an edge", 0, 126, false},
		{"the half of an edge that counts", 200, 0, true},
		{"the other half of an edge", 54, 0, false},
		{"past the end", 255, 127, false},
		{"past the end", 127, 255, false},
	}
	for _, row := range rows {
		_, ok := q.Decode(row.i | row.j<<8)
		require.Equal(t, row.ok, ok, "%s: %d %d", row.name, row.i, row.j)
	}
	for _, n := range []int{1, 25} {
		_, err := compress.NewUnit(n)
		require.EqualError(t, err, fmt.Sprintf("compress: bits must be in [2, 24], not %d", n))
	}
}

func TestUnitEveryCode(t *testing.T) {
	for n := 2; n <= 8; n++ {
		q, count := newUnit(t, n), 0
		seen := map[[3]float64]bool{}
		for code := range uint64(1) << q.Bits() {
			v, ok := q.Decode(code)
			if !ok {
				continue
			}
			count++
			seen[v] = true
			narrow, _ := q.Decode32(code)
			again, _ := q.Encode(v)
			again32, _ := q.Encode32(narrow)
			length := math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
			if again != code || again32 != code || math.Abs(length-1) > 1e-15 {
				require.Failf(t, "code", "%#x of %d bits decodes to %v and encodes to %#x and %#x", code, n, v, again, again32)
			}
		}
		// All points of the square except three of its corners and, on each
		// edge, half of the points between the corners and the middle.
		z := 1<<(n-1) - 1
		require.Equal(t, (2*z+1)*(2*z+1)-3-4*(z-1), count, "%d bits", n)
		require.Len(t, seen, count, "two codes of one vector")
	}
}

func ExampleUnit() {
	q, err := compress.NewUnit(12)
	if err != nil {
		panic(err)
	}
	code, ok := q.Encode32([3]float32{0.36, 0.48, -0.8})
	fmt.Println(q.Bits(), "bits", ok)
	v, ok := q.Decode32(code)
	fmt.Printf("%.3f %v\n", v, ok)
	// Output:
	// 24 bits true
	// [0.360 0.480 -0.800] true
}

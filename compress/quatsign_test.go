package compress_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
)

func newQuatSign(t testing.TB, n int) *compress.QuatSign {
	t.Helper()
	q, err := compress.NewQuatSign(n)
	require.NoError(t, err)
	return &q
}

func TestQuatSignRows(t *testing.T) {
	negativeZero := math.Copysign(0, -1)
	rows := []struct {
		name          string
		v             [4]float64
		x, y, z, sign uint64
		exact         bool
	}{
		{"identity", [4]float64{0, 0, 0, 1}, 127, 127, 127, 0, true},
		{"and back", [4]float64{-1, 0, 0, 0}, 0, 127, 127, 0, true},
		{"a negative zero has no sign", [4]float64{0, 1, 0, negativeZero}, 127, 254, 127, 0, true},
		{"the sign of w that rounds to zero is lost", [4]float64{0, 1, 0, -1e-9}, 127, 254, 127, 0, false},
		{"the length does not matter", [4]float64{0, 0, 5e-324, -5e-324}, 127, 127, 217, 1, false},
		{"rounding y up would pass a sum of 1, and z is a tie", [4]float64{.6, .8, 0, 0}, 203, 228, 127, 0, false},
	}
	q := newQuatSign(t, 8)
	require.Equal(t, 25, q.Bits())
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			code, ok := q.Encode(row.v)
			require.True(t, ok)
			require.Equal(t, row.x|row.y<<8|row.z<<16|row.sign<<24, code, "%d %d %d %d", code&255, code>>8&255, code>>16&255, code>>24)
			v, ok := q.Decode(code)
			require.True(t, ok)
			if row.exact {
				require.Equal(t, row.v, v)
			}
		})
	}
}

func TestQuatSignRefuses(t *testing.T) {
	q := newQuatSign(t, 8)
	for i := range 4 {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			v := [4]float64{1, 1, 1, 1}
			v[i] = bad
			_, ok := q.Encode(v)
			require.False(t, ok, "%v", v)
		}
	}
	_, ok := q.Encode([4]float64{})
	require.False(t, ok, "zero")
	rows := []struct {
		name    string
		x, y, z uint64
		sign    uint64
		ok      bool
	}{
		{"one at the end", 254, 127, 127, 0, true},
		{"w = 0 has no negative sign", 254, 127, 127, 1, false},
		{"a sum past 1", 254, 128, 127, 0, false},
		{"the code past the end", 255, 127, 127, 0, false},
		{"of z", 127, 127, 255, 0, false},
	}
	for _, row := range rows {
		_, ok := q.Decode(row.x | row.y<<8 | row.z<<16 | row.sign<<24)
		require.Equal(t, row.ok, ok, row.name)
	}
	for _, n := range []int{1, 21} {
		_, err := compress.NewQuatSign(n)
		require.EqualError(t, err, fmt.Sprintf("compress: bits must be in [2, 20], not %d", n))
	}
}

func TestQuatSignEveryCode(t *testing.T) {
	codes := []int{0, 0, 8, 216, 2784, 28144}
	for n := 2; n <= 5; n++ {
		q, count := newQuatSign(t, n), 0
		for code := range uint64(1) << q.Bits() {
			v, ok := q.Decode(code)
			if !ok {
				continue
			}
			count++
			narrow, _ := q.Decode32(code)
			again, _ := q.Encode(v)
			again32, _ := q.Encode32(narrow)
			if again != code || again32 != code || math.Abs(dot(v, v)-1) > 1e-15 {
				require.Failf(t, "code", "%#x of %d bits decodes to %v and encodes to %#x and %#x", code, n, v, again, again32)
			}
		}
		require.Equal(t, codes[n], count, "%d bits", n)
	}
}

func ExampleQuatSign() {
	q, err := compress.NewQuatSign(16)
	if err != nil {
		panic(err)
	}
	code, ok := q.Encode([4]float64{0, 0, 0, 1})
	fmt.Println(q.Bits(), "bits", ok)
	fmt.Println(q.Decode(code))
	// Output:
	// 49 bits true
	// [0 0 0 1] true
}

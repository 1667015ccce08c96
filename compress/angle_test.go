package compress_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
)

const turn = float64(2 * math.Pi)

func newAngle(t testing.TB, n int, period float64) *compress.Angle {
	t.Helper()
	a, err := compress.NewAngle(n, period)
	require.NoError(t, err)
	return &a
}

func TestAngleRows(t *testing.T) {
	rows := []struct {
		name   string
		bits   int
		period float64
		v      float64
		code   uint32
		value  float64
	}{
		{"zero", 8, 360, 0, 0, 0},
		{"a quarter in radians", 8, turn, math.Pi / 2, 64, math.Pi / 2},
		{"minus a quarter is three quarters", 8, 360, -90, 192, 270},
		{"float32 rounds 2*pi up past the period", 32, turn, float64(float32(turn)), 120, 120 * (turn / (1 << 32))},
		{"the top step is the bottom one", 8, 360, 359.5, 0, 0},
		{"just below zero wraps to zero", 32, 360, -1e-300, 0, 0},
		{"half a step ties to the even code below", 8, 360, 360.0 / 512, 0, 0},
		{"one and a half ties to the even code above", 8, 360, 3 * 360.0 / 512, 2, 2 * 360.0 / 256},
		{"the tie below the period ends at zero", 8, 360, 360 - 360.0/512, 0, 0},
		{"negative tie mirrors the positive one", 8, 360, -3 * 360.0 / 512, 254, 254 * 360.0 / 256},
		{"many turns back", 16, 360, -360*1000 - 45, 65536 - 8192, 315},
		{"one bit, three quarters tie to the period", 1, 360, 270, 0, 0},
		{"largest code", 32, 360, 360 - 360/0x1p32, math.MaxUint32, 360 - 360/0x1p32},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			a := newAngle(t, row.bits, row.period)
			require.Equal(t, row.bits, a.Bits())
			code := a.Encode(row.v)
			require.Equal(t, row.code, code)
			value := a.Decode(code)
			require.Equal(t, row.value, value)
			require.False(t, math.Signbit(value), "a negative zero")
		})
	}
}

func TestAngleEveryCode(t *testing.T) {
	for _, period := range []float64{360, turn} {
		for _, n := range []int{1, 2, 7, 16, 20} {
			a := newAngle(t, n, period)
			for code := uint32(0); code <= a.Mask; code++ {
				v, narrow := a.Decode(code), a.Decode32(code)
				if v < 0 || v >= period || a.Encode(v) != code || a.Encode(float64(narrow)) != code ||
					a.Encode(-v) != -code&a.Mask || float64(narrow) >= period {
					require.Failf(t, "code", "%d of %d bits decodes to %v", code, n, v)
				}
			}
		}
	}
}

// Of more bits, the last codes are those whose values may round up to the period.
func TestAngleManyBits(t *testing.T) {
	for _, period := range []float64{360, turn} {
		for n := 21; n <= 32; n++ {
			a := newAngle(t, n, period)
			for code := a.Mask - 5; code <= a.Mask && code > 0; code++ {
				require.Equal(t, code, a.Encode(a.Decode(code)))
				require.Less(t, a.Decode(code), period)
				require.Less(t, float64(a.Decode32(code)), period, "%d bits", n)
			}
		}
	}
}

func TestNewAngleRes(t *testing.T) {
	rows := []struct {
		name        string
		res, period float64
		bits        int
	}{
		{"a power of two is met exactly", 360.0 / 1024, 360, 10},
		{"just below it takes one more", math.Nextafter(360.0/1024, 0), 360, 11},
		{"a degree", 1, 360, 9},
		{"a hundredth of a radian", 0.01, turn, 10},
		{"coarser than the period", 1000, 360, 1},
		{"half the period", 180, 360, 1},
		{"the finest", 360 / 0x1p32, 360, 32},
	}
	for _, row := range rows {
		a, err := compress.NewAngleRes(row.res, row.period)
		require.NoError(t, err)
		require.Equal(t, row.bits, a.Bits(), row.name)
	}
}

func TestAngleConstructorErrors(t *testing.T) {
	with := func(n int, period float64) error {
		_, err := compress.NewAngle(n, period)
		return err
	}
	res := func(res, period float64) error {
		_, err := compress.NewAngleRes(res, period)
		return err
	}
	require.EqualError(t, with(0, 360), "compress: bits must be in [1, 32], not 0")
	require.EqualError(t, with(33, 360), "compress: bits must be in [1, 32], not 33")
	require.EqualError(t, with(8, 0), "compress: period must be in [2^-90, 2^90], not 0")
	require.EqualError(t, with(8, math.NaN()), "compress: period must be in [2^-90, 2^90], not NaN")
	require.EqualError(t, with(8, math.Inf(1)), "compress: period must be in [2^-90, 2^90], not +Inf")
	require.EqualError(t, res(0, 360), "compress: res must be a positive number, not 0")
	require.EqualError(t, res(math.NaN(), 360), "compress: res must be a positive number, not NaN")
	require.EqualError(t, res(math.Inf(1), 360), "compress: res must be a positive number, not +Inf")
	require.EqualError(t, res(1, -360), "compress: period must be in [2^-90, 2^90], not -360")
	require.EqualError(t, res(1e-8, 360), "compress: res 1e-08 divides a period of 360 into more than 2^32 steps; use a larger res")
}

func FuzzAngle(f *testing.F) {
	f.Add(-1e-300, uint8(32), true)
	f.Add(1e300, uint8(1), false)
	f.Fuzz(func(t *testing.T, v float64, n uint8, degrees bool) {
		if !compress.Finite64(v) {
			return
		}
		period := turn
		if degrees {
			period = 360
		}
		a := newAngle(t, int(n%32+1), period)
		code := a.Encode(v)
		require.LessOrEqual(t, code, a.Mask)
		require.Equal(t, -code&a.Mask, a.Encode(-v))
		value := a.Decode(code)
		require.True(t, value >= 0 && value < period)
		require.Equal(t, code, a.Encode(value))
		d := math.Abs(math.Remainder(value-math.Mod(v, period), period))
		require.LessOrEqual(t, d, math.Ldexp(period, -a.Bits())*(0.5+0x1p-18))
	})
}

func ExampleAngle() {
	a, err := compress.NewAngle(8, 360)
	if err != nil {
		panic(err)
	}
	for _, v := range []float64{45, -90, 359.9, 810} {
		code := a.Encode(v)
		fmt.Println(v, code, a.Decode(code))
	}
	// Output:
	// 45 32 45
	// -90 192 270
	// 359.9 0 0
	// 810 64 90
}

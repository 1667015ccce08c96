package compress_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
)

func newFloat32(t testing.TB, min, max, res float32) *compress.Float32 {
	t.Helper()
	q, err := compress.NewFloat32(min, max, res)
	require.NoError(t, err)
	return &q
}

func newFloat32Bits(t testing.TB, min, max float32, n int) *compress.Float32 {
	t.Helper()
	q, err := compress.NewFloat32Bits(min, max, n)
	require.NoError(t, err)
	return &q
}

func newFloat64(t testing.TB, min, max, res float64) *compress.Float64 {
	t.Helper()
	q, err := compress.NewFloat64(min, max, res)
	require.NoError(t, err)
	return &q
}

func newFloat64Bits(t testing.TB, min, max float64, n int) *compress.Float64 {
	t.Helper()
	q, err := compress.NewFloat64Bits(min, max, n)
	require.NoError(t, err)
	return &q
}

func TestFloat32Steps(t *testing.T) {
	rows := []struct {
		name          string
		min, max, res float32
		steps         uint32
		bits          int
	}{
		{"ten in hundredths", 0, 10, 0.01, 1000, 10},
		{"20/0.01 is 2000 in float32, not a little more", -10, 10, 0.01, 2000, 11},
		{"a step wider than the range", 0, 1, 2, 1, 1},
		{"the largest number", 0, 1, 1e-30, 4294967040, 32},
		{"an infinite number", -1e30, 1e30, 1e-30, 4294967040, 32},
		{"the tiniest bounds", 0, math.SmallestNonzeroFloat32, math.SmallestNonzeroFloat32, 1, 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			q := newFloat32(t, row.min, row.max, row.res)
			require.Equal(t, row.steps, q.Steps)
			require.Equal(t, row.bits, q.Bits())
		})
	}
}

func TestFloat32Encode(t *testing.T) {
	hundredths := newFloat32(t, 0, 10, 0.01)
	signed := newFloat32(t, -1, 1, 0.5)
	odd := newFloat32(t, 0, 1<<23+1, 1) // 2^23+1 steps
	all := newFloat32Bits(t, 0, 1, 32)
	rows := []struct {
		name string
		q    *compress.Float32
		v    float32
		code uint32
	}{
		{"the format's tie, 0 in float64", hundredths, 0.005, 1},
		{"the format's tie, 10 in float64", hundredths, 0.105, 11},
		{"negative zero", hundredths, float32(math.Copysign(0, -1)), 0},
		{"the upper end", hundredths, 10, 1000},
		{"below", hundredths, -1e-3, 0},
		{"negative zero between the bounds", signed, float32(math.Copysign(0, -1)), 2},
		{"a negative tie goes up", signed, -0.25, 2},
		{"an odd number of steps rounds past the last", odd, 1<<23 + 1, 1<<23 + 1},
		{"float32 holds no 2^32-1", all, 1, math.MaxUint32},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			require.Equal(t, row.code, row.q.Encode(row.v))
		})
	}
}

func TestFloat64(t *testing.T) {
	hundredths := newFloat64(t, 0, 10, 0.01)
	require.Equal(t, uint64(1000), hundredths.Steps)
	require.Equal(t, 10, hundredths.Bits())
	most := newFloat64(t, 0, 1<<53, 1)
	require.Equal(t, uint64(1<<53), most.Steps)
	require.Equal(t, 54, most.Bits())
	odd := newFloat64Bits(t, 0, 1<<53-1, 53)
	one := newFloat64(t, -1, 1, 3)
	require.Equal(t, uint64(1), one.Steps, "a step wider than the range")
	least := newFloat64(t, 0, math.SmallestNonzeroFloat64, 2)
	require.Equal(t, uint64(1), least.Steps, "one so wide that the range rounds to none")
	rows := []struct {
		name  string
		q     *compress.Float64
		v     float64
		code  uint64
		value float64
	}{
		{"0.005 in float32 is less than a tie", hundredths, float64(float32(0.005)), 0, 0},
		{"0.005 in float64 is a tie", hundredths, 0.005, 1, 0.01},
		{"infinities clamp", hundredths, math.Inf(1), 1000, 10},
		{"the last of 2^53 steps", most, 1 << 53, 1 << 53, 1 << 53},
		{"an odd number of steps rounds past the last", odd, 1<<53 - 1, 1<<53 - 1, 1<<53 - 1},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			code := row.q.Encode(row.v)
			require.Equal(t, row.code, code)
			require.Equal(t, row.value, row.q.Decode(code))
		})
	}
}

func TestFloatConstructorErrors(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	const (
		order  = ": min must be below max"
		finite = ": min and max must be finite"
		delta  = ": min + (max - min) overflows"
		res    = "res must be a positive number, not "
	)
	rows := []struct {
		name          string
		min, max, res float64
		want32        string // "" if no error is expected
		want64        string
	}{
		{"equal", 1, 1, 1, "invalid range [1, 1]" + order, "invalid range [1, 1]" + order},
		{"NaN", nan, 1, 1, "invalid range [NaN, 1]" + finite, "invalid range [NaN, 1]" + finite},
		{"infinite", -inf, 1, 1, "invalid range [-Inf, 1]" + finite, "invalid range [-Inf, 1]" + finite},
		{"equal in float32", 1, 1 + 0x1p-30, 0x1p-31, "invalid range [1, 1]" + order, ""},
		{"too far apart for float32", -3e38, 3e38, 1e30, "invalid range [-3.0000000054977558e+38, 3.0000000054977558e+38]" + delta, ""},
		{"too far apart", -1.5e308, 1.5e308, 1, "invalid range [-Inf, +Inf]" + finite, "invalid range [-1.5e+308, 1.5e+308]" + delta},
		{"the last value of float32 rounds to infinity", 0x1.8p104, math.MaxFloat32, 1e30, "invalid range [3.0423614405477506e+31, 3.4028234663852886e+38]" + delta, ""},
		{"the last value rounds to infinity", 0x1.8p971, math.MaxFloat64, 1e300, "invalid range [+Inf, +Inf]" + finite, "invalid range [2.9937604643020797e+292, 1.7976931348623157e+308]" + delta},
		{"zero res", 0, 1, 0, res + "0", res + "0"},
		{"infinite res", 0, 1, inf, res + "+Inf", res + "+Inf"},
		{"too fine for float64", 0, 1, 1e-16, "", "res 1e-16 divides [0, 1] into more than 2^53 steps; use a larger res"},
	}
	check := func(t *testing.T, want string, err error) {
		t.Helper()
		if want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, "compress: "+want)
		}
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			_, err := compress.NewFloat32(float32(row.min), float32(row.max), float32(row.res))
			check(t, row.want32, err)
			_, err = compress.NewFloat64(row.min, row.max, row.res)
			check(t, row.want64, err)
		})
	}
	for _, n := range []int{0, -1, 33} {
		_, err := compress.NewFloat32Bits(0, 1, n)
		require.EqualError(t, err, fmt.Sprintf("compress: bits must be in [1, 32], not %d", n))
	}
	for _, n := range []int{0, -1, 54} {
		_, err := compress.NewFloat64Bits(0, 1, n)
		require.EqualError(t, err, fmt.Sprintf("compress: bits must be in [1, 53], not %d", n))
	}
	_, err := compress.NewFloat32Bits(1, 0, 8)
	require.EqualError(t, err, "compress: invalid range [1, 0]"+order)
	_, err = compress.NewFloat64Bits(1, 0, 8)
	require.EqualError(t, err, "compress: invalid range [1, 0]"+order)
	_, err = compress.NewFloat64Bits(-1.5e308, 1.5e308, 8)
	require.EqualError(t, err, "compress: invalid range [-1.5e+308, 1.5e+308]"+delta)
}

func TestFloatSerialize(t *testing.T) {
	q, q64 := newFloat32(t, 0, 10, 0.01), newFloat64(t, 0, 1000, 1)
	writing := func() *bits.Stream { return bits.NewWriteStream(bits.NewWriter(make([]byte, 8))) }
	s := writing()
	a, b := float32(2.504), 999.6
	q.Serialize(s, &a)
	q64.Serialize(s, &b)
	require.NoError(t, s.Err())
	require.Equal(t, 20, s.Bit())
	require.Equal(t, float32(2.504), a, "writing leaves the value alone")

	s = bits.NewReadStream(bits.NewReader([]byte{250, 1000 << 2 & 0xFF, 1000 >> 6}))
	q.Serialize(s, &a)
	q64.Serialize(s, &b)
	require.NoError(t, s.Err())
	require.Equal(t, float32(2.5), a)
	require.Equal(t, float64(1000), b)

	nan32, inf64 := float32(math.NaN()), math.Inf(-1)
	s = writing()
	q.Serialize(s, &nan32)
	require.ErrorIs(t, s.Err(), bits.ErrRange)
	s = writing()
	q64.Serialize(s, &inf64)
	require.ErrorIs(t, s.Err(), bits.ErrRange)

	above := []byte{1001 & 0xFF, 1001 >> 8}
	s = bits.NewReadStream(bits.NewReader(above))
	q.Serialize(s, &a)
	require.ErrorIs(t, s.Err(), bits.ErrRange)
	s = bits.NewReadStream(bits.NewReader(above))
	q64.Serialize(s, &b)
	require.ErrorIs(t, s.Err(), bits.ErrRange)
}

// rounding models the formulas with exact fractions, rounded where the format
// rounds. An operation that overflows returns nil.
type rounding func(*big.Rat) *big.Rat

func round32(x *big.Rat) *big.Rat {
	v, _ := x.Float32()
	return new(big.Rat).SetFloat64(float64(v))
}

func round64(x *big.Rat) *big.Rat {
	v, _ := x.Float64()
	return new(big.Rat).SetFloat64(v)
}

func (round rounding) encode(v, min, delta, steps *big.Rat) *big.Int {
	zero, one := new(big.Rat), big.NewRat(1, 1)
	t := round(new(big.Rat).Sub(v, min))
	if t != nil {
		t = round(t.Quo(t, delta))
	}
	if v.Cmp(min) < 0 {
		t = zero
	} else if t == nil || t.Cmp(one) > 0 {
		t = one
	}
	t = round(t.Mul(t, round(steps)))
	t = round(t.Add(t, big.NewRat(1, 2)))
	code := new(big.Int).Div(t.Num(), t.Denom())
	if code.Cmp(steps.Num()) > 0 {
		code.Set(steps.Num())
	}
	return code
}

func (round rounding) decode(code uint64, min, delta, steps *big.Rat) *big.Rat {
	t := round(new(big.Rat).SetInt(new(big.Int).SetUint64(code)))
	t = round(t.Quo(t, round(steps)))
	t = round(t.Mul(t, delta))
	return round(t.Add(t, min))
}

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func FuzzFloat32(f *testing.F) {
	f.Add(float32(0), float32(10), float32(0.01), float32(0.105), uint32(1))
	f.Add(float32(0), float32(1), float32(1e-30), float32(1), uint32(math.MaxUint32))
	f.Add(float32(-1), float32(1), float32(0x1p-23), float32(0.3), uint32(1<<24))
	f.Add(float32(0), float32(1<<23+1), float32(1), float32(1<<23), uint32(1<<23+1))
	f.Add(float32(-3e38), float32(-1e38), float32(1), float32(3e38), uint32(9))
	f.Fuzz(func(t *testing.T, min, max, res, v float32, code uint32) {
		q, err := compress.NewFloat32(min, max, res)
		if err != nil || !compress.Finite32(v) {
			return
		}
		lower, delta, steps := rat(float64(q.Min)), rat(float64(q.Delta)), rat(float64(q.Steps))
		want := rounding(round32).encode(rat(float64(v)), lower, delta, steps)
		require.Equal(t, want.Uint64(), uint64(q.Encode(v)))
		code %= q.Steps + 1
		if value := rounding(round32).decode(uint64(code), lower, delta, steps); value != nil {
			exact, _ := value.Float32()
			require.Equal(t, exact, q.Decode(code))
		}
	})
}

func FuzzFloat64(f *testing.F) {
	f.Add(0.0, 10.0, 0.01, 0.105, uint64(1))
	f.Add(0.0, 1.0, 0x1p-53, 1.0, uint64(1<<53))
	f.Add(-1e308, 0.5, 1e300, 1e308, uint64(9))
	f.Fuzz(func(t *testing.T, min, max, res, v float64, code uint64) {
		q, err := compress.NewFloat64(min, max, res)
		if err != nil || !compress.Finite64(v) {
			return
		}
		lower, delta, steps := rat(q.Min), rat(q.Delta), rat(float64(q.Steps))
		want := rounding(round64).encode(rat(v), lower, delta, steps)
		require.Equal(t, want.Uint64(), q.Encode(v))
		code %= q.Steps + 1
		if value := rounding(round64).decode(code, lower, delta, steps); value != nil {
			exact, _ := value.Float64()
			require.Equal(t, exact, q.Decode(code))
		}
	})
}

func ExampleFloat32() {
	q, err := compress.NewFloat32(0, 10, 0.01)
	if err != nil {
		panic(err)
	}
	code := q.Encode(3.14159)
	fmt.Println(q.Steps, "steps,", q.Bits(), "bits")
	fmt.Println(code, q.Decode(code))
	// Output:
	// 1000 steps, 10 bits
	// 314 3.14
}

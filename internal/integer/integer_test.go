package integer_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/integer"
)

// samples returns integers around the powers of two, and others of any length.
func samples() (all []integer.Int, bigs []*big.Int) {
	rng := rand.New(rand.NewPCG(1, 2))
	add := func(x *big.Int) {
		if x.BitLen() > 191 {
			return
		}
		for _, y := range []*big.Int{x, new(big.Int).Neg(x)} {
			v, ok := integer.Parse(y.String())
			if !ok {
				panic(y.String())
			}
			all, bigs = append(all, v), append(bigs, y)
		}
	}
	one := big.NewInt(1)
	for n := range uint(192) {
		x := new(big.Int).Lsh(one, n)
		add(x)
		add(new(big.Int).Sub(x, one))
		add(new(big.Int).Add(x, one))
		words := []uint64{rng.Uint64(), rng.Uint64(), rng.Uint64()}
		v := integer.OfWords(words...).Rsh(int(n))
		all, bigs = append(all, v), append(bigs, v.Big())
	}
	return all, bigs
}

func TestInt(t *testing.T) {
	all, bigs := samples()
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 64), big.NewInt(1))
	for i, x := range all {
		want := bigs[i]
		require.Zero(t, want.Cmp(x.Big()), "%v", want)
		require.Equal(t, want.String(), x.String())
		require.Equal(t, want.Sign(), x.Sign(), want)
		require.Equal(t, want.BitLen(), x.BitLen(), want)
		if want.Sign() != 0 {
			require.Equal(t, int(want.TrailingZeroBits()), x.TrailingZeroBits(), want)
		}
		v, ok := x.Int64()
		require.Equal(t, want.IsInt64(), ok, want)
		if ok {
			require.Equal(t, want.Int64(), v)
			require.Equal(t, x, integer.Of(v))
		}
		lo, hi := x.Low128() // And treats a negative integer as two's complement
		require.Equal(t, new(big.Int).And(want, mask).Uint64(), lo, want)
		require.Equal(t, new(big.Int).And(new(big.Int).Rsh(want, 64), mask).Uint64(), hi, want)
		if want.BitLen() < 128 {
			require.Equal(t, x, integer.OfSigned128(lo, int64(hi)))
		}
		y := all[(i*7+3)%len(all)]
		require.Equal(t, want.Cmp(y.Big()), x.Cmp(y), "%v %v", x, y)
		for _, n := range []int{0, 1, 63, 64, 65, 127, 130} {
			magnitude := new(big.Int).Rsh(new(big.Int).Abs(want), uint(n))
			require.Equal(t, magnitude.Mul(magnitude, big.NewInt(int64(want.Sign()))).String(), x.Rsh(n).String(), "%v >> %d", x, n)
			if want.BitLen()+n < 192 {
				require.Equal(t, new(big.Int).Lsh(want, uint(n)).String(), x.Lsh(n).String(), "%v << %d", x, n)
			}
		}
	}
	require.Equal(t, integer.Of(math.MinInt64).Lsh(64), integer.OfSigned128(0, math.MinInt64))
	require.Equal(t, 192, integer.Int{}.TrailingZeroBits())
}

func TestRange(t *testing.T) {
	one := big.NewInt(1)
	for n := 1; n <= 128; n++ {
		lo, hi := integer.Range(n, false)
		require.Equal(t, integer.Int{}, lo)
		require.Equal(t, new(big.Int).Sub(new(big.Int).Lsh(one, uint(n)), one).String(), hi.String())
		lo, hi = integer.Range(n, true)
		half := new(big.Int).Lsh(one, uint(n-1))
		require.Equal(t, new(big.Int).Neg(half).String(), lo.String())
		require.Equal(t, half.Sub(half, one).String(), hi.String())
	}
}

// TestParse compares texts of few characters with package big.
func TestParse(t *testing.T) {
	check := func(text string) {
		want, ok := new(big.Int).SetString(text, 0)
		got, valid := integer.Parse(text)
		require.Equal(t, ok, valid, "%q", text)
		if ok {
			require.Equal(t, want.String(), got.String(), "%q", text)
		}
	}
	const letters = "0179_-+xXbBoOaFfg. "
	var grow func(text string, n int)
	grow = func(text string, n int) {
		check(text)
		for i := 0; i < len(letters) && n > 0; i++ {
			grow(text+letters[i:i+1], n-1)
		}
	}
	grow("", 4)
}

// TestHuge checks integers that have more bits than an Int.
func TestHuge(t *testing.T) {
	for _, text := range []string{fmt.Sprint(new(big.Int).Lsh(big.NewInt(1), 192)), "1" + strings.Repeat("0", 200), "0x1" + strings.Repeat("f", 48)} {
		x, ok := integer.Parse(text)
		require.True(t, ok)
		require.Equal(t, "more than 2^191", x.String())
		require.Positive(t, x.Cmp(integer.Of(1).Lsh(191)))
		below, ok := integer.Parse("-" + text)
		require.True(t, ok)
		require.Equal(t, "less than -2^191", below.String())
		require.Negative(t, below.Cmp(integer.Of(-1).Lsh(191)))
	}
	_, ok := integer.Parse("1" + strings.Repeat("0", 200) + "x")
	require.False(t, ok)
}

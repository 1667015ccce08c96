package bits_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

// some128 returns the numbers at which carries and signs go wrong, and random
// ones.
func some128() []bits.Uint128 {
	var all []bits.Uint128
	edges := []uint64{0, 1, 2, math.MaxInt64 - 1, math.MaxInt64, 1 << 63, 1<<63 + 1, math.MaxUint64 - 1, math.MaxUint64}
	for _, hi := range edges {
		for _, lo := range edges {
			all = append(all, bits.Uint128{Lo: lo, Hi: hi})
		}
	}
	rng := rand.New(rand.NewPCG(9, 10))
	for range 60 {
		all = append(all, bits.Uint128{Lo: rng.Uint64() >> rng.IntN(64), Hi: rng.Uint64() >> rng.IntN(65)})
	}
	return all
}

func TestArithmetic128(t *testing.T) {
	modulus := new(big.Int).Lsh(big.NewInt(1), 128)
	numbers := some128()
	for _, a := range numbers {
		for _, b := range numbers {
			sum := new(big.Int).Add(a.Big(), b.Big())
			if a.Add(b).Big().Cmp(sum.Mod(sum, modulus)) != 0 {
				t.Fatalf("%v + %v = %v", a, b, a.Add(b))
			}
			diff := new(big.Int).Sub(a.Big(), b.Big())
			if a.Sub(b).Big().Cmp(diff.Mod(diff, modulus)) != 0 {
				t.Fatalf("%v - %v = %v", a, b, a.Sub(b))
			}
			if a.Cmp(b) != a.Big().Cmp(b.Big()) {
				t.Fatalf("%v against %v: %d", a, b, a.Cmp(b))
			}
			x, y := a.Signed(), b.Signed()
			if x.Cmp(y) != x.Big().Cmp(y.Big()) {
				t.Fatalf("%v against %v: %d", x, y, x.Cmp(y))
			}
		}
	}
}

func TestForms128(t *testing.T) {
	half := new(big.Int).Lsh(big.NewInt(1), 127)
	for _, a := range some128() {
		want := new(big.Int).SetUint64(a.Hi)
		want.Add(want.Lsh(want, 64), new(big.Int).SetUint64(a.Lo))
		require.Zero(t, want.Cmp(a.Big()), "%v", a)
		require.Equal(t, want.BitLen(), a.Len())
		require.Equal(t, want.String(), a.String())
		require.Equal(t, a, a.Signed().Unsigned(), "the same bits")

		signed := new(big.Int).Set(want)
		if want.Cmp(half) >= 0 {
			signed.Sub(signed, new(big.Int).Lsh(half, 1))
		}
		require.Zero(t, signed.Cmp(a.Signed().Big()), "%v", a.Signed())
		require.Equal(t, signed.String(), a.Signed().String())

		u, err := bits.ParseUint128(a.String())
		require.NoError(t, err)
		require.Equal(t, a, u)
		u, err = bits.ParseUint128("0x" + want.Text(16))
		require.NoError(t, err)
		require.Equal(t, a, u)
		s, err := bits.ParseInt128(a.Signed().String())
		require.NoError(t, err)
		require.Equal(t, a.Signed(), s)
	}
}

func TestParse128(t *testing.T) {
	const (
		maxU = "340282366920938463463374607431768211455"
		minI = "-170141183460469231731687303715884105728"
		maxI = "170141183460469231731687303715884105727"
	)
	tests := []struct {
		text             string
		unsigned, signed bool // accepted
	}{
		{"+7", true, true}, {"-0x10", false, true}, {"", false, false}, {"1.5", false, false}, // as TestParse of package integer
		{"-1", false, true}, {minI, false, true}, {maxI, true, true}, {maxU, true, false},
		{"340282366920938463463374607431768211456", false, false},
		{"170141183460469231731687303715884105728", true, false},
		{"-170141183460469231731687303715884105729", false, false},
	}
	for _, tt := range tests {
		u, err := bits.ParseUint128(tt.text)
		if tt.unsigned {
			require.NoError(t, err, tt.text)
		} else {
			require.EqualError(t, err, "bits: "+strconv.Quote(tt.text)+" is not an integer in the range of Uint128")
			require.Zero(t, u)
		}
		s, err := bits.ParseInt128(tt.text)
		if tt.signed {
			require.NoError(t, err, tt.text)
		} else {
			require.EqualError(t, err, "bits: "+strconv.Quote(tt.text)+" is not an integer in the range of Int128")
			require.Zero(t, s)
		}
	}
}

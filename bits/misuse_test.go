package bits_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

// Misuse by the caller panics with a message that says what is wrong. It does
// so even after the Writer or Reader has failed, so that a bad packet cannot
// hide a programming error.
func TestMisuse(t *testing.T) {
	i128 := func(n int64) bits.Int128 { return bits.Int128{Lo: uint64(n), Hi: n >> 63} }
	u128 := func(n uint64) bits.Uint128 { return bits.Uint128{Lo: n} }
	both := []struct {
		name  string
		write func(*bits.Writer)
		read  func(*bits.Reader)
		text  string
	}{
		{"width 0", func(w *bits.Writer) { w.WriteBits(0, 0) }, func(r *bits.Reader) { r.ReadBits(0) },
			"bits: width must be in [1, 64], not 0"},
		{"width 65", func(w *bits.Writer) { w.WriteBits(0, 65) }, func(r *bits.Reader) { r.ReadBits(65) },
			"bits: width must be in [1, 64], not 65"},
		{"int", func(w *bits.Writer) { w.WriteInt(5, 5, 4) }, func(r *bits.Reader) { r.ReadInt(5, 4) },
			"bits: invalid range [5, 4]: min exceeds max"},
		{"uint", func(w *bits.Writer) { w.WriteUint(5, 5, 4) }, func(r *bits.Reader) { r.ReadUint(5, 4) },
			"bits: invalid range [5, 4]: min exceeds max"},
		{"int128", func(w *bits.Writer) { w.WriteInt128(i128(5), i128(0), i128(-1)) },
			func(r *bits.Reader) { r.ReadInt128(i128(0), i128(-1)) },
			"bits: invalid range [0, -1]: min exceeds max"},
		{"uint128", func(w *bits.Writer) { w.WriteUint128(u128(5), u128(5), u128(4)) },
			func(r *bits.Reader) { r.ReadUint128(u128(5), u128(4)) },
			"bits: invalid range [5, 4]: min exceeds max"},
		{"count", func(w *bits.Writer) { w.WriteCount(5, 5, 4) }, func(r *bits.Reader) { r.ReadCount(5, 4) },
			"bits: invalid range [5, 4]: min exceeds max"},
		{"negative count", func(w *bits.Writer) { w.WriteCount(0, -1, 4) }, func(r *bits.Reader) { r.ReadCount(-1, 4) },
			"bits: invalid range [-1, 4]: a length must not be negative"},
		{"string", func(w *bits.Writer) { w.WriteString("", -1) }, func(r *bits.Reader) { r.ReadString(-1) },
			"bits: maxLen is -1; it must not be negative"},
		{"wstring", func(w *bits.Writer) { w.WriteWString("", -1) }, func(r *bits.Reader) { r.ReadWString(-1) },
			"bits: maxLen is -1; it must not be negative"},
		{"order below 0", func(w *bits.Writer) { w.WriteExpGolomb(1, 5, -1) },
			func(r *bits.Reader) { r.ReadExpGolomb(5, -1) },
			"bits: the order of an Exp-Golomb code must be in [0, 63], not -1"},
		{"order above 63", func(w *bits.Writer) { w.WriteExpGolomb(1, 5, 64) },
			func(r *bits.Reader) { r.ReadExpGolomb(5, 64) },
			"bits: the order of an Exp-Golomb code must be in [0, 63], not 64"},
		{"relative below int32", func(w *bits.Writer) { w.WriteRelative(0, 1, math.MinInt32-1, 5) },
			func(r *bits.Reader) { r.ReadRelative(0, math.MinInt32-1, 5) },
			"bits: invalid range [-2147483649, 5]: int_relative needs a range within int32 or uint32"},
		{"relative above uint32", func(w *bits.Writer) { w.WriteRelative(0, 1, 0, 1<<32) },
			func(r *bits.Reader) { r.ReadRelative(0, 0, 1<<32) },
			"bits: invalid range [0, 4294967296]: int_relative needs a range within int32 or uint32"},
		{"relative in neither", func(w *bits.Writer) { w.WriteRelative(0, 1, -1, 1<<31) },
			func(r *bits.Reader) { r.ReadRelative(0, -1, 1<<31) },
			"bits: invalid range [-1, 2147483648]: int_relative needs a range within int32 or uint32"},
	}
	for _, tt := range both {
		t.Run(tt.name, func(t *testing.T) {
			for _, failed := range []error{nil, errors.New("failed before")} {
				for _, w := range []*bits.Writer{bits.NewWriter(make([]byte, 64)), bits.NewAppendWriter(nil), bits.NewMeasurer()} {
					w.Fail(failed)
					require.PanicsWithValue(t, tt.text, func() { tt.write(w) })
				}
				r := bits.NewReader(make([]byte, 64))
				r.Fail(failed)
				require.PanicsWithValue(t, tt.text, func() { tt.read(r) })
			}
		})
	}
}

func TestMisuseOfBounds(t *testing.T) {
	require.PanicsWithValue(t, "bits: invalid range [1, -1]: min exceeds max", func() { bits.BitsRequired(1, -1) })
	require.PanicsWithValue(t, "bits: invalid range [1, 0]: min exceeds max", func() { bits.BitsRequiredUint(1, 0) })
}

func TestMisuseOfPeekBits(t *testing.T) {
	for _, n := range []int{0, -1, 65} {
		require.PanicsWithValue(t, fmt.Sprintf("bits: width must be in [1, 64], not %d", n),
			func() { bits.NewReader(make([]byte, 9)).PeekBits(n) })
	}
}

func TestMisuseOfSkip(t *testing.T) {
	for _, failed := range []error{nil, errors.New("failed before")} {
		r := bits.NewReader(make([]byte, 1))
		r.Fail(failed)
		for _, n := range []int{-1, math.MinInt} {
			require.PanicsWithValue(t, fmt.Sprintf("bits: Skip: n is %d; it must not be negative", n), func() { r.Skip(n) })
		}
	}
}

func TestMisuseOfReset(t *testing.T) {
	var r bits.Reader
	for _, bit := range []int{-1, 9, math.MaxInt, math.MinInt} {
		require.PanicsWithValue(t, "bits: Reset: bit is outside the data", func() { r.Reset(make([]byte, 1), bit) }, "bit %d", bit)
	}
	var w bits.Writer
	for _, at := range []struct{ start, bit int }{
		{0, 17}, {1, 9}, {2, 1}, {3, 0}, {-1, 0}, {0, -1}, {0, math.MaxInt}, {math.MaxInt, 0},
	} {
		want := fmt.Sprintf("bits: Resume: start %d and bit %d are outside dst, which has 2 bytes", at.start, at.bit)
		// Spare capacity does not count as part of the buffer.
		require.PanicsWithValue(t, want, func() { w.Resume(make([]byte, 2, 64), at.start, at.bit) })
	}
	require.NotPanics(t, func() { w.Resume(make([]byte, 2), 1, 8) })
	require.NotPanics(t, func() { w.Resume(nil, 0, 0) })
}

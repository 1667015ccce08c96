package bits_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/integer"
	"github.com/stretchr/testify/require"
)

var (
	minInt128  = bits.Int128{Hi: math.MinInt64}
	maxInt128  = bits.Int128{Lo: math.MaxUint64, Hi: math.MaxInt64}
	maxUint128 = bits.Uint128{Lo: math.MaxUint64, Hi: math.MaxUint64}
)

func TestBitsRequired(t *testing.T) {
	tests := []struct {
		min, max int64
		want     int
	}{
		{0, 0, 0}, {-5, -5, 0}, {0, 1, 1}, {-1, 0, 1}, {0, 2, 2}, {0, 3, 2}, {0, 4, 3},
		{-100, 100, 8}, {0, 255, 8}, {0, 256, 9}, {0, math.MaxUint32, 32},
		{math.MinInt64, -1, 63}, {math.MinInt64, 0, 64}, {math.MinInt64, math.MaxInt64, 64},
		{math.MaxInt64 - 1, math.MaxInt64, 1}, {math.MinInt64, math.MinInt64, 0},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, bits.BitsRequired(tt.min, tt.max), "[%d, %d]", tt.min, tt.max)
		const sign = 1 << 63 // maps int64 to uint64, keeping the order
		require.Equal(t, tt.want, bits.BitsRequiredUint(uint64(tt.min)^sign, uint64(tt.max)^sign), "[%d, %d]", tt.min, tt.max)
	}
}

// TestRangeErrors checks the fields and the text of range errors.
func TestRangeErrors(t *testing.T) {
	i128 := func(n int64) bits.Int128 { return bits.Int128{Lo: uint64(n), Hi: n >> 63} }
	tests := []struct {
		name string
		err  func() error
		want bits.Error
		text string
	}{
		{"write above", func() error { return written(func(w *bits.Writer) { w.WriteInt(130, 0, 100) }) },
			bits.Error{Op: "write", Bit: 3, Err: bits.ErrRange, Value: int64(130), Min: int64(0), Max: int64(100)},
			"bits: write at bit 3: value out of range: 130 is outside [0, 100]"},
		{"write below", func() error { return written(func(w *bits.Writer) { w.WriteInt(-101, -100, 100) }) },
			bits.Error{Op: "write", Bit: 3, Err: bits.ErrRange, Value: int64(-101), Min: int64(-100), Max: int64(100)},
			"bits: write at bit 3: value out of range: -101 is outside [-100, 100]"},
		{"write a uint", func() error { return written(func(w *bits.Writer) { w.WriteUint(math.MaxUint64, 1, 2) }) },
			bits.Error{Op: "write", Bit: 3, Err: bits.ErrRange, Value: uint64(math.MaxUint64), Min: uint64(1), Max: uint64(2)},
			"bits: write at bit 3: value out of range: 18446744073709551615 is outside [1, 2]"},
		{"write an int128", func() error { return written(func(w *bits.Writer) { w.WriteInt128(i128(-4), i128(-3), i128(9)) }) },
			bits.Error{Op: "write", Bit: 3, Err: bits.ErrRange, Value: i128(-4), Min: i128(-3), Max: i128(9)},
			"bits: write at bit 3: value out of range: -4 is outside [-3, 9]"},
		{"write a uint128", func() error {
			return written(func(w *bits.Writer) { w.WriteUint128(bits.Uint128{Hi: 1}, bits.Uint128{}, bits.Uint128{Lo: 7}) })
		},
			bits.Error{Op: "write", Bit: 3, Err: bits.ErrRange, Value: bits.Uint128{Hi: 1}, Min: bits.Uint128{}, Max: bits.Uint128{Lo: 7}},
			"bits: write at bit 3: value out of range: 18446744073709551616 is outside [0, 7]"},
		{"write a count", func() error { return written(func(w *bits.Writer) { w.WriteCount(33, 0, 32) }) },
			bits.Error{Op: "write", Bit: 3, Err: bits.ErrLength, Value: 33, Min: 0, Max: 32},
			"bits: write at bit 3: length out of bounds: 33 is outside [0, 32]"},

		{"write a count below", func() error { return written(func(w *bits.Writer) { w.WriteCount(2, 3, 32) }) },
			bits.Error{Op: "write", Bit: 3, Err: bits.ErrLength, Value: 2, Min: 3, Max: 32},
			"bits: write at bit 3: length out of bounds: 2 is outside [3, 32]"},

		{"read 127 of 100", func() error { return readOnes(3, func(r *bits.Reader) { r.ReadInt(0, 100) }) },
			bits.Error{Op: "read", Bit: 3, Err: bits.ErrRange, Value: int64(127), Min: int64(0), Max: int64(100)},
			"bits: read at bit 3: value out of range: 127 is outside [0, 100]"},
		{"read above every int64", func() error {
			return readOnes(3, func(r *bits.Reader) { r.ReadInt(math.MaxInt64-4, math.MaxInt64) })
		},
			bits.Error{Op: "read", Bit: 3, Err: bits.ErrRange, Value: bits.Int128{Lo: 1<<63 + 2}, Min: int64(math.MaxInt64 - 4), Max: int64(math.MaxInt64)},
			"bits: read at bit 3: value out of range: 9223372036854775810 is outside [9223372036854775803, 9223372036854775807]"},
		{"read above every uint64", func() error {
			return readOnes(3, func(r *bits.Reader) { r.ReadUint(math.MaxUint64-4, math.MaxUint64) })
		},
			bits.Error{Op: "read", Bit: 3, Err: bits.ErrRange, Value: bits.Uint128{Lo: 2, Hi: 1}, Min: uint64(math.MaxUint64 - 4), Max: uint64(math.MaxUint64)},
			"bits: read at bit 3: value out of range: 18446744073709551618 is outside [18446744073709551611, 18446744073709551615]"},
		{"read a uint128 of 128 bits", func() error {
			return readOnes(0, func(r *bits.Reader) {
				r.ReadUint128(bits.Uint128{}, bits.Uint128{Lo: 5, Hi: math.MaxUint64})
			})
		},
			bits.Error{Op: "read", Bit: 0, Err: bits.ErrRange, Value: maxUint128, Min: bits.Uint128{}, Max: bits.Uint128{Lo: 5, Hi: math.MaxUint64}},
			"bits: read at bit 0: value out of range: 340282366920938463463374607431768211455 is outside [0, 340282366920938463444927863358058659845]"},
		{"read above every uint128", func() error {
			return readOnes(3, func(r *bits.Reader) {
				r.ReadUint128(bits.Uint128{Lo: math.MaxUint64 - 4, Hi: math.MaxUint64}, maxUint128)
			})
		},
			bits.Error{Op: "read", Bit: 3, Err: bits.ErrRange, Value: integer.OfWords(2, 0, 1),
				Min: bits.Uint128{Lo: math.MaxUint64 - 4, Hi: math.MaxUint64}, Max: maxUint128},
			"bits: read at bit 3: value out of range: 340282366920938463463374607431768211458 is outside " +
				"[340282366920938463463374607431768211451, 340282366920938463463374607431768211455]"},
		{"read above every int128", func() error {
			return readOnes(3, func(r *bits.Reader) {
				r.ReadInt128(bits.Int128{Lo: math.MaxUint64 - 4, Hi: math.MaxInt64}, maxInt128)
			})
		},
			bits.Error{Op: "read", Bit: 3, Err: bits.ErrRange, Value: bits.Uint128{Lo: 2, Hi: 1 << 63},
				Min: bits.Int128{Lo: math.MaxUint64 - 4, Hi: math.MaxInt64}, Max: maxInt128},
			"bits: read at bit 3: value out of range: 170141183460469231731687303715884105730 is outside " +
				"[170141183460469231731687303715884105723, 170141183460469231731687303715884105727]"},
		{"read a count", func() error { return readOnes(3, func(r *bits.Reader) { r.ReadCount(1, 6) }) },
			bits.Error{Op: "read", Bit: 3, Err: bits.ErrLength, Value: 8, Min: 1, Max: 6},
			"bits: read at bit 3: length out of bounds: 8 is outside [1, 6]"},
		{"read a count above every int", func() error {
			return readOnes(3, func(r *bits.Reader) { r.ReadCount(math.MaxInt-4, math.MaxInt) })
		},
			bits.Error{Op: "read", Bit: 3, Err: bits.ErrLength, Value: uint64(math.MaxInt + 3), Min: math.MaxInt - 4, Max: math.MaxInt},
			fmt.Sprintf("bits: read at bit 3: length out of bounds: %d is outside [%d, %d]", uint64(math.MaxInt+3), math.MaxInt-4, math.MaxInt)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.err()
			require.Equal(t, &tt.want, err)
			require.EqualError(t, err, tt.text)
			require.ErrorIs(t, err, tt.want.Err)
		})
	}
}

// written returns the error of f writing at bit 3.
func written(f func(*bits.Writer)) error {
	w := bits.NewAppendWriter(nil)
	w.WriteBits(0, 3)
	f(w)
	return w.Err()
}

// readOnes returns the error of f reading at the given bit of a message of ones.
func readOnes(bit int, f func(*bits.Reader)) error {
	data := make([]byte, 20)
	for i := range data {
		data[i] = 0xFF
	}
	var r bits.Reader
	r.Reset(data, bit)
	f(&r)
	return r.Err()
}

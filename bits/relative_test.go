package bits_test

import (
	"math"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/stretchr/testify/require"
)

// tiers is the int_relative table of the wire format, with the flags in wire
// order.
var tiers = []struct {
	flags    string
	payload  int // bits
	min, max int64
}{
	{"1", 0, 1, 1},
	{"01", 3, 2, 6},
	{"001", 5, 7, 23},
	{"0001", 9, 24, 280},
	{"00001", 13, 281, 4377},
	{"000001", 17, 4378, 69914},
}

// relativeCode builds an int_relative code from the table.
func relativeCode(flags string, payload uint64, n int) bitString {
	var s bitString
	for _, c := range flags {
		s = append(s, byte(c-'0'))
	}
	return s.add(payload, n)
}

// The first, middle and last difference of each tier, from various previous
// integers, produce the flags and payload of the table. The payload after the
// last one is refused.
func TestRelativeTiers(t *testing.T) {
	for _, previous := range []int64{-1, 0, 1, 100, -1000, math.MinInt32, math.MaxInt32 - 70_000} {
		for _, tier := range tiers {
			for _, d := range []int64{tier.min, (tier.min + tier.max) / 2, tier.max} {
				o := opRelative(previous, previous+d, math.MinInt32, math.MaxInt32)
				data, n := write(t, []op{o})
				want := relativeCode(tier.flags, uint64(d-tier.min), tier.payload)
				require.Equal(t, len(want), n, o.name)
				require.Equal(t, want.pack(), data, o.name)

				r := bits.NewReader(inside(data, 0xFF))
				require.Equal(t, previous+d, o.read(r), o.name)
				require.NoError(t, r.Finish())
			}
			if tier.payload > 0 { // there are more codes than differences
				above := relativeCode(tier.flags, uint64(tier.max+1-tier.min), tier.payload).pack()
				r := bits.NewReader(above)
				r.ReadRelative(previous, math.MinInt32, math.MaxInt32)
				require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrRange, Value: previous + tier.max + 1,
					Min: previous + 1, Max: int64(math.MaxInt32)}, r.Err())
			}
		}
		current := previous + 69915
		data, n := write(t, []op{opRelative(previous, current, math.MinInt32, math.MaxInt32)})
		require.Equal(t, 38, n, "the first difference of the absolute form")
		require.Equal(t, relativeCode("000000", uint64(uint32(current)), 32).pack(), data)
	}
}

func TestRelativeRefused(t *testing.T) {
	const i32, u32 = math.MaxInt32, math.MaxUint32
	refused := func(bit int, value, min, max int64) *bits.Error {
		return &bits.Error{Bit: bit, Err: bits.ErrRange, Value: value, Min: min, Max: max}
	}
	reads := []struct {
		name               string
		code               bitString
		previous, min, max int64
		want               *bits.Error
	}{
		{"a difference of 1 past the largest int32", relativeCode("1", 0, 0), i32, math.MinInt32, i32,
			refused(2, i32+1, i32+1, i32)},
		{"a tier past the largest int32", relativeCode("01", 4, 3), i32 - 3, math.MinInt32, i32,
			refused(2, i32+3, i32-2, i32)},
		{"a tier past the largest uint32", relativeCode("001", 0, 5), u32 - 3, 0, u32,
			refused(2, u32+4, u32-2, u32)},
		{"a tier past every int64", relativeCode("01", 0, 3), math.MaxInt64, 0, u32,
			refused(2, math.MinInt64+1, 0, u32)},
		{"a tier below the bounds", relativeCode("1", 0, 0), -10, 0, 100,
			refused(2, -9, 0, 100)},
		{"absolute and equal", relativeCode("000000", 100, 32), 100, 0, i32,
			refused(2, 100, 101, i32)},
		{"absolute and below", relativeCode("000000", 99, 32), 100, 0, i32,
			refused(2, 99, 101, i32)},
		{"absolute, negative as int32", relativeCode("000000", 1<<31, 32), 100, math.MinInt32, i32,
			refused(2, math.MinInt32, 101, i32)},
		{"absolute above int32 where none is negative", relativeCode("000000", 1<<31, 32), 100, 0, i32,
			refused(2, 1<<31, 101, i32)},
	}
	for _, tt := range reads {
		t.Run("read "+tt.name, func(t *testing.T) {
			r := new(bits.Reader)
			r.Reset(append(bitString{1, 1}, tt.code...).pack(), 2)
			require.Equal(t, tt.min, r.ReadRelative(tt.previous, tt.min, tt.max), "the smallest value")
			tt.want.Op = "read"
			require.Equal(t, tt.want, r.Err())
		})
	}
	writes := []struct {
		name                        string
		previous, current, min, max int64
		want                        *bits.Error
	}{
		{"below", 100, 99, 0, i32, refused(3, 99, 101, i32)},
		{"above int32", 100, i32 + 1, 0, i32, refused(3, i32+1, 101, i32)},
		{"above uint32", 100, u32 + 1, 0, u32, refused(3, u32+1, 101, u32)},
		{"below int32", math.MinInt64, math.MinInt32 - 1, math.MinInt32, i32, refused(3, math.MinInt32-1, math.MinInt32, i32)},
		{"negative where none may be", -10, -5, 0, u32, refused(3, -5, 0, u32)},
	}
	for _, tt := range writes {
		t.Run("write "+tt.name, func(t *testing.T) {
			tt.want.Op = "write"
			require.Equal(t, tt.want, written(func(w *bits.Writer) { w.WriteRelative(tt.previous, tt.current, tt.min, tt.max) }))
		})
	}
}

// A reader accepts the absolute form for any difference, though no Writer uses
// it for a small one. A code that is cut off is refused with the bits that it needs.
func TestRelativeAbsolute(t *testing.T) {
	tests := []struct {
		name                        string
		previous, current, min, max int64
	}{
		{"non-minimal, by 69914", 0, 69914, 0, math.MaxInt32},
		{"negative previous", -5, 3, math.MinInt32, math.MaxInt32},
		{"uint32 above 2^31", 0, 1<<31 + 5, 0, math.MaxUint32},
		{"narrow bounds", 3, 250, 0, 255},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := relativeCode("000000", uint64(uint32(tt.current)), 32).pack()
			r := bits.NewReader(data)
			require.Equal(t, tt.current, r.ReadRelative(tt.previous, tt.min, tt.max))
			require.NoError(t, r.Finish())
			require.Equal(t, 38, r.Bit())
			for n, need := range []int{bitio.MaxRelativeBits, 38, 38, 38, 38} {
				r.Reset(data[:n], 0)
				r.ReadRelative(tt.previous, tt.min, tt.max)
				require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: need, Max: 8 * n}, r.Err())
			}
		})
	}
}

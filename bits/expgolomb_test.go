package bits_test

import (
	"math"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

func TestExpGolombRefused(t *testing.T) {
	w := bits.NewAppendWriter(nil)
	w.WriteBool(true)
	w.WriteExpGolomb(8, 7, 0)
	require.Equal(t, &bits.Error{Op: "write", Bit: 1, Err: bits.ErrRange, Value: uint64(8), Min: uint64(0), Max: uint64(7)}, w.Err())

	read := func(data []byte, max uint64, k int) error {
		r := bits.NewReader(inside(data, 0xFF))
		require.Zero(t, r.ReadExpGolomb(max, k))
		require.Zero(t, r.Bit())
		return r.Err()
	}
	nine, _ := write(t, []op{opExpGolomb(9, 9, 0)})
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrRange, Value: uint64(9), Min: uint64(0), Max: uint64(8)}, read(nine, 8, 0))
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrRange}, read(make([]byte, 1), 100, 0), "more zeros than 100 has")
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: 9, Max: 8}, read(make([]byte, 1), 255, 0), "as many zeros as 255 has")
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: 65, Max: 64}, read(make([]byte, 8), math.MaxUint64, 0))
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrRange}, read(make([]byte, 9), math.MaxUint64, 0))
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: 7, Max: 0}, read(nil, 100, 0))
}

// A code that does not fit in the buffer is refused as a whole.
func TestExpGolombOverflow(t *testing.T) {
	for _, n := range []int{0, 8, 16} {
		w := bits.NewWriter(make([]byte, n))
		w.WriteExpGolomb(math.MaxUint64, math.MaxUint64, 0)
		require.Equal(t, &bits.Error{Op: "write", Err: bits.ErrOverflow}, w.Err(), "%d bytes", n)
		require.Zero(t, w.Bit())
	}
	w := bits.NewMeasurer()
	w.WriteExpGolomb(math.MaxUint64, math.MaxUint64, 0)
	require.NoError(t, w.Err())
	require.Equal(t, 129, w.Bit())
}

// expGolombEnds checks the codes of the integers of T at both ends, and the
// refusal of the first one that is too large.
func expGolombEnds[T bits.Integer](t *testing.T, code map[T]uint64) {
	t.Helper()
	for v, want := range code {
		data, _ := writeStream(t, func(s *bits.Stream) { bits.ExpGolomb(s, &v, 2) })
		direct, _ := write(t, []op{opExpGolomb(want, math.MaxUint64, 2)})
		require.Equal(t, direct, data, "%d of %T", v, v)
		var back T
		r := bits.NewReader(data)
		bits.ExpGolomb(bits.NewReadStream(r), &back, 2)
		require.NoError(t, r.Finish())
		require.Equal(t, v, back)
		if want >= math.MaxUint8 && want < math.MaxUint64-1 {
			data, _ = write(t, []op{opExpGolomb(want+1, math.MaxUint64, 2)})
			s := bits.NewReadStream(bits.NewReader(data))
			bits.ExpGolomb(s, &back, 2)
			require.ErrorIs(t, s.Err(), bits.ErrRange, "%d of %T", v, v)
			require.Zero(t, back)
		}
	}
}

func TestStreamExpGolomb(t *testing.T) {
	expGolombEnds(t, map[uint8]uint64{0: 0, 5: 5, math.MaxUint8: math.MaxUint8})
	expGolombEnds(t, map[uint32]uint64{0: 0, math.MaxUint32: math.MaxUint32})
	expGolombEnds(t, map[uint64]uint64{0: 0, math.MaxUint64: math.MaxUint64})
	expGolombEnds(t, map[int8]uint64{0: 0, -1: 1, 1: 2, -2: 3, math.MinInt8: math.MaxUint8})
	expGolombEnds(t, map[health]uint64{0: 0, -1: 1, math.MinInt16: math.MaxUint16})
	expGolombEnds(t, map[int64]uint64{-3: 5, math.MaxInt64: math.MaxUint64 - 1, math.MinInt64: math.MaxUint64})
}

package bits_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
)

func threeBits(s *bits.Stream, v *uint8) { bits.Bits(s, v, 3) }

// Elements that take other bits than their width are refused in both directions,
// and errors of elements are where they are in the message.
func TestRunLengthWidth(t *testing.T) {
	for _, width := range []int{0, 65} {
		require.PanicsWithValue(t, fmt.Sprint("bits: the width of an element must be in [1, 64], not ", width), func() {
			bits.RunLength(bits.NewWriteStream(bits.NewMeasurer()), []uint8{1}, width, threeBits)
		})
	}

	w := bits.NewAppendWriter(nil)
	w.WriteBits(1, 5)
	bits.RunLength(bits.NewWriteStream(w), []uint8{1, 1}, 4, threeBits)
	require.Equal(t, &bits.Error{Op: "write", Bit: 5, Err: bits.ErrLength, Value: 3, Min: 4, Max: 4}, w.Err())

	w = bits.NewAppendWriter(nil)
	w.WriteBits(1, 5)
	bits.RunLength(bits.NewWriteStream(w), []uint8{1, 8}, 3, threeBits)
	require.Equal(t, &bits.Error{Op: "write", Bit: 5, Err: bits.ErrRange, Value: uint64(8), Min: uint64(0), Max: uint64(7)}, w.Err())

	r := bits.NewReader([]byte{0b0001_1011, 0})
	var v [3]uint8
	bits.RunLength(bits.NewReadStream(r), v[:], 4, threeBits)
	require.Equal(t, &bits.Error{Op: "read", Bit: 1, Err: bits.ErrLength, Value: 3, Min: 4, Max: 4}, r.Err())
}

// A slice that is refused has no elements, and none is allocated for bits that
// are not there.
func TestRunLengthSliceRefused(t *testing.T) {
	list := []uint8{5, 6, 7}
	r := bits.NewReader([]byte{0xFF, 0xFF}) // a count of 65535, which needs 128 stretches of 511 and one of 127
	bits.RunLengthSlice(bits.NewReadStream(r), &list, 0, 65535, 3, threeBits)
	require.Equal(t, &bits.Error{Op: "read", Bit: 0, Err: bits.ErrOverread, Value: 128*(17+3) + 13 + 3, Max: 0}, r.Err())
	require.Empty(t, list)

	list = []uint8{5, 6, 7}
	r = bits.NewReader([]byte{0b011_1_011_1, 0}) // 3 elements: 3, and then 3 again
	bits.RunLengthSlice(bits.NewReadStream(r), &list, 3, 3, 3, threeBits)
	require.Equal(t, &bits.Error{Op: "read", Bit: 5, Err: bits.ErrNotCanonical}, r.Err())
	require.Equal(t, []uint8{}, list)

	r = bits.NewReader([]byte{0b00_1_110_01, 0}) // a stretch of 4 of 3 elements
	bits.RunLengthSlice(bits.NewReadStream(r), &list, 3, 3, 3, threeBits)
	require.ErrorIs(t, r.Err(), bits.ErrLength)
	require.Empty(t, list)
}

// A stretch has 511 elements at most, and only a full one is followed by an equal
// one.
func TestRunLengthStretches(t *testing.T) {
	list := slices.Repeat([]uint8{5}, 512)
	data, n := writeStream(t, func(s *bits.Stream) { bits.RunLength(s, list, 3, threeBits) })
	require.Equal(t, 17+3+1+3, n)
	require.Equal(t, make(bitString, 8).add(1, 1).add(255, 8).add(5, 3).add(1, 1).add(5, 3).pack(), data)
	got := make([]uint8, 512)
	s, r := readStream(data)
	bits.RunLength(s, got, 3, threeBits)
	require.NoError(t, r.Finish())
	require.Equal(t, list, got)
}

package bits_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
)

func threeBits(s *bits.Stream, v *uint8) { bits.Bits(s, v, 3) }

// A slice that is refused has no elements, and none is allocated for bits that
// are not there.
func TestRunLengthSliceRefused(t *testing.T) {
	for _, row := range []struct {
		data       []byte
		least, top int
		width      int
		err        *bits.Error
	}{
		// A count of 65535 needs 128 stretches of 511 and one of 127.
		{[]byte{0xFF, 0xFF}, 0, 65535, 3, &bits.Error{Op: "read", Bit: 0, Err: bits.ErrOverread, Value: 128*(17+3) + 13 + 3, Max: 0}},
		{[]byte{0b011_1_011_1, 0}, 3, 3, 3, &bits.Error{Op: "read", Bit: 5, Err: bits.ErrNotCanonical}},                   // 3, and then 3 again
		{[]byte{0b0001_1011, 0}, 3, 3, 4, &bits.Error{Op: "read", Bit: 1, Err: bits.ErrLength, Value: 3, Min: 4, Max: 4}}, // elements of 3 bits
	} {
		list := []uint8{5, 6, 7}
		r := bits.NewReader(row.data)
		bits.RunLengthSlice(bits.NewReadStream(r), &list, row.least, row.top, row.width, threeBits)
		require.Equal(t, row.err, r.Err())
		require.Empty(t, list)
	}
	w := bits.NewAppendWriter(nil)
	bits.RunLength(bits.NewWriteStream(w), []uint8{1, 1}, 4, threeBits)
	require.Equal(t, &bits.Error{Op: "write", Err: bits.ErrLength, Value: 3, Min: 4, Max: 4}, w.Err())
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

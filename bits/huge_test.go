package bits_test

import (
	"math"
	mathbits "math/bits"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

// On 32-bit machines an int counts at most 2^31-1 bits, and a byte slice can
// hold more. Nothing must wrap around there. 64-bit machines have no such
// slices.
func TestMoreBytesThanBitsAreCounted(t *testing.T) {
	if mathbits.UintSize > 32 {
		t.Skip("no slice is as long")
	}
	tooLong := make([]byte, math.MaxInt/8+1) // the memory is never touched
	half := tooLong[:len(tooLong)/2]
	for name, w := range map[string]*bits.Writer{
		"fixed": bits.NewWriter(make([]byte, 64)), "fixed and as long": bits.NewWriter(tooLong),
		"growing": bits.NewAppendWriter(nil), "measuring": bits.NewMeasurer(),
	} {
		w.WriteBits(5, 3)
		w.WriteBytes(tooLong)
		require.Equal(t, &bits.Error{Op: "write", Bit: 8, Err: bits.ErrOverflow}, w.Err(), name)
		require.Equal(t, 8, w.Bit(), name)
	}
	w := bits.NewMeasurer()
	w.WriteBytes(half)
	w.WriteBytes(half[:len(half)-16])
	require.NoError(t, w.Err())
	for w.Err() == nil {
		w.WriteBits(0, 64)
	}
	require.Equal(t, &bits.Error{Op: "write", Bit: math.MaxInt - 127, Err: bits.ErrOverflow}, w.Err())

	r := bits.NewReader(make([]byte, 1<<29))
	r.Skip(r.Remaining() - 8)
	require.Zero(t, r.ReadBits(7))
	require.Zero(t, r.ReadBits(64))
	require.ErrorIs(t, r.Err(), bits.ErrOverread)
}

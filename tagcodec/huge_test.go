package tagcodec

import (
	"math"
	mathbits "math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/typecache"
)

// A 32-bit int counts at most 2^31-1 bits, but a byte slice may have more. Data
// after the message is still detected.
func TestMoreBytesThanBitsAreCounted(t *testing.T) {
	if mathbits.UintSize > 32 {
		t.Skip("no slice is as long")
	}
	for _, n := range []int{math.MaxInt/8 + 1, math.MaxInt/8 + 2, 1 << 29} {
		data := make([]byte, n) // untouched memory
		data[0] = 7
		var v uint8
		err := Unmarshal(data, &v)
		require.EqualError(t, err, "tagcodec: unmarshal uint8 at bit 8: data after the end of the message", "%d bytes", n)
		require.ErrorIs(t, err, ErrTrailing)
		rest, err := UnmarshalFirst(data, &v)
		require.NoError(t, err)
		require.Len(t, rest, n-1)
		require.Equal(t, uint8(7), v)
	}
}

// Elements without memory may be so numerous that their bits overflow an int.
// No memory is allocated for values that cannot have a message.
func TestMoreBitsThanMemory(t *testing.T) {
	type known struct {
		_ struct{} `bp:"const,bits=64,value=1"`
	}
	type huge struct {
		N uint8 `bp:"int,min=1,max=5"`
		A [math.MaxInt / 32]known
	}
	codec := MustFor[huge]()
	require.Equal(t, typecache.Unbounded, codec.MinBits())
	for _, dst := range [][]byte{nil, {1, 2}} {
		out, err := codec.Append(dst, &huge{})
		require.EqualError(t, err, "tagcodec: marshal huge.N at bit 0: value out of range: 0 is outside [1, 5]")
		require.Equal(t, dst, out)
	}
	err := codec.Unmarshal([]byte{1 << 3, 0, 0, 0, 0, 0, 0, 0, 0}, new(huge))
	require.EqualError(t, err, "tagcodec: unmarshal huge.A[1]._ (field 1) at bit 67: read past the end of the data: 64 more bits needed, 5 left")
}

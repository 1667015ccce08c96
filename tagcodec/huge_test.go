package tagcodec

import (
	"math"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
)

// An int of 32 bits counts no more than 2^31-1 bits, which a slice of bytes can
// pass. What is behind the message is seen all the same.
func TestMoreBytesThanBitsAreCounted(t *testing.T) {
	if bits.UintSize > 32 {
		t.Skip("no slice is as long")
	}
	for _, n := range []int{math.MaxInt/8 + 1, math.MaxInt/8 + 2, 1 << 29} {
		data := make([]byte, n) // of memory that nothing touches
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

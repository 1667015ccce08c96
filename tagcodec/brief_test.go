package tagcodec_test

import (
	"fmt"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

func ExampleWithBriefErrors() {
	type player struct {
		Health int32 `bp:"int,min=0,max=100"`
	}
	codec := tagcodec.MustFor[player](tagcodec.WithBriefErrors())
	var p player
	err := codec.Unmarshal([]byte{127}, &p)
	fmt.Println(err, err == tagcodec.ErrRange)
	// Output: value out of range true
}

// A brief error is the sentinel that the full error wraps. The test tries every
// truncation of a message and every single-bit change.
func TestBriefErrors(t *testing.T) {
	full, short := tagcodec.MustFor[benchPacket](), tagcodec.MustFor[benchPacket](tagcodec.WithBriefErrors())
	data, err := full.Append(nil, newBenchPacket())
	require.NoError(t, err)
	into := newBenchPacket()
	same := func(data []byte) {
		want, got := full.Unmarshal(data, into), short.Unmarshal(data, into)
		if want == nil {
			require.NoError(t, got)
			return
		}
		require.ErrorIs(t, want, got)
		require.NotContains(t, got.Error(), "benchPacket")
	}
	for n := range data {
		same(data[:n])
	}
	for bit := range 8 * len(data) {
		data[bit/8] ^= 1 << (bit % 8)
		same(data)
		data[bit/8] ^= 1 << (bit % 8)
	}
	require.Equal(t, tagcodec.ErrTrailing, short.Unmarshal(append(data, 0), into))
}

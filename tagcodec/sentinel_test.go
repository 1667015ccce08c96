package tagcodec_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec"
)

func ExampleWithSentinelErrors() {
	type player struct {
		Health int32 `bp:"int,min=0,max=100"`
	}
	codec := tagcodec.MustFor[player](tagcodec.WithSentinelErrors())
	var p player
	err := codec.Unmarshal([]byte{127}, &p)
	fmt.Println(err, err == tagcodec.ErrRange)
	// Output: value out of range true
}

// A sentinel error is the sentinel that the full error wraps. The test tries every
// truncation of a message and every single-bit change.
func TestSentinelErrors(t *testing.T) {
	full, short := tagcodec.MustFor[benchPacket](), tagcodec.MustFor[benchPacket](tagcodec.WithSentinelErrors())
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

// An error that says more than its sentinel is brief all the same.
func TestSentinelExplanations(t *testing.T) {
	type matrix struct {
		World [16]float32 `bp:"affine"`
	}
	type linked struct {
		Home *benchPacket `bp:"link,bits=8"`
	}
	brief := tagcodec.WithSentinelErrors()
	mirror := compress.Affine{Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{1, 2, 3}}
	data, err := tagcodec.Marshal(matrix{mirror.Matrix()})
	require.NoError(t, err)
	// The sign of a full scale is the last bit of its 32.
	data[len(data)-1] ^= 0x80 >> (8*len(data) - tagcodec.MustFor[matrix]().MaxBits())
	var m matrix
	require.ErrorContains(t, tagcodec.Unmarshal(data, &m), "have different signs")
	require.Equal(t, tagcodec.ErrRange, tagcodec.MustFor[matrix](brief).Unmarshal(data, &m))
	var l linked
	require.ErrorContains(t, tagcodec.Unmarshal([]byte{1}, &l), "give the codec a Linker")
	require.Equal(t, tagcodec.ErrLink, tagcodec.MustFor[linked](brief).Unmarshal([]byte{1}, &l))
}

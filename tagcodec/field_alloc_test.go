//go:build !purego && !race

package tagcodec_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// The second call with a tag allocates nothing but what the value needs, inside of a
// codec and outside.
func TestFieldAllocates(t *testing.T) {
	codec := tagcodec.MustFor[price]()
	v := &price{Value: 5, Texts: []string{"", ""}}
	data, err := codec.Append(nil, v)
	require.NoError(t, err)
	buf := make([]byte, 0, 64)
	require.Zero(t, testing.AllocsPerRun(100, func() { buf, _ = codec.Append(buf[:0], v) }), "write")
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = codec.Unmarshal(data, v) }), "read")
	fixed := make([]byte, 64)
	w, r := bits.NewWriter(fixed), bits.NewReader(data)
	writing, reading, measuring := bits.NewWriteStream(w), bits.NewReadStream(r), bits.NewWriteStream(bits.NewMeasurer())
	require.Zero(t, testing.AllocsPerRun(100, func() { w.Reset(fixed); _ = v.Serialize(writing) }), "write outside")
	require.NoError(t, w.Err())
	require.Zero(t, testing.AllocsPerRun(100, func() { r.Reset(data, 0); _ = v.Serialize(reading) }), "read outside")
	require.NoError(t, r.Err())
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = v.Serialize(measuring) }), "measure")
}

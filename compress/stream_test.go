package compress_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
)

// A refused index is named with its bit and its bounds, and none of its bits are
// consumed. The index that is read is then the one that ends a loop.
func TestIndexRefused(t *testing.T) {
	s := bits.NewWriteStream(bits.NewAppendWriter(nil))
	flag, index := true, 3
	s.Bool(&flag)
	compress.Index(s, 3, &index, 9)
	require.Equal(t, &bits.Error{Op: "write", Bit: 1, Err: bits.ErrRange, Value: 3, Min: 4, Max: 9}, s.Err())

	for _, row := range []struct {
		data          byte
		previous, max int
		want          *bits.Error
	}{
		{0x00, -1, 1000, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: 16, Max: 8}},
		{0x08, 90, 100, &bits.Error{Op: "read", Err: bits.ErrRange, Value: 104, Min: 91, Max: 100}},
	} {
		s := bits.NewReadStream(bits.NewReader([]byte{row.data}))
		compress.Index(s, row.previous, &index, row.max)
		require.Equal(t, row.want, s.Err())
		require.Equal(t, 0, s.Bit())
		require.Equal(t, row.max, index)
	}
}

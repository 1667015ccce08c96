package binary_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec/binary"
	"github.com/gobitpack/bitpack/typecache"
)

type (
	gauge struct{ N uint8 }
	dial  struct{ N uint8 }

	// gauges embeds two structs that each have a method Serialize. The two are
	// ambiguous, so gauges itself has none.
	gauges struct {
		Kind uint8 `bp:"uint,bits=3"`
		gauge
		dial
	}
)

func (g *gauge) Serialize(s *bits.Stream) error {
	bits.Bits(s, &g.N, 5)
	return s.Err()
}

func (d *dial) Serialize(s *bits.Stream) error {
	bits.Bits(s, &d.N, 5)
	return s.Err()
}

// Read handles values that serialize themselves, even if they are embedded and
// unexported. With the build tag purego such a type is refused, because reflect
// cannot reach them.
func TestReadEmbedded(t *testing.T) {
	var w bytes.Buffer
	want, got := gauges{1, gauge{2}, dial{3}}, gauges{}
	err := binary.Write(&w, binary.LittleEndian, &want)
	if buildTags == "purego" {
		require.ErrorIs(t, err, typecache.ErrTag)
		require.Equal(t, err, binary.Read(bytes.NewReader([]byte{1 | 2<<3, 3}), binary.LittleEndian, &got))
		require.Equal(t, -1, binary.Size(&want))
		return
	}
	require.NoError(t, err)
	require.Equal(t, []byte{1 | 2<<3, 3}, w.Bytes())
	require.NoError(t, binary.Read(&w, binary.LittleEndian, &got))
	require.Equal(t, want, got)
}

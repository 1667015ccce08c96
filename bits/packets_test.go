package bits_test

import (
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

// packetB is from the article "Reading and Writing Packets".
type packetB struct {
	NumElements int
	Elements    [32]uint32
}

func (p *packetB) serialize(s *bits.Stream) {
	bits.Count(s, &p.NumElements, 0, len(p.Elements))
	for i := range p.NumElements {
		bits.Bits(s, &p.Elements[i], 32)
	}
}

// TestHostileCount checks that a count stays in its bounds whatever the packet
// claims, so that its loop ends even if the caller does not check for errors.
func TestHostileCount(t *testing.T) {
	for _, tt := range []struct {
		name string
		data []byte
		err  error
		n    int
	}{
		{"one above the bound", []byte{33}, bits.ErrLength, 0},
		{"32 claimed, one sent", []byte{32, 0, 0, 0, 0}, bits.ErrOverread, 32},
		{"no byte at all", nil, bits.ErrOverread, 0},
	} {
		p := packetB{Elements: [32]uint32{31: 7}}
		s := bits.NewReadStream(bits.NewReader(tt.data))
		p.serialize(s)
		require.ErrorIs(t, s.Err(), tt.err, tt.name)
		require.Equal(t, tt.n, p.NumElements, tt.name)
		require.Equal(t, tt.n == 32, p.Elements[31] == 0, "elements that are not there are zero")
	}
}

package packet

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
)

// text serializes itself, in 5 to 253 bits.
type text struct{ Words []uint8 }

func (v *text) Serialize(s *bits.Stream) error {
	bits.Slice(s, &v.Words, 0, 31, 8, func(s *bits.Stream, v *uint8) { bits.Bits(s, v, 8) })
	return s.Err()
}

// declaredText declares what it takes.
type declaredText struct{ text }

func (*declaredText) MaxBits() int { return 5 + 31*8 }

type (
	unboundedPacket struct {
		ID   uint8
		Text text
	}
	boundedPacket struct {
		ID    uint8
		Texts []declaredText `bp:"maxlen=4"`
	}
)

// A budget holds for types that serialize themselves if they declare their
// maximum.
func TestDeclaredBudget(t *testing.T) {
	config := Config{Application: "test", MTU: 200}
	_, err := New(config, Of[unboundedPacket]())
	require.ErrorContains(t, err, "declare the maximum of text with a method MaxBits() int")
	require.ErrorIs(t, err, ErrBudget)
	require.ErrorContains(t, err, "Text (unbounded)")

	p, err := New(config, Of[boundedPacket]())
	require.NoError(t, err)
	info := p.Types()[0]
	require.Equal(t, (8+3+4*253+7)/8, info.MaxSize)
	require.Equal(t, Cost{"Texts[]", 4, 4 * 253}, info.Costs[0])

	config.MTU = info.MaxSize - 1
	_, err = New(config, Of[boundedPacket]())
	require.ErrorIs(t, err, ErrBudget)
	require.ErrorContains(t, err, "largest fields: Texts[] (4 x 253 bits)")
}

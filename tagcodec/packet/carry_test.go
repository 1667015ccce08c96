package packet_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/tagcodec/packet"
	"github.com/gobitpack/bitpack/typecache"
)

// Three states whose messages have the same bytes, but whose deltas do not.
type (
	held struct {
		X int32 `bp:"int,min=0,max=1000,pred=hold"`
	}
	extrapolated struct {
		X int32 `bp:"int,min=0,max=1000,pred=lin"`
	}
	renamedState struct {
		Y int32 `bp:"int,min=0,max=1000,pred=hold"`
	}
)

type update struct {
	Message []byte `bp:"bytes,maxlen=30"`
}

func carrying(t *testing.T, e packet.Encoding) *packet.Protocol {
	p, err := packet.New(packet.Config{Application: "test", MTU: 100}, packet.Of[update]().Carries(e), packet.Of[Chat]().MayExceed())
	require.NoError(t, err)
	return p
}

// The id of a protocol tells apart what its types carry, prediction tags included.
func TestCarriesID(t *testing.T) {
	codec := delta.MustFor[held]()
	base := carrying(t, codec)
	require.Equal(t, base.ID(), carrying(t, delta.MustFor[renamedState]()).ID(), "names are no part of the wire")
	for _, other := range []packet.Encoding{nil, delta.MustFor[extrapolated](), delta.MustFor[held](delta.WithWindow(32))} {
		require.NotEqual(t, base.ID(), carrying(t, other).ID())
	}
	predicted := delta.MustFor[extrapolated]()
	require.Equal(t, []packet.Difference{{Type: "update",
		Ours: fmt.Sprintf("carries %x", codec.Hash()), Theirs: fmt.Sprintf("carries %x", predicted.Hash())}},
		packet.Diff(base.Description(), carrying(t, predicted).Description()))
	require.Equal(t, []packet.Difference{{Type: "update", Ours: fmt.Sprintf("carries %x", codec.Hash())}},
		packet.Diff(base.Description(), carrying(t, nil).Description()))
	require.NotEqual(t, base.NewStateless(packet.PrefixID64).ID(), carrying(t, predicted).NewStateless(packet.PrefixID64).ID())
}

// fixedLength is an Encoding with a maximum.
type fixedLength int

func (n fixedLength) MaxBits() int { return int(n) }
func (fixedLength) Hash() [32]byte { return [32]byte{1} }

// The field must hold the longest bytes, which then count against the MTU.
func TestCarriesMaximum(t *testing.T) {
	config := packet.Config{Application: "test"}
	for bits, want := range map[int]string{
		0:                   "",
		30 * 8:              "",
		30*8 + 1:            "packet: update carries up to 31 bytes; the maxlen of its field is 30",
		typecache.Unbounded: "packet: update carries bytes that have no maximum length",
	} {
		_, err := packet.New(config, packet.Of[update]().Carries(fixedLength(bits)))
		if want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
		_, err = packet.New(config, packet.Of[update]().Carries(fixedLength(bits)).MayExceed())
		require.NoError(t, err)
	}
	_, err := packet.New(config, packet.Of[Input]().Carries(fixedLength(8)))
	require.ErrorContains(t, err, "the maxlen of its field is 0")
	config.MTU = 35
	_, err = packet.New(config, packet.Of[update]().Carries(fixedLength(30*8)))
	require.ErrorIs(t, err, packet.ErrBudget)
}

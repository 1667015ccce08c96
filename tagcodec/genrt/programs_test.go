package genrt_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/binary"
	"github.com/gobitpack/bitpack/tagcodec/delta"
	"github.com/gobitpack/bitpack/tagcodec/packet"
)

type (
	snapshot struct{ A uint8 }
	sent     struct{ A uint8 }
	stored   struct {
		A uint8 `bp:"uint"`
	}
)

// withCode registers counting code for T.
func withCode[T any](t *testing.T) *counted[T] {
	c := new(counted[T])
	c.register(fingerprint[T](t))
	return c
}

func (c *counted[T]) requireCalls(t *testing.T, appends, reads int) {
	t.Helper()
	require.Equal(t, []int{appends, reads}, []int{c.appends, c.reads})
	c.appends, c.reads = 0, 0
}

// Quantize writes with the code of the state's type. Restore, and a delta that ends
// in a whole message, read with it.
func TestDeltaUsesCode(t *testing.T) {
	c := withCode[snapshot](t)
	codec := delta.MustFor[snapshot]()
	image, err := codec.Quantize(&snapshot{1}, nil)
	require.NoError(t, err)
	c.requireCalls(t, 1, 0)
	require.NoError(t, codec.Restore(image, new(snapshot)))
	c.requireCalls(t, 0, 1)

	// The engine finds in the image what the code wrote.
	c.refuse = true
	var state snapshot
	require.NoError(t, codec.Restore(image, &state))
	require.Equal(t, snapshot{0xEE}, state)
	c.refuse, c.reads = false, 0

	whole, err := codec.Read([]byte{1, 0xEE}, delta.Refs{}, nil)
	require.NoError(t, err)
	c.requireCalls(t, 0, 1)
	changes, err := codec.Append(nil, whole, delta.Refs{Tick: 1, Base: delta.Ref{Image: image}})
	require.NoError(t, err)
	require.Equal(t, []byte{0}, changes, "both images are of the same state")
	c.requireCalls(t, 0, 0)
}

func TestPacketUsesCode(t *testing.T) {
	c := withCode[sent](t)
	s := packet.MustNew(packet.Config{Application: "genrt"}, packet.Of[sent]()).NewStateless(packet.PrefixID32)
	datagram, err := s.Append(nil, &sent{1})
	require.NoError(t, err)
	require.True(t, bytes.HasSuffix(datagram, []byte{0xEE}))
	c.requireCalls(t, 1, 0)
	_, err = s.Decode(datagram)
	require.NoError(t, err)
	c.requireCalls(t, 0, 1)
}

func TestBinaryUsesCode(t *testing.T) {
	c := withCode[stored](t)
	file := bytes.NewBuffer(nil)
	require.NoError(t, binary.Write(file, binary.LittleEndian, &stored{1}))
	require.Equal(t, []byte{0xEE}, file.Bytes())
	c.requireCalls(t, 1, 0)
	require.NoError(t, binary.Read(file, binary.LittleEndian, new(stored)))
	c.requireCalls(t, 0, 1)

	all := make([]stored, 3)
	data, err := binary.Append(nil, binary.LittleEndian, all)
	require.NoError(t, err)
	require.Equal(t, []byte{0xEE, 0xEE, 0xEE}, data)
	c.requireCalls(t, 3, 0)
	n, err := binary.Decode(data, binary.LittleEndian, all)
	require.NoError(t, err)
	require.Equal(t, 3, n)
	c.requireCalls(t, 0, 3)
}

type streamed struct{ Inner streamedInner }

type streamedInner struct{ A uint8 }

func (v *streamed) Serialize(s *bits.Stream) error { return tagcodec.Serialize(s, &v.Inner) }

// A Serialize method uses the code of what it passes on.
func TestSerializeUsesCode(t *testing.T) {
	c := withCode[streamedInner](t)
	data, err := tagcodec.Marshal(&streamed{})
	require.NoError(t, err)
	require.Equal(t, []byte{0xEE}, data)
	c.requireCalls(t, 1, 0)
	require.NoError(t, tagcodec.Unmarshal(data, new(streamed)))
	c.requireCalls(t, 0, 1)
}

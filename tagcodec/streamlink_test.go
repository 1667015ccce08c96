package tagcodec_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Without a Linker there is only nil.
func TestLinkNeedsALinker(t *testing.T) {
	home := &homeBase{1}
	w := bits.NewAppendWriter(nil)
	s, none := bits.NewWriteStream(w), (*homeBase)(nil)
	tagcodec.Link(s, &none, 8)
	require.NoError(t, s.Err())
	tagcodec.Link(s, &home, 8)
	require.EqualError(t, s.Err(), "no such link: give the codec a Linker")
	require.ErrorIs(t, s.Err(), tagcodec.ErrLink)
	require.Equal(t, 8, s.Bit())

	s = bits.NewReadStream(bits.NewReader([]byte{0, 1, 0}))
	tagcodec.Link(s, &home, 8)
	require.Nil(t, home)
	tagcodec.Link(s, &home, 8)
	require.ErrorIs(t, s.Err(), tagcodec.ErrLink)
	home = &homeBase{1}
	tagcodec.Link(s, &home, 8)
	require.Nil(t, home, "nil after an error")

	require.Panics(t, func() { tagcodec.Link(s, new(int), 8) })
	require.Panics(t, func() { tagcodec.Link(s, &home, 0) })
	require.Panics(t, func() { tagcodec.Link(s, &home, 65) })
}

// box passes boxes of elements on to the tags of leaves.
type (
	box    struct{ Leaves []leaves }
	leaves struct {
		List []uint64 `bp:"maxlen=100000"`
	}
)

func (b *box) Serialize(s *bits.Stream) error {
	bits.Slice(s, &b.Leaves, 0, 255, 17, func(s *bits.Stream, v *leaves) { tagcodec.Serialize(s, v) })
	return s.Err()
}

// The bits that the elements of a slice still need do not pay for the memory of a
// tagged element, and those of tagged fields do not pay for a slice.
func TestSlicesOweBits(t *testing.T) {
	type packet struct {
		Box  box
		Tail [100]uint8
	}
	// 100 boxes of 17 bits. The first has 20 elements of 64 bits.
	message := func(boxes, size, n int) []byte {
		w := bits.NewWriter(make([]byte, n))
		w.WriteBits(uint64(boxes), 8)
		w.WriteBits(uint64(size), 17)
		return w.Bytes()[:w.Len()]
	}
	read := func(n int, v any) error {
		return tagcodec.Unmarshal(append(message(100, 20, n), make([]byte, n-4)...), v)
	}
	const first, rest, tail = 8 + 17 + 20*64, 99 * 17, 800
	var e *bits.Error
	require.ErrorAs(t, read((first+rest)/8, new(box)), &e)
	require.Equal(t, bits.ErrOverread, e.Err)
	require.Equal(t, 8, e.Bit)
	require.NoError(t, read((first+rest+7)/8, new(box)))
	require.ErrorAs(t, read((first+rest+tail)/8, new(packet)), &e)
	require.Equal(t, 8, e.Bit, "the tail is owed as well")
	require.NoError(t, read((first+rest+tail+7)/8, new(packet)))
	require.ErrorAs(t, tagcodec.Unmarshal([]byte{100, 0, 0, 0}, new(packet)), &e)
	require.Equal(t, &bits.Error{Op: "read", Bit: 0, Err: bits.ErrOverread, Value: 100*17 + tail, Max: 24}, e)
}

package binary_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec/binary"
)

// vocabulary serializes one value of each kind whose length a reader learns from
// its bits.
type vocabulary struct {
	Names   []string
	Scores  map[uint8]int
	Next    *vocabulary
	Symbol  int
	Kind    uint8
	Height  float32
	Index   int
	Objects [20]*uint8
	Turn    [4]float32
	Raw     []byte
	Bonus   float32
}

// made returns v and panics on an error.
func made[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var (
	symbols = made(compress.NewHuffman([]uint64{900, 50, 20, 10, 5, 1}))
	kinds   = made(compress.NewHuffmanValues(octet, compress.HuffmanValue[uint8]{Weight: 9}, compress.HuffmanValue[uint8]{Value: 3, Weight: 4},
		compress.HuffmanValue[uint8]{Weight: 1, Escape: true}))
	heights = made(compress.NewCommon((*bits.Stream).Float32, 0, 1, 2))
	turns   = made(compress.NewQuat(9))
)

type lesson struct {
	Words vocabulary
	Last  uint8 `bp:"int,min=0,max=6"`
}

func octet(s *bits.Stream, v *uint8) { bits.Bits(s, v, 8) }

func (v *vocabulary) Serialize(s *bits.Stream) error {
	bits.Slice(s, &v.Names, 0, 9, 4, func(s *bits.Stream, v *string) { s.String(v, 15) })
	bits.Map(s, &v.Scores, 0, 9, 16, octet, bits.Varint[int])
	bits.Pointer(s, &v.Next, 5, bits.Value[vocabulary])
	symbols.Serialize(s, &v.Symbol)
	kinds.Serialize(s, &v.Kind)
	heights.Serialize(s, &v.Height)
	compress.Index(s, -1, &v.Index, 1000)
	compress.SerializePointers(s, compress.SubsetAuto, v.Objects[:], 8, octet)
	turns.Serialize32(s, &v.Turn)
	bits.ByteSlice(s, &v.Raw, 0, 9)
	bits.Optional(s, &v.Bonus, compress.Half)
	return s.Err()
}

// TestReadStreamVocabulary reads values of a Serialize method from a Reader that
// returns a byte at a time. No byte after the message is read.
func TestReadStreamVocabulary(t *testing.T) {
	one := uint8(1)
	turn := [4]float32{0, 0, 0, 1}
	v := vocabulary{Turn: turn}
	for i, want := range []vocabulary{
		v,
		{Names: []string{"a", "long name"}, Scores: map[uint8]int{1: -1, 200: 1 << 30}, Next: &v, Symbol: 5, Kind: 3, Height: 2, Index: 999, Turn: turn, Bonus: 0.5},
		{Symbol: 3, Kind: 77, Height: 1.5, Index: 40, Objects: [20]*uint8{5: &one, 6: &one, 19: &one}, Turn: turn, Raw: []byte("raw")},
		{Symbol: 1, Index: 7, Objects: [20]*uint8{19: &one}, Turn: turn},
	} {
		data, err := binary.Append(nil, binary.LittleEndian, &lesson{want, 3})
		require.NoError(t, err)
		from := &frugal{data: append(bytes.Clone(data), 0xAB, 0xCD)}
		var got lesson
		require.NoError(t, binary.Read(from, binary.LittleEndian, &got))
		require.Equal(t, len(data), from.read, "message %d", i)
		again, err := binary.Append(nil, binary.LittleEndian, &got)
		require.NoError(t, err)
		require.Equal(t, data, again, "message %d", i)
		for cut := 1; cut < len(data); cut++ {
			err := binary.Read(&frugal{data: data[:cut]}, binary.LittleEndian, new(lesson))
			require.Equal(t, io.ErrUnexpectedEOF, err, "%d of %d bytes", cut, len(data))
		}
	}
}

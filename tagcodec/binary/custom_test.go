package binary_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/binary"
)

// word serializes 10 bits at a time while a bit says that more follow.
type word struct{ Letters []uint16 }

func (w *word) Serialize(s *bits.Stream) error {
	for i := 0; s.Err() == nil; i++ {
		more := i < len(w.Letters)
		if s.Bool(&more); !more {
			break
		}
		if s.Reading() {
			w.Letters = append(w.Letters[:i], 0)
		}
		bits.Bits(s, &w.Letters[i], 10)
	}
	return s.Err()
}

// link is a linked list that passes its tags to tagcodec.Serialize, and counts
// the calls of its method.
type link struct {
	Word word
	Step uint32 `bp:"relative,base=5"`
	Kind uint8  `bp:"huffman=0:8|1:4|2:2|*:1"`
	Next *link
}

var linkCalls int

func (l *link) Serialize(s *bits.Stream) error {
	linkCalls++
	type tagged link
	return tagcodec.Serialize(s, (*tagged)(l))
}

type train struct {
	First *link
	Last  uint8 `bp:"int,min=0,max=6"`
}

// frugal is a Reader that counts the bytes it returns.
type frugal struct {
	data []byte
	read int
}

func (f *frugal) Read(p []byte) (int, error) {
	n := copy(p, f.data[f.read:])
	if f.read += n; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestReadCallsAMethodOnce reads lists of values that serialize themselves.
// Each method runs once, and no byte after the message is read.
func TestReadCallsAMethodOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 100, 900} {
		want := train{Last: 3}
		for i := range n {
			want.First = &link{Next: want.First, Step: uint32(6 + i*i), Kind: uint8(i % 5), Word: word{make([]uint16, i%4)}}
			for k := range want.First.Word.Letters {
				want.First.Word.Letters[k] = uint16(i + k)
			}
			if i%4 == 0 {
				want.First.Word.Letters = nil
			}
		}
		linkCalls = 0
		data, err := binary.Append(nil, binary.LittleEndian, &want)
		require.NoError(t, err)
		require.Equal(t, n, linkCalls)

		linkCalls = 0
		from := &frugal{data: append(bytes.Clone(data), 0xAB, 0xCD)}
		var got train
		require.NoError(t, binary.Read(from, binary.LittleEndian, &got))
		require.Equal(t, want, got)
		require.Equal(t, len(data), from.read)
		require.Equal(t, n, linkCalls)

		for cut := range min(len(data), 50) {
			from := &frugal{data: data[:cut]}
			err := binary.Read(from, binary.LittleEndian, new(train))
			if cut == 0 {
				require.Equal(t, io.EOF, err)
			} else {
				require.Equal(t, io.ErrUnexpectedEOF, err, "%d of %d bytes", cut, len(data))
			}
		}
	}
}

// TestReadRefusesOnce reads a deeply nested value that serializes itself. It
// must be refused for its depth after at most one call per level.
func TestReadRefusesOnce(t *testing.T) {
	linkCalls = 0
	w := bits.NewAppendWriter(nil)
	for range 30000 {
		w.WriteBits(1, 1) // there is a link
		w.WriteBits(0, 1) // it has no letters
		w.WriteBits(1, 1) // its step is 1
		w.WriteBits(0, 1) // its kind is 0
	}
	err := binary.Read(bytes.NewReader(w.Bytes()), binary.LittleEndian, new(train))
	require.ErrorIs(t, err, tagcodec.ErrDepth)
	require.LessOrEqual(t, linkCalls, tagcodec.DefaultMaxDepth+1)
	require.Less(t, len(err.Error()), 700)
}

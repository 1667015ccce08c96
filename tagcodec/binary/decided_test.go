package binary_test

import (
	std "encoding/binary"
	"net/url"
	"sync"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/binary"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// The header of a BMP file, which has 4 bytes that nothing uses.
type (
	bmpHeader struct {
		Magic  [2]byte
		Size   uint32
		_      [4]byte
		Offset uint32
	}
	bmpTagged struct {
		Magic  [2]byte
		Size   uint32
		_      [4]byte
		Offset uint32 `bp:"uint,bits=32"`
	}
	bmpReserved struct {
		Magic  [2]byte
		Size   uint32
		_      struct{} `bp:"reserved,bits=32"`
		Offset uint32   `bp:"uint,bits=32"`
	}
	bmpWithout struct {
		Magic  [2]byte
		Size   uint32
		_      [4]byte `bp:"-"`
		Offset uint32  `bp:"uint,bits=32"`
	}
)

// A tag in a type does not silently remove the bytes of a blank field: the program
// decides whether they stay.
func TestBlankFieldIsDecided(t *testing.T) {
	file := []byte{'B', 'M', 0x46, 0, 0, 0, 0, 0, 0, 0, 0x36, 0, 0, 0}
	header := bmpHeader{Magic: [2]byte{'B', 'M'}, Size: 0x46, Offset: 0x36}
	got, err := binary.Append(nil, binary.LittleEndian, &header)
	require.NoError(t, err)
	require.Equal(t, file, got)

	tagged := bmpTagged{Offset: 1}
	for call, err := range allCalls(binary.LittleEndian, &tagged) {
		require.ErrorIs(t, err, typecache.ErrTag, call)
		require.EqualError(t, err, "binary: bmpTagged._ (field 3): the field is blank. Without tags in the type it would take 4 bytes, "+
			"and with them it takes none: keep its place with _ struct{} `bp:\"reserved,bits=32\"`, or leave it out with bp:\"-\"")
	}
	require.Equal(t, bmpTagged{Offset: 1}, tagged)
	require.Equal(t, -1, binary.Size(&tagged))
	_, err = tagcodec.Marshal(&tagged)
	require.NoError(t, err, "tagcodec has no bytes of another package to keep")

	reserved := bmpReserved{}
	n, err := binary.Decode(file, binary.LittleEndian, &reserved)
	require.NoError(t, err)
	require.Equal(t, 14, n)
	require.Equal(t, bmpReserved{Magic: [2]byte{'B', 'M'}, Size: 0x46, Offset: 0x36}, reserved)
	got, err = binary.Append(nil, binary.LittleEndian, &reserved)
	require.NoError(t, err)
	require.Equal(t, file, got)

	got, err = binary.Append(nil, binary.LittleEndian, &bmpWithout{Size: 0x46, Offset: 0x36})
	require.NoError(t, err)
	require.Equal(t, []byte{0, 0, 0x46, 0, 0, 0, 0x36, 0, 0, 0}, got)
}

type (
	padded   struct{ A, _ uint8 }
	linked   struct{ a uint8 }
	reserves struct {
		A uint8
		_ struct{} `bp:"reserved,bits=8"`
	}
	chainOf struct {
		Next *chainOf
		b    bool
	}
	selfCoded struct{ n uint8 }
)

func (s *selfCoded) Serialize(stream *bits.Stream) error {
	bits.Bits(stream, &s.n, 8)
	return stream.Err()
}

// Fields that are used only through reflect.
var _ = []any{linked{}.a, chainOf{}.b}

// Every struct that a tagged type sends is decided, wherever it is.
func TestWhatIsDecided(t *testing.T) {
	type small = struct {
		N uint8 `bp:"uint,bits=3"`
	}
	for name, row := range map[string]struct {
		data any
		path string // of the undecided field, or empty
		text string // part of the error
	}{
		"in a struct without tags": {&struct {
			Small small
			In    padded
		}{}, "padded._ (field 2)", "reserved,bits=8"},
		"in a struct without name": {&struct {
			Small small
			In    struct{ A, _ uint16 }
		}{}, "struct.In._ (field 2)", "reserved,bits=16"},
		"in an array": {&struct {
			Small small
			In    [3]padded
		}{}, "padded._ (field 2)", ""},
		"in a slice": {&struct {
			In []padded `bp:"maxlen=3"`
		}{}, "padded._ (field 2)", ""},
		"behind a pointer": {&struct {
			Small small
			In    *padded
		}{}, "padded._ (field 2)", ""},
		"in a map": {&struct {
			In map[uint8]padded `bp:"maxlen=3"`
		}{}, "padded._ (field 2)", ""},
		"embedded": {&struct {
			Small small
			padded
		}{}, "padded._ (field 2)", ""},
		"with options from outside": {&struct {
			In padded `bp:"uint,bits=3"`
		}{}, "padded._ (field 2)", ""},
		"recursive": {&struct {
			Small small
			In    chainOf
		}{}, "chainOf.b", "export it, keep its place"},
		"a slice of the type": {[]struct {
			Small small
			_     uint8
		}{{}}, "struct._ (field 2)", ""},
		"not exported": {&struct {
			Small small
			a     int64
		}{}, "struct.a", "would take 8 bytes, and with them it takes none: export it, keep its place with _ struct{} `bp:\"reserved,bits=64\"`, or"},
		"larger": {&struct {
			Small small
			_     [21]byte
		}{}, "struct._ (field 2)", "with 2 fields _ struct{} `bp:\"reserved,bits=64\"` and a last one with bits=40, or"},
		"two of 64 bits": {&struct {
			Small small
			_     [2]int64
		}{}, "struct._ (field 2)", "with 2 fields _ struct{} `bp:\"reserved,bits=64\"`, or"},
		"not in encoding/binary": {&struct {
			Small small
			mu    sync.Mutex
			s     string
		}{}, "struct.mu", "would take 8 bytes"},
		"a text": {&struct {
			Small small
			s     string
		}{}, "struct.s", "is not exported and has no tag, so it would not be sent: export it, or leave it out with bp:\"-\""},

		"without bytes": {&struct {
			Small small
			_     [0]func()
			_     struct{}
		}{}, "", ""},
		"left out": {&struct {
			Small small
			In    padded `bp:"-"`
			a     uint8  `bp:"-"`
		}{}, "", ""},
		"reserved": {&struct {
			Small small
			In    reserves
		}{}, "", ""},
		"codes itself": {&struct {
			Small small
			In    selfCoded
		}{}, "", ""},
		"binary form": {&struct {
			Small small
			In    url.URL `bp:"binary,maxlen=100"`
		}{}, "", ""},
		"all exported": {&struct {
			Small small
			In    [2]struct{ A, B uint8 }
		}{}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := binary.Append(nil, binary.LittleEndian, row.data)
			if row.path == "" {
				require.NoError(t, err)
				return
			}
			var cause *typecache.Error
			require.ErrorAs(t, err, &cause)
			require.Equal(t, row.path, cause.Path())
			require.Contains(t, cause.Text(), row.text)
		})
	}
	_, err := tagcodec.MaxSize(&struct {
		To *linked `bp:"link,bits=8"`
	}{})
	require.NoError(t, err)
	_, err = binary.Append(nil, binary.LittleEndian, &struct {
		To *linked `bp:"link,bits=8"`
	}{})
	require.NotErrorIs(t, err, typecache.ErrTag, "a link sends nothing of its target")

	// Without tags both packages write zeros for a blank field.
	want, err := std.Append(nil, std.LittleEndian, &padded{A: 1})
	require.NoError(t, err)
	require.Equal(t, []byte{1, 0}, want)
	got, err := binary.Append(nil, binary.LittleEndian, &padded{A: 1})
	require.NoError(t, err)
	require.Equal(t, want, got)
}

package bits_test

import (
	"encoding"
	"errors"
	"runtime"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/stretchr/testify/require"
)

func eightBits(s *bits.Stream, v *uint8) { bits.Bits(s, v, 8) }

// large takes 8 bits and a kilobyte.
type large struct {
	N    uint8
	Rest [1023]byte
}

func (v *large) serialize(s *bits.Stream) { bits.Bits(s, &v.N, 8) }

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A claim that the bits of a message do not cover is refused before memory is
// allocated.
func TestPartsArePaidFor(t *testing.T) {
	const n = 1 << 20
	one := func(s *bits.Stream, v *large) { v.serialize(s) }
	for _, row := range []struct {
		name      string
		serialize func(s *bits.Stream)
	}{
		{"slice", func(s *bits.Stream) { bits.Slice(s, new([]large), 0, n, 8, one) }},
		{"length", func(s *bits.Stream) { bits.Length(s, new([]large), 0, n, 8) }},
		{"map", func(s *bits.Stream) {
			bits.Map(s, new(map[uint8]large), 0, n, 16, eightBits, one)
		}},
		{"bytes", func(s *bits.Stream) { bits.ByteSlice(s, new([]byte), 0, n) }},
		{"ascending", func(s *bits.Stream) { bits.Ascending(s, new([]uint64), 0, n, -1) }},
	} {
		data := []byte{0xFF, 0xFF, 0x0F, 0, 0} // a count of 2^20-1 in 21 bits, and 19 more bits
		s := bits.NewReadStream(bits.NewReader(data))
		require.Less(t, allocated(func() { row.serialize(s) }), uint64(1<<14), row.name)
		require.ErrorIs(t, s.Err(), bits.ErrOverread, row.name)
	}
}

// The bits that pay for the elements of a slice do not pay for a slice in its
// first element as well.
func TestPartsOweBits(t *testing.T) {
	// 100 elements of at least 8 bits, and the first of them claims 100 more.
	row := func(s *bits.Stream, v *[]large) {
		bits.Slice(s, v, 0, 255, 8, func(s *bits.Stream, v *large) { v.serialize(s) })
	}
	read := func(n int) (size uint64, err error) {
		data := make([]byte, n)
		data[0], data[1] = 100, 100
		s := bits.NewReadStream(bits.NewReader(data))
		size = allocated(func() { bits.Slice(s, new([][]large), 0, 255, 8, row) })
		return size, s.Err()
	}
	size, err := read(101 + 99)
	require.Less(t, size, uint64(50<<10), "100 bytes pay for the first slice, and 99 are left")
	var e *bits.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, &bits.Error{Op: "read", Bit: 8, Err: bits.ErrOverread, Value: 100*8 + 99*8, Max: 198 * 8}, e)
	_, err = read(101 + 100)
	require.NoError(t, err)
}

// A part that takes fewer bits than promised is an error in both directions.
func TestPartsTakeTheirBits(t *testing.T) {
	short := func(s *bits.Stream, v *bool) { s.Bool(v) }
	list, on := make([]bool, 2), new(bool)
	for name, serialize := range map[string]func(s *bits.Stream){
		"slice":   func(s *bits.Stream) { bits.Slice(s, &list, 0, 3, 2, short) },
		"pointer": func(s *bits.Stream) { bits.Pointer(s, &on, 2, short) },
		"map": func(s *bits.Stream) {
			m := map[bool]bool{true: true}
			bits.Map(s, &m, 0, 3, 3, short, short)
		},
	} {
		s := bits.NewWriteStream(bits.NewAppendWriter(nil))
		serialize(s)
		require.ErrorIs(t, s.Err(), bits.ErrLength, name)
		s = bits.NewReadStream(bits.NewReader([]byte{0xFF & 0x7D, 0}))
		serialize(s)
		require.ErrorIs(t, s.Err(), bits.ErrLength, name)
	}
	for _, f := range []func(s *bits.Stream){
		func(s *bits.Stream) { bits.Slice(s, &list, 0, 3, 0, short) },
		func(s *bits.Stream) { bits.Map(s, &map[bool]bool{}, 0, 3, 0, short, short) },
		func(s *bits.Stream) { bits.Length(s, &list, 0, 3, -1) },
		func(s *bits.Stream) { bits.Pointer(s, &on, -1, short) },
		func(s *bits.Stream) { bits.Bits(s, new(int8), 65) },
		func(s *bits.Stream) { s.Const(4, 2) },
		func(s *bits.Stream) { s.Reserved(0) },
		func(s *bits.Stream) { bits.Binary(s, unmarshaler{}, 9) },
	} {
		require.Panics(t, func() { f(bits.NewWriteStream(bits.NewAppendWriter(nil))) })
	}
}

type unmarshaler struct{ encoding.BinaryUnmarshaler }

// After an error a slice has the elements before it, and a used variable shows
// nothing of what it held.
func TestPartsAfterAnError(t *testing.T) {
	digit := func(s *bits.Stream, v *int) { bits.Int(s, v, 1, 9) }
	list := []int{7, 7, 7, 7}
	w := bits.NewAppendWriter(nil)
	w.WriteCount(3, 0, 4)
	w.WriteInt(5, 1, 9)
	w.WriteBits(15, 4)
	w.WriteBits(0, 4)
	s := bits.NewReadStream(bits.NewReader(w.Bytes()))
	bits.Slice(s, &list, 0, 4, 4, digit)
	require.ErrorIs(t, s.Err(), bits.ErrRange)
	require.Equal(t, []int{5}, list)
	require.Equal(t, []int{5, 0, 0, 0}, list[:4])

	m, p, text, raw := map[int]int{1: 2}, new(int), "old", []byte("old")
	name := [3]byte{'o', 'l', 'd'}
	bits.Map(s, &m, 1, 4, 8, digit, digit)
	bits.Pointer(s, &p, 1, digit)
	bits.Slice(s, &list, 1, 4, 4, digit)
	bits.Optional(s, &list[:1][0], digit)
	bits.Text(s, &text, 9)
	bits.ByteSlice(s, &raw, 1, 9)
	s.CString(name[:])
	word, wide, varint := int8(7), bits.Int128{Lo: 1, Hi: 1}, 7
	bits.Bits(s, &word, 3)
	bits.Bits128(s, &wide)
	bits.Varint(s, &varint)
	require.Empty(t, m)
	require.Nil(t, p)
	require.Empty(t, list)
	require.Zero(t, list[:1][0])
	require.Empty(t, text)
	require.Empty(t, raw)
	require.Zero(t, name)
	require.Equal(t, int8(-4), word)
	require.Zero(t, wide)
	require.Zero(t, varint)
}

// A reading Stream reuses memory, unless it is much more than a message needs.
func TestPartsReuseMemory(t *testing.T) {
	message := func(n int) []byte {
		w := bits.NewAppendWriter(nil)
		list := make([]uint8, n)
		bits.Slice(bits.NewWriteStream(w), &list, 0, 1000, 8, eightBits)
		return w.Bytes()
	}
	read := func(list *[]uint8, n int) {
		s := bits.NewReadStream(bits.NewReader(message(n)))
		bits.Slice(s, list, 0, 1000, 8, eightBits)
		require.NoError(t, s.Err())
		require.Len(t, *list, n)
	}
	var list []uint8
	read(&list, 0)
	require.Nil(t, list)
	read(&list, 1000)
	first := &list[0]
	read(&list, 251)
	require.Same(t, first, &list[0])
	require.Equal(t, 1000, cap(list))
	read(&list, 249)
	require.NotSame(t, first, &list[0])
	require.Equal(t, 249, cap(list))
	list = list[:16:16]
	first = &list[0]
	read(&list, 1)
	require.Same(t, first, &list[0])

	target := new(uint8)
	p := target
	s := bits.NewReadStream(bits.NewReader([]byte{0xFF, 1}))
	bits.Pointer(s, &p, 8, eightBits)
	require.Same(t, target, p)
	require.Equal(t, uint8(0xFF), *p)
}

type node struct{ Next *node }

func (n *node) Serialize(s *bits.Stream) error {
	bits.Pointer(s, &n.Next, 1, bits.Value[node])
	return s.Err()
}

// Recursive values end with an error before the stack overflows: hostile messages,
// and values that contain themselves.
func TestPartsAreNotTooDeep(t *testing.T) {
	const most = access.MaxOpen
	list := func(n int) *node {
		first := new(node)
		for range n {
			first = &node{first}
		}
		return first
	}
	w := bits.NewAppendWriter(nil)
	require.NoError(t, list(most).Serialize(bits.NewWriteStream(w)))
	require.NoError(t, new(node).Serialize(bits.NewReadStream(bits.NewReader(w.Bytes()))))
	require.ErrorIs(t, list(most+1).Serialize(bits.NewWriteStream(bits.NewMeasurer())), bits.ErrDepth)

	loop := new(node)
	loop.Next = loop
	require.ErrorIs(t, loop.Serialize(bits.NewWriteStream(bits.NewMeasurer())), bits.ErrDepth)
	deep := make([]byte, 1<<20)
	for i := range deep {
		deep[i] = 0xFF
	}
	require.ErrorIs(t, new(node).Serialize(bits.NewReadStream(bits.NewReader(deep))), bits.ErrDepth)
}

// Values one after the other do not count as nested.
func TestPartsAreClosed(t *testing.T) {
	list, one := []uint8{1}, uint8(1)
	for _, f := range []func(s *bits.Stream){
		func(s *bits.Stream) { bits.Slice(s, &list, 0, 1, 8, eightBits) },
		func(s *bits.Stream) { bits.Optional(s, &one, eightBits) },
	} {
		w := bits.NewAppendWriter(nil)
		for range access.MaxOpen + 1 {
			f(bits.NewWriteStream(w))
		}
		require.NoError(t, w.Err())
		s, r := readStream(w.Bytes())
		for range access.MaxOpen + 1 {
			f(s)
		}
		require.NoError(t, r.Finish())
	}
}

// An error of a method becomes the Stream's.
func TestPartsFail(t *testing.T) {
	s := bits.NewReadStream(bits.NewReader([]byte{0, 0, 0}))
	bits.Value(s, &refusing{})
	require.Same(t, errRefused, s.Err())
	for _, s := range []*bits.Stream{bits.NewReadStream(bits.NewReader([]byte{0, 0, 0})), bits.NewWriteStream(bits.NewAppendWriter(nil))} {
		bits.Binary(s, &refusing{}, 9)
		require.Same(t, errRefused, s.Err())
	}
}

var errRefused = errors.New("refused")

type refusing struct{}

func (*refusing) Serialize(*bits.Stream) error   { return errRefused }
func (*refusing) MarshalBinary() ([]byte, error) { return nil, errRefused }
func (*refusing) UnmarshalBinary([]byte) error   { return errRefused }

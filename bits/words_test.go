package bits_test

import (
	"math"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

// varintIn reads a T from the varint of v, and checks that it is v, or that v
// is refused with the given bounds.
func varintIn[T bits.Integer](t *testing.T, wire uint64, want T, value, least, top any) {
	t.Helper()
	data, _ := write(t, []op{opBits(0, 3), opVarint(wire)})
	s, r := readStream(data)
	r.Skip(3)
	got := T(1)
	bits.Varint(s, &got)
	require.Equal(t, want, got)
	if value != nil {
		require.Equal(t, &bits.Error{Op: "read", Bit: 3, Err: bits.ErrRange, Value: value, Min: least, Max: top}, r.Err())
		return
	}
	require.NoError(t, r.Finish())
	again, _ := writeStream(t, func(s *bits.Stream) {
		bits.Bits(s, new(uint8), 3)
		bits.Varint(s, &want)
	})
	require.Equal(t, data, again)
}

func TestVarint(t *testing.T) {
	varintIn[uint8](t, 255, 255, nil, nil, nil)
	varintIn[uint8](t, 256, 0, uint64(256), uint64(0), uint64(255))
	varintIn[uint64](t, math.MaxUint64, math.MaxUint64, nil, nil, nil)
	varintIn[int8](t, 255, -128, nil, nil, nil)
	varintIn[int8](t, 254, 127, nil, nil, nil)
	varintIn[int8](t, 256, 0, int64(128), int64(-128), int64(127))
	varintIn[int64](t, math.MaxUint64, math.MinInt64, nil, nil, nil)
	ones := func(last ...byte) []byte { return append([]byte{255, 255, 255, 255, 255, 255, 255, 255, 255}, last...) }
	for _, tt := range []struct {
		name string
		data []byte
		err  *bits.Error
	}{
		{"a group too many", []byte{0x03, 0x00}, &bits.Error{Op: "read", Err: bits.ErrNotCanonical}},
		{"cut after a group", []byte{0x03}, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: 8, Max: 0}},
		{"65 bits", ones(0x04), &bits.Error{Op: "read", Err: bits.ErrRange}},
		{"11 groups", ones(0x03, 0x02), &bits.Error{Op: "read", Err: bits.ErrRange}},
	} {
		r := bits.NewReader(tt.data)
		require.Zero(t, r.ReadVarint(), tt.name)
		require.Equal(t, tt.err, r.Err(), tt.name)
	}
}

// The bytes after the text are cleared, and text without room for its zero byte is
// refused.
func TestCString(t *testing.T) {
	data, _ := writeStream(t, func(s *bits.Stream) { s.CString([]byte("hi\x00old")) })
	require.Equal(t, []byte{2, 'h', 'i'}, data)
	got := [6]byte{1, 2, 3, 4, 5, 6}
	s, _ := readStream(data)
	s.CString(got[:])
	require.NoError(t, s.Err())
	require.Equal(t, [6]byte{'h', 'i'}, got)
	s = bits.NewWriteStream(bits.NewMeasurer())
	s.CString([]byte("full"))
	require.Equal(t, &bits.Error{Op: "write", Err: bits.ErrLength, Value: 4, Min: 0, Max: 3}, s.Err())
}

// blob has the methods of Binary, without AppendBinary.
type blob struct{ data string }

func (b *blob) MarshalBinary() ([]byte, error) { return []byte(b.data), nil }
func (b *blob) UnmarshalBinary(p []byte) error { b.data = string(p); return nil }

func TestBinary(t *testing.T) {
	data, _ := writeStream(t, func(s *bits.Stream) { bits.Binary(s, &blob{"\xFF"}, 15) })
	require.Equal(t, []byte{1, 0xFF}, data)
	var got blob
	s, _ := readStream(data)
	bits.Binary(s, &got, 15)
	require.NoError(t, s.Err())
	require.Equal(t, "\xFF", got.data)
}

// Constants and reserved bits are refused with different errors.
func TestReserved(t *testing.T) {
	s, _ := readStream([]byte{0b10_0})
	s.Reserved(1)
	s.Const(1, 2)
	require.Equal(t, &bits.Error{Op: "read", Bit: 1, Err: bits.ErrCheck, Value: uint64(2), Min: uint64(1), Max: uint64(1)}, s.Err())
	s, _ = readStream([]byte{0b100})
	s.Reserved(3)
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrPadding, Value: uint64(4), Min: uint64(0), Max: uint64(0)}, s.Err())
}

// The keys of a map ascend, and none repeats.
func TestMapOrder(t *testing.T) {
	for _, keys := range [][2]byte{{7, 7}, {7, 6}} {
		got := map[uint8]bool{}
		s, _ := readStream([]byte{2, keys[0], keys[1] << 1, 0})
		bits.Map(s, &got, 0, 255, 9, eightBits, (*bits.Stream).Bool)
		require.Equal(t, &bits.Error{Op: "read", Bit: 17, Err: bits.ErrOrder}, s.Err())
		require.Empty(t, got)
	}
}

// A value that takes no bits when it is written aside is aligned as in the message.
func TestOptionalAligns(t *testing.T) {
	text, back := "a", ""
	f := func(s *bits.Stream, v *string) { s.String(v, 3) }
	data, _ := writeStream(t, func(s *bits.Stream) {
		bits.Bits(s, new(uint8), 5)
		bits.Optional(s, &text, f)
	})
	require.Equal(t, []byte{0b01_1_00000, 'a'}, data, "the present bit, a length of 2 bits, and no padding")
	s, r := readStream(data)
	r.Skip(5)
	bits.Optional(s, &back, f)
	require.NoError(t, r.Finish())
	require.Equal(t, "a", back)
	s, _ = readStream([]byte{1, 0})
	bits.Optional(s, &back, f)
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrNotCanonical}, s.Err(), "a zero was sent")
}

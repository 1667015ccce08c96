package bits_test

import (
	"errors"
	"math"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

// writeStream returns the message that serialize writes and its number of bits.
// It checks that measuring gives the same number.
func writeStream(t *testing.T, serialize func(*bits.Stream)) ([]byte, int) {
	t.Helper()
	w := bits.NewAppendWriter(nil)
	s := bits.NewWriteStream(w)
	serialize(s)
	require.NoError(t, s.Err())
	m := bits.NewWriteStream(bits.NewMeasurer())
	serialize(m)
	require.NoError(t, m.Err())
	require.Equal(t, s.Bit(), m.Bit(), "measured")
	return w.Bytes(), s.Bit()
}

// readStream returns a Stream that reads data, and its Reader.
func readStream(data []byte) (*bits.Stream, *bits.Reader) {
	r := bits.NewReader(inside(data, 0xFF))
	return bits.NewReadStream(r), r
}

func TestStreamAccess(t *testing.T) {
	mine := errors.New("mine")
	w := bits.NewAppendWriter(nil)
	s := bits.NewWriteStream(w)
	require.False(t, s.Reading())
	require.Same(t, w, s.Writer())
	require.Nil(t, s.Reader())
	s.Fail(mine)
	require.Same(t, mine, s.Err())
	require.Same(t, mine, w.Err())

	s, r := readStream([]byte{1})
	require.True(t, s.Reading())
	require.Same(t, r, s.Reader())
	require.Nil(t, s.Writer())
	var bit bool
	s.Bool(&bit)
	require.True(t, bit)
	require.Equal(t, 1, s.Bit())
	s.Fail(mine)
	s.Bool(&bit)
	require.False(t, bit, "the smallest value after an error")
	require.Same(t, mine, s.Err())
	require.Same(t, mine, r.Err())
}

// everything holds one value of each method of Stream.
type everything struct {
	Bool    bool
	Int     int
	Byte    uint8
	Float32 float32
	Float64 float64
	Bytes   [3]byte
	String  string
	Count   int
	ID      uint32
}

func (v *everything) serialize(s *bits.Stream) {
	s.Bool(&v.Bool)
	bits.Int(s, &v.Int, -100, 100)
	bits.Bits(s, &v.Byte, 5)
	s.Float32(&v.Float32)
	s.Float64(&v.Float64)
	s.Align()
	s.Bytes(v.Bytes[:])
	s.String(&v.String, 31)
	bits.Count(s, &v.Count, 0, 32)
	bits.Relative(s, 100, &v.ID)
	s.Check(0x12345678)
}

// Writing and reading through a Stream is the same as using its Writer and
// Reader directly.
func TestStreamIsWriterAndReader(t *testing.T) {
	v := everything{true, -37, 21, 1.5, -2, [3]byte{1, 2, 3}, "name", 17, 130}
	got, n := writeStream(t, v.serialize)
	want, m := write(t, []op{
		opBool(true), opInt(-37, -100, 100), opBits(21, 5), opFloat32(math.Float32bits(1.5)), opFloat64(math.Float64bits(-2)),
		opAlign(), opBytes("\x01\x02\x03"), opString("name", 31), opCount(17, 0, 32),
		opRelative(100, 130, 0, math.MaxUint32), opBits(0x12345678, 32),
	})
	require.Equal(t, want, got)
	require.Equal(t, m, n)
	s, r := readStream(got)
	var back everything
	back.serialize(s)
	require.NoError(t, r.Finish())
	require.Equal(t, v, back)
}

// A width above that of the type can hold values that the type cannot.
func TestStreamBitsRead(t *testing.T) {
	read := func(wire uint64, f func(s *bits.Stream)) error {
		data, _ := write(t, []op{opBits(1, 1), opBits(wire&(1<<20-1), 20), opBits(5, 3)})
		s, r := readStream(data)
		r.ReadBool()
		if f(s); s.Err() == nil {
			require.Equal(t, uint64(5), r.ReadBits(3))
		}
		return r.Finish()
	}
	for _, wire := range []uint64{255, 256} {
		v := uint8(99)
		err := read(wire, func(s *bits.Stream) { bits.Bits(s, &v, 20) })
		if wire < 256 {
			require.NoError(t, err)
			require.Equal(t, wire, uint64(v))
			continue
		}
		require.Zero(t, v)
		require.Equal(t, &bits.Error{Op: "read", Bit: 1, Err: bits.ErrRange, Value: wire, Min: uint64(0), Max: uint64(255)}, err)
	}
	for _, wire := range []int64{-128, 127, -129, 128} {
		v := int8(99)
		err := read(uint64(wire), func(s *bits.Stream) { bits.Bits(s, &v, 20) })
		if wire >= -128 && wire < 128 {
			require.NoError(t, err)
			require.Equal(t, wire, int64(v))
			continue
		}
		require.Equal(t, int8(-128), v, "the smallest after an error")
		require.Equal(t, &bits.Error{Op: "read", Bit: 1, Err: bits.ErrRange, Value: wire, Min: int64(-128), Max: int64(127)}, err)
	}
}

type health int16

// integerEnds checks the bytes of the smallest and the largest T, whose bits in
// two's complement number n, and that one bit less or one bound less refuses the
// largest. relative is the largest T that an int_relative carries.
func integerEnds[T bits.Integer](t *testing.T, n int, least, most T, relative int64) {
	t.Helper()
	for code, v := range []T{least, most} {
		for _, row := range []struct {
			wire      uint64
			serialize func(s *bits.Stream, v *T)
		}{
			{-uint64(code), func(s *bits.Stream, v *T) { bits.Int(s, v, least, most) }},
			{uint64(v), func(s *bits.Stream, v *T) { bits.Bits(s, v, n) }},
		} {
			data, _ := writeStream(t, func(s *bits.Stream) { row.serialize(s, &v) })
			require.Equal(t, bitString{}.add(row.wire, n).pack(), data, "%d of %T", v, v)
			var back T
			s, r := readStream(data)
			row.serialize(s, &back)
			require.NoError(t, r.Finish())
			require.Equal(t, v, back)
		}
	}
	for _, serialize := range []func(s *bits.Stream){
		func(s *bits.Stream) { bits.Bits(s, &most, n-1) },
		func(s *bits.Stream) { bits.Int(s, &most, least, most-1) },
	} {
		s := bits.NewWriteStream(bits.NewMeasurer())
		serialize(s)
		require.ErrorIs(t, s.Err(), bits.ErrRange, "%T", most)
	}
	last := T(relative)
	data, _ := writeStream(t, func(s *bits.Stream) { bits.Relative(s, relative-1, &last) })
	s, _ := readStream(data)
	bits.Relative(s, relative, &last)
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrRange, Value: relative + 1, Min: relative + 1, Max: relative}, s.Err(), "%T", last)
}

func TestStreamIntegers(t *testing.T) {
	integerEnds[int8](t, 8, math.MinInt8, math.MaxInt8, math.MaxInt8)
	integerEnds[uint8](t, 8, 0, math.MaxUint8, math.MaxUint8)
	integerEnds[health](t, 16, math.MinInt16, math.MaxInt16, math.MaxInt16)
	integerEnds[int32](t, 32, math.MinInt32, math.MaxInt32, math.MaxInt32)
	integerEnds[uint32](t, 32, 0, math.MaxUint32, math.MaxUint32)
	integerEnds[int64](t, 64, math.MinInt64, math.MaxInt64, math.MaxInt32)
	integerEnds[uint64](t, 64, 0, math.MaxUint64, math.MaxUint32)
	v := uint64(3) // unsigned bounds above 2^63 are not taken for negative integers
	m := bits.NewWriteStream(bits.NewMeasurer())
	bits.Int(m, &v, 1<<63, math.MaxUint64)
	require.Equal(t, &bits.Error{Op: "write", Err: bits.ErrRange, Value: uint64(3), Min: uint64(1 << 63), Max: uint64(math.MaxUint64)}, m.Err())
}

func TestStreamCheck(t *testing.T) {
	data, n := writeStream(t, func(s *bits.Stream) { s.Check(0xCAFEF00D) })
	require.Equal(t, []byte{0x0D, 0xF0, 0xFE, 0xCA}, data)
	require.Equal(t, 32, n)
	s, _ := readStream(data)
	s.Check(0xCAFEF00E)
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrCheck,
		Value: uint64(0xCAFEF00D), Min: uint64(0xCAFEF00E), Max: uint64(0xCAFEF00E)}, s.Err())
	s, _ = readStream(data[:3])
	s.Check(0)
	require.ErrorIs(t, s.Err(), bits.ErrOverread, "the zero of a value that is not there is no match")
}

// An error of a method becomes the Stream's.
func TestStreamValue(t *testing.T) {
	s, _ := readStream([]byte{0, 0})
	bits.Value(s, &refusing{})
	require.Same(t, errRefused, s.Err())
	require.Equal(t, 1, s.Bit())
}

var errRefused = errors.New("refused")

type refusing struct{ flag bool }

func (v *refusing) Serialize(s *bits.Stream) error {
	s.Bool(&v.flag)
	return errRefused
}

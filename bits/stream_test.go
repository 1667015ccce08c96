package bits_test

import (
	"errors"
	"math"
	"strconv"
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

	r := bits.NewReader([]byte{1})
	s = bits.NewReadStream(r)
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
	Int128  bits.Int128
	Uint128 bits.Uint128
	Bytes   [3]byte
	String  string
	WString string
	Count   int
	ID      uint32
}

func (v *everything) serialize(s *bits.Stream) {
	s.Bool(&v.Bool)
	bits.Int(s, &v.Int, -100, 100)
	bits.Bits(s, &v.Byte, 5)
	s.Float32(&v.Float32)
	s.Float64(&v.Float64)
	s.Int128(&v.Int128, bits.Int128{Hi: -1}, bits.Int128{Hi: 1})
	s.Uint128(&v.Uint128, bits.Uint128{}, bits.Uint128{Hi: 2})
	s.Align()
	s.Bytes(v.Bytes[:])
	s.String(&v.String, 31)
	s.WString(&v.WString, 31)
	bits.Count(s, &v.Count, 0, 32)
	bits.Relative(s, 100, &v.ID)
	s.Check(0x12345678)
}

// Writing and reading through a Stream is the same as using its Writer and
// Reader directly.
func TestStreamIsWriterAndReader(t *testing.T) {
	v := everything{true, -37, 21, 1.5, -2, bits.Int128{Lo: 9, Hi: -1}, bits.Uint128{Lo: 7, Hi: 1},
		[3]byte{1, 2, 3}, "name", "мир😀", 17, 130}
	got, n := writeStream(t, v.serialize)
	want, m := write(t, []op{
		opBool(true), opInt(-37, -100, 100), opBits(21, 5), opFloat32(math.Float32bits(1.5)), opFloat64(math.Float64bits(-2)),
		opInt128(v.Int128, bits.Int128{Hi: -1}, bits.Int128{Hi: 1}), opUint128(v.Uint128, bits.Uint128{}, bits.Uint128{Hi: 2}),
		opAlign(), opBytes("\x01\x02\x03"), opString("name", 31), opWString("мир😀", 31), opCount(17, 0, 32),
		opRelative(100, 130, 0, math.MaxUint32), opBits(0x12345678, 32),
	})
	require.Equal(t, want, got)
	require.Equal(t, m, n)

	r := bits.NewReader(got)
	var back everything
	back.serialize(bits.NewReadStream(r))
	require.NoError(t, r.Finish())
	require.Equal(t, v, back)

	for cut := range got {
		r := bits.NewReader(inside(got[:cut], 0xFF))
		back.serialize(bits.NewReadStream(r))
		require.ErrorIs(t, r.Err(), bits.ErrOverread, "%d of %d bytes", cut, len(got))
	}
}

// roundTripInt serializes v in [min, max] and returns the number of bits
// written.
func roundTripInt[T bits.Integer](t *testing.T, v, min, max T) int {
	t.Helper()
	data, n := writeStream(t, func(s *bits.Stream) { bits.Int(s, &v, min, max) })
	var back T
	r := bits.NewReader(data)
	bits.Int(bits.NewReadStream(r), &back, min, max)
	require.NoError(t, r.Finish())
	require.Equal(t, v, back)
	return n
}

type health int16

func TestStreamInt(t *testing.T) {
	for _, v := range []int8{-128, -1, 0, 127} {
		require.Equal(t, 8, roundTripInt(t, v, -128, 127))
	}
	for _, v := range []uint8{0, 127, 128, 255} {
		require.Equal(t, 8, roundTripInt(t, v, 0, 255))
	}
	for _, v := range []int64{math.MinInt64, -1, 0, math.MaxInt64} {
		require.Equal(t, 64, roundTripInt(t, v, math.MinInt64, math.MaxInt64))
	}
	for _, v := range []uint64{0, 1 << 63, math.MaxUint64} {
		require.Equal(t, 64, roundTripInt(t, v, 0, math.MaxUint64))
	}
	require.Equal(t, 16, roundTripInt(t, int16(-5), math.MinInt16, math.MaxInt16))
	require.Equal(t, 16, roundTripInt(t, uint16(65535), 0, math.MaxUint16))
	require.Equal(t, 32, roundTripInt(t, int32(-5), math.MinInt32, math.MaxInt32))
	require.Equal(t, 32, roundTripInt(t, uint32(1<<31), 0, math.MaxUint32))
	require.Equal(t, 8, roundTripInt(t, int(-100), -100, 100))
	require.Equal(t, 1, roundTripInt(t, uint(8), 7, 8))
	require.Equal(t, 2, roundTripInt(t, uintptr(8), 7, 9))
	require.Equal(t, 10, roundTripInt(t, health(1000), 0, 1000), "a named type")
	require.Equal(t, 0, roundTripInt(t, health(-3), -3, -3), "one value")

	// Unsigned bounds above 2^63 are not taken for negative integers.
	v := uint64(3)
	m := bits.NewWriteStream(bits.NewMeasurer())
	bits.Int(m, &v, 1<<63, math.MaxUint64)
	require.Equal(t, &bits.Error{Op: "write", Err: bits.ErrRange, Value: uint64(3), Min: uint64(1 << 63), Max: uint64(math.MaxUint64)}, m.Err())
}

func TestStreamBits(t *testing.T) {
	// A value with more than n bits is refused, because a truncated one would
	// be read back.
	v := uint8(32)
	s := bits.NewWriteStream(bits.NewAppendWriter(nil))
	bits.Bits(s, &v, 5)
	require.Equal(t, &bits.Error{Op: "write", Err: bits.ErrRange, Value: uint64(32), Min: uint64(0), Max: uint64(31)}, s.Err())

	// Bits that do not fit in the type must be zero.
	for _, tt := range []struct {
		wire uint64
		ok   bool
	}{{0, true}, {255, true}, {256, false}, {1 << 19, false}} {
		data, _ := write(t, []op{opBits(1, 1), opBits(tt.wire, 20), opBits(5, 3)})
		r := bits.NewReader(data)
		s := bits.NewReadStream(r)
		r.ReadBool()
		v := uint8(99)
		bits.Bits(s, &v, 20)
		if tt.ok {
			require.Equal(t, tt.wire, uint64(v))
			require.Equal(t, uint64(5), r.ReadBits(3))
			require.NoError(t, r.Finish())
			continue
		}
		require.Zero(t, v)
		require.Equal(t, &bits.Error{Op: "read", Bit: 1, Err: bits.ErrRange, Value: tt.wire, Min: uint64(0), Max: uint64(255)}, s.Err())
	}
	wide := uint8(200)
	data, n := writeStream(t, func(s *bits.Stream) { bits.Bits(s, &wide, 64) })
	require.Equal(t, []byte{200, 0, 0, 0, 0, 0, 0, 0}, data)
	require.Equal(t, 64, n)
}

// signedBits checks Bits for every width of a signed type: the bytes of values
// in range, in two's complement, and the refusal of those just outside.
func signedBits[T bits.Signed](t *testing.T, size int) {
	smallest := int64(-1) << (size - 1)
	for n := 1; n <= 64; n++ {
		least := int64(-1) << (n - 1)
		for _, x := range []int64{least, least + 1, -1, 0, 1, ^least - 1, ^least, smallest, ^smallest, least - 1, ^least + 1} {
			v := T(x)
			if int64(v) != x {
				continue
			}
			w := bits.NewAppendWriter(nil)
			w.WriteBool(true)
			bits.Bits(bits.NewWriteStream(w), &v, n)
			if x < least || x > ^least {
				require.Equal(t, &bits.Error{Op: "write", Bit: 1, Err: bits.ErrRange, Value: x, Min: least, Max: ^least}, w.Err())
				continue
			}
			require.NoError(t, w.Err(), "%d in %d bits", x, n)
			want := bitString{1}.add(uint64(x), n)
			require.Equal(t, want.pack(), w.Bytes(), "%d in %d bits", x, n)

			r := bits.NewReader(inside(w.Bytes(), 0xFF))
			r.ReadBool()
			var back T
			bits.Bits(bits.NewReadStream(r), &back, n)
			require.NoError(t, r.Finish())
			require.Equal(t, v, back, "%d in %d bits", x, n)
		}
	}
}

func TestStreamBitsSigned(t *testing.T) {
	signedBits[int8](t, 8)
	signedBits[health](t, 16)
	signedBits[int32](t, 32)
	signedBits[int64](t, 64)
	signedBits[int](t, strconv.IntSize)

	v := int8(-1)
	data, _ := writeStream(t, func(s *bits.Stream) { bits.Bits(s, &v, 7) })
	require.Equal(t, []byte{0x7F}, data, "-1 is all ones")
	v = 64
	s := bits.NewWriteStream(bits.NewAppendWriter(nil))
	bits.Bits(s, &v, 7)
	require.EqualError(t, s.Err(), "bits: write at bit 0: value out of range: 64 is outside [-64, 63]")
}

// A width above that of the type can hold values that the type cannot.
func TestStreamBitsSignedRead(t *testing.T) {
	for _, tt := range []struct {
		wire int64
		ok   bool
	}{{-128, true}, {127, true}, {-1, true}, {-129, false}, {128, false}, {-1 << 19, false}, {1<<19 - 1, false}} {
		data, _ := write(t, []op{opBits(1, 1), opBits(uint64(tt.wire)&(1<<20-1), 20), opBits(5, 3)})
		r := bits.NewReader(data)
		r.ReadBool()
		v := int8(99)
		bits.Bits(bits.NewReadStream(r), &v, 20)
		if tt.ok {
			require.Equal(t, tt.wire, int64(v))
			require.Equal(t, uint64(5), r.ReadBits(3))
			require.NoError(t, r.Finish())
			continue
		}
		require.Equal(t, int8(-128), v, "the smallest after an error")
		require.Equal(t, &bits.Error{Op: "read", Bit: 1, Err: bits.ErrRange, Value: tt.wire, Min: int64(-128), Max: int64(127)}, r.Err())
	}
	for n, want := range map[int]int16{1: -1, 7: -64, 16: math.MinInt16, 17: math.MinInt16, 64: math.MinInt16} {
		v := int16(99)
		s := bits.NewReadStream(bits.NewReader(nil))
		bits.Bits(s, &v, n)
		require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: n, Max: 0}, s.Err())
		require.Equal(t, want, v, "the smallest of %d bits", n)
	}
}

func TestStreamCheck(t *testing.T) {
	data, n := writeStream(t, func(s *bits.Stream) { s.Check(0xCAFEF00D) })
	require.Equal(t, []byte{0x0D, 0xF0, 0xFE, 0xCA}, data)
	require.Equal(t, 32, n)

	s := bits.NewReadStream(bits.NewReader(data))
	s.Check(0xCAFEF00D)
	require.NoError(t, s.Err())
	s = bits.NewReadStream(bits.NewReader(data))
	s.Check(0xCAFEF00E)
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrCheck,
		Value: uint64(0xCAFEF00D), Min: uint64(0xCAFEF00E), Max: uint64(0xCAFEF00E)}, s.Err())
	s = bits.NewReadStream(bits.NewReader(data[:3]))
	s.Check(0)
	require.ErrorIs(t, s.Err(), bits.ErrOverread, "the zero of a value that is not there is no match")
}

// relativeEnds checks that T carries the integers from first to last, and not
// the one after last.
func relativeEnds[T bits.Integer](t *testing.T, first, last int64) {
	t.Helper()
	v := T(last)
	data, _ := writeStream(t, func(s *bits.Stream) { bits.Relative(s, last-1, &v) })
	var back T
	s := bits.NewReadStream(bits.NewReader(data))
	bits.Relative(s, last-1, &back)
	require.NoError(t, s.Err())
	require.Equal(t, v, back)

	s = bits.NewReadStream(bits.NewReader(data))
	bits.Relative(s, last, &back)
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrRange, Value: last + 1, Min: last + 1, Max: last}, s.Err(), "%T", v)
	require.Equal(t, T(first), back, "the smallest of %T", v)

	v = T(first)
	data, _ = writeStream(t, func(s *bits.Stream) { bits.Relative(s, first-1, &v) })
	s = bits.NewReadStream(bits.NewReader(data))
	bits.Relative(s, first-1, &back)
	require.NoError(t, s.Err())
	require.Equal(t, v, back)
}

func TestStreamRelativeTypes(t *testing.T) {
	relativeEnds[int8](t, math.MinInt8, math.MaxInt8)
	relativeEnds[int16](t, math.MinInt16, math.MaxInt16)
	relativeEnds[int32](t, math.MinInt32, math.MaxInt32)
	relativeEnds[int64](t, math.MinInt32, math.MaxInt32)
	relativeEnds[health](t, math.MinInt16, math.MaxInt16)
	relativeEnds[uint8](t, 0, math.MaxUint8)
	relativeEnds[uint16](t, 0, math.MaxUint16)
	relativeEnds[uint32](t, 0, math.MaxUint32)
	relativeEnds[uint64](t, 0, math.MaxUint32)

	tooLarge := uint64(1 << 32)
	s := bits.NewWriteStream(bits.NewMeasurer())
	bits.Relative(s, 0, &tooLarge)
	require.Equal(t, &bits.Error{Op: "write", Err: bits.ErrRange, Value: int64(1 << 32), Min: int64(1), Max: int64(math.MaxUint32)}, s.Err())
}

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
	Bool       bool
	Int        int
	Byte       uint8
	Float32    float32
	Float64    float64
	Int128     bits.Int128
	Uint128    bits.Uint128
	Bytes      [3]byte
	String     string
	WString    string
	Count      int
	ID         uint32
	All        bits.Int128
	AllU       bits.Uint128
	Complex64  complex64
	Complex128 complex128
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
	bits.Bits128(s, &v.All)
	bits.Bits128(s, &v.AllU)
	s.Complex64(&v.Complex64)
	s.Complex128(&v.Complex128)
}

// Writing and reading through a Stream is the same as using its Writer and
// Reader directly.
func TestStreamIsWriterAndReader(t *testing.T) {
	v := everything{true, -37, 21, 1.5, -2, bits.Int128{Lo: 9, Hi: -1}, bits.Uint128{Lo: 7, Hi: 1},
		[3]byte{1, 2, 3}, "name", "мир😀", 17, 130, bits.Int128{Lo: 5, Hi: -6}, bits.Uint128{Lo: 7, Hi: 8}, 1 + 2i, 3 + 4i}
	got, n := writeStream(t, v.serialize)
	want, m := write(t, []op{
		opBool(true), opInt(-37, -100, 100), opBits(21, 5), opFloat32(math.Float32bits(1.5)), opFloat64(math.Float64bits(-2)),
		opInt128(v.Int128, bits.Int128{Hi: -1}, bits.Int128{Hi: 1}), opUint128(v.Uint128, bits.Uint128{}, bits.Uint128{Hi: 2}),
		opAlign(), opBytes("\x01\x02\x03"), opString("name", 31), opWString("мир😀", 31), opCount(17, 0, 32),
		opRelative(100, 130, 0, math.MaxUint32), opBits(0x12345678, 32),
		opBits(5, 64), opBits(math.MaxUint64-5, 64), opBits(7, 64), opBits(8, 64),
		opFloat32(math.Float32bits(1)), opFloat32(math.Float32bits(2)), opFloat64(math.Float64bits(3)), opFloat64(math.Float64bits(4)),
	})
	require.Equal(t, want, got)
	require.Equal(t, m, n)
	s, r := readStream(got)
	var back everything
	back.serialize(s)
	require.NoError(t, r.Finish())
	require.Equal(t, v, back)
}

// intEnds checks that Int serializes the smallest and the largest T in n bits.
func intEnds[T bits.Integer](t *testing.T, n int, min, max T) {
	t.Helper()
	for code, v := range []T{min, max} {
		data, m := writeStream(t, func(s *bits.Stream) { bits.Int(s, &v, min, max) })
		require.Equal(t, n, m)
		require.Equal(t, make(bitString, 0).add(-uint64(code), n).pack(), data)
		var back T
		s, r := readStream(data)
		bits.Int(s, &back, min, max)
		require.NoError(t, r.Finish())
		require.Equal(t, v, back)
	}
}

type health int16

func TestStreamInt(t *testing.T) {
	intEnds[int8](t, 8, -128, 127)
	intEnds[uint8](t, 8, 0, 255)
	intEnds[int64](t, 64, math.MinInt64, math.MaxInt64)
	intEnds[uint64](t, 64, 0, math.MaxUint64)
	intEnds[uintptr](t, 1, 7, 8)
	intEnds[health](t, 3, -8, -1)
	v := uint64(3) // unsigned bounds above 2^63 are not taken for negative integers
	m := bits.NewWriteStream(bits.NewMeasurer())
	bits.Int(m, &v, 1<<63, math.MaxUint64)
	require.Equal(t, &bits.Error{Op: "write", Err: bits.ErrRange, Value: uint64(3), Min: uint64(1 << 63), Max: uint64(math.MaxUint64)}, m.Err())
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
	for _, wire := range []uint64{0, 255, 256, 1 << 19} {
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
	for _, wire := range []int64{-128, 127, -1, -129, 128, -1 << 19, 1<<19 - 1} {
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
	for n, want := range map[int]int16{1: -1, 7: -64, 16: math.MinInt16, 17: math.MinInt16, 64: math.MinInt16} {
		v := int16(99)
		s := bits.NewReadStream(bits.NewReader(nil))
		bits.Bits(s, &v, n)
		require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: n, Max: 0}, s.Err())
		require.Equal(t, want, v, "the smallest of %d bits", n)
	}
}

// signedBits checks Bits for every width of a signed type: the bytes of values
// in range, in two's complement, and the refusal of those just outside.
func signedBits[T bits.Signed](t *testing.T, smallest int64) {
	for n := 1; n <= 64; n++ {
		least := int64(-1) << (n - 1)
		for _, x := range []int64{least, -1, 0, 1, ^least, smallest, ^smallest, least - 1, ^least + 1} {
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
			require.Equal(t, bitString{1}.add(uint64(x), n).pack(), w.Bytes(), "%d in %d bits", x, n)
			s, r := readStream(w.Bytes())
			r.ReadBool()
			var back T
			bits.Bits(s, &back, n)
			require.NoError(t, r.Finish())
			require.Equal(t, v, back, "%d in %d bits", x, n)
		}
	}
}

func TestStreamBitsSigned(t *testing.T) {
	signedBits[int8](t, math.MinInt8)
	signedBits[health](t, math.MinInt16)
	signedBits[int64](t, math.MinInt64)
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

// relativeEnds checks that T carries the integers from first to last, and not
// the one after last.
func relativeEnds[T bits.Integer](t *testing.T, first, last int64) {
	t.Helper()
	for _, end := range []int64{first, last} {
		v, back := T(end), T(0)
		data, _ := writeStream(t, func(s *bits.Stream) { bits.Relative(s, end-1, &v) })
		s, _ := readStream(data)
		bits.Relative(s, end-1, &back)
		require.NoError(t, s.Err())
		require.Equal(t, v, back)
		if end == last {
			s, _ = readStream(data)
			bits.Relative(s, last, &back)
			require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrRange, Value: last + 1, Min: last + 1, Max: last}, s.Err(), "%T", v)
			require.Equal(t, T(first), back, "the smallest of %T", v)
		}
	}
}

func TestStreamRelativeTypes(t *testing.T) {
	relativeEnds[int8](t, math.MinInt8, math.MaxInt8)
	relativeEnds[int32](t, math.MinInt32, math.MaxInt32)
	relativeEnds[int64](t, math.MinInt32, math.MaxInt32)
	relativeEnds[health](t, math.MinInt16, math.MaxInt16)
	relativeEnds[uint8](t, 0, math.MaxUint8)
	relativeEnds[uint32](t, 0, math.MaxUint32)
	relativeEnds[uint64](t, 0, math.MaxUint32)
}

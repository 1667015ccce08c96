package compress_test

import (
	"math"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/stretchr/testify/require"
)

func writingStream() *bits.Stream { return bits.NewWriteStream(bits.NewAppendWriter(nil)) }

func readingStream(data ...byte) *bits.Stream { return bits.NewReadStream(bits.NewReader(data)) }

func wholeByte(s *bits.Stream, v *uint8) { bits.Bits(s, v, 8) }

// Refusals name the value or its bit, and leave the Reader there. After them every
// variable has a valid value.
func TestStreamRefuses(t *testing.T) {
	quat, _ := compress.NewQuat(9)
	sign, _ := compress.NewQuatSign(9)
	unit, _ := compress.NewUnit(9)
	angle, _ := compress.NewAngle(9, 360)
	fixed, _ := compress.NewFixed(16, 8, -3, 3)
	huffman, _ := compress.NewHuffman([]uint64{1, 1, 2})
	nan := math.NaN()
	flag, q, q32, u, a, a32, n, index := true, [4]float64{}, [4]float32{}, [3]float64{}, nan, float32(nan), int16(3<<8+1), 3
	for _, row := range []struct {
		name       string
		serialize  func(s *bits.Stream)
		write      any // the value that cannot be written
		least, top any
	}{
		{"quat", func(s *bits.Stream) { quat.Serialize(s, &q) }, "a quaternion of length 0 is no rotation: the identity is x=y=z=0, w=1", nil, nil},
		{"quat of float32", func(s *bits.Stream) { quat.Serialize32(s, &q32) }, "a quaternion of length 0 is no rotation: the identity is x=y=z=0, w=1", nil, nil},
		{"quat with a sign", func(s *bits.Stream) { sign.Serialize(s, &q) }, "a quaternion of length 0 is no rotation: the identity is x=y=z=0, w=1", nil, nil},
		{"unit", func(s *bits.Stream) { unit.Serialize(s, &u) }, "a vector of length 0 has no direction", nil, nil},
		{"fixed", func(s *bits.Stream) { compress.SerializeFixed(s, &fixed, &n) }, int64(3<<8 + 1), int64(-3 << 8), int64(3 << 8)},
		{"symbol", func(s *bits.Stream) { huffman.Serialize(s, &index) }, int64(3), int64(0), int64(2)},
		{"index", func(s *bits.Stream) { compress.Index(s, 3, &index, 9) }, 3, 4, 9},
	} {
		s := writingStream()
		s.Bool(&flag)
		row.serialize(s)
		require.Equal(t, &bits.Error{Op: "write", Bit: 1, Err: bits.ErrRange, Value: row.write, Min: row.least, Max: row.top}, s.Err(), row.name)
	}
	for _, f := range []func(s *bits.Stream){
		func(s *bits.Stream) { angle.Serialize(s, &a) },
		func(s *bits.Stream) { angle.Serialize32(s, &a32) },
	} {
		s := writingStream()
		f(s)
		require.ErrorIs(t, s.Err(), bits.ErrRange)
		require.ErrorContains(t, s.Err(), "NaN")
	}

	ones := []byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF}
	for _, row := range []struct {
		name      string
		serialize func(s *bits.Stream)
	}{
		{"quat", func(s *bits.Stream) { quat.Serialize(s, &q) }},
		{"quat with a sign", func(s *bits.Stream) { sign.Serialize32(s, &q32) }},
		{"unit", func(s *bits.Stream) { unit.Serialize(s, &u) }},
		{"fixed", func(s *bits.Stream) { compress.SerializeFixed(s, &fixed, &n) }},
	} {
		for _, data := range [][]byte{ones, {1}} {
			s := readingStream(data...)
			s.Bool(&flag)
			row.serialize(s)
			var e *bits.Error
			require.ErrorAs(t, s.Err(), &e, row.name)
			require.Equal(t, "read", e.Op)
			require.Equal(t, 1, e.Bit, row.name)
			require.Equal(t, 1, s.Bit(), row.name)
			if len(data) == 1 {
				require.ErrorIs(t, e, bits.ErrOverread)
			} else {
				require.ErrorIs(t, e, bits.ErrRange)
			}
		}
	}
	require.Equal(t, [4]float64{3: 1}, q)
	require.Equal(t, [4]float32{3: 1}, q32)
	require.Equal(t, [3]float64{2: 1}, u)
	require.Equal(t, int16(-3<<8), n)
	require.Panics(t, func() { compress.SerializeFixed(writingStream(), &fixed, new(int8)) }, "the bounds do not fit")
	require.Panics(t, func() { compress.SerializeFixed(writingStream(), &fixed, new(uint16)) }, "the bounds are signed")
}

// A code that is cut off: all its bits are missing, and none is consumed.
func TestStreamCodesCut(t *testing.T) {
	weights := make([]uint64, 32)
	for i := range weights {
		weights[i] = 1 << (32 - i)
	}
	huffman, err := compress.NewHuffman(weights)
	require.NoError(t, err)
	s := readingStream(0xFF)
	symbol, index := 7, 7
	huffman.Serialize(s, &symbol)
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: 9, Max: 8}, s.Err())
	compress.Index(s, -1, &index, 100)
	require.Zero(t, symbol)
	require.Equal(t, 100, index, "ends a loop")
	s = readingStream(0)
	compress.Index(s, -1, &index, 1000)
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrOverread, Value: 16, Max: 8}, s.Err())
	s = readingStream(0x08)
	compress.Index(s, 90, &index, 100)
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrRange, Value: 104, Min: 91, Max: 100}, s.Err())
}

// A list of values must be one that a reader can tell apart.
func TestStreamLists(t *testing.T) {
	float, err := compress.NewFloat32(0, 10, 1)
	require.NoError(t, err)
	digit := func(s *bits.Stream, v *int) { bits.Int(s, v, 0, 9) }
	value := func(v int) compress.HuffmanValue[int] { return compress.HuffmanValue[int]{Value: v, Weight: 1} }
	escape := compress.HuffmanValue[int]{Weight: 1, Escape: true}
	for want, f := range map[string]func() error{
		"list a common value at least": func() error {
			_, err := compress.NewCommon(digit)
			return err
		},
		"the value 10 cannot be written: bits: write at bit 0: value out of range: 10 is outside [0, 9]": func() error {
			_, err := compress.NewCommon(digit, 1, 10)
			return err
		},
		"the value 1.2 is the same on the wire as a value before it": func() error {
			_, err := compress.NewCommon(float.Serialize, 1, 1.2)
			return err
		},
		"there are two escapes: keep one": func() error {
			_, err := compress.NewHuffmanValues(digit, value(1), escape, escape)
			return err
		},
		"a Huffman code needs 2 to 65536 weights, not 1": func() error {
			_, err := compress.NewHuffmanValues(digit, value(1))
			return err
		},
		"the value 3 is the same on the wire as a value before it": func() error {
			_, err := compress.NewHuffmanValues(digit, value(3), escape, value(3))
			return err
		},
	} {
		require.EqualError(t, f(), "compress: "+want)
	}

	common, err := compress.NewCommon(digit, 5)
	require.NoError(t, err)
	s, v := writingStream(), 11
	wholeByte(s, new(uint8))
	common.Serialize(s, &v)
	require.Equal(t, &bits.Error{Op: "write", Bit: 8, Err: bits.ErrRange, Value: int64(11), Min: int64(0), Max: int64(9)}, s.Err())
	s = readingStream(0b01010, 0) // 0, and then 5 in full
	common.Serialize(s, &v)
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrNotCanonical, Value: int64(5), Fix: "a listed value has a code of its own"}, s.Err())
}

func TestStreamPointersRefused(t *testing.T) {
	one := uint8(1)
	s, pointers := writingStream(), []*uint8{&one}
	compress.SerializePointers(s, compress.SubsetBitmap, pointers, 9, wholeByte)
	require.ErrorIs(t, s.Err(), bits.ErrLength)
	s, pointers = readingStream(1), []*uint8{nil}
	compress.SerializePointers(s, compress.SubsetBitmap, pointers, 8, wholeByte)
	require.ErrorIs(t, s.Err(), bits.ErrOverread)
	require.Nil(t, pointers[0])
	require.Panics(t, func() { compress.SerializePointers(writingStream(), compress.SubsetAuto+1, pointers, 8, wholeByte) })
}

// A matrix that is refused is the identity.
func TestStreamMatrixRefused(t *testing.T) {
	var code compress.AffineCode
	identity := compress.Affine{Rotation: [4]float32{3: 1}, Scale: [3]float32{1, 1, 1}}
	m := identity.Matrix()
	m[4] = 1
	s := writingStream()
	code.SerializeMatrix(s, &m)
	require.EqualError(t, s.Err(), "bits: write at bit 0: value out of range: the matrix has a shear, which an Affine cannot represent")

	w := bits.NewAppendWriter(nil)
	bad := compress.Affine{Rotation: [4]float32{3: 2}, Scale: [3]float32{1, 1, 1}}
	code.Serialize(bits.NewWriteStream(w), &bad)
	for _, data := range [][]byte{w.Bytes(), {1, 2, 3}} {
		r := bits.NewReader(data)
		code.SerializeMatrix(bits.NewReadStream(r), &m)
		require.Error(t, r.Err())
		require.Equal(t, identity.Matrix(), m)
	}
}

package compress_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
)

// written returns the bytes that f writes and their number of bits.
func written(t *testing.T, f func(s *bits.Stream)) ([]byte, int) {
	t.Helper()
	w := bits.NewAppendWriter(nil)
	f(bits.NewWriteStream(w))
	require.NoError(t, w.Err())
	return w.Bytes(), w.Bit()
}

// packed returns pairs of a value and its width as bytes.
func packed(pairs ...uint64) []byte {
	w := bits.NewAppendWriter(nil)
	for i := 0; i < len(pairs); i += 2 {
		w.WriteBits(pairs[i], int(pairs[i+1]))
	}
	return w.Bytes()
}

func TestHuffmanValues(t *testing.T) {
	digit := func(s *bits.Stream, v *int) { bits.Int(s, v, 0, 9) }
	five := compress.HuffmanValue[int]{Value: 5, Weight: 4}
	escape := compress.HuffmanValue[int]{Weight: 1, Escape: true}
	seven := compress.HuffmanValue[int]{Value: 7, Weight: 1}
	h, err := compress.NewHuffmanValues(digit, five, escape, seven)
	require.NoError(t, err)
	for v, want := range map[int][]byte{5: packed(0, 1), 7: packed(0b11, 2), 3: packed(0b01, 2, 3, 4)} {
		data, _ := written(t, func(s *bits.Stream) { h.Serialize(s, &v) })
		require.Equal(t, want, data, v)
		r, got := bits.NewReader(data), 0
		h.Serialize(bits.NewReadStream(r), &got)
		require.NoError(t, r.Finish())
		require.Equal(t, v, got)
	}
	v, s := 0, readingStream(packed(0b01, 2, 7, 4)...)
	h.Serialize(s, &v)
	require.Equal(t, &bits.Error{Op: "read", Err: bits.ErrNotCanonical, Value: int64(7), Fix: "a listed value has a code of its own"}, s.Err(), "a listed value after the escape")

	h, err = compress.NewHuffmanValues(digit, five, seven)
	require.NoError(t, err)
	v, s = 3, writingStream()
	h.Serialize(s, &v)
	require.Equal(t, &bits.Error{Op: "write", Err: bits.ErrRange, Value: int64(3), Fix: "the code does not list it; list it, or add an escape"}, s.Err())
}

func TestScale(t *testing.T) {
	size := newFloat64(t, 0, 4, 0.25) // 5 bits, and 4 for 1
	for _, row := range []struct {
		name  string
		data  []byte
		scale []float64
		err   error
	}{
		{"unscaled", packed(1, 1), []float64{1, 1, 1}, nil},
		{"uniform", packed(0b10, 2, 8, 5), []float64{2, 2, 2}, nil},
		{"full", packed(0, 2, 4, 5, 8, 5, 4, 5), []float64{1, 2, 1}, nil},
		{"one axis", packed(0, 1, 8, 5), []float64{2}, nil},
		{"uniform of 1", packed(0b10, 2, 4, 5), []float64{0, 0, 0}, bits.ErrNotCanonical},
		{"full of equal scales", packed(0, 2, 8, 5, 8, 5, 8, 5), []float64{0, 0, 0}, bits.ErrNotCanonical},
		{"one axis of 1", packed(0, 1, 4, 5), []float64{0}, bits.ErrNotCanonical},
	} {
		got, axes := make([]float64, len(row.scale)), []*float64{}
		for i := range got {
			axes = append(axes, &got[i])
		}
		r := bits.NewReader(row.data)
		compress.SerializeScale(bits.NewReadStream(r), size.Serialize, axes...)
		if row.err != nil {
			require.Equal(t, &bits.Error{Op: "read", Err: row.err}, r.Err(), row.name)
			continue
		}
		require.NoError(t, r.Finish(), row.name)
		require.Equal(t, row.scale, got, row.name)
		data, _ := written(t, func(s *bits.Stream) { compress.SerializeScale(s, size.Serialize, axes...) })
		require.Equal(t, row.data, data, row.name)
	}
}

// Indices ascend and leave room for those that follow, and SubsetAuto is the
// cheapest of the others.
func TestSubsetRefused(t *testing.T) {
	type element struct{ On bool }
	on := func(v *element) *bool { return &v.On }
	for _, row := range []struct {
		name string
		mode compress.Subset
		data []byte
		err  *bits.Error
	}{
		{"an index again", compress.SubsetSentinel, packed(5, 5, 5, 5, 16, 5),
			&bits.Error{Op: "read", Bit: 5, Err: bits.ErrRange, Value: 5, Min: 6, Max: 16}},
		{"the last index with one more to come", compress.SubsetIndex, packed(2, 5, 15, 4, 15, 4),
			&bits.Error{Op: "read", Bit: 5, Err: bits.ErrRange, Value: 15, Min: 0, Max: 14}},
		{"none in a bitmap", compress.SubsetAuto, packed(0, 2, 0, 16),
			&bits.Error{Op: "read", Err: bits.ErrNotCanonical, Value: "bitmap"}},
	} {
		s := readingStream(row.data...)
		list := []element{15: {On: true}}
		compress.SerializeSubset(s, row.mode, list, on, func(s *bits.Stream, v *element) {})
		require.Equal(t, row.err, s.Err(), row.name)
		require.Zero(t, list[15], "%s: an element that was not read", row.name)
	}
}

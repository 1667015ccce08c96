package genrt

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec"
)

// TestSubset compares the indices of subsets with those of the engine, at any bit of
// a word, and reads them from messages that end at any bit.
func TestSubset(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, total := range []int{0, 1, 2, 3, 55, 56, 57, 58, 62, 63, 64, 65, 127, 128, 129, 300} {
		for mode := compress.SubsetBitmap; mode <= compress.SubsetAuto; mode++ {
			for _, every := range []int{1, 2, 10, 100, 1000} {
				present := make([]bool, total)
				for i := range present {
					present[i] = r.IntN(every) == 0
				}
				checkSubset(t, mode, present, 1+r.IntN(63))
			}
		}
	}
}

func checkSubset(t *testing.T, mode compress.Subset, present []bool, before int) {
	writer := bits.NewAppendWriter(nil)
	writer.WriteBits(0, before)
	elements := reflect.New(reflect.ArrayOf(len(present), reflect.TypeFor[struct{ On bool }]()))
	for i, on := range present {
		elements.Elem().Index(i).Field(0).SetBool(on)
	}
	tagcodec.Field(bits.NewWriteStream(writer), elements.Interface(), "subset="+mode.String()+",by=On")
	require.NoError(t, writer.Err())
	end := writer.Bit()
	want := writer.Bytes()

	s := NewSubset(mode, len(present))
	for i, p := range present {
		if p {
			s.Count(i)
		}
	}
	buf, pos, w, n := s.Start(nil, 0, 0, uint(before))
	for i, p := range present {
		if p {
			buf, pos, w, n = s.Index(buf, pos, w, n, i)
		}
	}
	buf, pos, w, n = s.Index(buf, pos, w, n, len(present))
	require.Equal(t, want, Close(buf, pos, w, n), "%v %v", mode, present)
	require.Equal(t, end, 8*pos+int(n))

	full := append(want, make([]byte, 8)...)
	for short := before; short <= end; short++ {
		got, bit := readSubset(mode, full, before, short, len(present))
		if short < end {
			require.Negative(t, bit, "%v %v", mode, present)
			continue
		}
		require.Equal(t, end, bit, "%v %v", mode, present)
		require.Equal(t, present, got)
	}
}

func readSubset(mode compress.Subset, data []byte, bit, end, total int) (present []bool, next int) {
	s := NewSubset(mode, total)
	if bit = s.ReadStart(data, bit, end); bit < 0 {
		return nil, bit
	}
	present = make([]bool, total)
	for {
		var i int
		if i, bit = s.ReadIndex(data, bit, end); bit < 0 || i == total {
			break
		}
		present[i] = true
		s.Count(i)
	}
	if bit >= 0 && mode == compress.SubsetAuto && !s.Shortest() {
		return nil, -1
	}
	return present, bit
}

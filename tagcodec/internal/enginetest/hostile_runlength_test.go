package enginetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/tagcodec"
)

// A count of elements with rle is accepted only if the bits of as many elements
// may be there. So the memory of a message is limited by its bits, whatever
// maxlen is.
func TestStretchesPayForMemory(t *testing.T) {
	type claims struct {
		A []uint64 `bp:"uint,bits=1,rle,maxlen=0x7FFFFFFF"`
	}
	codec := tagcodec.MustFor[claims]()
	for _, size := range []int{4, 5, 8, 16, 100, 1200, 65507} {
		left := 8*size - 31
		n := left / 18 * bitio.MaxStretch
		for bitio.StretchBits(n+1, 1) <= left {
			n++
		}
		for _, count := range []int{n, n + 1, 2 * n, 1 << 20, 0x7FFFFFFF} {
			t.Run(fmt.Sprint(size, " bytes, ", count), func(t *testing.T) {
				w := bits.NewAppendWriter(nil)
				w.WriteBits(uint64(count), 31)
				data := append(w.Bytes(), make([]byte, size-4)...)
				var err error
				took := allocated(func() { err = codec.Unmarshal(data, new(claims)) })
				require.LessOrEqual(t, took, uint64(4096+8*size*256))
				if count > n {
					require.ErrorIs(t, err, tagcodec.ErrOverread)
					require.LessOrEqual(t, took, uint64(4096))
				}
			})
		}
	}
}

// StretchBits is the size of the smallest message, and no smaller one decodes.
func TestStretchBits(t *testing.T) {
	type list struct {
		A []uint8 `bp:"uint,bits=1,rle,maxlen=4000"`
	}
	codec := tagcodec.MustFor[list]()
	for _, n := range []int{0, 1, 2, 3, 4, 255, 256, 257, 510, 511, 512, 513, 767, 1021, 1022, 1023, 4000} {
		data, err := codec.Append(nil, &list{make([]uint8, n)})
		require.NoError(t, err)
		least := 12 + bitio.StretchBits(n, 1)
		require.Len(t, data, (least+7)/8, "%d elements", n)
		var back list
		require.NoError(t, codec.Unmarshal(data, &back))
		require.Len(t, back.A, n)
		require.Error(t, codec.Unmarshal(data[:len(data)-1], &back), "%d elements", n)
	}

	// A stretch with the code of the one before is canonical only if that is full.
	for _, first := range []int{bitio.MaxStretch - 1, bitio.MaxStretch} {
		w := bits.NewAppendWriter(nil)
		w.WriteBits(600, 12)
		for _, n := range []int{first, 600 - first} {
			w.WriteExpGolomb(uint64(n-1), bitio.MaxStretch-1, 0)
			w.WriteBits(0, 1)
		}
		err := codec.Unmarshal(w.Bytes(), new(list))
		if first < bitio.MaxStretch {
			require.ErrorIs(t, err, tagcodec.ErrNotCanonical)
		} else {
			require.NoError(t, err)
		}
	}
}

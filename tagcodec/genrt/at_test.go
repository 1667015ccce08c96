package genrt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/genrt"
)

// pair and plain have one wire. Only pair has code.
type (
	pair struct {
		A uint8
		B uint32 `bp:"bits=27"`
	}
	plain pair
)

var pairs struct {
	code           genrt.Code[pair]
	appends, reads int // those that succeeded
}

func registerPair(t *testing.T) {
	pairs.code.Register(fingerprint[pair](t), func(_ genrt.Settings, v *pair, dst []byte) ([]byte, uint, bool) {
		if v.B >= 1<<27 {
			return nil, 0, false
		}
		pairs.appends++
		buf, pos := genrt.Room(dst, 5, 4, 5, 8), len(dst)
		buf, pos, w, n := genrt.Put(buf, pos, uint64(v.A), 8, uint64(v.B), 27)
		return genrt.Close(buf, pos, w, n), -n & 7, true
	}, func(_ genrt.Settings, v *pair, data []byte, unused int) (int, bool) {
		if 8*len(data)-unused < 35 {
			return 0, false
		}
		pairs.reads++
		var short [8]byte
		x := genrt.Load(genrt.Padded(data, &short), 0)
		v.A, v.B = uint8(x), uint32(x>>8&(1<<27-1))
		return 35, true
	})
}

// TestAtAnyBit writes and reads a value with code after any number of bits, in the
// message of another value.
func TestAtAnyBit(t *testing.T) {
	registerPair(t)
	for before := 1; before < 17; before++ {
		pairs.appends, pairs.reads = 0, 0
		v := pair{0xC5, 0x5A5A5A5}
		other := plain(v)
		var messages [2][]byte
		for i := range messages {
			w := bits.NewAppendWriter([]byte{0xEE})
			w.WriteBits(1<<before-1, before)
			s := bits.NewWriteStream(w)
			if i == 0 {
				require.NoError(t, tagcodec.Serialize(s, &v))
				require.NoError(t, tagcodec.Serialize(s, &v))
			} else {
				require.NoError(t, tagcodec.Serialize(s, &other))
				require.NoError(t, tagcodec.Serialize(s, &other))
			}
			w.WriteBits(1, 1)
			messages[i] = w.Bytes()
		}
		require.Equal(t, messages[1], messages[0], "after %d bits", before)
		require.Equal(t, 2, pairs.appends)

		data := messages[0][1:]
		r := bits.NewReader(data)
		r.Skip(before)
		s := bits.NewReadStream(r)
		var first, second pair
		require.NoError(t, tagcodec.Serialize(s, &first))
		require.NoError(t, tagcodec.Serialize(s, &second))
		require.Equal(t, []pair{v, v}, []pair{first, second}, "after %d bits", before)
		require.Equal(t, before+70, r.Bit())
		require.Equal(t, 2, pairs.reads)

		// Without its last byte, the second value is refused as that of the engine is.
		var errs [2]error
		for i := range errs {
			r := bits.NewReader(data[:(before+69)/8])
			r.Skip(before + 35)
			s := bits.NewReadStream(r)
			if i == 0 {
				errs[i] = tagcodec.Serialize(s, &second)
			} else {
				errs[i] = tagcodec.Serialize(s, &other)
			}
		}
		require.ErrorIs(t, errs[0], tagcodec.ErrOverread)
		require.ErrorIs(t, errs[1], tagcodec.ErrOverread)
		require.Equal(t, 2, pairs.reads)
	}
	w := bits.NewAppendWriter(nil)
	w.WriteBits(1, 3)
	require.ErrorIs(t, tagcodec.Serialize(bits.NewWriteStream(w), &pair{B: 1 << 27}), tagcodec.ErrRange)
	require.Equal(t, 3, w.Bit(), "a refused value writes nothing")
}

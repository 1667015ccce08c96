package tagcodec_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// TestPathsAreShort makes values fail below map keys, nested blocks and type
// names of extreme length.
func TestPathsAreShort(t *testing.T) {
	type leaf struct {
		N uint8 `bp:"int,min=1,max=5"`
	}
	type named struct {
		M map[string]leaf `bp:"maxlen=1,key.maxlen=0xffff"`
	}
	for _, n := range []int{0, 1, 63, 64, 65, 66, 1000, 0xffff} {
		key := strings.Repeat("é", (n+1)/2)[:n&^1] + strings.Repeat("k", n&1)
		w := bits.NewAppendWriter(nil)
		w.WriteBits(1, 1)
		w.WriteString(key, 0xffff)
		w.WriteBits(7, 3)
		err := tagcodec.Unmarshal(w.Bytes(), new(named))
		var e *tagcodec.Error
		require.ErrorAs(t, err, &e)
		require.ErrorIs(t, err, tagcodec.ErrRange)
		require.True(t, utf8.ValidString(e.Path), e.Path)
		if len(key) <= 64 {
			require.Equal(t, `named.M["`+key+`"].N`, e.Path)
		} else {
			require.Equal(t, `named.M["`+key[:64]+`"...].N`, e.Path)
		}
	}

	type node struct {
		Next                                 *node
		Veryveryveryveryveryveryveryverylong struct {
			N uint8 `bp:"int,min=1,max=5"`
		}
	}
	for _, depth := range []int{0, 1, 31, 32, 33, 100} {
		w := bits.NewAppendWriter(nil)
		for range depth {
			w.WriteBits(1, 1)
		}
		w.WriteBits(0, 1)
		w.WriteBits(7, 3)
		for range depth {
			w.WriteBits(0, 3)
		}
		err := tagcodec.Unmarshal(w.Bytes(), new(node))
		var e *tagcodec.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, depth+1, e.Bit)
		const last = ".Veryveryveryveryveryveryveryverylong.N"
		require.True(t, strings.HasSuffix(e.Path, last), e.Path)
		require.LessOrEqual(t, len(e.Path), 512)
		nexts := strings.Count(e.Path, ".Next")
		if depth <= 16 { // two blocks per level: the pointer and the recursive value
			require.Equal(t, "node"+strings.Repeat(".Next", depth)+last, e.Path)
		} else {
			require.Contains(t, e.Path, ".Next[...].Next")
			require.LessOrEqual(t, nexts, 32)
		}
	}
}

package enginetest

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// Append gives the same bytes whatever the spare capacity of dst contains. It writes
// only the bytes of the message: those before it, which the race detector checks, and
// those after it may belong to someone else.
func TestAppendIntoUsedMemory(t *testing.T) {
	type scalars struct {
		A uint8  `bp:"uint,bits=5"`
		B uint16 `bp:"uint,bits=11"`
	}
	type text struct {
		A uint8  `bp:"uint,bits=5"`
		B string `bp:"maxlen=40"`
		C uint32
		D uint16 `bp:"uint,bits=11"`
	}
	type many struct {
		A []uint16 `bp:"maxlen=40"`
	}
	type mixed struct {
		A []string `bp:"maxlen=20,elem.maxlen=40"`
		B *uint32
		C []byte  `bp:"maxlen=40"`
		D [3]byte `bp:"bytes"`
	}
	const before, size = 6, 136
	for n := range 41 {
		s := strings.Repeat("s", n)
		for _, v := range []any{
			&scalars{21, 1025}, &text{21, s, 0xDEADBEEF, 1025}, &many{make([]uint16, n)}, &mixed{[]string{"abc", s}, new(uint32), []byte(s), [3]byte{}},
		} {
			want, err := tagcodec.Append(nil, v)
			require.NoError(t, err)
			for room := range len(want) + 20 {
				old := []byte{0, 0xFF, 0xA5}[(n+room)%3]
				arena := bytes.Repeat([]byte{old}, size)
				dst := arena[: before : before+room]
				var reader sync.WaitGroup
				reader.Go(func() { _ = bytes.Count(dst, []byte{old}) })
				got, err := tagcodec.Append(dst, v)
				reader.Wait()
				require.NoError(t, err)
				require.Equal(t, want, got[before:], "%T with room for %d", v, room)
				require.Equal(t, bytes.Repeat([]byte{old}, before), got[:before])
				spare := arena[before+min(room, len(want)):] // without room, the buffer is replaced
				require.Equal(t, len(spare), bytes.Count(spare, []byte{old}), "%T of %d bytes with room for %d", v, len(want), room)
			}
		}
	}
}

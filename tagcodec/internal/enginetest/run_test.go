package enginetest

import (
	"bytes"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/stretchr/testify/require"
)

// Bits used by a slice, text or condition are not available to later values. A
// message that is truncated at any byte is refused.
func TestRunEndsEarly(t *testing.T) {
	type record struct {
		A     []uint16 `bp:"int,min=0,max=999,maxlen=20"`
		On    bool
		B     string  `bp:"maxlen=40"`
		C     []int16 `bp:"maxlen=20"`
		D     [3]byte `bp:"bytes"`
		E     uint64  `bp:"if=On"`
		F     []bool  `bp:"maxlen=20"`
		Phone string  `bp:"maxlen=16"`
	}
	v := record{
		[]uint16{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 999}, true, "twenty bytes, or more", []int16{-1, 2, -3},
		[3]byte{7, 8, 9}, 1<<63 | 1, []bool{true, false, true}, "0123456789",
	}
	plan, err := engine.PlanOf(reflect.TypeFor[record]())
	require.NoError(t, err)
	require.NotNil(t, plan.Whole())
	data, err := tagcodec.Marshal(&v)
	require.NoError(t, err)
	var into record
	require.NoError(t, tagcodec.Unmarshal(data, &into))
	require.Equal(t, v, into)
	for end := range data {
		var into record
		require.ErrorIs(t, tagcodec.Unmarshal(data[:end:end], &into), tagcodec.ErrOverread, "%d bytes of %d", end, len(data))
	}
}

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

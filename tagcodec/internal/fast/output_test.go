//go:build !purego

package fast

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

// Bytes of every length follow a partial word of every size, in buffers that
// are exactly large enough, larger, or too small. The message must equal that
// of package bits, and the previous content of the buffer must not change.
func TestRaw(t *testing.T) {
	raw := make([]byte, 100)
	for i := range raw {
		raw[i] = byte(255 - i)
	}
	before := []byte("before")
	for n := range len(raw) {
		for fill := range 65 {
			w := bits.NewWriter(make([]byte, 120))
			for i := range fill {
				w.WriteBool(i%3 != 0)
			}
			w.WriteBytes(raw[:n])
			w.WriteBits(5, 3)
			want := w.Bytes()
			require.NoError(t, w.Err())

			for _, room := range []int{0, 1, len(want) - 1, len(want), len(want) + 1, len(want) + 6, len(want) + 7, len(want) + 8, len(want) + 9, 200} {
				dst := append(make([]byte, 0, len(before)+room), before...)
				o := output{buf: dst[:cap(dst)], start: len(dst), pos: len(dst)}
				for i := range fill {
					o.put(uint64(min(1, i%3)), 1)
				}
				o.raw(raw[:n])
				require.Equal(t, (fill+7)&^7+8*n, o.bit())
				o.put(5, 3)
				if got := o.close(); !bytes.Equal(got[len(before):], want) || !bytes.HasPrefix(got, before) {
					require.Equal(t, append(before, want...), got, fmt.Sprintf("%d bytes at bit %d with room for %d", n, fill, room))
				}
			}
		}
	}
}

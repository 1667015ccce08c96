package tagcodec_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// TestTextLengths writes and reads texts of every length up to 140 bytes, which
// start at various bits: a text of fewer than 8 bytes is part of a word, and others
// are copied word by word. Memory after the message must stay as it is, and a zero
// byte or an incomplete character anywhere in the text is refused.
func TestTextLengths(t *testing.T) {
	type message struct {
		Before uint64 `bp:"bits=61"`
		Short  string `bp:"maxlen=7"`
		Text   string `bp:"maxlen=140"`
		After  uint8  `bp:"bits=5"`
	}
	codec := tagcodec.MustFor[message]()
	for n := range 141 {
		text := []byte(strings.Repeat("abcdefghijklmnopqrstuvwxyz", 6)[:n])
		v := message{1<<61 - 3, string(text[:n%8]), string(text), 21}
		buf := bytes.Repeat([]byte{0xAA}, 200)
		data, err := codec.Append(buf[:1], &v)
		require.NoError(t, err)
		want := []byte{0xAA, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, byte(n%8<<5) | 0x1F}
		want = append(append(want, text[:n%8]...), byte(n))
		want = append(append(want, text...), 21)
		require.Equal(t, want, data)
		require.Equal(t, bytes.Repeat([]byte{0xAA}, 200-len(want)), buf[len(want):], "memory after the message")

		exact, err := codec.Append(append(make([]byte, 0, len(want)), 0xAA), &v)
		require.NoError(t, err)
		require.Equal(t, want, exact, "without spare capacity")

		got := message{Text: strings.Repeat("x", n), Short: "x"}
		require.NoError(t, codec.Unmarshal(data[1:], &got))
		require.Equal(t, v, got)
		require.NoError(t, codec.Unmarshal(data[1:], &got), "over the same texts")
		require.Equal(t, v, got)

		for i := range n {
			for _, bad := range []byte{0, 0x80, 0xFF} {
				wrong := bytes.Clone(text)
				wrong[i] = bad
				_, err := codec.Append(nil, &message{Text: string(wrong)})
				require.ErrorIs(t, err, tagcodec.ErrText)
				wrong = bytes.Clone(data[1:])
				wrong[len(wrong)-1-n+i] = bad
				require.ErrorIs(t, codec.Unmarshal(wrong, &got), tagcodec.ErrText)
			}
		}
	}
}

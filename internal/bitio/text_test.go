package bitio_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/stretchr/testify/require"
)

// requireValidity fails unless ValidText and ValidBytes agree with the standard
// library about text.
func requireValidity(t *testing.T, text []byte) {
	t.Helper()
	want := utf8.Valid(text) && bytes.IndexByte(text, 0) < 0
	if bitio.ValidText(string(text)) != want {
		t.Fatalf("ValidText(%q) is not %t", text, want)
	}
	if bitio.ValidBytes(text) != want {
		t.Fatalf("ValidBytes(%q) is not %t", text, want)
	}
	if at, b := bitio.BadByte(string(text)); (at == len(text)) != want || !want && (text[at] != byte(b) || !utf8.Valid(text[:at]) || bytes.IndexByte(text[:at], 0) >= 0) {
		t.Fatalf("the bad byte of %q is not %#x at %d", text, b, at)
	}
}

// Texts of any length are checked where they are.
func TestValidInPlace(t *testing.T) {
	for _, n := range []int{5, 33, 128, 129, 300} {
		for _, text := range [][]byte{bytes.Repeat([]byte("x"), n), append(bytes.Repeat([]byte("x"), n-2), "é"...)} {
			s := string(text)
			require.Zero(t, testing.AllocsPerRun(1, func() {
				if !bitio.ValidBytes(text) || !bitio.ValidText(s) {
					t.Fatal(s)
				}
			}), n)
		}
	}
}

// TestTextBytes tries every byte at every place in texts of every length, so
// that one word, two overlapping words, and more words are checked.
func TestTextBytes(t *testing.T) {
	for n := range 150 {
		if n > 20 && (n < 126 || n > 130) && effort.Factor() == 1 {
			continue
		}
		text := []byte(strings.Repeat("a", n))
		requireValidity(t, text)
		for at := range text {
			for c := range 256 {
				text[at] = byte(c)
				requireValidity(t, text)
			}
			text[at] = 'a'
		}
	}
}

// TestTextPlaces tries two-, three- and four-byte characters, valid and
// invalid, at every place, including across words.
func TestTextPlaces(t *testing.T) {
	for lead := 0xC0; lead <= 0xFF; lead++ {
		for _, second := range []byte{0, 'a', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF} {
			for _, rest := range []string{"", "\x80", "\xBF\xBF"} {
				part := string([]byte{byte(lead), second}) + rest
				for before := range 17 {
					requireValidity(t, []byte(strings.Repeat("a", before)+part+strings.Repeat("b", 16-before)))
					requireValidity(t, []byte(strings.Repeat("é", before)+part+strings.Repeat("€", 5)))
					requireValidity(t, []byte(strings.Repeat("a", before)+part))
				}
			}
		}
	}
}

func TestUTF16Len(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "hello": 5, "é": 1, "\uFFFF": 1, "\U00010000": 2, "a😀b": 4, "\U0010FFFF": 2,
	} {
		require.Equal(t, want, bitio.UTF16Len(text), "%q", text)
	}
}

// TestAppendWString checks that AppendWString keeps the contents of dst and
// returns the position where it stopped.
func TestAppendWString(t *testing.T) {
	// Five zero bits precede the units 'h', 'i' and 0.
	data := slices.Concat([]byte{'h' << 5 & 0xFF, 'h' >> 3, 0, 0, 'i' << 5 & 0xFF, 'i' >> 3, 0, 0}, make([]byte, 5))
	dst, bit := bitio.AppendWString([]byte("> "), data, 5, 2)
	require.Equal(t, "> hi", string(dst))
	require.Equal(t, 5+2*32, bit)
	dst, bit = bitio.AppendWString([]byte("> "), data, 5, 3)
	require.Equal(t, "> hi", string(dst), "what comes before the refused unit")
	require.Equal(t, 5+2*32, bit)
}

// TestWords compares texts that are loaded as words with their bytes.
func TestWords(t *testing.T) {
	const text = "0123456789abcdefg"
	for n := range len(text) + 1 {
		word := append([]byte(text[:n]), make([]byte, 8)...)
		if n < 8 {
			require.Equal(t, binary.LittleEndian.Uint64(word), bitio.Short([]byte(text[:n])), n)
		}
		first, last, ok := bitio.ShortText(text[:n])
		require.Equal(t, n >= 8 && n <= 16, ok, n)
		if !ok {
			continue
		}
		require.Equal(t, text[:8]+text[n-8:n], string(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, first), last)))
		for at := range n {
			for _, bad := range []byte{0, 0x80} {
				_, _, ok := bitio.ShortText(text[:at] + string([]byte{bad}) + text[at+1:n])
				require.False(t, ok, "%#x at %d of %d", bad, at, n)
			}
		}
	}
}

package bitio

import (
	"math"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ValidText reports whether s is valid UTF-8 without zero bytes. The string and
// wstring formats carry only such text.
func ValidText(s string) bool {
	n := len(s)
	var bad uint64
	switch { // The words that cover a short text may overlap.
	case n > shortText:
		return validText(s)
	case n >= 8:
		bad = badBytes(load64(s, n-8))
		for i := 0; i < n-8; i += 8 {
			bad |= badBytes(load64(s, i))
		}
	case n >= 4:
		bad = badBytes(uint64(load32(s, 0)) | uint64(load32(s, n-4))<<32)
	case n > 0: // fill the unused bytes with ones
		bad = badBytes(ones>>24<<24 | uint64(s[0]) | uint64(s[n>>1])<<8 | uint64(s[n-1])<<16)
	}
	return bad == 0 || validText(s)
}

// ShortText returns the first and last 8 of 8 to 16 bytes, and reports whether
// there are so many and all of them are nonzero ASCII, as in most short texts. The
// two words overlap if there are fewer than 16 bytes.
func ShortText(s string) (first, last uint64, ok bool) {
	if n := len(s); n >= 8 && n <= 16 {
		first, last = load64(s, 0), load64(s, n-8)
		return first, last, ASCII(first, last)
	}
	return 0, 0, false
}

// ASCII reports whether all bytes of two words are nonzero ASCII.
func ASCII(first, last uint64) bool { return badBytes(first)|badBytes(last) == 0 }

// shortText is the longest text checked word by word. For longer texts the
// standard library may be faster: it starts slowly but has a fast loop.
const shortText = 128

func validText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// badBytes returns 0 if every byte of word is in [1, 127]. Subtracting 1 from
// such a byte leaves its high bit clear. A byte borrows from the next
// one only if it is zero, and then its own high bit becomes set.
func badBytes(word uint64) uint64 { return (word | (word - ones)) & highs }

func load32(s string, i int) uint32 {
	b := s[i : i+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

func load64(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// UTF16Len returns the number of UTF-16 units needed for s.
func UTF16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r >= 0x10000 {
			n++
		}
	}
	return n
}

// AppendWString decodes n UTF-16 units of 32 bits each, starting at the given
// bit of data, and appends them to dst as UTF-8. data must hold all n units.
// AppendWString returns the position where it stopped: the end of the last
// unit, or the start of the first unit that is not part of well-formed text.
func AppendWString(dst, data []byte, bit, n int) ([]byte, int) {
	high := rune(0)
	for ; n > 0; n-- {
		out, wait, ok := appendUTF16(dst, high, Peek(data, bit)&math.MaxUint32)
		if !ok || wait != 0 && n == 1 {
			return dst, bit
		}
		dst, high = out, wait
		bit += 32
	}
	return dst, bit
}

// appendUTF16 appends the character that unit completes. high is the preceding
// high surrogate, or 0. If unit is itself a high surrogate, appendUTF16 returns
// it as wait. ok is false if unit is not part of well-formed text.
func appendUTF16(dst []byte, high rune, unit uint64) (out []byte, wait rune, ok bool) {
	r := rune(unit)
	switch {
	case unit == 0 || unit > 0xFFFF:
		return dst, 0, false
	case high != 0:
		r = utf16.DecodeRune(high, r)
		return utf8.AppendRune(dst, r), 0, r != utf8.RuneError
	case !utf16.IsSurrogate(r):
		return utf8.AppendRune(dst, r), 0, true
	}
	return dst, r, r < 0xDC00
}

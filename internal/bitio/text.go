package bitio

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ValidText reports whether s is valid UTF-8 without zero bytes. The string and
// wstring formats carry only such text.
func ValidText(s string) bool {
	return nonzeroASCII([]byte(s)) || utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 // the compiler does not copy s
}

// ValidBytes is [ValidText] for bytes.
func ValidBytes(p []byte) bool {
	return nonzeroASCII(p) || utf8.Valid(p) && bytes.IndexByte(p, 0) < 0
}

// BadByte returns the index of the first byte of s that is zero or not part of
// valid UTF-8, and the byte. It returns the length of s if there is none.
func BadByte(s string) (index int, b uint32) {
	for i, r := range s {
		if r == 0 {
			return i, 0
		}
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return i, uint32(s[i])
			}
		}
	}
	return len(s), 0
}

// nonzeroASCII reports whether p has at most 128 bytes and all of them are nonzero
// ASCII. For longer texts the standard library may be faster: it starts slowly but
// has a fast loop.
func nonzeroASCII(p []byte) bool {
	switch n := len(p); {
	case n < 8:
		return ShortASCII(Short(p), n)
	case n <= 128:
		bad := badBytes(binary.LittleEndian.Uint64(p[n-8:])) // may overlap the word before
		for ; len(p) > 8; p = p[8:] {
			bad |= badBytes(binary.LittleEndian.Uint64(p))
		}
		return bad == 0
	}
	return false
}

// ShortText returns the first and last 8 of 8 to 16 bytes, and reports whether
// there are so many and all of them are nonzero ASCII, as in most short texts. The
// two words overlap if there are fewer than 16 bytes.
func ShortText(s string) (first, last uint64, ok bool) {
	if len(s) < 8 || len(s) > 16 {
		return 0, 0, false
	}
	first, last = EndWords([]byte(s))
	return first, last, ASCII(first, last)
}

// EndWords returns the first and last 8 bytes of s, which overlap if there are
// fewer than 16.
func EndWords(s []byte) (first, last uint64) {
	return binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint64(s[len(s)-8:])
}

// ASCII reports whether all bytes of two words are nonzero ASCII.
func ASCII(first, last uint64) bool { return badBytes(first)|badBytes(last) == 0 }

// Short returns fewer than 8 bytes as a little-endian word.
func Short(s []byte) uint64 {
	n := uint(len(s))
	if n >= 4 { // the two halves may overlap
		return uint64(binary.LittleEndian.Uint32(s)) | uint64(binary.LittleEndian.Uint32(s[n-4:]))<<((8*n-32)&63)
	}
	if n == 0 {
		return 0
	}
	return uint64(s[0]) | uint64(s[n/2])<<(n/2*8&63) | uint64(s[n-1])<<((8*n-8)&63)
}

// ShortASCII reports whether all n bytes of the result of [Short] are nonzero
// ASCII.
func ShortASCII(short uint64, n int) bool { return badBytes(short|ones<<(8*n&63)) == 0 }

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// badBytes returns 0 if every byte of word is in [1, 127]. Subtracting 1 from
// such a byte leaves its high bit clear. A byte borrows from the next
// one only if it is zero, and then its own high bit becomes set.
func badBytes(word uint64) uint64 { return (word | (word - ones)) & highs }

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

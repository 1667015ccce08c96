package bits

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ValidText reports whether s is well-formed UTF-8 without a zero byte, which
// is what string and wstring carry.
func ValidText(s string) bool {
	return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0
}

// UTF16Len returns the number of UTF-16 units that s takes.
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

// appendUTF16 appends the character that unit completes, given the high
// surrogate before it, if any. It returns the high surrogate that waits for
// its low one. A unit that is no part of well-formed text is not ok.
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

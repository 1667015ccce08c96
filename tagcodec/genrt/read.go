package genrt

import (
	"encoding/binary"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// Padded returns data, or a zero-padded copy in short if data has fewer than 8
// bytes.
func Padded(data []byte, short *[8]byte) []byte {
	if len(data) < len(short) {
		copy(short[:], data)
		return short[:]
	}
	return data
}

// Load returns at least 57 bits of data starting at bit, zero-padded at the end.
// data must have at least 8 bytes, and bit must not be after its end.
func Load(data []byte, bit int) uint64 {
	first := min(uint(bit)>>3, uint(len(data))-8)
	return binary.LittleEndian.Uint64(data[first:]) >> ((uint(bit) - 8*first) & 63)
}

// From returns the bytes of data from the one that has a bit, or none if the bit is
// after the end.
func From(data []byte, bit int) []byte { return data[min(bit>>3, len(data)):] }

// Covers reports whether n elements of at least each bits fit in left bits.
func Covers(left, n, each int) bool { return core.Covers(left, n, each) }

// Resize returns s with n elements. It reuses the memory unless its capacity is
// too small, or greater than keep and more than four times as large as needed.
// Elements that the resize adds or drops are cleared.
func Resize[S ~[]E, E any](s S, n, keep int) S {
	if n == len(s) && cap(s) <= keep {
		return s
	}
	return resize(s, n, keep)
}

func resize[S ~[]E, E any](s S, n, keep int) S {
	if n > cap(s) || core.ExcessiveBy(keep, cap(s), n) {
		return make(S, n)
	}
	if old := len(s); n < old {
		clear(s[n:])
	} else {
		s = s[:n]
		clear(s[old:])
	}
	return s[:n]
}

// SetBytes sets *s to a copy of raw. It reuses the memory of *s as [Resize] does.
func SetBytes(s *[]byte, raw []byte, keep int) { core.SetBytes(s, raw, keep) }

// Target returns the target of p, which it allocates if p is nil.
func Target[T any](p **T) *T {
	if *p == nil {
		*p = new(T)
	}
	return *p
}

// ReadText returns the bytes of a string whose length has width bits, and the bit
// after them, or a negative number. end is the end of the message. The string has
// at least least and at most least+span bytes. If valid is set, it must be UTF-8
// without NUL. The capacity of text reaches to the end of that of data.
func ReadText(data []byte, bit, end int, least, span uint64, width uint, valid bool) (text []byte, next int) {
	word := Load(data, bit) // a count has at most 31 bits, so the word includes the padding after it
	bit += int(width)
	pad := -bit & 7
	count := word & (1<<width - 1)
	left := end - bit - pad
	if count > span || word>>width&(1<<pad-1) != 0 || int(count+least) > left>>3 {
		return nil, -1
	}
	start := (bit + pad) >> 3
	text = data[start : start+int(count+least)]
	next = 8 * (start + len(text))
	if n := len(text); n >= 8 && n <= 16 && bitio.ASCII(bitio.EndWords(text)) {
		return text, next
	}
	if valid && !bitio.ValidBytes(text) {
		return nil, -1
	}
	return text, next
}

// SetText makes *s equal to text. It keeps a string that is equal already.
func SetText(s *string, text []byte) {
	if *s != string(text) {
		*s = string(text)
	}
}

// maxJoined is the largest number of bytes that two strings share.
const maxJoined = 64

// SetTexts makes *s and *t equal to two texts of [ReadText], the second of which
// is further on in the same message. If *s changes and the texts are short, one
// copy of the message from the first to the second holds both.
func SetTexts(s *string, first []byte, t *string, second []byte) {
	from := cap(first) - cap(second)
	size := from + len(second)
	if size > maxJoined || len(first) == 0 || len(second) == 0 || *s == string(first) {
		SetText(s, first)
		SetText(t, second)
		return
	}
	both := string(first[:size])
	*s, *t = both[:len(first)], both[from:]
}

// ReadAlign reads the padding up to the next byte. It returns the bit after it, or
// a negative number.
func ReadAlign(data []byte, bit int) int {
	if pad := -bit & 7; pad > 0 {
		if Load(data, bit)&(1<<pad-1) != 0 {
			return -1
		}
		bit += pad
	}
	return bit
}

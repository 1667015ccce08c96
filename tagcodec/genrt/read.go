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

// ReadText reads a string that [Text] has written. It returns the bit after the
// string, or a negative number.
func ReadText(data []byte, bit, end int, s *string, least, span uint64, width uint, valid bool) int {
	word := Load(data, bit) // a count has at most 31 bits, so the word includes the padding after it
	bit += int(width)
	pad := -bit & 7
	count := word & (1<<width - 1)
	left := end - bit - pad
	if left < 0 || count > span || word>>width&(1<<pad-1) != 0 || int(count+least) > left>>3 {
		return -1
	}
	start := (bit + pad) >> 3
	raw := data[start : start+int(count+least)]
	next := 8 * (start + len(raw))
	if n := len(raw); n >= 8 && n <= 16 {
		first, last := binary.LittleEndian.Uint64(raw), binary.LittleEndian.Uint64(raw[n-8:])
		if bitio.ASCII(first, last) {
			if head, tail, short := bitio.ShortText(*s); !short || len(*s) != n || head != first || tail != last {
				*s = string(raw)
			}
			return next
		}
	}
	text := *s
	if text != string(raw) {
		text = string(raw)
	}
	if valid && !bitio.ValidText(text) {
		return -1
	}
	*s = text
	return next
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

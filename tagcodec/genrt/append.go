package genrt

import (
	"encoding/binary"
	"slices"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// Room returns dst in full length, with room for at least first bytes. least and
// most are the smallest and the largest size of a message in bytes, and memory is
// the size of a value.
func Room(dst []byte, first, least, most int, memory uintptr) []byte {
	if cap(dst)-len(dst) < first {
		return room(dst, first, least, most, memory)
	}
	return dst[:cap(dst)]
}

// Reserve returns dst with room for most bytes, the largest size of a message. It
// returns nil if there is room for a shorter message, which the engine may fit in
// without moving dst.
//
//go:noinline
func Reserve(dst []byte, least, most int) []byte {
	switch {
	case cap(dst) == 0:
		return make([]byte, 0, most)
	case cap(dst)-len(dst) >= max(least, 1):
		return nil
	}
	return slices.Grow(dst, most)
}

//go:noinline
func room(dst []byte, first, least, most int, memory uintptr) []byte {
	dst = slices.Grow(dst, max(first, core.RoomFor(least, most, memory)))
	return dst[:cap(dst)]
}

// Grow makes room for size bytes at pos.
//
//go:noinline
func Grow(buf []byte, pos, size int) []byte {
	buf = slices.Grow(buf[:pos], size)
	return buf[:cap(buf)]
}

// Close stores the incomplete word and returns the buffer up to the end of the
// message.
func Close(buf []byte, pos int, w uint64, n uint) []byte {
	end := pos + int(n+7)>>3
	if end > len(buf) {
		buf = Grow(buf, pos, end-pos)
	}
	bitio.StoreTail(buf, pos, end, w)
	return buf[:end]
}

// Last stores the incomplete word at out[pos:] and returns the index after it. If
// there are 8 bytes of the message before, it stores them together, so that no byte
// after the message changes.
func Last(out []byte, pos int, w uint64, n uint) int {
	size := (n + 7) >> 3
	end := pos + int(size)
	if pos < 8 {
		bitio.StoreTail(out, pos, end, w)
		return end
	}
	before := binary.LittleEndian.Uint64(out[pos-8:])
	binary.LittleEndian.PutUint64(out[end-8:], before>>(4*size)>>(4*size)|w<<(32-4*size)<<(32-4*size))
	return end
}

// Put appends the low width bits of code to the incomplete word, and stores the
// word once it is full. width is at most 64.
func Put(buf []byte, pos int, w uint64, n uint, code uint64, width uint) ([]byte, int, uint64, uint) {
	w |= code << (n & 63)
	end := n + width
	if end < 64 {
		return buf, pos, w, end
	}
	if pos+8 > len(buf) {
		buf = Grow(buf, pos, 8)
	}
	binary.LittleEndian.PutUint64(buf[pos:pos+8], w)
	return buf, pos + 8, code >> 1 >> (^n & 63), end - 64
}

// Text appends the code of the length of s in width bits, aligns, and appends the
// bytes of s. After it there is no incomplete word. s must have at least least and at
// most least+span bytes, and if valid is set it must be UTF-8 without NUL. Otherwise
// Text returns false.
func Text(buf []byte, pos int, w uint64, n uint, s string, least, span uint64, width uint, valid bool) ([]byte, int, bool) {
	count := uint64(len(s)) - least
	head, tail, short := bitio.ShortText(s)
	if count > span || valid && !short && !bitio.ValidText(s) {
		return nil, 0, false
	}
	first := pos + int(n+width+7)>>3
	if end := first + len(s); end > len(buf) {
		buf = Grow(buf, pos, end-pos)
	}
	if n+width >= 64 {
		buf, pos, w, _ = Put(buf, pos, w, n, count, width)
	} else {
		w |= count << n
	}
	if short {
		binary.LittleEndian.PutUint64(buf[pos:], w)
		binary.LittleEndian.PutUint64(buf[first:], head)
		binary.LittleEndian.PutUint64(buf[first+len(s)-8:], tail)
		return buf, first + len(s), true
	}
	if len(s) >= 8 { // the text overwrites the rest of the word
		binary.LittleEndian.PutUint64(buf[pos:], w)
	} else {
		bitio.StoreTail(buf, pos, first, w)
	}
	copy(buf[first:], s)
	return buf, first + len(s), true
}

// Align pads to a byte boundary and makes room for size bytes there. After it there
// is no incomplete word.
func Align(buf []byte, pos int, w uint64, n uint, size int) ([]byte, int) {
	first := pos + int(n+7)>>3
	if end := first + size; end > len(buf) {
		buf = Grow(buf, pos, end-pos)
	}
	bitio.StoreTail(buf, pos, first, w)
	return buf, first
}

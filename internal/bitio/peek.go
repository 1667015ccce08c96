// Package bitio has the functions on bits, codes and text that package bits
// shares with the other packages of this module. They do not check their
// arguments.
package bitio

import (
	"encoding/binary"
	"slices"
)

// Peek returns at least 57 bits of data starting at bit, in the low bits of the
// result, zero-padded at the end. bit must not be negative.
func Peek(data []byte, bit int) uint64 {
	// An unsigned index needs no bounds check beyond this one.
	if i := uint(bit) >> 3; i+8 <= uint(len(data)) {
		return binary.LittleEndian.Uint64(data[i:i+8]) >> (uint(bit) & 7)
	}
	return PeekTail(data, bit)
}

// PeekTail is Peek for the last 7 bytes of data and past the end.
//
//go:noinline
func PeekTail(data []byte, bit int) uint64 {
	if first := len(data) - 8; first >= 0 {
		return binary.LittleEndian.Uint64(data[first:]) >> uint(bit-8*first)
	}
	var word uint64
	for i := len(data) - 1; i >= bit>>3; i-- {
		word = word<<8 | uint64(data[i])
	}
	return word >> (uint(bit) & 7)
}

// PeekWord is Peek for a full 64 bits.
func PeekWord(data []byte, bit int) uint64 {
	word := Peek(data, bit)
	if i := bit>>3 + 8; i < len(data) {
		word |= uint64(data[i]) << (64 - uint(bit)&7)
	}
	return word
}

// StoreTail stores the low bytes of word in buf[pos:end], at most 8. Bytes from end
// on do not change.
func StoreTail(buf []byte, pos, end int, word uint64) {
	last := buf[pos:end]
	if len(last) >= 8 {
		binary.LittleEndian.PutUint64(last, word)
		return
	}
	if len(last) >= 4 {
		binary.LittleEndian.PutUint32(last, uint32(word))
		word >>= 32
		last = last[4:]
	}
	if len(last) >= 2 {
		binary.LittleEndian.PutUint16(last, uint16(word))
		word >>= 16
		last = last[2:]
	}
	if len(last) >= 1 {
		last[0] = byte(word)
	}
}

// AppendBits appends the first n bits of src to dst, in whose last byte only phase
// bits are used. phase is in [1, 7], and the unused bits are zero.
func AppendBits(dst []byte, phase uint, src []byte, n int) []byte {
	at := len(dst) - 1
	end := at + (int(phase)+n+7)>>3
	carry := uint64(dst[at])
	dst = slices.Grow(dst, end-len(dst))[:end]
	for ; len(src) >= 8 && at+8 <= end; at += 8 {
		word := binary.LittleEndian.Uint64(src)
		binary.LittleEndian.PutUint64(dst[at:], carry|word<<phase)
		carry = word >> (64 - phase)
		src = src[8:]
	}
	for ; at < end; at++ {
		if len(src) > 0 {
			carry |= uint64(src[0]) << phase
			src = src[1:]
		}
		dst[at] = byte(carry)
		carry >>= 8
	}
	return dst
}

// ShiftBits appends the bits of src from phase on to dst, and no more than most of
// them. phase is in [1, 7]. It also returns the number of unused bits in the last
// byte.
func ShiftBits(dst, src []byte, phase uint, most int) ([]byte, int) {
	n := max(min(8*len(src)-int(phase), most), 0)
	size := (n + 7) >> 3
	dst = slices.Grow(dst, size)
	for i := 0; i < size; {
		if size-i >= 8 && len(src) >= i+9 {
			word := binary.LittleEndian.Uint64(src[i:])>>phase | uint64(src[i+8])<<(64-phase)
			dst = binary.LittleEndian.AppendUint64(dst, word)
			i += 8
			continue
		}
		b := src[i] >> phase
		if i+1 < len(src) {
			b |= src[i+1] << (8 - phase)
		}
		dst = append(dst, b)
		i++
	}
	return dst, 8*size - n
}

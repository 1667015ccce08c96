//go:build !purego

package fast

import (
	"encoding/binary"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// Unaligned loads for the read loops. Unlike [bitio.Peek] and [bitio.PeekWord],
// which accept data of any length, they are small enough to inline.

// peekCode returns at least 57 bits starting at bit, zero-padded at the end of
// data. data must have at least 8 bytes.
func peekCode(data []byte, bit int) uint64 {
	if first := uint(bit) >> 3; first+8 <= uint(len(data)) {
		return binary.LittleEndian.Uint64(data[first:first+8]) >> (uint(bit) & 7)
	}
	last := uint(len(data)) - 8
	return binary.LittleEndian.Uint64(data[last:last+8]) >> ((uint(bit) - 8*last) & 63)
}

// peekNinth returns those of the 64 bits starting at bit that peekCode may
// miss: the ones in the ninth byte.
func peekNinth(data []byte, bit int) uint64 {
	if i := uint(bit)>>3 + 8; i < uint(len(data)) {
		return uint64(data[i]) << (64 - uint(bit)&7)
	}
	return 0
}

// bitAt returns the bit of data at the given position, which must exist.
func bitAt(data []byte, bit int) bool { return data[bit>>3]>>(uint(bit)&7)&1 != 0 }

// padded returns data, or a zero-padded copy in short if data has fewer than 8
// bytes.
func padded(data []byte, short *[8]byte) []byte {
	if len(data) < len(short) {
		copy(short[:], data)
		return short[:]
	}
	return data
}

// take skips the padding up to the next byte and returns the n bytes there and
// the bit after them.
func take(data []byte, bit, n int) ([]byte, int, error) {
	pad := -bit & 7
	if v := bitio.Peek(data, bit) & (1<<pad - 1); v != 0 {
		return nil, bit, core.NewRefusal(bits.ErrPadding, v, uint64(0), uint64(0))
	}
	first := (bit + pad) >> 3
	if left := 8*len(data) - bit - pad; n > left/8 {
		return nil, bit + pad, overread(saturate.MulAdd(n, 8, 0), left)
	}
	return data[first : first+n : first+n], bit + pad + 8*n, nil
}

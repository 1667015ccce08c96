//go:build !purego

package tagcodec

import (
	"encoding/binary"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/saturate"
)

// What readers load of a message. The functions of the loops over many values
// are small enough to become part of them, as [bits.Peek] and [bits.PeekWord],
// which take data of any length, are not.

// peekCode returns the bits from one of data on, 57 of them or all, with zeros
// above those that it has not. Data has 8 bytes or more.
func peekCode(data []byte, bit int) uint64 {
	if first := uint(bit) >> 3; first+8 <= uint(len(data)) {
		return binary.LittleEndian.Uint64(data[first:first+8]) >> (uint(bit) & 7)
	}
	last := uint(len(data)) - 8
	return binary.LittleEndian.Uint64(data[last:last+8]) >> ((uint(bit) - 8*last) & 63)
}

// peekNinth returns what 64 bits from one of data on have beyond the load of
// peekCode.
func peekNinth(data []byte, bit int) uint64 {
	if i := uint(bit)>>3 + 8; i < uint(len(data)) {
		return uint64(data[i]) << (64 - uint(bit)&7)
	}
	return 0
}

// padded returns data, or if it is too short for a load of 8 bytes, a copy in
// short.
func padded(data []byte, short *[8]byte) []byte {
	if len(data) < len(short) {
		copy(short[:], data)
		return short[:]
	}
	return data
}

// take aligns and returns n bytes and the bit behind them.
func take(data []byte, bit, n int) ([]byte, int, error) {
	pad := -bit & 7
	if v := bits.Peek(data, bit) & (1<<pad - 1); v != 0 {
		return nil, bit, refusal(ErrPadding, v, uint64(0), uint64(0))
	}
	first := (bit + pad) >> 3
	if left := 8*len(data) - bit - pad; n > left/8 {
		return nil, bit + pad, overread(saturate.MulAdd(n, 8, 0), left)
	}
	return data[first : first+n : first+n], bit + pad + 8*n, nil
}

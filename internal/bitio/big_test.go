package bitio

import (
	"math/big"
	mathbits "math/bits"
)

// Low128 returns the low 128 bits of x in two's complement.
func Low128(x *big.Int) (lo, hi uint64) {
	for i, word := range x.Bits() { // of the absolute value, low word first
		switch at := i * mathbits.UintSize; at / 64 {
		case 0:
			lo |= uint64(word) << (at % 64)
		case 1:
			hi |= uint64(word) << (at % 64)
		}
	}
	if x.Sign() < 0 {
		var borrow uint64
		lo, borrow = mathbits.Sub64(0, lo, 0)
		hi, _ = mathbits.Sub64(0, hi, borrow)
	}
	return lo, hi
}

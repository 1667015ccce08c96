package bitio

import "github.com/gobitpack/bitpack/internal/saturate"

// MaxStretch is the largest number of elements in a stretch of equal elements.
// Its length is the largest that 17 bits can hold. 511 elements of 8 bytes for
// 18 bits or more are at most 228 bytes of memory for each bit.
const MaxStretch = 511

// StretchBits returns the smallest size in bits of n elements of width bits each
// in stretches: the length of each less 1, in the Exp-Golomb code of order 0, and
// one element.
func StretchBits(n, width int) int {
	_, _, whole := EncodeExpGolomb(MaxStretch-1, 0)
	all := saturate.Mul(n/MaxStretch, whole+width)
	if rest := n % MaxStretch; rest > 0 {
		_, _, length := EncodeExpGolomb(uint64(rest-1), 0)
		all = saturate.Add(all, length+width)
	}
	return all
}

package tagcodec

import (
	"math"
	mathbits "math/bits"
)

// A reader takes memory for a value only when the bits are there that the value
// takes at least. Bits that what follows it needs, in the blocks around it too,
// are owed to that and do not count.

// needed returns n values of some bits each and more bits, as far as an int can
// count them.
func needed(n, each, more int) int {
	if each > 0 && n > (math.MaxInt-more)/each {
		return math.MaxInt
	}
	return n*each + more
}

// plus returns a number of bits and another, as far as an int can count them.
func plus(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// pays reports whether the bits left are those of n elements.
func pays(left, n, bitsEach int) bool {
	hi, lo := mathbits.Mul64(uint64(n), uint64(bitsEach))
	return hi == 0 && (lo == 0 || left > 0 && lo <= uint64(left))
}

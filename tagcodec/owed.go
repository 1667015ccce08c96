package tagcodec

import mathbits "math/bits"

// A reader takes memory for a value only when the bits are there that the value
// takes at least. Bits that what follows it needs, in the blocks around it too,
// are owed to that and do not count.

// pays reports whether the bits left are those of n elements.
func pays(left, n, bitsEach int) bool {
	hi, lo := mathbits.Mul64(uint64(n), uint64(bitsEach))
	return hi == 0 && (lo == 0 || left > 0 && lo <= uint64(left))
}

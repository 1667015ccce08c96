package core

import mathbits "math/bits"

// A reader allocates memory for a value only if enough bits remain for its
// minimum size. Owed bits are reserved for later values, including those of the
// enclosing blocks, so they do not count.

// Covers reports whether the left bits cover n elements of at least bitsEach bits
// each.
func Covers(left, n, bitsEach int) bool {
	hi, lo := mathbits.Mul64(uint64(n), uint64(bitsEach))
	return hi == 0 && (lo == 0 || left > 0 && lo <= uint64(left))
}

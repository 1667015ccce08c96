// Package saturate does arithmetic on sizes in bits. A result too large for an
// int becomes math.MaxInt.
package saturate

import (
	"math"
	mathbits "math/bits"
)

// Add returns a+b. Both must be nonnegative.
func Add(a, b int) int {
	if sum := a + b; sum >= 0 {
		return sum
	}
	return math.MaxInt
}

// Mul returns n*b. Both must be nonnegative. Mul is not copied into its callers. It
// divides only if a factor is so large that the product may not fit.
//
//go:noinline
func Mul(n, b int) int {
	if (n|b)>>(mathbits.UintSize/2-1) != 0 && n != 0 && b > math.MaxInt/n {
		return math.MaxInt
	}
	return n * b
}

// Bytes returns the number of bytes needed for n bits. For math.MaxInt it
// returns math.MaxInt.
func Bytes(n int) int {
	if n == math.MaxInt {
		return n
	}
	return n/8 + (n%8+7)/8
}

// MulAdd returns n*b+c. All must be nonnegative.
func MulAdd(n, b, c int) int { return Add(Mul(n, b), c) }

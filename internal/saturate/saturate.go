// Package saturate does arithmetic on sizes in bits. A result too large for an
// int becomes math.MaxInt.
package saturate

import (
	"math"
	"math/bits"
)

// Add returns a+b. Both must be nonnegative.
func Add(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// Mul returns n*b. Both must be nonnegative.
func Mul(n, b int) int {
	hi, lo := bits.Mul(uint(n), uint(b))
	if hi != 0 || lo > math.MaxInt {
		return math.MaxInt
	}
	return int(lo)
}

// Bytes returns the number of bytes needed for the given number of bits. For
// math.MaxInt it returns math.MaxInt.
func Bytes(bits int) int {
	if bits == math.MaxInt {
		return bits
	}
	return bits/8 + (bits%8+7)/8
}

// MulAdd returns n*b+c. All must be nonnegative.
func MulAdd(n, b, c int) int { return Add(Mul(n, b), c) }

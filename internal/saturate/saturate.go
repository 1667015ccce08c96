// Package saturate computes with numbers of bits that an int may not hold. A sum
// or a product that is too large is math.MaxInt.
package saturate

import "math"

// Add returns a+b for numbers that are not negative.
func Add(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// Mul returns n*b for numbers that are not negative.
func Mul(n, b int) int {
	if n != 0 && b > math.MaxInt/n {
		return math.MaxInt
	}
	return n * b
}

// MulAdd returns n*b+c for numbers that are not negative.
func MulAdd(n, b, c int) int { return Add(Mul(n, b), c) }

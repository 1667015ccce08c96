package compress

import "math"

// The code of a float is canonical if its value encodes to the same code.
// Rounding changes the code if it adds up to half a step. With u = 2^-24 for
// float32 and 2^-53 for float64, the rounding errors in steps are:
//
//   - The value is rounded to a float: at most u*far*Steps/Delta, where far is
//     the larger of |Min| and |Max|.
//   - Each quotient, product and sum is rounded by at most u of the code. There
//     are at most 8 of them: 8*u*Steps.
//
// All codes are canonical if the sum of the two is below 1/2. For up to 2^16
// steps this means a step larger than far*2^-23, the spacing of float32 at far.
// If a step is smaller than the spacing, several codes have the same float.

// surelyCanonical reports whether the rounding errors stay below half a step.
// least is the smallest positive float. It bounds the rounding error near zero.
func surelyCanonical(far, delta, steps, u, least float64) bool {
	rounding := float64(u*far) + float64(2*least)
	return float64(rounding*(steps/delta))+float64(8*u*steps) < 0.5
}

// maxSearch is the largest number of steps for which Canonical tries every
// code. A Float32 with more steps is never canonical: above 2^23 the sum with
// 0.5 rounds to an even number, so only the last code can be odd.
const maxSearch = 1<<23 + 1

// Canonical reports whether every decoded value encodes to its own code, so
// that a message with such a value has only one form. The result is exact.
// Canonical may try every code, about 2^23 at most, so it is not for hot loops.
func (q *Float32) Canonical() bool {
	far := max(math.Abs(float64(q.Min)), math.Abs(float64(q.Min)+float64(q.Delta)))
	if q.Steps > maxSearch {
		return false
	}
	if surelyCanonical(far, float64(q.Delta), float64(q.Steps), 0x1p-24, 0x1p-149) {
		return true
	}
	for code := range q.Steps + 1 {
		if q.Encode(q.Decode(code)) != code {
			return false
		}
	}
	return true
}

// Canonical is [Float32.Canonical] for float64. It tries no codes if there are
// more than 2^23+1 steps. It then reports false if rounding might change a
// code, which begins at about 2^49 steps for bounds like [-1, 1].
func (q *Float64) Canonical() bool {
	far := max(math.Abs(q.Min), math.Abs(q.Min+q.Delta))
	if surelyCanonical(far, q.Delta, float64(q.Steps), 0x1p-53, math.SmallestNonzeroFloat64) {
		return true
	}
	if q.Steps > maxSearch {
		return false
	}
	for code := range q.Steps + 1 {
		if q.Encode(q.Decode(code)) != code {
			return false
		}
	}
	return true
}

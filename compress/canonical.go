package compress

import "math"

// A code of a float is canonical if its value encodes to the same code. Rounding
// leads to another code where it adds up to half a step. With u for 2^-24 in
// float32 and 2^-53 in float64, these are the roundings, in steps:
//
//   - The value is rounded to a float: u*far*Steps/Delta at most, where far is
//     the larger of |Min| and |Max|.
//   - The quotients, products and sums around it are rounded to u of the code
//     each, of which there are 8 at most: 8*u*Steps.
//
// So all codes are canonical if these two are below 1/2. For up to 2^16 steps
// that is a step of more than far*2^-23, the spacing of float32 at far. A step
// that is narrower than the spacing has codes that are the same float.

// surelyCanonical reports whether the roundings stay below half a step. The
// least float above zero, which bounds rounding near zero, is least.
func surelyCanonical(far, delta, steps, u, least float64) bool {
	return (u*far+2*least)*(steps/delta)+8*u*steps < 0.5
}

// maxSearch is the largest number of steps at which every code is looked at. A
// Float32 of more is never canonical: above 2^23 the sum with 0.5 is rounded to
// an even number, and only the last code may be odd.
const maxSearch = 1<<23 + 1

// Canonical reports whether every code is that of its own value, so that each
// message that holds one has one form. It is exact. It may look at each code,
// 2^23 at most, and is not for hot loops.
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

// Canonical is [Float32.Canonical]. Above 2^23 steps it looks at no codes and
// reports false where rounding might lead to another code, which is from about
// 2^49 steps on in bounds like [-1, 1].
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

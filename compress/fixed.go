package compress

import (
	"math"

	"github.com/gobitpack/bitpack/bits"
)

// ToFixed returns the raw integer of v with frac fraction bits, rounded to
// nearest, ties to even. A value outside the range of T becomes the nearest end
// of the range. The result for a NaN is meaningless: see [Finite64]. The error
// is at most 2^-frac/2 for frac in [0, 64].
func ToFixed[T bits.Integer](v float64, frac int) T {
	lowest, highest := ends[T]()
	x := math.RoundToEven(math.Ldexp(v, frac))
	// As a float64, the highest 64-bit integer rounds up by one.
	switch {
	case x >= float64(highest):
		return highest
	case x <= float64(lowest):
		return lowest
	}
	return T(x)
}

// FromFixed returns the value of a raw integer with frac fraction bits. It is
// exact for integers of up to 53 bits, and rounds larger ones to the nearest
// float64.
func FromFixed[T bits.Integer](raw T, frac int) float64 { return math.Ldexp(float64(raw), -frac) }

// ends returns the smallest and the largest T.
func ends[T bits.Integer]() (lowest, highest T) {
	if zero := T(0); zero-1 > 0 {
		return 0, zero - 1
	}
	highest = 1
	for highest<<1+1 > highest {
		highest = highest<<1 + 1
	}
	return -highest - 1, highest
}

package compress

import (
	"math"
	mathbits "math/bits"

	"github.com/gobitpack/bitpack/bits"
)

// Fixed codes fixed-point integers, which represent multiples of 2^-F (a Q
// format). With 8 fraction bits, the raw integer of 1.5 is 384. The code is
// "fixed" of the format "serialize 1.0", for storage of 8, 16, 32 or 64 bits:
//
//	code = raw - (min<<F), in [0, (max-min)<<F]
//
// The bounds are whole units and inclusive: max has a code and max + 2^-F has
// none. Nothing is rounded.
//
// Fixed is for hand-written serialize functions. The codecs treat the fixed tag
// as an integer range and do not use Fixed.
//
// For raw integers of 128 bits, use [bits.Writer.WriteInt128] with the bounds
// min<<F and max<<F.
type Fixed struct {
	Bias uint64 // min<<F, in two's complement
	Span uint64 // (max-min)<<F
}

// NewFixed returns the code for signed integers of the given storage size in
// bits. frac of the bits are the fraction. min and max are in whole units and
// must fit in the other bits, one of which is the sign.
func NewFixed(storage, frac int, min, max int64) (Fixed, error) {
	if err := checkFixed(storage, frac, min <= max, min, max); err != nil {
		return Fixed{}, err
	}
	lowest, highest := int64(math.MinInt64)>>(64-storage+frac), int64(math.MaxInt64)>>(64-storage+frac)
	if min < lowest || max > highest {
		return Fixed{}, misfit("int", storage, frac, lowest, highest, min, max)
	}
	return Fixed{uint64(min) << frac, (uint64(max) - uint64(min)) << frac}, nil
}

// NewFixedUint is NewFixed for unsigned integers.
func NewFixedUint(storage, frac int, min, max uint64) (Fixed, error) {
	if err := checkFixed(storage, frac, min <= max, min, max); err != nil {
		return Fixed{}, err
	}
	highest := uint64(math.MaxUint64) >> (64 - storage + frac)
	if max > highest {
		return Fixed{}, misfit("uint", storage, frac, 0, highest, min, max)
	}
	return Fixed{min << frac, (max - min) << frac}, nil
}

func checkFixed(storage, frac int, ordered bool, min, max any) error {
	switch {
	case storage != 8 && storage != 16 && storage != 32 && storage != 64:
		return failed("storage must be 8, 16, 32 or 64 bits, not %d", storage)
	case frac < 0 || frac >= storage:
		return failed("frac must be in [0, %d], not %d", storage-1, frac)
	case !ordered:
		return failed("invalid range [%v, %v]: min exceeds max", min, max)
	}
	return nil
}

func misfit(kind string, storage, frac int, lowest, highest, min, max any) error {
	return failed("invalid range [%v, %v]: %s%d with %d fraction bits holds [%v, %v]",
		min, max, kind, storage, frac, lowest, highest)
}

// Bits returns the number of bits of a code.
func (q *Fixed) Bits() int { return mathbits.Len64(q.Span) }

// Encode returns the code of a raw integer. A signed integer must be
// sign-extended to 64 bits. ok is false if raw is out of bounds.
func (q *Fixed) Encode(raw uint64) (code uint64, ok bool) {
	code = raw - q.Bias
	return code, code <= q.Span
}

// Decode returns the raw integer of a code, which must be in [0, Span].
func (q *Fixed) Decode(code uint64) (raw uint64) { return q.Bias + code }

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

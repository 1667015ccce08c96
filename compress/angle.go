package compress

import (
	"math"
	mathbits "math/bits"
)

// Angle quantizes an angle to a code in [0, Mask]. The 2^N steps of a period
// form a circle: the last one ends where the first begins.
//
//	code  = round(v mod Period / step) mod 2^N, ties to even
//	value = code*step, step = Period/2^N
//
// The error is at most half a step around the circle, plus the rounding of
// float64, which is below 2^-18 of a step even with 32 bits. A decoded value
// encodes to the same code. The code of -v is the negative of the code of v,
// modulo 2^N.
//
// Period is rounded to float64. For radians it is 2*math.Pi, which is 2.4e-16
// below the exact period. An angle of a million turns drifts by 2.4e-10 for
// this reason, which is no more than the rounding of such an angle itself.
type Angle struct {
	Period float64
	Mask   uint32  // 2^N-1
	step   float64 // Period/2^N; exact
	last   float32 // the largest float32 below Period
}

// NewAngle returns a quantizer with n bits for angles with the given period,
// such as 2*math.Pi or 360. n must be in [1, 32].
func NewAngle(n int, period float64) (Angle, error) {
	if err := checkPeriod(period); err != nil {
		return Angle{}, err
	}
	if n < 1 || n > 32 {
		return Angle{}, failed("bits must be in [1, 32], not %d", n)
	}
	last := float32(period)
	if float64(last) >= period {
		last = math.Nextafter32(last, 0)
	}
	return Angle{Period: period, Mask: uint32(1<<n - 1), step: math.Ldexp(period, -n), last: last}, nil
}

// NewAngleRes returns the quantizer with the fewest bits whose step is at most
// res.
func NewAngleRes(res, period float64) (Angle, error) {
	if err := checkPeriod(period); err != nil {
		return Angle{}, err
	}
	if !(res > 0) || math.IsInf(res, 0) {
		return Angle{}, failed("res must be a positive number, not %v", res)
	}
	for n := 1; n <= 32; n++ {
		if math.Ldexp(period, -n) <= res {
			return NewAngle(n, period)
		}
	}
	return Angle{}, failed("res %v divides a period of %v into more than 2^32 steps; use a larger res", res, period)
}

// checkPeriod accepts a period if 2^-32 of it is a normal float32.
func checkPeriod(period float64) error {
	if !(period >= 0x1p-90 && period <= 0x1p90) {
		return failed("period must be in [2^-90, 2^90], not %v", period)
	}
	return nil
}

// Bits returns the number of bits of a code.
func (a *Angle) Bits() int { return mathbits.Len32(a.Mask) }

// Encode returns the code of the angle nearest to v. If v is a NaN or an
// infinity the code is meaningless: see [Finite64].
func (a *Angle) Encode(v float64) uint32 {
	if !(math.Abs(v) < a.Period) {
		v = math.Mod(v, a.Period) // exact
	}
	// The last bit of a float64 around 1.5*2^52 is worth 1, so the sum rounds
	// the quotient to an integer. Below the leading bits, a negative integer is
	// in two's complement, so the mask wraps it around the circle.
	return uint32(math.Float64bits(v/a.step+0x1.8p52)) & a.Mask
}

// Decode returns the angle of a code, in [0, Period). The bits of code above
// Mask are ignored.
//
// The largest angles can reach or exceed the period when rounded to float32.
// This begins at 27 bits for 2*math.Pi and at 25 bits for 360. Use
// [Angle.Decode32] to avoid it.
func (a *Angle) Decode(code uint32) float64 {
	// The conversion prevents fusing with an operation of the caller, where
	// Decode is inlined.
	return float64(float64(code&a.Mask) * a.step)
}

// Decode32 returns the angle of a code as the nearest float32 below Period. The
// result encodes to the same code if there are at most 23 bits and the period
// is 2*math.Pi or 360.
func (a *Angle) Decode32(code uint32) float32 { return min(float32(a.Decode(code)), a.last) }

package compress

import (
	"fmt"
	"math"
	"math/bits"
)

// Angle quantizes an angle to a code in [0, Mask], around the circle: of the
// 2^N steps of a period the last ends where the first begins.
//
//	code  = round(v mod Period / step) mod 2^N, ties to even
//	value = code*step, step = Period/2^N
//
// The error is half a step around the circle at most, plus the rounding of
// float64, which is below 2^-18 of a step even with 32 bits. A value encodes to
// the code that it was decoded from, and -v to the negative of the code of v,
// modulo 2^N.
//
// The period is what float64 holds: for radians 2*math.Pi, which is 2.4e-16
// below the real one. An angle of a million turns has drifted 2.4e-10 from that
// of the exact period, and any that large is itself known only that well.
type Angle struct {
	Period float64
	Mask   uint32  // 2^N-1
	step   float64 // Period/2^N; exact
	last   float32 // the largest float32 below Period
}

// NewAngle returns the quantizer of angles of a period, such as 2*math.Pi or
// 360, in n bits, which must be in [1, 32].
func NewAngle(n int, period float64) (Angle, error) {
	if err := checkPeriod(period); err != nil {
		return Angle{}, err
	}
	if n < 1 || n > 32 {
		return Angle{}, fmt.Errorf("bits must be in [1, 32], not %d", n)
	}
	last := float32(period)
	if float64(last) >= period {
		last = math.Nextafter32(last, 0)
	}
	return Angle{Period: period, Mask: uint32(1<<n - 1), step: math.Ldexp(period, -n), last: last}, nil
}

// NewAngleRes returns the quantizer of the fewest bits whose step is res or
// less.
func NewAngleRes(res, period float64) (Angle, error) {
	if err := checkPeriod(period); err != nil {
		return Angle{}, err
	}
	if !(res > 0) || math.IsInf(res, 0) {
		return Angle{}, fmt.Errorf("res must be a positive number, not %v", res)
	}
	for n := 1; n <= 32; n++ {
		if math.Ldexp(period, -n) <= res {
			return NewAngle(n, period)
		}
	}
	return Angle{}, fmt.Errorf("res %v makes more than 2^32 steps of %v: use a coarser one", res, period)
}

// checkPeriod accepts the periods of which 2^-32 is a normal float32.
func checkPeriod(period float64) error {
	if !(period >= 0x1p-90 && period <= 0x1p90) {
		return fmt.Errorf("period must be in [2^-90, 2^90], as 360 is, not %v", period)
	}
	return nil
}

// Bits returns the number of bits of a code.
func (a *Angle) Bits() int { return bits.Len32(a.Mask) }

// Encode returns the code of the angle nearest to v. The code of a NaN or an
// infinity means nothing: see [Finite64].
func (a *Angle) Encode(v float64) uint32 {
	if !(math.Abs(v) < a.Period) {
		v = math.Mod(v, a.Period) // exact
	}
	// The last bit of a float64 around 1.5*2^52 is worth 1, so that the sum
	// rounds the quotient to an integer, and a negative one is in two's
	// complement below the leading bits: the mask wraps it around the circle.
	return uint32(math.Float64bits(v/a.step+0x1.8p52)) & a.Mask
}

// Decode returns the angle of a code, in [0, Period). Above Mask the high bits
// of a code do not count.
//
// Rounded to float32 the largest angles can reach the period or pass it: from
// 27 bits on for 2*math.Pi, and from 25 bits on for 360. [Angle.Decode32] does
// not.
func (a *Angle) Decode(code uint32) float64 {
	// The conversion keeps the caller, where this is inlined, from fusing it.
	return float64(float64(code&a.Mask) * a.step)
}

// Decode32 returns the angle of a code as the nearest float32 below Period. It
// encodes to the same code for up to 23 bits with a period of 2*math.Pi or 360.
func (a *Angle) Decode32(code uint32) float32 { return min(float32(a.Decode(code)), a.last) }

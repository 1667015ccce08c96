package compress

import (
	"math"
)

// QuatSign codes a unit quaternion as x, y, z and the sign of w:
//
//	 N bits   N bits   N bits   1 bit      from the lowest bit up
//	+-------+--------+--------+------+
//	|   x   |   y    |   z    | sign |
//	+-------+--------+--------+------+
//
// With Z = 2^(N-1)-1 the grid has 2*Z steps over [-1, 1] and contains zero:
//
//	v = k/Z, k = code-Z, code in [0, 2*Z]
//	w = sqrt(Z^2 - k1^2 - k2^2 - k3^2)/Z, negative if the sign is 1
//
// The identity and half turns about the x, y and z axes are exact. The sign of
// the quaternion is preserved, though it has no effect on the rotation. w is
// coarse where it is small: the rotation error there is up to 2.9/sqrt(Z)
// radians, 0.9 degrees with 16 bits. The average error is 2.5/Z radians, 0.004
// degrees. [Quat] has no such coarse region, but cannot code the identity
// exactly.
//
// The code of a value is the nearest of the eight grid points around x, y, z,
// compared in all four components. Points whose squares sum to more than Z^2
// are excluded. The lowest code wins a tie, as defined in [Quat]. A decoded
// value encodes to its own code, also as float32. Decode refuses the component
// code 2*Z+1, squares that sum to more than Z^2, and a negative sign if w is 0.
type QuatSign struct {
	bits  int
	max   int64   // Z
	scale float64 // Z
}

// NewQuatSign returns the code of quaternions with n bits for each of x, y and
// z. n must be in [2, 20].
func NewQuatSign(n int) (QuatSign, error) {
	if n < 2 || n > 20 {
		return QuatSign{}, failed("bits must be in [2, 20], not %d", n)
	}
	z := int64(1)<<(n-1) - 1
	return QuatSign{bits: n, max: z, scale: float64(z)}, nil
}

// Bits returns the number of bits of a code, 3*N+1.
func (q *QuatSign) Bits() int { return 3*q.bits + 1 }

// Encode returns the code nearest to the quaternion x, y, z, w, which need not
// have length 1. ok is false if v is zero or if a component is a NaN or an
// infinity.
func (q *QuatSign) Encode(v [4]float64) (code uint64, ok bool) {
	if !unit4(&v) {
		return 0, false
	}
	x, y, z := float64(v[0]*q.scale), float64(v[1]*q.scale), float64(v[2]*q.scale)
	w := math.Abs(float64(v[3] * q.scale))
	k1, k2, k3 := int64(math.Floor(x)), int64(math.Floor(y)), int64(math.Floor(z))
	nearest := math.Inf(1)
	for i := range int64(8) {
		k1, k2, k3 := k1+i&1, k2+i>>1&1, k3+i>>2
		rest := q.max*q.max - k1*k1 - k2*k2 - k3*k3
		if rest < 0 {
			continue
		}
		a, b, c, d := float64(k1)-x, float64(k2)-y, float64(k3)-z, math.Sqrt(float64(rest))-w
		sum := float64(a*a) + float64(b*b) + float64(c*c) + float64(d*d)
		if sum < nearest*clearly {
			nearest = sum
			code = uint64(k1+q.max) | uint64(k2+q.max)<<q.bits | uint64(k3+q.max)<<(2*q.bits)
			if rest > 0 && v[3] < 0 {
				code |= 1 << (3 * q.bits)
			}
		}
	}
	return code, true
}

// Encode32 is Encode for float32.
func (q *QuatSign) Encode32(v [4]float32) (code uint64, ok bool) { return q.Encode(widen4(v)) }

// Decode returns the quaternion x, y, z, w of a code, with length 1. ok is
// false if the code is not valid. The bits of code above [QuatSign.Bits] are
// ignored.
func (q *QuatSign) Decode(code uint64) (v [4]float64, ok bool) {
	mask := uint64(1)<<q.bits - 1
	k1 := int64(code&mask) - q.max
	k2 := int64(code>>q.bits&mask) - q.max
	k3 := int64(code>>(2*q.bits)&mask) - q.max
	rest := q.max*q.max - k1*k1 - k2*k2 - k3*k3
	negative := code>>(3*q.bits)&1 != 0
	// A component of Z+1 alone has a square above Z^2.
	if rest < 0 || rest == 0 && negative {
		return v, false
	}
	w := math.Sqrt(float64(rest)) / q.scale
	if negative {
		w = -w
	}
	return [4]float64{float64(k1) / q.scale, float64(k2) / q.scale, float64(k3) / q.scale, w}, true
}

// Decode32 is Decode for float32. It rounds each component to nearest.
func (q *QuatSign) Decode32(code uint64) (v [4]float32, ok bool) {
	u, ok := q.Decode(code)
	return narrow4(u), ok
}

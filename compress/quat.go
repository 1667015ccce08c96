package compress

import (
	"fmt"
	"math"
)

// Quat codes a unit quaternion as its smallest three components:
//
//	 2 bits    N bits   N bits   N bits      from the lowest bit up
//	+-------+---------+--------+--------+
//	| index |    a    |   b    |   c    |
//	+-------+---------+--------+--------+
//
// The index says which of x, y, z, w is the largest in magnitude; a, b, c are
// the others in this order. A quaternion and its negative are the same
// rotation, so the sign of all is flipped where the largest is negative, and
// the largest follows from the length of 1. The others are at most 1/sqrt(2)
// in magnitude and go, with M = 2^N-1, on the grid of the article "Snapshot
// Compression" by Glenn Fiedler, where N is 9:
//
//	code    = floor(v*M/sqrt(2) + 2^(N-1)), in [0, M]
//	v       = k/(sqrt(2)*M), k = 2*code-M
//	largest = sqrt(2*M^2 - k1^2 - k2^2 - k3^2)/(sqrt(2)*M)
//
// The rotation is off by 4.9/M radians at most and 1.5/M in the mean: with 9
// bits 0.55 and 0.17 degrees. All k are odd, so that the grid has both ends of
// the range and no zero. The identity decodes to a turn of 2.45/M radians, 0.27
// degrees with 9 bits. [QuatSign] holds it exactly.
//
// # Which codes there are
//
// A code is refused unless the cell of the values that round to it has one at
// which the index is right: with m = (|k|-1)/2, the whole steps from zero to
// the near side of a cell, exactly
//
//	2*(m1^2 + m2^2 + m3^2 + max(m1, m2, m3)^2) < M^2
//
// which is to say that the squares of the three may sum past 3/4, where four
// equal components have them, by what rounding adds and no more: to
// 3/4*(1 + sqrt(2)/M)^2 at most. That is below 1 but for N = 2, where it may
// be 1.5; the largest is 0 then and the others share the length. Equality
// cannot be, because M is odd.
//
// # Nearly equal components
//
// Rounded, the largest component can come out below another. To take the
// largest of the decoded values would then give another code, and a value that
// is decoded and encoded by turns would walk. So each component is tried as the
// largest, and of the codes that are not refused the nearest to the value wins.
// Where the squares of two distances differ by 2^-30 of them or less, which is
// the matter of symmetry and the order of additions, the lower index does.
//
// A value encodes to the code that it was decoded from: always as float64. Two
// codes are never as near to each other as float64 rounds, because k1^2 + k2^2
// + k3^2 + k4^2 = 2*M^2 has no odd solution modulo 8. As float32 this holds up
// to 11 bits; above, two codes with nearly equal components can be the same
// float32 values. Of random rotations that is less than 1 in 100,000 with any
// number of bits, and of those with nearly equal components 1 in 1,000 with 16
// bits and 1 in 20 with 20.
type Quat struct {
	bits  int
	max   int64   // M
	scale float64 // M/sqrt(2)
	zero  float64 // 2^(N-1), the code of zero
	half  float64 // 1/(sqrt(2)*M), half a step
	clear float64 // see Encode
}

// NewQuat returns the code of quaternions with n bits for each of the smallest
// three components, which must be in [2, 20].
func NewQuat(n int) (Quat, error) {
	if n < 2 || n > 20 {
		return Quat{}, fmt.Errorf("bits must be in [2, 20], not %d", n)
	}
	m := int64(1)<<n - 1
	half := 1 / (math.Sqrt2 * float64(m))
	return Quat{
		bits:  n,
		max:   m,
		scale: float64(m) / math.Sqrt2,
		zero:  float64(int64(1) << (n - 1)),
		half:  half,
		clear: half * (9 + float64(200*half)),
	}, nil
}

// Bits returns the number of bits of a code, 2+3*N.
func (q *Quat) Bits() int { return 2 + 3*q.bits }

// Encode returns the code of the rotation nearest to that of the quaternion x,
// y, z, w, which need not have the length of 1. It is not ok for zero and where
// a component is a NaN or an infinity.
func (q *Quat) Encode(v [4]float64) (code uint64, ok bool) {
	if !unit4(&v) {
		return 0, false
	}
	index, first, second := largest4(&v)
	// A step towards zero in each of the others makes the square of the largest
	// 6 half steps larger at most, and that of the second 2 smaller, or 2.83
	// where it is 1/sqrt(2). Over the sum of both, which is 1 or nearly so, that
	// is the difference that a cell can bridge.
	if first-second > q.clear {
		return q.encodeAs(&v, index), true
	}
	return q.encodeNearest(&v), true
}

// Encode32 is Encode for float32.
func (q *Quat) Encode32(v [4]float32) (code uint64, ok bool) { return q.Encode(widen4(v)) }

// clearly is the part of a squared distance that is less for certain.
const clearly = 1 - 0x1p-30

// encodeNearest returns the nearest of the codes that there are.
func (q *Quat) encodeNearest(v *[4]float64) (code uint64) {
	nearest := math.Inf(1)
	for i := range v {
		c := q.encodeAs(v, i)
		u, ok := q.Decode(c)
		if !ok {
			continue
		}
		if math.Signbit(v[i]) {
			u = [4]float64{-u[0], -u[1], -u[2], -u[3]}
		}
		x, y, z, w := v[0]-u[0], v[1]-u[1], v[2]-u[2], v[3]-u[3]
		if sum := float64(x*x) + float64(y*y) + float64(z*z) + float64(w*w); sum < nearest*clearly {
			code, nearest = c, sum
		}
	}
	return code
}

// largest4 returns the index of the component with the largest magnitude, the
// lowest if there are several, its magnitude and the largest of the others.
func largest4(v *[4]float64) (index int, first, second float64) {
	// Magnitudes are in the order of their bits, and integers go without the
	// branches that no CPU foretells.
	const magnitude = 1<<63 - 1
	a, b := math.Float64bits(v[0])&magnitude, math.Float64bits(v[1])&magnitude
	c, d := math.Float64bits(v[2])&magnitude, math.Float64bits(v[3])&magnitude
	ab, cd := max(a, b), max(c, d)
	if b > a {
		index = 1
	}
	other := 2
	if d > c {
		other = 3
	}
	if cd > ab {
		index = other
	}
	return index, math.Float64frombits(max(ab, cd)), math.Float64frombits(max(min(ab, cd), min(a, b), min(c, d)))
}

// encodeAs returns the code of a vector of length 1 with v[index] as the
// largest component.
func (q *Quat) encodeAs(v *[4]float64, index int) uint64 {
	scale, zero := math.Copysign(q.scale, v[index&3]), q.zero
	o := &others[index&3]
	// Below zero, where this is no floor, the code is 0 all the same.
	a := int64(float64(v[o[0]&3]*scale) + zero)
	b := int64(float64(v[o[1]&3]*scale) + zero)
	c := int64(float64(v[o[2]&3]*scale) + zero)
	a, b, c = min(max(a, 0), q.max), min(max(b, 0), q.max), min(max(c, 0), q.max)
	return uint64(index) | uint64(a)<<2 | uint64(b)<<(2+q.bits) | uint64(c)<<(2+2*q.bits)
}

// others lists the components but the largest.
var others = [4][3]uint8{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}

// Decode returns the quaternion x, y, z, w of a code, of length 1. It is not ok
// if the code is none that a quaternion has. Bits of it above [Quat.Bits] do
// not count.
func (q *Quat) Decode(code uint64) (v [4]float64, ok bool) {
	mask := uint64(q.max)
	k1 := 2*int64(code>>2&mask) - q.max
	k2 := 2*int64(code>>(2+q.bits)&mask) - q.max
	k3 := 2*int64(code>>(2+2*q.bits)&mask) - q.max
	if !q.possible(k1, k2, k3) {
		return v, false
	}
	// In units of half a step the squares are integers of 43 bits at most.
	sum := k1*k1 + k2*k2 + k3*k3
	half, largest := q.half, 0.0
	if rest := 2*q.max*q.max - sum; rest > 0 {
		largest = float64(math.Sqrt(float64(rest)) * half)
	} else { // with 2 bits only
		half = 1 / math.Sqrt(float64(sum))
	}
	a, b, c := float64(float64(k1)*half), float64(float64(k2)*half), float64(float64(k3)*half)
	switch code & 3 {
	case 0:
		return [4]float64{largest, a, b, c}, true
	case 1:
		return [4]float64{a, largest, b, c}, true
	case 2:
		return [4]float64{a, b, largest, c}, true
	}
	return [4]float64{a, b, c, largest}, true
}

// possible reports whether one of the values that round to k1, k2, k3 can have
// a fourth component that is the largest.
func (q *Quat) possible(k1, k2, k3 int64) bool {
	m1, m2, m3 := (max(k1, -k1)-1)/2, (max(k2, -k2)-1)/2, (max(k3, -k3)-1)/2
	m := max(m1, m2, m3)
	return 2*(m1*m1+m2*m2+m3*m3+m*m) < q.max*q.max
}

// Decode32 is Decode for float32, each component rounded to the nearest.
func (q *Quat) Decode32(code uint64) (v [4]float32, ok bool) {
	u, ok := q.Decode(code)
	return narrow4(u), ok
}

package compress

import (
	"math"
)

// Quat codes a unit quaternion as its smallest three components:
//
//	 2 bits    N bits   N bits   N bits      from the lowest bit up
//	+-------+---------+--------+--------+
//	| index |    a    |   b    |   c    |
//	+-------+---------+--------+--------+
//
// The index selects which of x, y, z, w is the largest in magnitude. a, b and c
// are the others, in this order. A quaternion and its negative are the same
// rotation, so if the largest component is negative, all signs are flipped. The
// largest component is not sent because it follows from the length of 1. The
// others are at most 1/sqrt(2) in magnitude. With M = 2^N-1, they are quantized
// to the grid of the article "Snapshot Compression" by Glenn Fiedler, where N
// is 9:
//
//	code    = floor(v*M/sqrt(2) + 2^(N-1)), in [0, M]
//	v       = k/(sqrt(2)*M), k = 2*code-M
//	largest = sqrt(2*M^2 - k1^2 - k2^2 - k3^2)/(sqrt(2)*M)
//
// The rotation error is at most 4.9/M radians and 1.5/M on average: 0.55 and
// 0.17 degrees with 9 bits. All k are odd, so the grid contains both ends of
// the range but not zero. The identity decodes to a rotation of 2.45/M radians,
// 0.27 degrees with 9 bits. [QuatSign] codes it exactly.
//
// # Valid codes
//
// A code is valid only if some quaternion rounds to it with this index. Let m =
// (|k|-1)/2, the number of whole steps from zero to the near side of a grid
// cell. The exact condition is
//
//	2*(m1^2 + m2^2 + m3^2 + max(m1, m2, m3)^2) < M^2
//
// Equality is impossible because M is odd. When all four components are equal,
// the squares of the three smallest sum to 3/4. The condition allows a larger
// sum only by as much as rounding can add, up to 3/4*(1 + sqrt(2)/M)^2. That is
// below 1 except for N = 2, where it may be 1.5. In this case the largest
// component is 0 and the others are scaled to length 1.
//
// # Nearly equal components
//
// After rounding, the largest component can be smaller than another. Choosing
// the largest of the decoded components would then give another code, and a
// value decoded and encoded repeatedly would drift. Encode therefore tries each
// component as the largest, and picks the valid code nearest to the value. If
// two squared distances differ by at most 2^-30 of their size, which symmetry
// or the order of additions can cause, the lower index wins.
//
// A decoded float64 value always encodes to its own code. This requires that
// distinct codes are farther apart than float64 rounding, which they are
// because k1^2 + k2^2 + k3^2 + k4^2 = 2*M^2 has no odd solution modulo 8. For
// float32 values it holds up to 11 bits. With more bits, two codes with nearly
// equal components can have the same float32 value. This affects fewer than 1
// in 100,000 random rotations with any number of bits. Among rotations with
// nearly equal components it affects 1 in 1,000 with 16 bits and 1 in 20 with
// 20 bits.
type Quat struct {
	bits  int
	max   int64   // M
	scale float64 // M/sqrt(2)
	zero  float64 // 2^(N-1), the code offset of zero
	half  float64 // 1/(sqrt(2)*M), half a step
	clear float64 // see Encode
}

// NewQuat returns the code of quaternions with n bits for each of the smallest
// three components. n must be in [2, 20].
func NewQuat(n int) (Quat, error) {
	if n < 2 || n > 20 {
		return Quat{}, failed("bits must be in [2, 20], not %d", n)
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

// Encode returns the code nearest to the rotation of the quaternion x, y, z, w,
// which need not have length 1. ok is false if v is zero or if a component is a
// NaN or an infinity.
func (q *Quat) Encode(v [4]float64) (code uint64, ok bool) {
	if !unit4(&v) {
		return 0, false
	}
	index, first, second := largest4(&v)
	// Moving each of the other components one step towards zero increases the
	// square of the largest by at most 6 half steps. It decreases the square of
	// the second largest by 2, or by 2.83 if the latter is 1/sqrt(2). Divided by the
	// sum of the two components, which is about 1, this is the largest
	// difference that rounding can reverse.
	if first-second > q.clear {
		return q.encodeAs(&v, index), true
	}
	return q.encodeNearest(&v), true
}

// Encode32 is Encode for float32.
func (q *Quat) Encode32(v [4]float32) (code uint64, ok bool) { return q.Encode(widen4(v)) }

// clearly makes near-ties count as ties: a squared distance d counts as smaller
// than another, e, only if d < e*clearly.
const clearly = 1 - 0x1p-30

// encodeNearest returns the nearest valid code.
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

// largest4 returns the index and the magnitude of the component with the
// largest magnitude, and the second largest magnitude. The lowest index wins a
// tie.
func largest4(v *[4]float64) (index int, first, second float64) {
	// The bits of magnitudes sort like the magnitudes, and comparing integers
	// avoids unpredictable branches.
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
	// Below zero the conversion does not round down, but the code is 0 anyway.
	a := int64(float64(v[o[0]&3]*scale) + zero)
	b := int64(float64(v[o[1]&3]*scale) + zero)
	c := int64(float64(v[o[2]&3]*scale) + zero)
	a, b, c = min(max(a, 0), q.max), min(max(b, 0), q.max), min(max(c, 0), q.max)
	return uint64(index) | uint64(a)<<2 | uint64(b)<<(2+q.bits) | uint64(c)<<(2+2*q.bits)
}

// others lists the components other than the largest.
var others = [4][3]uint8{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}

// Decode returns the quaternion x, y, z, w of a code, with length 1. ok is
// false if the code is not valid. The bits of code above [Quat.Bits] are
// ignored.
func (q *Quat) Decode(code uint64) (v [4]float64, ok bool) {
	mask := uint64(q.max)
	k1 := 2*int64(code>>2&mask) - q.max
	k2 := 2*int64(code>>(2+q.bits)&mask) - q.max
	k3 := 2*int64(code>>(2+2*q.bits)&mask) - q.max
	if !q.possible(k1, k2, k3) {
		return v, false
	}
	// In units of half a step, the squares are integers of at most 43 bits.
	sum := k1*k1 + k2*k2 + k3*k3
	half, largest := q.half, 0.0
	if rest := 2*q.max*q.max - sum; rest > 0 {
		largest = float64(math.Sqrt(float64(rest)) * half)
	} else { // possible only with N = 2
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

// possible reports whether k1, k2, k3 can be the rounded smaller components of
// a quaternion, so that the fourth is the largest.
func (q *Quat) possible(k1, k2, k3 int64) bool {
	m1, m2, m3 := (max(k1, -k1)-1)/2, (max(k2, -k2)-1)/2, (max(k3, -k3)-1)/2
	m := max(m1, m2, m3)
	return 2*(m1*m1+m2*m2+m3*m3+m*m) < q.max*q.max
}

// Decode32 is Decode for float32. It rounds each component to nearest.
func (q *Quat) Decode32(code uint64) (v [4]float32, ok bool) {
	u, ok := q.Decode(code)
	return narrow4(u), ok
}

package compress

import (
	"math"
)

// Unit codes a vector of length 1 as a point on an octahedron unfolded into a
// square (Meyer et al., "On Floating-Point Normal Vectors", 2010):
//
//	 N bits   N bits      from the lowest bit up
//	+-------+--------+
//	|   i   |   j    |
//	+-------+--------+
//
// With Z = 2^(N-1)-1 the square is a grid of i and j in [-Z, Z], sent as i+Z
// and j+Z. The vector of a point has the direction of
//
//	(i, j, Z-|i|-|j|)                                       if |i|+|j| <= Z
//	((Z-|j|)*sign(i), (Z-|i|)*sign(j), Z-|i|-|j|)           otherwise
//
// The six axis directions are grid points and therefore exact: +z is the center
// and -z is at the corners. The two halves of each edge of the square represent
// the same vectors, and so do all corners. Of these duplicates, only the point
// whose other coordinate is not negative is valid. Decode refuses the others,
// and also the coordinate Z+1.
//
// The code of a value is the nearest of the four points around it. The lowest
// code wins a tie, as defined in [Quat]. The error is at most sqrt(2)/Z radians
// and 0.7/Z on average. With 8 bits per coordinate, 16 in all, this is 0.64 and
// 0.32 degrees. A decoded value encodes to its own code, also as float32.
type Unit struct {
	bits  int
	max   int64   // Z
	scale float64 // Z
}

// NewUnit returns the code of vectors of length 1 with n bits for each of the
// two coordinates. n must be in [2, 24].
func NewUnit(n int) (Unit, error) {
	if n < 2 || n > 24 {
		return Unit{}, failed("bits must be in [2, 24], not %d", n)
	}
	z := int64(1)<<(n-1) - 1
	return Unit{bits: n, max: z, scale: float64(z)}, nil
}

// Bits returns the number of bits of a code, 2*N.
func (q *Unit) Bits() int { return 2 * q.bits }

// Encode returns the code nearest to the direction of x, y, z, which need not
// have length 1. ok is false if v is zero or if a component is a NaN or an
// infinity.
func (q *Unit) Encode(v [3]float64) (code uint64, ok bool) {
	if !unit3(&v) {
		return 0, false
	}
	sum := math.Abs(v[0]) + math.Abs(v[1]) + math.Abs(v[2])
	x, y := v[0]/sum, v[1]/sum
	if v[2] < 0 {
		x, y = positive(1-math.Abs(y), x), positive(1-math.Abs(x), y)
	}
	i0, j0 := int64(math.Floor(x*q.scale)), int64(math.Floor(y*q.scale))
	nearest := math.Inf(1)
	for k := range int64(4) {
		i, j := i0+k&1, j0+k>>1
		if max(i, -i, j, -j) > q.max {
			continue
		}
		u := q.vector(i, j)
		a, b, c := u[0]-v[0], u[1]-v[1], u[2]-v[2]
		if d := float64(a*a) + float64(b*b) + float64(c*c); d < nearest*clearly {
			nearest = d
			if max(i, -i) == q.max {
				j = max(j, -j)
			}
			if max(j, -j) == q.max {
				i = max(i, -i)
			}
			code = uint64(i+q.max) | uint64(j+q.max)<<q.bits
		}
	}
	return code, true
}

// positive returns x with the sign of s. A zero s counts as positive.
func positive(x, s float64) float64 {
	if s < 0 {
		return -x
	}
	return x
}

// Encode32 is Encode for float32.
func (q *Unit) Encode32(v [3]float32) (code uint64, ok bool) {
	return q.Encode([3]float64{float64(v[0]), float64(v[1]), float64(v[2])})
}

// vector returns the vector of length 1 of a grid point.
func (q *Unit) vector(i, j int64) [3]float64 {
	a, b := max(i, -i), max(j, -j)
	k := q.max - a - b
	if k < 0 {
		a, b = q.max-b, q.max-a
		if i < 0 {
			i = -a
		} else {
			i = a
		}
		if j < 0 {
			j = -b
		} else {
			j = b
		}
	}
	n := math.Sqrt(float64(i*i + j*j + k*k))
	return [3]float64{float64(i) / n, float64(j) / n, float64(k) / n}
}

// Decode returns the vector x, y, z of a code, with length 1. ok is false if
// the code is not valid. The bits of code above [Unit.Bits] are ignored.
func (q *Unit) Decode(code uint64) (v [3]float64, ok bool) {
	mask := uint64(1)<<q.bits - 1
	i, j := int64(code&mask)-q.max, int64(code>>q.bits&mask)-q.max
	if i > q.max || j > q.max || j < 0 && max(i, -i) == q.max || i < 0 && max(j, -j) == q.max {
		return v, false
	}
	return q.vector(i, j), true
}

// Decode32 is Decode for float32. It rounds each component to nearest.
func (q *Unit) Decode32(code uint64) (v [3]float32, ok bool) {
	u, ok := q.Decode(code)
	return [3]float32{float32(u[0]), float32(u[1]), float32(u[2])}, ok
}

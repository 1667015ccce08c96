package delta

import (
	"math"
	mathbits "math/bits"
)

// quaternion is a rotation in integers. Its length is that of the codes it comes
// from, or near to it after a turn.
type quaternion [4]int64

// grid turns codes of smallest three into quaternions and back.
type grid struct {
	most   int64 // largest code of a component
	shift  uint  // bits below a half step
	length int64 // of a quaternion
}

// newGrid returns the grid of components of n bits.
func newGrid(n uint8) grid {
	g := grid{most: 1<<n - 1, shift: 6}
	if n > 14 {
		g.shift = 3
	}
	one := uint64(g.most) << g.shift
	g.length = root(2 * one * one)
	return g
}

// root returns the integer square root.
func root(x uint64) int64 {
	r := uint64(math.Sqrt(float64(x)))
	for r*r > x {
		r--
	}
	for (r+1)*(r+1) <= x {
		r++
	}
	return int64(r)
}

// unpack sets q to the quaternion of a code. parts are the index of the largest
// component and the others.
func (g *grid) unpack(q *quaternion, parts *[4]int64) {
	var sum int64
	k := 1
	for i := range q {
		if int64(i) != parts[0] {
			q[i] = (2*parts[k] - g.most) << g.shift
			sum += q[i] * q[i]
			k++
		}
	}
	one := g.most << g.shift
	q[parts[0]] = root(uint64(max(0, 2*one*one-sum)))
}

// largest returns the index of the component with the largest magnitude.
func (q *quaternion) largest() (index int64) {
	for i := 1; i < 4; i++ {
		if magnitude(q[i]) > magnitude(q[index]) {
			index = int64(i)
		}
	}
	return index
}

func magnitude(v int64) int64 { return max(v, -v) }

// pack returns the components of the code of q nearest to it if the one at index
// is left out. q may have any length.
func (g *grid) pack(q *quaternion, index int64) (parts [3]int64) {
	var most int64
	for _, v := range q {
		most = max(most, magnitude(v))
	}
	drop := max(0, mathbits.Len64(uint64(most))-29)
	var a quaternion
	var sum uint64
	for i := range q {
		a[i] = q[i] >> drop
		sum += uint64(a[i] * a[i])
	}
	size, length := max(1, root(sum)), g.length
	if a[index] < 0 {
		length = -length
	}
	k := 0
	for i := range a {
		if int64(i) != index {
			v := divide(a[i]*length, size)
			parts[k] = clamp(divide(v+g.most<<g.shift, 2<<g.shift), 0, g.most)
			k++
		}
	}
	return parts
}

// toward negates q if -q, which is the same rotation, is nearer to other.
func (q *quaternion) toward(other *quaternion) {
	var dot int64
	for i := range q {
		dot += (q[i] >> 8) * (other[i] >> 8)
	}
	if dot < 0 {
		for i := range q {
			q[i] = -q[i]
		}
	}
}

// turn returns q turned by the angles around the axes of the world, in radians
// with 30 fractional bits.
func (q *quaternion) turn(angles *[3]int64) quaternion {
	const one = 1 << 30
	var t, h [3]int64
	var square int64
	for i := range t {
		t[i] = clamp(angles[i], -3*one, 3*one)
		square += (t[i] >> 10) * (t[i] >> 10)
	}
	square = min(square>>10, 9*one)
	// tan(t/2) is about t/2 * (1 + t^2/12 + t^4/120).
	series := one + square/12 + (square>>15)*(square>>15)/120
	for i := range h {
		h[i] = clamp((t[i]>>3)*(series>>8)>>20, -2*one, 2*one)
	}
	times := func(v, angle int64) int64 { return (v*angle + one/2) >> 30 }
	x, y, z, w := q[0], q[1], q[2], q[3]
	return quaternion{
		x + times(w, h[0]) + times(z, h[1]) - times(y, h[2]),
		y - times(z, h[0]) + times(w, h[1]) + times(x, h[2]),
		z + times(y, h[0]) - times(x, h[1]) + times(w, h[2]),
		w - times(x, h[0]) - times(y, h[1]) - times(z, h[2]),
	}
}

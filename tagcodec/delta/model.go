package delta

import mathbits "math/bits"

// The numbers of classes of a residual: by how far two extrapolations differ,
// and by the length of the last residual of the row.
const (
	spreads = 12
	lengths = 3
	classes = spreads * lengths
)

// model learns, within a message, how long the residuals of a field are and how
// its values move.
type model struct {
	class    [classes]class
	weights  [3]int64         // of the two extrapolations and of the neighbor, in 1/65536
	neighbor [wideArray]int64 // by how much the last row missed its first extrapolation
}

// class is the statistics of residuals: a sum, and their number.
type class struct{ sum, n uint32 }

// fresh is the model at the start of a message.
var fresh = func() (m model) {
	for i := range m.class {
		m.class[i] = class{2 << max(i/lengths, 3*(i%lengths)), 2}
	}
	m.weights[0] = 1 << 16
	return m
}()

// parameters returns the order and the unary limit for the next residual. The
// order is the least with n<<k at least 38/64 of the sum.
func (c *class) parameters() (k, q uint) {
	sum := uint64(c.sum) * 38 / 64
	if sum > uint64(c.n) {
		k = uint(mathbits.Len64(sum-1) - mathbits.Len32(c.n))
		if uint64(c.n)<<k < sum {
			k++
		}
	}
	return k, min(3, uint(c.n)/4+1)
}

// add records a residual.
func (c *class) add(v uint64) {
	c.sum += uint32(min(v, 1<<24))
	if c.n++; c.n >= 16 {
		c.n, c.sum = c.n/2, c.sum/2
	}
}

// learn adjusts the weights after a residual, given how far each feature would
// have moved the prediction.
func (m *model) learn(residual, first, second, neighbor int64) {
	const rate, far, fast = 4000, 1 << 20, 1 << 28
	if residual == 0 || max(residual, -residual) > far {
		return
	}
	v := [3]int64{clamp(first, -fast, fast), clamp(second, -fast, fast), clamp(neighbor, -fast, fast)}
	energy := v[0]*v[0] + v[1]*v[1] + v[2]*v[2] + 16
	if 4*max(residual, -residual) > energy {
		return
	}
	for i := range v {
		m.weights[i] = clamp(m.weights[i]+residual*v[i]*rate/energy, -3<<16, 4<<16)
	}
}

// clamp returns v, but at least low and at most high.
func clamp(v, low, high int64) int64 { return min(max(v, low), high) }

// divide returns a/b rounded to nearest, halves away from zero. b is positive.
func divide(a, b int64) int64 {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
}

// length returns the number of bits of the magnitude of v.
func length(v int64) int { return mathbits.Len64(uint64(max(v, -v))) }

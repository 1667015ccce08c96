package compress

import (
	"math"
	mathbits "math/bits"
)

// maxSteps32 is the largest number of steps of a Float32: the largest float32
// below 2^32.
const maxSteps32 = 4294967040

// maxSteps64 is the largest number of steps of a [Float64]. Above 2^53 a step
// would be smaller than the spacing of float64.
const maxSteps64 = 1 << 53

// Float32 quantizes a float32 to a code in [0, Steps], where code 0 is Min and
// code Steps is Max, or Min+Delta if rounding makes that smaller. It is "compressed_float" of the format "serialize
// 1.0". Every operation rounds to float32 on its own, in the order written
// here, so the codes and values agree bit for bit on every machine and with
// every implementation of the format.
//
//	code  = floor(clamp((v-Min)/Delta, 0, 1)*Steps + 0.5)
//	value = min(code/Steps*Delta + Min, Max)
//
// The error is at most Delta/Steps/2, plus 3 ulps of the larger bound from
// rounding to float32. A decoded value is never outside the bounds: in [-3.3, 1],
// for example, the sum for the last code rounds to 1.0000002, and Decode returns 1.
// Other implementations of the format return the sum.
//
// A decoded value encodes to its own code unless a step is about as small as
// 2^-23 times the bound farther from zero, which is the spacing of float32
// there. In [1000, 1001] this begins at 14 bits, and in [1e6, 1e6+1] at 5 bits.
// With more than 2^23+1 steps, some values always encode to other codes.
// [Float32.Canonical] reports whether every value keeps its code.
type Float32 struct {
	Min   float32
	Max   float32
	Delta float32 // Max - Min, rounded
	Steps uint32
	scale float32 // Steps, rounded

	// half is 0.5 and one is 1. A loop that calls Encode for some of its values
	// would load constants for all of them.
	half, one float32
}

// NewFloat32 returns a quantizer of [min, max] in steps of at most res. There
// are ceil((max-min)/res) steps, clamped to [1, 4294967040].
func NewFloat32(min, max, res float32) (q Float32, err error) {
	if err = q.setBounds(min, max); err != nil {
		return q, err
	}
	if !(res > 0) || math.IsInf(float64(res), 0) {
		return q, failed("res must be a positive number, not %v", res)
	}
	steps := q.Delta / res
	switch {
	case steps < 1:
		steps = 1
	case steps > maxSteps32:
		steps = maxSteps32
	}
	q.setSteps(uint32(math.Ceil(float64(steps))))
	return q, nil
}

// NewFloat32Bits returns a quantizer of [min, max] in 2^n-1 steps. n must be in
// [1, 32].
func NewFloat32Bits(min, max float32, n int) (q Float32, err error) {
	if err = q.setBounds(min, max); err != nil {
		return q, err
	}
	if n < 1 || n > 32 {
		return q, failed("bits must be in [1, 32], not %d", n)
	}
	q.setSteps(uint32(1<<n - 1))
	return q, nil
}

func (q *Float32) setBounds(min, max float32) error {
	q.Min, q.Max, q.Delta = min, max, max-min
	return checkBounds(float64(min), float64(max), float64(q.Min+q.Delta))
}

func (q *Float32) setSteps(n uint32) { q.Steps, q.scale, q.half, q.one = n, float32(n), 0.5, 1 }

// checkBounds accepts finite bounds in order if max - min is finite too, and so
// is last, which is min + (max - min).
func checkBounds(min, max, last float64) error {
	switch {
	case !Finite64(min) || !Finite64(max):
		return failed("invalid range [%v, %v]: min and max must be finite", min, max)
	case min >= max:
		return failed("invalid range [%v, %v]: min must be below max", min, max)
	case math.IsInf(last, 0):
		return failed("invalid range [%v, %v]: min + (max - min) overflows", min, max)
	}
	return nil
}

// Bits returns the number of bits of a code.
func (q *Float32) Bits() int { return mathbits.Len32(q.Steps) }

// Encode returns the code of the value nearest to v. Values outside the bounds
// are clamped. The code of a NaN is meaningless: see [Finite32].
func (q *Float32) Encode(v float32) uint32 {
	t := (v - q.Min) / q.Delta
	switch bits := int32(math.Float32bits(t)); { // the bits of floats have their order
	case bits <= 0:
		return 0
	case bits > oneBits32:
		t = q.one
	}
	// The conversion to float32 keeps the compiler from fusing the product and
	// the sum. Converting to int64 first is faster than to uint32 on amd64.
	// With an odd number of steps of 2^23 or more, the sum can round past the
	// last step.
	return uint32(min(int64(float32(t*q.scale)+q.half), int64(q.Steps)))
}

// Decode returns the value of a code, which must be in [0, Steps].
func (q *Float32) Decode(code uint32) float32 {
	v := float32(float32(code)/q.scale*q.Delta) + q.Min
	if v > q.Max { // unlike min, this is one comparison
		return q.Max
	}
	return v
}

const (
	oneBits32 = 0x3F800000         // math.Float32bits(1)
	oneBits64 = 0x3FF0000000000000 // math.Float64bits(1)
)

// Finite32 reports whether v is neither a NaN nor an infinity.
func Finite32(v float32) bool { return math.Float32bits(v)&0x7F800000 != 0x7F800000 }

// Float64 is [Float32] with every operation in float64. It is not part of
// "serialize 1.0".
type Float64 struct {
	Min   float64
	Max   float64
	Delta float64 // Max - Min, rounded
	Steps uint64
	scale float64 // Steps; exact

	half, one float64 // see Float32
}

// NewFloat64 returns a quantizer of [min, max] in steps of at most res. There
// are ceil((max-min)/res) steps, and at least 1. More than 2^53 are an error.
func NewFloat64(min, max, res float64) (q Float64, err error) {
	if err = q.setBounds(min, max); err != nil {
		return q, err
	}
	if !(res > 0) || math.IsInf(res, 0) {
		return q, failed("res must be a positive number, not %v", res)
	}
	steps := math.Ceil(q.Delta / res)
	switch {
	case steps < 1:
		steps = 1
	case steps > maxSteps64:
		return q, failed("res %v divides [%v, %v] into more than 2^53 steps; use a larger res", res, min, max)
	}
	q.setSteps(uint64(steps))
	return q, nil
}

// NewFloat64Bits returns a quantizer of [min, max] in 2^n-1 steps. n must be in
// [1, 53].
func NewFloat64Bits(min, max float64, n int) (q Float64, err error) {
	if err = q.setBounds(min, max); err != nil {
		return q, err
	}
	if n < 1 || n > 53 {
		return q, failed("bits must be in [1, 53], not %d", n)
	}
	q.setSteps(1<<n - 1)
	return q, nil
}

func (q *Float64) setBounds(min, max float64) error {
	q.Min, q.Max, q.Delta = min, max, max-min
	return checkBounds(min, max, q.Min+q.Delta)
}

func (q *Float64) setSteps(n uint64) { q.Steps, q.scale, q.half, q.one = n, float64(n), 0.5, 1 }

// Bits returns the number of bits of a code.
func (q *Float64) Bits() int { return mathbits.Len64(q.Steps) }

// Encode returns the code of the value nearest to v. Values outside the bounds
// are clamped. The code of a NaN is meaningless: see [Finite64].
func (q *Float64) Encode(v float64) uint64 {
	t := (v - q.Min) / q.Delta
	switch bits := int64(math.Float64bits(t)); {
	case bits <= 0:
		return 0
	case bits > oneBits64:
		t = q.one
	}
	return uint64(min(int64(float64(t*q.scale)+q.half), int64(q.Steps)))
}

// Decode returns the value of a code, which must be in [0, Steps].
func (q *Float64) Decode(code uint64) float64 {
	v := float64(float64(code)/q.scale*q.Delta) + q.Min
	if v > q.Max {
		return q.Max
	}
	return v
}

// Finite64 reports whether v is neither a NaN nor an infinity.
func Finite64(v float64) bool {
	return math.Float64bits(v)&0x7FF0000000000000 != 0x7FF0000000000000
}

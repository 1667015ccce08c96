package compress

import (
	"fmt"
	"math"
	mathbits "math/bits"

	"github.com/gobitpack/bitpack/bits"
)

// maxSteps32 is the largest number of steps of a Float32: the largest float32
// below 2^32.
const maxSteps32 = 4294967040

// MaxSteps64 is the largest number of steps of a [Float64]: above 2^53 the
// steps would be finer than float64 itself.
const MaxSteps64 = 1 << 53

// Float32 quantizes a float32 to a code in [0, Steps], where code 0 is Min and
// code Steps is Min+Delta. It is compressed_float of the format "serialize
// 1.0": every operation rounds to float32 on its own, in the order written
// here, so that the codes and the values agree bit for bit on every machine
// and with every implementation of the format.
//
//	code  = floor(clamp((v-Min)/Delta, 0, 1)*Steps + 0.5)
//	value = code/Steps*Delta + Min
//
// The error is Delta/Steps/2 at most, plus the rounding of float32, 3 ulps of
// the larger bound, so that a decoded value may lie an ulp outside its bounds.
//
// A decoded value encodes to its own code again, unless a step is about as narrow
// as the spacing of float32 at the bound farther from zero: that bound times
// 2^-23. In [1000, 1001] this begins at 14 bits, and in [1e6, 1e6+1] at 5. Every
// quantizer of more than 2^23+1 steps has codes whose values encode to others.
// [Float32.Canonical] reports whether there are any.
type Float32 struct {
	Min   float32
	Delta float32 // max - min
	Steps uint32
	scale float32 // Steps, rounded
}

// NewFloat32 returns the quantizer of [min, max] in steps of res or a little
// less: their number is ceil((max-min)/res), at least 1 and at most 4294967040.
func NewFloat32(min, max, res float32) (Float32, error) {
	q, err := newFloat32(min, max)
	if err != nil {
		return q, err
	}
	if !(res > 0) || math.IsInf(float64(res), 0) {
		return q, fmt.Errorf("res must be a positive number, not %v", res)
	}
	steps := q.Delta / res
	switch {
	case steps < 1:
		steps = 1
	case steps > maxSteps32:
		steps = maxSteps32
	}
	return q.withSteps(uint32(math.Ceil(float64(steps)))), nil
}

// NewFloat32Bits returns the quantizer of [min, max] in 2^n-1 steps. The
// number n of bits must be in [1, 32].
func NewFloat32Bits(min, max float32, n int) (Float32, error) {
	q, err := newFloat32(min, max)
	if err != nil {
		return q, err
	}
	if n < 1 || n > 32 {
		return q, fmt.Errorf("bits must be in [1, 32], not %d", n)
	}
	return q.withSteps(uint32(1<<n - 1)), nil
}

func newFloat32(min, max float32) (Float32, error) {
	q := Float32{Min: min, Delta: max - min}
	return q, checkBounds(float64(min), float64(max), float64(q.Min+q.Delta))
}

func (q Float32) withSteps(n uint32) Float32 {
	q.Steps, q.scale = n, float32(n)
	return q
}

// checkBounds accepts finite bounds in order whose difference is finite too,
// and the last value, min + (max - min), in which max may round to infinity.
func checkBounds(min, max, last float64) error {
	if !(min < max) || math.IsInf(min, 0) || math.IsInf(max, 0) {
		return fmt.Errorf("min must be below max and both must be finite, as in [-1, 1], not [%v, %v]", min, max)
	}
	if math.IsInf(last, 0) {
		return fmt.Errorf("min + (max - min) must be finite, which it is not in [%v, %v]", min, max)
	}
	return nil
}

// Bits returns the number of bits of a code.
func (q *Float32) Bits() int { return mathbits.Len32(q.Steps) }

// Encode returns the code of the value nearest to v. Values outside the bounds
// are clamped. The code of a NaN means nothing: see [Finite32].
func (q *Float32) Encode(v float32) uint32 {
	t := (v - q.Min) / q.Delta
	if !(t > 0) {
		return 0
	}
	if t > 1 {
		t = 1
	}
	// The conversion keeps the compiler from fusing the product and the sum.
	// It goes by int64, the fast conversion of amd64. With an odd number of
	// steps of 2^23 or more the sum can round past the last one.
	return uint32(min(int64(float32(t*q.scale)+0.5), int64(q.Steps)))
}

// Decode returns the value of a code, which must be in [0, Steps].
func (q *Float32) Decode(code uint32) float32 {
	return float32(float32(code)/q.scale*q.Delta) + q.Min
}

// Serialize writes *v, or reads a value into it. It fails with bits.ErrRange
// when asked to write a NaN or an infinity, and on reading a code above Steps.
func (q *Float32) Serialize(s *bits.Stream, v *float32) {
	var code uint32
	if !s.Reading() {
		if !Finite32(*v) {
			failNotFinite(s, *v)
			return
		}
		code = q.Encode(*v)
	}
	bits.Int(s, &code, 0, q.Steps)
	if s.Reading() {
		*v = q.Decode(code)
	}
}

// failNotFinite fails for a value that no quantizer encodes.
func failNotFinite(s *bits.Stream, v any) {
	s.Fail(&bits.Error{Op: "write", Bit: s.Bit(), Err: bits.ErrRange, Value: v})
}

// Finite32 reports whether v is neither a NaN nor an infinity.
func Finite32(v float32) bool { return math.Float32bits(v)&0x7F800000 != 0x7F800000 }

// Float64 is [Float32] with every operation in float64. It is no part of
// "serialize 1.0".
type Float64 struct {
	Min   float64
	Delta float64 // max - min
	Steps uint64
	scale float64 // Steps; exact
}

// NewFloat64 returns the quantizer of [min, max] in steps of res or a little
// less: their number is ceil((max-min)/res), at least 1. More than
// [MaxSteps64] are an error.
func NewFloat64(min, max, res float64) (Float64, error) {
	q, err := newFloat64(min, max)
	if err != nil {
		return q, err
	}
	if !(res > 0) || math.IsInf(res, 0) {
		return q, fmt.Errorf("res must be a positive number, not %v", res)
	}
	steps := math.Ceil(q.Delta / res)
	switch {
	case steps < 1:
		steps = 1
	case steps > MaxSteps64:
		return q, fmt.Errorf("res %v makes more than 2^53 steps of [%v, %v]: use a coarser one", res, min, max)
	}
	return q.withSteps(uint64(steps)), nil
}

// NewFloat64Bits returns the quantizer of [min, max] in 2^n-1 steps. The
// number n of bits must be in [1, 53].
func NewFloat64Bits(min, max float64, n int) (Float64, error) {
	q, err := newFloat64(min, max)
	if err != nil {
		return q, err
	}
	if n < 1 || n > 53 {
		return q, fmt.Errorf("bits must be in [1, 53], not %d", n)
	}
	return q.withSteps(1<<n - 1), nil
}

func newFloat64(min, max float64) (Float64, error) {
	q := Float64{Min: min, Delta: max - min}
	return q, checkBounds(min, max, q.Min+q.Delta)
}

func (q Float64) withSteps(n uint64) Float64 {
	q.Steps, q.scale = n, float64(n)
	return q
}

// Bits returns the number of bits of a code.
func (q *Float64) Bits() int { return mathbits.Len64(q.Steps) }

// Encode returns the code of the value nearest to v. Values outside the bounds
// are clamped. The code of a NaN means nothing: see [Finite64].
func (q *Float64) Encode(v float64) uint64 {
	t := (v - q.Min) / q.Delta
	if !(t > 0) {
		return 0
	}
	if t > 1 {
		t = 1
	}
	return uint64(min(int64(float64(t*q.scale)+0.5), int64(q.Steps)))
}

// Decode returns the value of a code, which must be in [0, Steps].
func (q *Float64) Decode(code uint64) float64 {
	return float64(float64(code)/q.scale*q.Delta) + q.Min
}

// Serialize writes *v, or reads a value into it. It fails with bits.ErrRange
// when asked to write a NaN or an infinity, and on reading a code above Steps.
func (q *Float64) Serialize(s *bits.Stream, v *float64) {
	var code uint64
	if !s.Reading() {
		if !Finite64(*v) {
			failNotFinite(s, *v)
			return
		}
		code = q.Encode(*v)
	}
	bits.Int(s, &code, 0, q.Steps)
	if s.Reading() {
		*v = q.Decode(code)
	}
}

// Finite64 reports whether v is neither a NaN nor an infinity.
func Finite64(v float64) bool {
	return math.Float64bits(v)&0x7FF0000000000000 != 0x7FF0000000000000
}

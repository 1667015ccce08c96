package genrt

import (
	"math"

	"github.com/gobitpack/bitpack/compress"
)

// Bit returns 1 if b is set, and 0 otherwise.
func Bit(b bool) uint64 {
	var x uint64
	if b {
		x = 1
	}
	return x
}

// Above returns a negative number if code is greater than span.
func Above(code, span uint64) int64 { return -int64(Bit(code > span)) }

// Wrong is the code of a NaN or an infinity. It is negative as an int64.
const Wrong = 1 << 63

// The bits of 1. Those of a number in [0, 1] are at most as large.
const (
	one32 = 0x3F800000
	one64 = 0x3FF0000000000000
)

// Quantize32 returns the code of v, as [compress.Float32.Encode] does, or one that
// is negative as an int64. inverse is 1/delta.
//
// The product rounds to the same float32 as the quotient: two float32 have no
// quotient within 2^-49 of the middle between neighboring float32, and the product
// of float64 is within 2^-52. Only quotients below the normal float32 may differ,
// and they have code 0.
func Quantize32(v, least float32, inverse float64, scale float32, steps int64) uint64 {
	t := float32(float64(v-least) * inverse)
	var wrong uint64
	if math.Float32bits(t) > one32 { // outside of [0, 1], or a NaN
		wrong = uint64(0x7F7FFFFF-int64(math.Float32bits(v)&0x7FFFFFFF)) & Wrong
		if t > 0 {
			t = 1
		} else {
			t = 0
		}
	}
	code := int64(float32(t*scale) + 0.5)
	if steps >= 1<<23 {
		code = min(code, steps)
	}
	return wrong | uint64(code)
}

// Value32 is the inverse of [Quantize32], as [compress.Float32.Decode] is.
func Value32(code uint64, scale, delta, least float32) float32 {
	return float32(float32(int64(code))/scale*delta) + least
}

// Quantize64 returns the code of v, as [compress.Float64.Encode] does, or one that
// is negative as an int64.
func Quantize64(v, least, delta, scale float64, steps int64) uint64 {
	t := (v - least) / delta
	var wrong uint64
	if math.Float64bits(t) > one64 { // outside of [0, 1], or a NaN
		wrong = uint64(0x7FEFFFFFFFFFFFFF-int64(math.Float64bits(v)&0x7FFFFFFFFFFFFFFF)) & Wrong
		if t > 0 {
			t = 1
		} else {
			t = 0
		}
	}
	return wrong | uint64(min(int64(float64(t*scale)+0.5), steps))
}

// Value64 is the inverse of [Quantize64], as [compress.Float64.Decode] is.
func Value64(code uint64, scale, delta, least float64) float64 {
	return float64(float64(int64(code))/scale*delta) + least
}

// Half returns the code of v.
func Half(v float32) uint64 { return uint64(compress.EncodeHalf(v)) }

// HalfValue is the inverse of [Half].
func HalfValue(code uint64) float32 { return compress.DecodeHalf(uint16(code)) }

// Clear sets *p to its zero value.
func Clear[T any](p *T) {
	var zero T
	*p = zero
}

// Angle returns the code of v, as [compress.Angle.Encode] does, or one that is
// negative as an int64.
func Angle(v, period, step float64, mask uint32) uint64 {
	if !(math.Abs(v) < period) {
		if math.Float64bits(v)&0x7FF0000000000000 == 0x7FF0000000000000 {
			return Wrong
		}
		v = math.Mod(v, period)
	}
	return uint64(uint32(math.Float64bits(v/step+0x1.8p52)) & mask)
}

// AngleValue is the inverse of [Angle], as [compress.Angle.Decode] is.
func AngleValue(code uint64, step float64) float64 { return float64(float64(int64(code)) * step) }

// AngleValue32 is [AngleValue] as a float32 of at most last, as
// [compress.Angle.Decode32] is.
func AngleValue32(code uint64, step float64, last float32) float32 {
	return min(float32(AngleValue(code, step)), last)
}

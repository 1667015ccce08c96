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

// Wrong is the code of a NaN or an infinity, which has none.
const Wrong = 1 << 63

// Scale32 returns the code of v plus a fraction, if v is in range; see [Outside32].
func Scale32(v, least, delta, scale float32) float32 {
	return float32((v-least)/delta*scale) + 0.5
}

// ScaleBy32 is [Scale32] for a delta that is a power of two. factor is scale/delta.
func ScaleBy32(v, least, factor float32) float32 {
	return float32((v-least)*factor) + 0.5
}

// Outside32 reports whether the result of Scale32 is out of range. limit is the
// number up to which it is in range, and the result of [Clamp32] is the code if it
// is not. The bits of floats have the order of unsigned integers, except that those
// of negative numbers and NaNs are above all others.
func Outside32(x, limit float32) bool { return math.Float32bits(x) >= math.Float32bits(limit) }

// Clamp32 returns the code of a value out of range, or [Wrong].
func Clamp32(v, least float32, steps uint64) uint64 {
	switch {
	case v-v != 0:
		return Wrong
	case v < least:
		return 0
	}
	return steps
}

// Quantize32 returns the code of v, or [Wrong]. x is the result of Scale32.
func Quantize32(x, v, least, limit float32, steps uint64) uint64 {
	if Outside32(x, limit) {
		return Clamp32(v, least, steps)
	}
	return uint64(int64(x))
}

// Value32 returns the value of a code, as [compress.Float32.Decode] is.
func Value32(code uint64, scale, delta, least float32) float32 {
	return float32(float32(int64(code))/scale*delta) + least
}

// ValueBy32 is [Value32] for a delta that is a power of two. factor is scale/delta.
func ValueBy32(code uint64, factor, least float32) float32 {
	return float32(int64(code))/factor + least
}

// Scale64 is [Scale32] for a float64.
func Scale64(v, least, delta, scale float64) float64 {
	return float64((v-least)/delta*scale) + 0.5
}

// ScaleBy64 is [ScaleBy32] for a float64.
func ScaleBy64(v, least, factor float64) float64 {
	return float64((v-least)*factor) + 0.5
}

// Outside64 is [Outside32] for a float64.
func Outside64(x, limit float64) bool { return math.Float64bits(x) >= math.Float64bits(limit) }

// Clamp64 is [Clamp32] for a float64.
func Clamp64(v, least float64, steps uint64) uint64 {
	switch {
	case v-v != 0:
		return Wrong
	case v < least:
		return 0
	}
	return steps
}

// Quantize64 is [Quantize32] for a float64.
func Quantize64(x, v, least, limit float64, steps uint64) uint64 {
	if Outside64(x, limit) {
		return Clamp64(v, least, steps)
	}
	return uint64(int64(x))
}

// Value64 returns the value of a code, as [compress.Float64.Decode] is.
func Value64(code uint64, scale, delta, least float64) float64 {
	return float64(float64(int64(code))/scale*delta) + least
}

// ValueBy64 is [ValueBy32] for a float64.
func ValueBy64(code uint64, factor, least float64) float64 {
	return float64(int64(code))/factor + least
}

// AtMost returns the smaller of v and most. Rounding makes the value of a last code
// exceed the largest value of some ranges.
func AtMost[F float32 | float64](v, most F) F {
	if v > most {
		return most
	}
	return v
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

// Angle returns the code of v, as [compress.Angle.Encode] does, or [Wrong].
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

package compress

import "math"

// EncodeHalf returns the IEEE 754 binary16 nearest to v, with ties to even.
//
//	 15  14      10  9                 0
//	+---+----------+--------------------+
//	| s | exponent |      fraction      |
//	+---+----------+--------------------+
//
// For |v| from 2^-14 to 65504, the largest finite half, the error is at most
// 2^-11 of v. For smaller values, which become subnormal, it is at most 2^-25.
// From 65520 on, v rounds to infinity. The sign of zero is preserved. A NaN
// becomes quiet and keeps its sign and the high 10 bits of its fraction, as in
// IEEE 754 conversions.
func EncodeHalf(v float32) uint16 {
	b := math.Float32bits(v)
	sign := b >> 16 & 0x8000
	b &= 0x7FFFFFFF
	switch {
	case b < 0x38800000: // below 2^-14
		// The last bit of a float32 in [0.5, 1) is worth 2^-24, like that of a
		// subnormal half, so the sum rounds correctly.
		b = math.Float32bits(math.Float32frombits(b) + 0.5)
	case b <= 0x7F800000:
		// To round, add half of the last bit, minus one if that bit is even.
		// The rest of the constant changes the exponent bias from 127 to 15,
		// modulo 2^5. From 65520 on, rounding carries up to 2^16. The exponent
		// of 2^16 is that of infinity, so min maps larger values there too.
		b = min(b, 0x47800000)
		b = (b + (0x4000<<13 + 0xFFF) + b>>13&1) >> 13
	default:
		b = b>>13 | 0x7E00
	}
	return uint16(sign | b&0x7FFF)
}

// DecodeHalf returns the value of an IEEE 754 binary16. A float32 holds it
// exactly. Encoding the result returns h, except that a signaling NaN becomes
// quiet.
func DecodeHalf(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	b := uint32(h&0x7FFF) << 13
	switch {
	case b-0x400<<13 < 0x7800<<13: // normal
		b += (127 - 15) << 23
	case b < 0x400<<13:
		b = math.Float32bits(float32(h&0x3FF) * 0x1p-24)
	case b == 0x7C00<<13:
		b = 0x7F800000
	default:
		b |= 0x7FC00000
	}
	return math.Float32frombits(sign | b)
}

package bitio

import mathbits "math/bits"

// relativeTiers are the tiers of int_relative, which encodes an ascending integer
// relative to the previous one. The number of leading zeros selects the tier for
// the difference d:
//
//	1                              d = 1
//	01      int(2,6)       3 bits
//	001     int(7,23)      5 bits
//	0001    int(24,280)    9 bits
//	00001   int(281,4377)  13 bits
//	000001  int(4378,69914) 17 bits
//	000000  the integer itself in 32 bits
//
// A payload above the last difference of its tier is refused. A code has at most
// 38 bits, so one access writes or reads all of it.
var relativeTiers = [...]struct{ min, max uint64 }{
	{1, 1}, {2, 6}, {7, 23}, {24, 280}, {281, 4377}, {4378, 69914},
}

const (
	// RelativePrefix is the largest number of bits at the start of an int_relative
	// code that determine its length.
	RelativePrefix = len(relativeTiers)
	// MaxRelativeBits is the length of the longest int_relative code, the one
	// without a tier.
	MaxRelativeBits = RelativePrefix + 32
)

// EncodeRelative returns the int_relative code of current, in the low n bits of
// code. It returns n == 0 if current is not greater than previous. The absolute
// form holds only the low 32 bits of current, so current must fit in them.
func EncodeRelative(previous, current int64) (code uint64, n int) {
	if current <= previous {
		return 0, 0
	}
	d := uint64(current) - uint64(previous)
	for k, tier := range relativeTiers {
		if d <= tier.max {
			return 1<<k | (d-tier.min)<<(k+1), k + 1 + mathbits.Len64(tier.max-tier.min)
		}
	}
	return uint64(uint32(current)) << RelativePrefix, MaxRelativeBits
}

// DecodeRelative decodes the int_relative code in the low bits of word and
// returns its length n. It uses at most [MaxRelativeBits] bits. ok is false if
// the integer is outside [min, max], the difference is above its tier, or an
// absolute form is not greater than previous; current is then the value as
// coded. If min is negative, the 32 bits of the absolute form are two's
// complement.
func DecodeRelative(word uint64, previous, min, max int64) (current int64, n int, ok bool) {
	k := mathbits.TrailingZeros64(word | 1<<RelativePrefix)
	if k == RelativePrefix {
		current = int64(uint32(word >> k))
		if min < 0 {
			current = int64(int32(current))
		}
		return current, MaxRelativeBits, current > previous && current >= min && current <= max
	}
	tier := relativeTiers[k]
	width := mathbits.Len64(tier.max - tier.min)
	d := tier.min + word>>(k+1)&(1<<width-1)
	current = int64(uint64(previous) + d)
	return current, k + 1 + width, d <= tier.max && current > previous && current >= min && current <= max
}

package bits

import "math/bits"

// An ascending integer is coded against the one before it. The ladder of the
// difference d has one tier per length of the zeros before the first one bit:
//
//	1                              d = 1
//	01      int(2,6)       3 bits
//	001     int(7,23)      5 bits  (17 values, the codes above are refused)
//	0001    int(24,280)    9 bits
//	00001   int(281,4377)  13 bits
//	000001  int(4378,69914) 17 bits
//	000000  the integer itself in 32 bits
//
// Each tier is a whole code of at most 38 bits, so that both directions are a
// single access to the bits.
var relativeTiers = [...]struct{ min, max uint64 }{
	{1, 1}, {2, 6}, {7, 23}, {24, 280}, {281, 4377}, {4378, 69914},
}

const absoluteBits = len(relativeTiers) + 32

// MaxRelativeBits is the length of the longest code of int_relative.
const MaxRelativeBits = absoluteBits

// EncodeRelative returns the code of int_relative for current after previous,
// in its low n bits. It returns n == 0 when current is not above previous.
// The absolute form carries the low 32 bits of current: the caller makes sure
// that these are all of it.
func EncodeRelative(previous, current int64) (code uint64, n int) {
	if current <= previous {
		return 0, 0
	}
	d := uint64(current) - uint64(previous)
	for k, tier := range relativeTiers {
		if d <= tier.max {
			return 1<<k | (d-tier.min)<<(k+1), k + 1 + bits.Len64(tier.max-tier.min)
		}
	}
	return uint64(uint32(current)) << len(relativeTiers), absoluteBits
}

// DecodeRelative reads the code in the low bits of word, of which it looks at
// [MaxRelativeBits] at most, and returns its length n. An integer outside
// [min, max], a difference above its tier and an absolute form that is not
// above previous are not ok; current is then what the code says. A negative
// min makes the 32 bits of the absolute form two's complement.
func DecodeRelative(word uint64, previous, min, max int64) (current int64, n int, ok bool) {
	k := bits.TrailingZeros64(word | 1<<len(relativeTiers))
	if k == len(relativeTiers) {
		current = int64(uint32(word >> k))
		if min < 0 {
			current = int64(int32(current))
		}
		return current, absoluteBits, current > previous && current >= min && current <= max
	}
	tier := relativeTiers[k]
	width := bits.Len64(tier.max - tier.min)
	d := tier.min + word>>(k+1)&(1<<width-1)
	current = int64(uint64(previous) + d)
	return current, k + 1 + width, d <= tier.max && current > previous && current >= min && current <= max
}

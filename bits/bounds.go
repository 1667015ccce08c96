package bits

import (
	"fmt"
	"math"
	mathbits "math/bits"
)

// BitsRequired returns the number of bits needed for an integer in [min, max].
// It is 0 if min and max are equal. It panics if min > max.
func BitsRequired(min, max int64) int { return mathbits.Len64(intSpan(min, max)) }

// BitsRequiredUint is BitsRequired for unsigned integers.
func BitsRequiredUint(min, max uint64) int { return mathbits.Len64(uintSpan(min, max)) }

// largest returns the largest integer of n bits. n must be in [1, 64].
func largest(n int) uint64 { return math.MaxUint64 >> (-uint(n) & 63) }

// smallest returns the smallest integer of n bits in two's complement. n must
// be in [1, 64].
func smallest(n int) int64 { return -1 << (uint(n-1) & 63) }

// panicWidth and panicRange are not inlined, which keeps the formatting code out
// of the hot paths.

//go:noinline
func panicWidth(n int) { panic(fmt.Sprintf("bits: width must be in [1, 64], not %d", n)) }

//go:noinline
func panicRange[T any](min, max T) {
	panic(fmt.Sprintf("bits: invalid range [%v, %v]: min exceeds max", min, max))
}

func checkMaxLen(maxLen int) {
	if maxLen < 0 {
		panic(fmt.Sprintf("bits: maxLen is %d; it must not be negative", maxLen))
	}
}

func countSpan(min, max int) uint64 {
	if min > max {
		panicRange(min, max)
	}
	if min < 0 {
		panic(fmt.Sprintf("bits: invalid range [%d, %d]: a length must not be negative", min, max))
	}
	return uint64(max - min)
}

func intSpan(min, max int64) uint64 {
	if min > max {
		panicRange(min, max)
	}
	return uint64(max) - uint64(min)
}

func uintSpan(min, max uint64) uint64 {
	if min > max {
		panicRange(min, max)
	}
	return max - min
}

func int128Span(min, max Int128) Uint128 {
	if min.Cmp(max) > 0 {
		panicRange(min, max)
	}
	return max.Unsigned().Sub(min.Unsigned())
}

func uint128Span(min, max Uint128) Uint128 {
	if min.Cmp(max) > 0 {
		panicRange(min, max)
	}
	return max.Sub(min)
}

func checkRelative(min, max int64) {
	if min > max {
		panicRange(min, max)
	}
	if min < math.MinInt32 || max > math.MaxUint32 || min < 0 && max > math.MaxInt32 {
		panic(fmt.Sprintf("bits: invalid range [%d, %d]: int_relative needs a range within int32 or uint32", min, max))
	}
}

// relativeMin returns the smallest integer that may follow previous.
func relativeMin(previous, min int64) int64 {
	if previous >= min && previous < math.MaxInt64 {
		return previous + 1
	}
	return min
}

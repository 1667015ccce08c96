package compress

import "math/bits"

// Subset is one of four ways to send the elements of an array that are present,
// of max in all, from the article "Serialization Strategies" by Glenn Fiedler:
//
//	bitmap    per element 1 bit "present", and the element if it is
//	index     int(0,max) count, then per present element int(0,max-1) and the element
//	sentinel  per present element int(0,max) and the element, then max
//	relative  as sentinel, each index as EncodeIndex has it
type Subset uint8

// The ways to send a subset, by their numbers on the wire.
const (
	SubsetBitmap Subset = iota
	SubsetIndex
	SubsetSentinel
	SubsetRelative
)

// String returns the name of s in tags.
func (s Subset) String() string {
	if s > SubsetRelative {
		return "unknown"
	}
	return [...]string{"bitmap", "index", "sentinel", "relative"}[s]
}

// The code of an index after the one before it is a ladder of the difference d,
// in the way of int_relative:
//
//	1                             d = 1
//	01      int(2,5)      2 bits
//	001     int(6,13)     3 bits
//	0001    int(14,29)    4 bits
//	00001   int(30,61)    5 bits
//	000001  int(62,125)   6 bits
//	000000  int(126,max+1)
//
// But for the first, tier k of k zeros and a one holds the d for which d+2 has
// k+2 bits, without the leading one: each is full, and only the last has codes
// that are out of range.
const (
	indexTiers = 6
	lastTier   = 126 // the smallest d of the last tier
)

// EncodeIndex returns the code of an index after previous, which is -1 for the
// first, among max elements, in its low n bits: 1 to 12, or 6 and those that
// int(126,max+1) takes. The index max is the sentinel that ends a subset. It
// returns n == 0 unless previous < index <= max. The largest max is 2^51.
func EncodeIndex(previous, index, max int) (code uint64, n int) {
	d := uint64(index - previous)
	switch {
	case previous >= index || index > max:
		return 0, 0
	case d == 1:
		return 1, 1
	case d >= lastTier:
		return (d - lastTier) << indexTiers, indexTiers + lastTierBits(max)
	}
	k := bits.Len64(d+2) - 2
	return 1<<k | (d+2-2<<k)<<(k+1), 2*k + 2
}

// DecodeIndex reads the code of an index after previous in the low bits of
// word, and returns its length n. An index above max is not ok.
func DecodeIndex(word uint64, previous, max int) (index, n int, ok bool) {
	var d uint64
	switch k := bits.TrailingZeros64(word | 1<<indexTiers); k {
	case 0:
		d, n = 1, 1
	case indexTiers:
		width := lastTierBits(max)
		d, n = lastTier+word>>indexTiers&(1<<width-1), indexTiers+width
	default:
		d, n = word>>(k+1)&(2<<k-1)+2<<k-2, 2*k+2
	}
	index = previous + int(d)
	return index, n, index > previous && index <= max // an int of 32 bits wraps
}

// lastTierBits returns the bits of int(126, max+1), or none if it is empty.
func lastTierBits(m int) int { return bits.Len64(uint64(max(m+1-lastTier, 0))) }

// SubsetCost counts the bits that each [Subset] takes for what is present,
// without the elements themselves.
type SubsetCost struct {
	max      int
	count    int
	previous int
	relative int
}

// NewSubsetCost returns the cost of a subset of max elements of which none is
// present.
func NewSubsetCost(max int) SubsetCost { return SubsetCost{max: max, previous: -1} }

// Add adds the cost of an element that is present. Its index must be above the
// last one and below max.
func (c *SubsetCost) Add(index int) {
	_, n := EncodeIndex(c.previous, index, c.max)
	c.count++
	c.previous = index
	c.relative += n
}

// Bits returns the bits of s.
func (c *SubsetCost) Bits(s Subset) int {
	switch s {
	case SubsetBitmap:
		return c.max
	case SubsetIndex:
		return bits.Len(uint(c.max)) + c.count*bits.Len(uint(max(c.max-1, 0)))
	case SubsetSentinel:
		return (c.count + 1) * bits.Len(uint(c.max))
	}
	_, n := EncodeIndex(c.previous, c.max, c.max)
	return c.relative + n
}

// Cheapest returns the way of the fewest bits, and of several the first.
func (c *SubsetCost) Cheapest() Subset {
	cheapest := SubsetBitmap
	for s := SubsetIndex; s <= SubsetRelative; s++ {
		if c.Bits(s) < c.Bits(cheapest) {
			cheapest = s
		}
	}
	return cheapest
}

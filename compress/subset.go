package compress

import mathbits "math/bits"

// Subset is one of four ways to send the elements of an array of max elements
// that are present. They are from the article "Serialization Strategies" by
// Glenn Fiedler:
//
//	bitmap    per element 1 bit "present", and the element if it is
//	index     int(0,max) count, then per present element int(0,max-1) and the element
//	sentinel  per present element int(0,max) and the element, then max
//	relative  like sentinel, with each index as in EncodeIndex
type Subset uint8

// The first four values of Subset are those on the wire.
const (
	SubsetBitmap Subset = iota
	SubsetIndex
	SubsetSentinel
	SubsetRelative

	// SubsetAuto sends 2 bits that choose the cheapest of the others for each
	// message. It is not a value on the wire.
	SubsetAuto
)

// String returns the name of s in struct tags.
func (s Subset) String() string {
	if s > SubsetAuto {
		return "unknown"
	}
	return [...]string{"bitmap", "index", "sentinel", "relative", "auto"}[s]
}

// An index is coded relative to the previous one. The number of leading zeros
// selects the tier for the difference d, as in int_relative:
//
//	1                             d = 1
//	01      int(2,5)      2 bits
//	001     int(6,13)     3 bits
//	0001    int(14,29)    4 bits
//	00001   int(30,61)    5 bits
//	000001  int(62,125)   6 bits
//	000000  int(126,max+1)
//
// Tiers 1 to 5, with k zeros and a one, hold each d for which d+2 has k+2 bits.
// They send d+2 without its leading one, so every code is used. Only the last
// tier has codes that are out of range.
const (
	indexTiers = 6
	lastTier   = 126 // smallest d of the last tier
)

// EncodeIndex returns the code of index relative to previous, in the low n bits
// of code. max is the number of elements and at most 2^51. previous is -1 for
// the first index, and index is max for the sentinel that ends a subset. n is 1
// to 12, or 6 plus the bits of int(126,max+1). Unless
// previous < index <= max, n is 0.
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
	k := mathbits.Len64(d+2) - 2
	return 1<<k | (d+2-2<<k)<<(k+1), 2*k + 2
}

// DecodeIndex decodes the code in the low bits of word, relative to previous,
// and returns its length n. ok is false if the index is above max.
func DecodeIndex(word uint64, previous, max int) (index, n int, ok bool) {
	var d uint64
	switch k := mathbits.TrailingZeros64(word | 1<<indexTiers); k {
	case 0:
		d, n = 1, 1
	case indexTiers:
		width := lastTierBits(max)
		d, n = lastTier+word>>indexTiers&(1<<width-1), indexTiers+width
	default:
		d, n = word>>(k+1)&(2<<k-1)+2<<k-2, 2*k+2
	}
	index = previous + int(d)
	return index, n, index > previous && index <= max // a 32-bit int may wrap around
}

// lastTierBits returns the bits of int(126, max+1), or 0 if the range is empty.
func lastTierBits(m int) int { return mathbits.Len64(uint64(max(m+1-lastTier, 0))) }

// SubsetCost counts the bits that each [Subset] needs to say which elements are
// present. The elements themselves are not counted.
type SubsetCost struct {
	max      int
	count    int
	previous int
	relative int
}

// NewSubsetCost returns the cost of a subset of max elements, none of them
// present yet.
func NewSubsetCost(max int) SubsetCost { return SubsetCost{max: max, previous: -1} }

// Add adds the cost of a present element. Its index must be greater than the
// last one and less than max.
func (c *SubsetCost) Add(index int) {
	_, n := EncodeIndex(c.previous, index, c.max)
	c.count++
	c.previous = index
	c.relative += n
}

// Bits returns the number of bits that s needs.
func (c *SubsetCost) Bits(s Subset) int {
	switch s {
	case SubsetBitmap:
		return c.max
	case SubsetIndex:
		return mathbits.Len(uint(c.max)) + c.count*mathbits.Len(uint(max(c.max-1, 0)))
	case SubsetSentinel:
		return (c.count + 1) * mathbits.Len(uint(c.max))
	}
	_, n := EncodeIndex(c.previous, c.max, c.max)
	return c.relative + n
}

// Cheapest returns the Subset with the fewest bits, or the first of several.
func (c *SubsetCost) Cheapest() Subset {
	cheapest := SubsetBitmap
	for s := SubsetIndex; s <= SubsetRelative; s++ {
		if c.Bits(s) < c.Bits(cheapest) {
			cheapest = s
		}
	}
	return cheapest
}

package compress

import (
	"fmt"
	"math"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
)

// Index serializes an index greater than previous, in the encoding of
// [EncodeIndex]. max is the number of elements, and the index that ends a
// subset. Index fails with bits.ErrRange if the index is not in [previous+1,
// max]. After an error the index read is max, so that a loop up to it ends.
func Index(s *bits.Stream, previous int, index *int, max int) {
	bit := s.Bit()
	if !s.Reading() {
		code, n := EncodeIndex(previous, *index, max)
		if n == 0 {
			access.Refuse(s, bit, bits.ErrRange, *index, previous+1, max)
			return
		}
		s.Writer().WriteBits(code, n)
		return
	}
	r, ok := s.Reader(), false
	n := prefixLen(r, indexBits(max), func(word uint64) (n int) {
		*index, n, ok = DecodeIndex(word, previous, max)
		return n
	})
	if n <= r.Remaining() && !ok {
		access.Refuse(s, bit, bits.ErrRange, *index, previous+1, max)
	}
	if r.Skip(n); r.Err() != nil {
		*index = max
	}
}

// indexBits returns the length of the longest code of an index.
func indexBits(m int) int { return max(2*indexTiers, indexTiers+lastTierBits(m)) }

// SerializeSubset serializes the elements of v that are present, with their
// indices in the given mode. present returns the address of the bool in an element
// that says whether it is present. f serializes an element without this bool. A
// reading Stream sets the bools, and sets absent elements to zero. Both sides must
// know the length of v; see [bits.Length].
//
// Reading fails with bits.ErrRange if the indices do not ascend or are out of
// bounds. It fails with bits.ErrNotCanonical if the mode is SubsetAuto and the
// sender has not chosen the cheapest. After an error only the elements before it
// are present. SerializeSubset panics if mode is not one of the constants.
func SerializeSubset[T any](s *bits.Stream, mode Subset, v []T, present func(v *T) *bool, f func(s *bits.Stream, v *T)) {
	serializeSubset(s, mode, len(v), subsetOf{
		has:  func(i int) bool { return *present(&v[i]) },
		drop: func(i int) { v[i] = *new(T) },
		part: func(i int) {
			if s.Reading() {
				*present(&v[i]) = true
			}
			f(s, &v[i])
		},
	})
}

// SerializePointers is [SerializeSubset] for pointers, which are present if they
// are not nil. An element takes at least the given number of bits. A reading
// Stream allocates it only if these are left, as described for [bits.Slice], and
// reuses the element that v has.
func SerializePointers[T any](s *bits.Stream, mode Subset, v []*T, least int, f func(s *bits.Stream, v *T)) {
	serializeSubset(s, mode, len(v), subsetOf{
		has:  func(i int) bool { return v[i] != nil },
		drop: func(i int) { v[i] = nil },
		part: func(i int) {
			bit := s.Bit()
			if s.Reading() && !access.Pays(s, bit, 1, least) {
				return
			}
			if v[i] == nil {
				v[i] = new(T)
			}
			f(s, v[i])
			if n := s.Bit() - bit; n < least && s.Err() == nil {
				access.Refuse(s, bit, bits.ErrLength, n, least, math.MaxInt)
			}
		},
	})
}

// subsetOf accesses the elements of a subset.
type subsetOf struct {
	has  func(i int) bool // reports whether element i is present
	drop func(i int)      // makes it absent
	part func(i int)      // serializes it and makes it present
}

// next returns the index of the first present element from i on, or n.
func (e *subsetOf) next(i, n int) int {
	for i < n && !e.has(i) {
		i++
	}
	return i
}

// cost returns the cost of the present elements of n, and their number.
func (e *subsetOf) cost(n int) (cost SubsetCost, count int) {
	cost = NewSubsetCost(n)
	for i := e.next(0, n); i < n; i = e.next(i+1, n) {
		cost.Add(i)
		count++
	}
	return cost, count
}

// dropAll makes the elements in [i, n) absent.
func (e *subsetOf) dropAll(i, n int) {
	for ; i < n; i++ {
		e.drop(i)
	}
}

func serializeSubset(s *bits.Stream, mode Subset, n int, elems subsetOf) {
	if mode > SubsetAuto {
		panic(fmt.Sprintf("compress: there is no subset mode %d", mode))
	}
	if n == 0 {
		return
	}
	ctx := access.Enter(s)
	if ctx == nil {
		if s.Reading() {
			elems.dropAll(0, n)
		}
		return
	}
	defer func() { ctx.Open-- }()
	start, auto, count := s.Bit(), mode == SubsetAuto, 0
	if !s.Reading() && (auto || mode == SubsetIndex) {
		var cost SubsetCost
		if cost, count = elems.cost(n); auto {
			mode = cost.Cheapest()
		}
	}
	if auto {
		bits.Bits(s, &mode, 2)
	}
	if mode == SubsetIndex {
		bits.Count(s, &count, 0, n)
	}
	for previous := -1; ; count-- {
		i := n
		if !s.Reading() {
			i = elems.next(previous+1, n)
		}
		serializeIndex(s, mode, previous, &i, n, count)
		if s.Reading() && s.Err() == nil {
			elems.dropAll(previous+1, i)
		}
		if s.Err() == nil && i < n {
			elems.part(i)
		}
		if s.Err() != nil {
			if s.Reading() {
				elems.dropAll(min(max(previous+1, 0), n), n)
			}
			return
		}
		if previous = i; i == n {
			break
		}
	}
	if auto && s.Reading() {
		if cost, _ := elems.cost(n); cost.Cheapest() != mode {
			access.Refuse(s, start, bits.ErrNotCanonical, mode.String(), nil, nil)
		}
	}
}

// serializeIndex serializes the index *i of the next of n elements that is
// present after previous, or n if there are no more. In index mode, left of them
// are still to come.
func serializeIndex(s *bits.Stream, mode Subset, previous int, i *int, n, left int) {
	bit, last := s.Bit(), n
	switch mode {
	case SubsetBitmap:
		if s.Reading() {
			*i = n
		}
		for at := previous + 1; at < n; at++ {
			here := at == *i
			if s.Bool(&here); here || s.Err() != nil {
				*i = at
				return
			}
		}
		return
	case SubsetIndex:
		if *i = min(*i, n); left == 0 {
			return
		}
		last = n - left
		bits.Int(s, i, 0, n-1)
	case SubsetSentinel:
		bits.Int(s, i, 0, n)
	default:
		Index(s, previous, i, n)
	}
	if s.Err() == nil && (*i <= previous || *i > last) {
		access.Refuse(s, bit, bits.ErrRange, *i, previous+1, last)
	}
}

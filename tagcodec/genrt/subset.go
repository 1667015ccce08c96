package genrt

import (
	mathbits "math/bits"

	"github.com/gobitpack/bitpack/compress"
)

// Subset codes the indices of the present elements of a subset, in order, and its
// end. In between, generated code codes the elements themselves.
//
// Code that writes calls Count for each present element and then Start, both only
// for a SubsetAuto or a SubsetIndex. Then it calls Index before each present element,
// and once more for the end. Code that reads calls ReadStart in these modes, and
// ReadIndex until that returns the number of elements. After a SubsetAuto it calls
// Count for each present element, and then Shortest.
type Subset struct {
	mode     compress.Subset
	auto     bool
	total    int // number of elements, present or not
	previous int // the last index, or -1
	left     int // with SubsetIndex, the number of indices that are not read yet
	count    int
	cost     compress.SubsetCost
}

// NewSubset returns a subset of total elements in a mode of package compress.
func NewSubset(mode compress.Subset, total int) Subset {
	return Subset{mode: mode, auto: mode == compress.SubsetAuto, total: total, previous: -1, cost: compress.NewSubsetCost(total)}
}

// Count counts the present element i. The indices must ascend.
func (s *Subset) Count(i int) {
	s.count++
	if s.auto {
		s.cost.Add(i)
	}
}

// Start appends the mode of a SubsetAuto, and the number of indices of a
// SubsetIndex.
func (s *Subset) Start(buf []byte, pos int, w uint64, n uint) ([]byte, int, uint64, uint) {
	if s.total == 0 {
		return buf, pos, w, n
	}
	if s.auto {
		s.mode = s.cost.Cheapest()
		buf, pos, w, n = Put(buf, pos, w, n, uint64(s.mode), 2)
	}
	if s.mode == compress.SubsetIndex {
		buf, pos, w, n = Put(buf, pos, w, n, uint64(s.count), indexBits(s.total))
	}
	return buf, pos, w, n
}

// Index appends the index i of the next present element, or the end if i is the
// number of elements.
func (s *Subset) Index(buf []byte, pos int, w uint64, n uint, i int) ([]byte, int, uint64, uint) {
	previous := s.previous
	s.previous = i
	if s.total == 0 {
		return buf, pos, w, n
	}
	switch s.mode {
	case compress.SubsetBitmap:
		absent := i - previous - 1
		for ; absent >= 63; absent -= 63 {
			buf, pos, w, n = Put(buf, pos, w, n, 0, 63)
		}
		sent := Bit(i < s.total)
		return Put(buf, pos, w, n, sent<<absent, uint(absent)+uint(sent))
	case compress.SubsetIndex:
		if i == s.total {
			return buf, pos, w, n
		}
		return Put(buf, pos, w, n, uint64(i), indexBits(s.total-1))
	case compress.SubsetSentinel:
		return Put(buf, pos, w, n, uint64(i), indexBits(s.total))
	}
	code, width := compress.EncodeIndex(previous, i, s.total)
	return Put(buf, pos, w, n, code, uint(width))
}

// ReadStart reads what [Subset.Start] has appended. It returns the bit after it,
// or a negative number.
func (s *Subset) ReadStart(data []byte, bit, end int) int {
	if s.total == 0 {
		return bit
	}
	if s.auto {
		s.mode = compress.Subset(Load(data, bit) & 3)
		if bit += 2; bit > end {
			return -1
		}
	}
	if s.mode == compress.SubsetIndex {
		width := indexBits(s.total)
		s.left = int(Load(data, bit) & (1<<width - 1))
		if bit += int(width); bit > end || s.left > s.total {
			return -1
		}
	}
	return bit
}

// ReadIndex reads what [Subset.Index] has appended. It returns the index of the next
// present element, or the number of elements at the end, and the bit after it, or a
// negative number.
func (s *Subset) ReadIndex(data []byte, bit, end int) (i, next int) {
	if s.total == 0 {
		return 0, bit
	}
	previous, last, width := s.previous, s.total, uint(0)
	switch s.mode {
	case compress.SubsetBitmap:
		i, bit = s.readBitmap(data, bit, end)
		s.previous = i
		return i, bit
	case compress.SubsetIndex:
		if s.left == 0 {
			return s.total, bit
		}
		s.left--
		last = s.total - 1 - s.left // the other indices are greater
		width = indexBits(s.total - 1)
		i = int(Load(data, bit) & (1<<width - 1))
	case compress.SubsetSentinel:
		width = indexBits(s.total)
		i = int(Load(data, bit) & (1<<width - 1))
	case compress.SubsetRelative:
		index, size, ok := compress.DecodeIndex(Load(data, bit), previous, s.total)
		if !ok {
			return 0, -1
		}
		i, width = index, uint(size)
	}
	if bit += int(width); bit > end || i <= previous || i > last {
		return 0, -1
	}
	s.previous = i
	return i, bit
}

// readBitmap reads the bits of elements up to one that is set.
func (s *Subset) readBitmap(data []byte, bit, end int) (i, next int) {
	for i = s.previous + 1; i < s.total; {
		step := min(56, s.total-i)
		absent := mathbits.TrailingZeros64(Load(data, bit) | 1<<step)
		if bit += min(absent+1, step); bit > end {
			return 0, -1
		}
		if i += absent; absent < step {
			return i, bit
		}
	}
	return i, bit
}

// Shortest reports whether the mode that was read is the one that a SubsetAuto has
// for the elements counted.
func (s *Subset) Shortest() bool { return s.total == 0 || s.cost.Cheapest() == s.mode }

// indexBits returns the number of bits of an index in [0, n].
func indexBits(n int) uint { return uint(mathbits.Len(uint(n))) }

package bits

import (
	"fmt"

	"github.com/gobitpack/bitpack/internal/bitio"
)

// WriteExpGolomb writes v in the Exp-Golomb code of order k, which is short for
// small integers: those below 2^k take k+1 bits, the next 2^(k+1) take k+3, and
// so on, up to 129 bits. It fails with [ErrRange] if v is above max. It panics
// unless k is in [0, 63].
func (w *Writer) WriteExpGolomb(v, max uint64, k int) {
	checkOrder(k)
	if v > max {
		w.refuse(ErrRange, v, uint64(0), max)
		return
	}
	lo, hi, n := bitio.EncodeExpGolomb(v, k)
	if w.bit+n > w.limit && !w.reserve(n) {
		return
	}
	bitio.WriteCode(w, lo, hi, n)
}

// ReadExpGolomb reads an integer in the Exp-Golomb code of order k, as
// [Writer.WriteExpGolomb] writes it. It fails with [ErrRange], and returns 0, if
// the integer is above max. It panics unless k is in [0, 63].
func (r *Reader) ReadExpGolomb(max uint64, k int) uint64 {
	checkOrder(k)
	return r.readExpGolomb(max, k, ErrRange)
}

// readExpGolomb is ReadExpGolomb with the error for an integer above max.
func (r *Reader) readExpGolomb(max uint64, k int, above error) uint64 {
	v, n, ok := bitio.DecodeExpGolomb(r.data, r.bit, max, k)
	for known := 1; n > r.end-r.bit && r.need(known); known++ { // data may still be arriving
		v, n, ok = bitio.DecodeExpGolomb(r.data, r.bit, max, k)
	}
	switch {
	case r.err != nil:
	case n > r.Remaining():
		r.overread(n)
	case ok:
		r.bit += n
		return v
	case v > max:
		r.refuse(r.bit, above, v, uint64(0), max)
	default: // more zeros than any integer has
		r.refuse(r.bit, above, nil, nil, nil)
	}
	return 0
}

// ExpGolomb serializes an integer in the Exp-Golomb code of order k, which is
// short for small integers. See [Writer.WriteExpGolomb]. If T is signed, the code
// is that of 0, 1, 2, 3 for 0, -1, 1, -2. A reading Stream fails with [ErrRange],
// and stores 0, if the integer is outside the range of T.
func ExpGolomb[T Integer](s *Stream, v *T, k int) {
	zero := T(0)
	signed := zero-1 < 0
	largest := uint64(zero - 1)
	if signed {
		largest = bitio.Zigzag(uint64(smallestOf[T]()))
	}
	switch {
	case s.r == nil && signed:
		s.w.WriteExpGolomb(bitio.Zigzag(uint64(*v)), largest, k)
	case s.r == nil:
		s.w.WriteExpGolomb(uint64(*v), largest, k)
	case signed:
		*v = T(bitio.Unzigzag(s.r.ReadExpGolomb(largest, k)))
	default:
		*v = T(s.r.ReadExpGolomb(largest, k))
	}
}

// checkOrder panics unless k is the order of an Exp-Golomb code.
func checkOrder(k int) {
	if uint(k) > bitio.MaxExpGolombOrder {
		panic(fmt.Sprintf("bits: the order of an Exp-Golomb code must be in [0, %d], not %d", bitio.MaxExpGolombOrder, k))
	}
}

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
		r.refuse(r.bit, ErrRange, v, uint64(0), max)
	default: // more zeros than any integer has
		r.refuse(r.bit, ErrRange, nil, nil, nil)
	}
	return 0
}

// checkOrder panics unless k is the order of an Exp-Golomb code.
func checkOrder(k int) {
	if uint(k) > bitio.MaxExpGolombOrder {
		panic(fmt.Sprintf("bits: the order of an Exp-Golomb code must be in [0, %d], not %d", bitio.MaxExpGolombOrder, k))
	}
}

package delta

import mathbits "math/bits"

// gapUnary is the number of quotients that the gaps of a set write in unary.
const gapUnary = 3

// A set of positions in [0, n) has three forms, and the writer takes the
// shortest:
//
//	1   the positions
//	01  a bitmap of n bits
//	00  the positions that are not in the set
//
// Positions are sent as their number, an Exp-Golomb code of order 0, and, unless
// that is 0, the parameter of the gaps in 3 bits and the gaps between them. The
// set of nothing takes no bits, and those of up to shortSet positions are always
// a bitmap, without the form.

// shortSet is the number of positions up to which a set has only one form.
const shortSet = 2

// putSet writes a set, given by its sorted positions. It uses scratch, and
// returns it.
func (w *bitWriter) putSet(n int, in, scratch []int32) []int32 {
	if n <= shortSet {
		w.putBitmap(n, in)
		return scratch
	}
	form, bits := uint64(1), uint(1)
	listed := in
	if 2*len(in) > n {
		scratch = outside(n, in, scratch[:0])
		form, bits, listed = 0, 2, scratch
	}
	cost, k := gapsCost(listed)
	if cost+int(bits) > n+2 {
		w.put(0b10, 2)
		w.putBitmap(n, in)
		return scratch
	}
	w.put(form, bits)
	w.golomb(uint64(len(listed)), 0)
	if len(listed) == 0 {
		return scratch
	}
	w.put(uint64(k), 3)
	last := int32(-1)
	for _, at := range listed {
		w.rice(uint64(at-last-1), k, gapUnary)
		last = at
	}
	return scratch
}

// outside appends the positions in [0, n) that are not in a set.
func outside(n int, in, out []int32) []int32 {
	at := int32(0)
	for _, next := range in {
		for ; at < next; at++ {
			out = append(out, at)
		}
		at = next + 1
	}
	for ; at < int32(n); at++ {
		out = append(out, at)
	}
	return out
}

// gapsCost returns the bits that positions take, and the best parameter of their
// gaps.
func gapsCost(in []int32) (bits int, k uint) {
	if len(in) == 0 {
		return 1, 0
	}
	var costs [8]int
	last := int32(-1)
	for _, at := range in {
		gap := uint64(at - last - 1)
		for k := range costs {
			costs[k] += riceBits(gap, uint(k), gapUnary)
		}
		last = at
	}
	for i := range costs {
		if costs[i] < costs[k] {
			k = uint(i)
		}
	}
	return golombBits(uint64(len(in)), 0) + 3 + costs[k], k
}

// putBitmap writes a bit for each of n positions.
func (w *bitWriter) putBitmap(n int, in []int32) {
	for at := 0; at < n; at += 64 {
		var word uint64
		for len(in) > 0 && int(in[0]) < at+64 {
			word |= 1 << (int(in[0]) - at)
			in = in[1:]
		}
		w.put(word, uint(min(64, n-at)))
	}
}

// getSet reads a set and appends its positions to in, which is empty.
func (r *bitReader) getSet(n int, in []int32) []int32 {
	switch {
	case n <= shortSet:
		return r.getBitmap(n, in)
	case r.get(1) == 1:
		return r.getGaps(n, in, false)
	case r.get(1) == 1:
		return r.getBitmap(n, in)
	}
	return r.getGaps(n, in, true)
}

func (r *bitReader) getBitmap(n int, in []int32) []int32 {
	for at := 0; at < n && r.bad == nil; at += 64 {
		for word := r.get(uint(min(64, n-at))); word != 0; word &= word - 1 {
			in = append(in, int32(at+mathbits.TrailingZeros64(word)))
		}
	}
	return in
}

// getGaps reads positions. If inverse is set, it appends all others.
func (r *bitReader) getGaps(n int, in []int32, inverse bool) []int32 {
	count := r.golomb(0)
	if count > uint64(n) {
		r.fail(ErrRange)
	}
	k := uint(0)
	if count > 0 {
		k = uint(r.get(3))
	}
	next := 0
	for ; count > 0 && r.bad == nil; count-- {
		gap := r.rice(k, gapUnary)
		if r.bad != nil || gap >= uint64(n-next) {
			r.fail(ErrRange)
			return in[:0]
		}
		at := next + int(gap)
		if inverse {
			for ; next < at; next++ {
				in = append(in, int32(next))
			}
		} else {
			in = append(in, int32(at))
		}
		next = at + 1
	}
	for ; inverse && next < n && r.bad == nil; next++ {
		in = append(in, int32(next))
	}
	return in
}

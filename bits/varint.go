package bits

import "github.com/gobitpack/bitpack/internal/bitio"

// A varint is an integer in groups of 7 bits, the lowest first. Each group
// follows a bit that says whether another group comes after it. Signed integers
// are in zigzag form: 0, -1, 1, -2 and so on become 0, 1, 2, 3.

// Varint serializes an integer in 8 bits if it is below 128, in 16 if it is
// below 2^14, and so on, up to 80 bits. Signed integers of small magnitude are
// short too. Reading fails with [ErrRange] if the integer does not fit in T, and
// with [ErrNotCanonical] if it has more groups than it needs.
func Varint[T Integer](s *Stream, v *T) {
	zero := T(0)
	signed := zero-1 < 0
	if s.r == nil {
		x := uint64(*v)
		if signed {
			x = bitio.Zigzag(x)
		}
		s.w.WriteVarint(x)
		return
	}
	bit := s.r.bit
	x := s.r.ReadVarint()
	if signed {
		n := int64(bitio.Unzigzag(x))
		if *v = T(n); int64(*v) != n {
			min := int64(smallestOf[T]())
			s.r.refuse(bit, ErrRange, n, min, ^min)
			*v = 0
		}
		return
	}
	if *v = T(x); uint64(*v) != x {
		s.r.refuse(bit, ErrRange, x, uint64(0), uint64(zero-1))
		*v = 0
	}
}

// WriteVarint writes v as a varint.
func (w *Writer) WriteVarint(v uint64) {
	for ; v >= 128; v >>= 7 {
		w.WriteBits(1|v&127<<1, 8)
	}
	w.WriteBits(v<<1, 8)
}

// ReadVarint reads an integer written by [Writer.WriteVarint]. It fails with
// [ErrRange] if the integer has more than 64 bits, and with [ErrNotCanonical] if
// the last of several groups is zero. After an error it returns 0.
func (r *Reader) ReadVarint() (v uint64) {
	start := r.bit
	for shift := 0; ; shift += 7 {
		if !r.need(8) {
			r.refuse(start, ErrOverread, 8, nil, r.Remaining())
			return 0
		}
		b := r.ReadBits(8)
		more, group := b&1 != 0, b>>1
		switch {
		case shift > 0 && b == 0:
			r.refuse(start, ErrNotCanonical, nil, nil, nil)
			return 0
		case shift == 63 && (group > 1 || more):
			r.refuse(start, ErrRange, nil, nil, nil)
			return 0
		}
		v |= group << shift
		if !more {
			return v
		}
	}
}

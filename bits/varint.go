package bits

// A varint is an integer in groups of 7 bits, the lowest first. Each group
// follows a bit that says whether another group comes after it.

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

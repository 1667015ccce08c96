package bits

import "github.com/gobitpack/bitpack/internal/integer"

// WriteInt128 is WriteInt for signed 128-bit integers.
func (w *Writer) WriteInt128(v, min, max Int128) {
	span := int128Span(min, max)
	if v.Cmp(min) < 0 || v.Cmp(max) > 0 {
		w.refuse(ErrRange, v, min, max)
		return
	}
	w.writeOffset128(v.Unsigned().Sub(min.Unsigned()), span)
}

// WriteUint128 is WriteInt for unsigned 128-bit integers.
func (w *Writer) WriteUint128(v, min, max Uint128) {
	span := uint128Span(min, max)
	if v.Cmp(min) < 0 || v.Cmp(max) > 0 {
		w.refuse(ErrRange, v, min, max)
		return
	}
	w.writeOffset128(v.Sub(min), span)
}

func (w *Writer) writeOffset128(v, span Uint128) {
	n := span.Len()
	if n > 64 {
		w.WriteBits(v.Lo, 64)
		w.WriteBits(v.Hi, n-64)
	} else if n > 0 {
		w.WriteBits(v.Lo, n)
	}
}

// ReadInt128 is ReadInt for signed 128-bit integers.
func (r *Reader) ReadInt128(min, max Int128) Int128 {
	v, ok := r.readOffset128(min.Unsigned(), int128Span(min, max))
	switch {
	case ok:
		return v.Signed()
	case v.Signed().Cmp(min) < 0: // the integer is above max and overflows Int128
		r.refuse(r.bit, ErrRange, v, min, max)
	default:
		r.refuse(r.bit, ErrRange, v.Signed(), min, max)
	}
	return min
}

// ReadUint128 is ReadInt for unsigned 128-bit integers.
func (r *Reader) ReadUint128(min, max Uint128) Uint128 {
	v, ok := r.readOffset128(min, uint128Span(min, max))
	switch {
	case ok:
		return v
	case v.Cmp(min) < 0: // an integer of 129 bits
		r.refuse(r.bit, ErrRange, integer.OfWords(v.Lo, v.Hi, 1), min, max)
	default:
		r.refuse(r.bit, ErrRange, v, min, max)
	}
	return min
}

// readOffset128 is readOffset plus min. If the offset exceeds span, it returns
// the wrapped sum and false, and leaves the Reader at the start of the value.
func (r *Reader) readOffset128(min, span Uint128) (Uint128, bool) {
	var v Uint128
	bit, n := r.bit, span.Len()
	if !r.need(n) {
		r.overread(n)
		return min, true
	}
	if n > 64 {
		v.Lo, v.Hi = r.ReadBits(64), r.ReadBits(n-64)
	} else if n > 0 {
		v.Lo = r.ReadBits(n)
	}
	if v.Cmp(span) > 0 {
		r.bit = bit
		return v.Add(min), false
	}
	return v.Add(min), true
}

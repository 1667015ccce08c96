package bits

import (
	"fmt"
	"math"

	"github.com/gobitpack/bitpack/internal/bitio"
)

// RunLength serializes the elements of v. Equal neighbors are sent once: as the
// length of the stretch less 1, in the Exp-Golomb code of order 0, and one
// element. A stretch has at most 511 elements. f serializes an element
// in the given width, 1 to 64 bits; if it takes other bits, RunLength fails with
// [ErrLength]. Elements are equal if their bits are. T must have no pointers,
// because the elements of a stretch that is read are copies of the first.
//
// A reading Stream fails with [ErrLength] at a stretch that is longer than what
// is left of v, and with [ErrNotCanonical] at one that the stretch before could
// have included.
func RunLength[T any](s *Stream, v []T, width int, f func(s *Stream, v *T)) {
	checkWidth(width)
	if s.r != nil {
		readStretches(s, v, width, f)
		return
	}
	code, length, last := elementCoder(s, width, f), 0, uint64(0) // of the stretch before the element
	for i := range v {
		c := code(&v[i])
		if s.Err() != nil {
			return
		}
		if length > 0 && (c != last || length == bitio.MaxStretch) {
			s.w.writeStretch(length, last, width)
			length = 0
		}
		length, last = length+1, c
	}
	if length > 0 {
		s.w.writeStretch(length, last, width)
	}
}

// RunLengthSlice serializes the length of a slice, in [minLen, maxLen], and then
// its elements as [RunLength] does. A reading Stream allocates elements only if
// the bits of the fewest stretches that can have so many are left, as described
// for [Slice]. After an error in an element the slice has no elements.
func RunLengthSlice[T any](s *Stream, v *[]T, minLen, maxLen, width int, f func(s *Stream, v *T)) {
	checkWidth(width)
	n, bit := len(*v), s.Bit()
	Count(s, &n, minLen, maxLen)
	if s.r != nil {
		if n > 0 && !s.pays(bit, 1, bitio.StretchBits(n, width)) {
			n = 0
		}
		*v = resized(*v, n)
	}
	RunLength(s, *v, width, f)
	if s.r != nil && s.Err() != nil {
		clear(*v)
		*v = (*v)[:0]
	}
}

// checkWidth panics unless width is the number of bits of an element.
func checkWidth(width int) {
	if width < 1 || width > 64 {
		panic(fmt.Sprintf("bits: the width of an element must be in [1, 64], not %d", width))
	}
}

// writeStretch writes length equal elements.
func (w *Writer) writeStretch(length int, code uint64, width int) {
	w.WriteExpGolomb(uint64(length-1), bitio.MaxStretch-1, 0)
	w.WriteBits(code, width)
}

// elementCoder returns a function that returns the bits that f writes. If f
// fails, so does s.
func elementCoder[T any](s *Stream, width int, f func(s *Stream, v *T)) func(v *T) uint64 {
	var buf [16]byte
	w := NewWriter(buf[:])
	w.ctx = s.w.ctx
	scratch := NewWriteStream(w)
	return func(v *T) uint64 {
		w.Reset(buf[:])
		f(scratch, v)
		err := w.Err()
		if e, ok := err.(*Error); ok {
			moved := *e
			moved.Bit += s.Bit()
			err = &moved
		}
		if n := w.Bit(); err == nil && n != width {
			err = &Error{Op: "write", Bit: s.Bit(), Err: ErrLength, Value: n, Min: width, Max: width}
		}
		s.Fail(err)
		return bitio.PeekWord(w.Bytes(), 0)
	}
}

// readStretches reads the elements of v.
func readStretches[T any](s *Stream, v []T, width int, f func(s *Stream, v *T)) {
	r, last := s.r, uint64(0)
	for i, length := 0, bitio.MaxStretch; i < len(v); i += length {
		more := r.readExpGolomb(uint64(min(len(v)-i, bitio.MaxStretch)-1), 0, ErrLength)
		bit := r.bit
		if f(s, &v[i]); r.err != nil {
			return
		}
		if n := r.bit - bit; n != width {
			r.refuse(bit, ErrLength, n, width, width)
			return
		}
		code := bitio.PeekWord(r.data, bit) & (math.MaxUint64 >> (64 - width))
		if i > 0 && code == last && length < bitio.MaxStretch {
			r.refuse(bit, ErrNotCanonical, nil, nil, nil)
			return
		}
		last, length = code, int(more)+1
		for k := range length - 1 {
			v[i+1+k] = v[i]
		}
	}
}

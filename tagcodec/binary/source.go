package binary

import (
	"encoding/binary"
	"io"
	"math"
	"slices"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/saturate"
)

// source contains the bytes of a message read so far. It reads no byte before it
// is needed.
type source struct {
	r    io.Reader
	data []byte
	bit  int // offset in data of the next value
	err  error

	// after is a number of bits that must come after the values that are read now,
	// whatever they are. The source reads them together with these, which saves calls.
	after int
	// later is the same for the bits after the current element.
	later int

	available int // the bits of data, or less if they are to be counted or after an error
}

// maxChunk is the number of bytes that ensure allocates at most before they
// arrive. If more than maxChunk bytes have already arrived, it allocates as
// many again.
const maxChunk = 1 << 16

// ensure reads until the next n bits are available, and reports whether they
// are. If it reads, it reads those as well that must come after them.
func (s *source) ensure(n int) bool { return n <= s.available-s.bit || s.loadMore(n) }

// loadMore is load for n bits and those that must come after them.
func (s *source) loadMore(n int) bool {
	return s.load(saturate.Add(n, saturate.Add(s.after, s.later)))
}

// load reads until the next n bits are available, and reports whether they are. It
// is called for bits that have not been read yet, or after an error.
func (s *source) load(n int) bool {
	s.available = -1
	if s.err == nil && n > math.MaxInt-7-s.bit {
		s.err = errRefused // no memory can hold them
	}
	if s.err != nil {
		return false
	}
	for missing := (s.bit+n+7)/8 - len(s.data); missing > 0; {
		have := len(s.data)
		chunk := min(missing, max(maxChunk, have))
		s.data = slices.Grow(s.data, chunk)[:have+chunk]
		got, err := io.ReadFull(s.r, s.data[have:])
		s.data = s.data[:have+got]
		if err == io.EOF && have > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			s.err = err
			return false
		}
		missing -= chunk
	}
	s.available = saturate.Mul(8, len(s.data))
	return true
}

// fill reads until data has n bytes or the Reader has no more, and returns
// data.
func (s *source) fill(n int) []byte {
	s.bit = 0
	s.ensureAll(n, 8, 0)
	return s.data
}

// peek returns the next bits, with zeros for those that have not been read yet.
func (s *source) peek() uint64 { return bitio.PeekWord(s.data, s.bit) }

// take consumes and returns the next n bits, at most 64. After an error it
// returns 0.
func (s *source) take(n int) uint64 {
	if !s.ensure(n) {
		return 0
	}
	var v uint64
	if i := s.bit >> 3; n <= 57 && i+8 <= cap(s.data) {
		v = binary.LittleEndian.Uint64(s.data[i:i+8]) >> (s.bit & 7)
	} else {
		v = s.peek()
	}
	v &= 1<<uint(n) - 1
	s.bit += n
	return v
}

// skip skips n values of width bits each.
func (s *source) skip(n, width int) {
	if bits := saturate.Mul(n, width); s.ensure(bits) {
		s.bit += bits
	}
}

// ensureAll reads until n values of width bits each and more bits after them are
// available, and reports whether they are. If n is 0, it reads nothing.
func (s *source) ensureAll(n, width, more int) bool {
	if n == 0 {
		return s.err == nil
	}
	n = saturate.MulAdd(n, width, more)
	return n <= s.available-s.bit || s.load(n)
}

// align skips to the next byte boundary.
func (s *source) align() { s.bit = (s.bit + 7) &^ 7 }

// takePrefixCode consumes a code whose length follows from its prefix, up to
// six zeros and a one. The codes of relative integers and of relative indices
// are such codes. decode decodes a word that starts with the code and returns
// the length of the code in bits.
func (s *source) takePrefixCode(decode func(word uint64) (n int)) {
	for k := 1; k <= 6 && s.ensure(k); k++ {
		if s.peek()>>(k-1)&1 != 0 {
			break
		}
	}
	if n := decode(s.peek()); s.ensure(n) {
		s.bit += decode(s.peek()) // decode again, now with all its bits
	}
}

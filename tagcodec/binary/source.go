package binary

import (
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

	available int // the bits of data, or less if they are to be counted or after an error
}

// maxChunk is the number of bytes that ensure allocates at most before they
// arrive. If more than maxChunk bytes have already arrived, it allocates as
// many again.
const maxChunk = 1 << 16

// ensure reads until the next n bits are available, and reports whether they
// are.
func (s *source) ensure(n int) bool { return n <= s.available-s.bit || s.load(n) }

// load is ensure for bits that have not been read yet, or after an error.
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
	v := s.peek() & (1<<uint(n) - 1)
	s.bit += n
	return v
}

// skip skips n values of width bits each.
func (s *source) skip(n, width int) {
	if s.ensureAll(n, width, 0) {
		s.bit += n * width
	}
}

// ensureAll is like ensure for n values of width bits each and more bits after
// them. If n is 0, it reads nothing.
func (s *source) ensureAll(n, width, more int) bool {
	if width > 0 && n > (math.MaxInt-more)/width {
		return s.ensure(math.MaxInt)
	}
	if n == 0 {
		return s.err == nil
	}
	return s.ensure(n*width + more)
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

package binary

import (
	"io"
	"math"
	"slices"

	"github.com/gobitpack/bitpack/bits"
)

// source holds the bytes of a message that were read so far. It reads no byte
// that is not needed.
type source struct {
	r    io.Reader
	data []byte
	bit  int // where in data the next value starts
	err  error
}

// maxChunk is how much memory is taken before the bytes that back it arrive.
const maxChunk = 1 << 16

// need reads what is missing of the next n bits. It reports whether they are
// there.
func (s *source) need(n int) bool {
	if s.err == nil && n > math.MaxInt-7-s.bit {
		s.err = errRefused // for want of memory
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
	return true
}

// fill reads until there are n bytes, or as many as the Reader has, and returns
// them.
func (s *source) fill(n int) []byte {
	s.bit = 0
	s.needAll(n, 8, 0)
	return s.data
}

// peek returns the bits from the next on, with zeros for those that are not
// there yet.
func (s *source) peek() uint64 { return bits.PeekWord(s.data, s.bit) }

// take returns the next n bits, 64 at most, or 0 after an error.
func (s *source) take(n int) uint64 {
	if !s.need(n) {
		return 0
	}
	v := s.peek() & (1<<uint(n) - 1)
	s.bit += n
	return v
}

// skip passes over n values of some bits each.
func (s *source) skip(n, width int) {
	if s.needAll(n, width, 0) {
		s.bit += n * width
	}
}

// needAll is need for n values of some bits each, if there are any, and more bits.
func (s *source) needAll(n, width, more int) bool {
	if width > 0 && n > (math.MaxInt-more)/width {
		return s.need(math.MaxInt)
	}
	if n == 0 {
		return s.err == nil
	}
	return s.need(n*width + more)
}

// align passes over the rest of a byte.
func (s *source) align() { s.bit = (s.bit + 7) &^ 7 }

// ladder takes a code that begins with up to six zeros and a one, which tell
// its length, as the codes of relative integers do.
func (s *source) ladder(decode func(word uint64) (n int)) {
	for k := 1; k <= 6 && s.need(k); k++ {
		if s.peek()>>(k-1)&1 != 0 {
			break
		}
	}
	if n := decode(s.peek()); s.need(n) {
		s.bit += decode(s.peek()) // now of all its bits
	}
}

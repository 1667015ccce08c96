package binary

import (
	"io"
	"math"
	"slices"
)

// source has the bytes of a message that have been read so far. It reads no byte
// before it is needed.
type source struct {
	r    io.Reader
	data []byte
	err  error
}

// maxChunk is the number of bytes that fill allocates at most before they arrive. If
// more than maxChunk bytes have already arrived, it allocates as many again.
const maxChunk = 1 << 16

// fill reads until data has n bytes or the Reader has no more, and returns data.
func (s *source) fill(n int) []byte {
	for missing := n - len(s.data); missing > 0 && s.err == nil && n < math.MaxInt/8; {
		have := len(s.data)
		chunk := min(missing, max(maxChunk, have))
		s.data = slices.Grow(s.data, chunk)[:have+chunk]
		got, err := io.ReadFull(s.r, s.data[have:])
		s.data = s.data[:have+got]
		if err == io.EOF && have > 0 {
			err = io.ErrUnexpectedEOF
		}
		s.err = err
		missing -= chunk
	}
	return s.data
}

// Package streams holds streams with what they work on, so that a message takes
// no memory for them.
package streams

import (
	"sync"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
)

// Stream is what the values of a message are written to and read from.
type Stream struct {
	W                bits.Writer
	R                bits.Reader
	Writing, Reading *bits.Stream // to W and from R

	Context access.Context // of W and R
	Room    any            // what package tagcodec keeps here for the settings of the context
}

var pool = sync.Pool{New: func() any {
	s := new(Stream)
	s.Writing, s.Reading = bits.NewWriteStream(&s.W), bits.NewReadStream(&s.R)
	s.clear()
	return s
}}

// Get returns a stream, which is to be given back with Free.
func Get() *Stream { return pool.Get().(*Stream) }

// Free gives the stream back without the memory that it worked on.
func (s *Stream) Free() {
	s.clear()
	pool.Put(s)
}

func (s *Stream) clear() {
	s.W, s.R, s.Context = bits.Writer{}, bits.Reader{}, access.Context{}
	*access.WriterContext(&s.W), *access.ReaderContext(&s.R) = &s.Context, &s.Context
}

// Package streams pools streams together with their Writers and Readers, so that
// encoding or decoding a message does not allocate them.
package streams

import (
	"sync"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
)

// Stream is a Writer and a Reader for messages, with a bits.Stream for each.
type Stream struct {
	W                bits.Writer
	R                bits.Reader
	Writing, Reading *bits.Stream // write to W and read from R

	Context  access.Context // shared by W and R
	Settings any            // for the user of the Stream, which may keep the memory of Context.Settings here
}

// pool contains *Stream values, cleared.
var pool = sync.Pool{New: func() any {
	s := new(Stream)
	s.Writing, s.Reading = bits.NewWriteStream(&s.W), bits.NewReadStream(&s.R)
	s.clear()
	return s
}}

// Get returns a Stream from the pool. The caller must return it with Free.
func Get() *Stream { return pool.Get().(*Stream) }

// Free returns the Stream to the pool, after dropping its references to the
// message.
func (s *Stream) Free() {
	s.clear()
	pool.Put(s)
}

// clear resets everything but Settings.
func (s *Stream) clear() {
	s.W, s.R, s.Context = bits.Writer{}, bits.Reader{}, access.Context{}
	*access.WriterContext(&s.W), *access.ReaderContext(&s.R) = &s.Context, &s.Context
}

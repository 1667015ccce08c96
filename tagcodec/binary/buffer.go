package binary

import (
	"slices"
	"sync"
)

// buffer holds bytes for a Writer or from a Reader.
type buffer struct {
	bytes []byte
	decoding
}

// maxReused is the capacity in bytes of the largest buffer that is reused.
const maxReused = 1 << 20

var buffers = sync.Pool{New: func() any { return &buffer{bytes: make([]byte, 0, 512)} }}

// newBuffer returns a buffer of size bytes with unspecified contents. Its slice
// is never nil.
func newBuffer(size int) *buffer {
	b := buffers.Get().(*buffer)
	b.resize(size)
	return b
}

// resize gives the buffer size bytes with unspecified contents.
func (b *buffer) resize(size int) { b.bytes = slices.Grow(b.bytes[:0], size)[:size] }

// free returns the buffer to the pool.
func (b *buffer) free() {
	if cap(b.bytes) <= maxReused {
		buffers.Put(b)
	}
}

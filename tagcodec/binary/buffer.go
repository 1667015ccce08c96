package binary

import (
	"slices"
	"sync"
)

// buffer holds what is on its way to a Writer or from a Reader.
type buffer struct{ bytes []byte }

// maxKept is the size of the largest buffer that is used again.
const maxKept = 1 << 20

var buffers = sync.Pool{New: func() any { return &buffer{make([]byte, 0, 512)} }}

// newBuffer returns a buffer of size bytes of any content. They are never nil.
func newBuffer(size int) *buffer {
	b := buffers.Get().(*buffer)
	b.bytes = slices.Grow(b.bytes[:0], size)[:size]
	return b
}

// free gives the buffer back.
func (b *buffer) free() {
	if cap(b.bytes) <= maxKept {
		buffers.Put(b)
	}
}

package binary

import (
	"bytes"
	"io"
	"slices"
	"sync"
)

// buffer holds bytes for a Writer or from a Reader.
type buffer struct {
	bytes  []byte
	passed []byte // the argument of Write
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

// Write is called by [bytes.Reader.WriteTo] with the bytes that the Reader has not read
// yet. It consumes none of them.
func (b *buffer) Write(p []byte) (int, error) {
	b.passed = p
	return 0, io.ErrShortWrite
}

// unread returns the bytes that r has not read yet, without a copy.
func unread(r *bytes.Reader) []byte {
	b := buffers.Get().(*buffer)
	r.WriteTo(b)
	p := b.passed
	b.passed = nil
	b.free()
	return p
}

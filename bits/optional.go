package bits

import (
	"reflect"
	"sync"

	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/values"
)

// Optional serializes a bit that says whether *v is not zero, and then *v with
// f unless it is zero. A value that f quantizes to zero is not sent either. A
// reading Stream sets an absent value to zero, and fails with
// [ErrNotCanonical] if a zero was sent.
//
// A writing Stream calls f on other Streams as well, to find out what a reader
// will get. Negative zero is not zero, unless f quantizes it to zero.
func Optional[T comparable](s *Stream, v *T, f func(s *Stream, v *T)) {
	bit := s.Bit()
	if s.r == nil {
		writeOptional(s, v, f)
		return
	}
	var present bool
	s.Bool(&present)
	ctx := s.enter()
	if !present || ctx == nil {
		*v = *new(T)
		return
	}
	f(s, v)
	ctx.Open--
	if s.r.err == nil && isZero(v) {
		s.refuse(bit, ErrNotCanonical, nil, nil, nil)
	}
}

// isZero reports whether all bits of *v are zero.
func isZero[T comparable](v *T) bool {
	return *v == *new(T) && values.AllBitsZero(reflect.ValueOf(v).Elem())
}

func writeOptional[T comparable](s *Stream, v *T, f func(s *Stream, v *T)) {
	w := s.w
	if isZero(v) {
		w.WriteBool(false)
		return
	}
	ctx := s.enter()
	if ctx == nil {
		return
	}
	defer func() { ctx.Open-- }()
	t := trials.Get().(*trial)
	defer t.free()
	t.ctx.Open = ctx.Open

	// Start at the same bit within a byte, so that alignment works out the same.
	phase := (w.bit + 1) & 7
	t.w.ctx = ctx
	t.w.Resume(append(t.buf[:0], 0), 0, phase)
	f(&t.writing, v)
	if t.w.err != nil {
		w.WriteBool(true)
		f(s, v) // fails again, at the right bit
		return
	}
	t.buf = t.w.Bytes()
	var back T
	t.r.ctx = &t.ctx
	t.r.Reset(t.buf, phase)
	f(&t.reading, &back)
	zero := t.r.err == nil && isZero(&back)
	if w.WriteBool(!zero); zero {
		return
	}
	t.r.Reset(t.buf, phase)
	for n := t.w.bit - phase; n > 0; n -= 64 {
		part := min(n, 64)
		w.WriteBits(t.r.ReadBits(part), part)
	}
}

// trial writes a value aside and reads it back.
type trial struct {
	w                Writer
	r                Reader
	writing, reading Stream
	ctx              access.Context // for r: without the Linker of the message, which must not learn of a trial
	buf              []byte
}

var trials = sync.Pool{New: func() any {
	t := new(trial)
	t.writing.w, t.reading.r = &t.w, &t.r
	return t
}}

// free returns t to the pool without the references to the message.
func (t *trial) free() {
	t.w, t.r, t.ctx = Writer{}, Reader{}, access.Context{}
	if cap(t.buf) > 1<<12 {
		t.buf = nil
	}
	trials.Put(t)
}

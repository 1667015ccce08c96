package compress

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
)

// fail fails with an error about the value that starts where s is.
func fail(s *bits.Stream, value any) {
	op := "write"
	if s.Reading() {
		op = "read"
	}
	s.Fail(&bits.Error{Op: op, Bit: s.Bit(), Err: bits.ErrRange, Value: value})
}

// Serialize serializes *v. It fails with bits.ErrRange if the value to write is
// a NaN or an infinity, or if the code read is above Steps.
func (q *Float32) Serialize(s *bits.Stream, v *float32) {
	var code uint32
	if !s.Reading() {
		if !Finite32(*v) {
			fail(s, *v)
			return
		}
		code = q.Encode(*v)
	}
	bits.Int(s, &code, 0, q.Steps)
	if s.Reading() {
		*v = q.Decode(code)
	}
}

// Serialize serializes *v. It fails with bits.ErrRange if the value to write is
// a NaN or an infinity, or if the code read is above Steps.
func (q *Float64) Serialize(s *bits.Stream, v *float64) {
	var code uint64
	if !s.Reading() {
		if !Finite64(*v) {
			fail(s, *v)
			return
		}
		code = q.Encode(*v)
	}
	bits.Int(s, &code, 0, q.Steps)
	if s.Reading() {
		*v = q.Decode(code)
	}
}

// Index serializes an index greater than previous, in the encoding of
// [EncodeIndex]. max is the number of elements, and the index that ends a
// subset. Index fails with bits.ErrRange if the index is not in [previous+1,
// max]. After an error the index read is max, so that a loop up to it ends.
func Index(s *bits.Stream, previous int, index *int, max int) {
	bit := s.Bit()
	if !s.Reading() {
		code, n := EncodeIndex(previous, *index, max)
		if n == 0 {
			access.Refuse(s, bit, bits.ErrRange, *index, previous+1, max)
			return
		}
		s.Writer().WriteBits(code, n)
		return
	}
	r, ok := s.Reader(), false
	n := prefixLen(r, indexBits(max), func(word uint64) (n int) {
		*index, n, ok = DecodeIndex(word, previous, max)
		return n
	})
	if n <= r.Remaining() && !ok {
		access.Refuse(s, bit, bits.ErrRange, *index, previous+1, max)
	}
	if r.Skip(n); r.Err() != nil {
		*index = max
	}
}

// indexBits returns the length of the longest code of an index.
func indexBits(m int) int { return max(2*indexTiers, indexTiers+lastTierBits(m)) }

// prefixLen returns the length of the next code, which decode determines from
// the bits of a word. A code has at most the given number of bits. If data is
// still arriving, prefixLen waits for the bits of the code only.
func prefixLen(r *bits.Reader, most int, decode func(word uint64) (n int)) int {
	if r.Remaining() >= most {
		return decode(r.PeekBits(most))
	}
	for k := 1; ; k++ {
		there := access.Ensure(r, k)
		if n := decode(r.PeekBits(k)); n <= k || !there {
			return n
		}
	}
}

package compress

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/values"
)

// encoding is the bits of a value as a message holds them.
type encoding struct {
	n    int
	word uint64 // the first 64 bits
	rest string // the bits after them, 8 bytes for each 64
}

// scratch writes values aside and reads them back.
type scratch struct {
	w   bits.Writer
	r   bits.Reader
	to  *bits.Stream // writes to w
	buf []byte
}

var scratches = sync.Pool{New: func() any {
	t := new(scratch)
	t.to = bits.NewWriteStream(&t.w)
	return t
}}

func (t *scratch) free() {
	t.w, t.r = bits.Writer{}, bits.Reader{}
	scratches.Put(t)
}

// encodingOf returns the encoding that f gives *v if *v starts at the given bit of
// a byte.
func encodingOf[T any](f func(s *bits.Stream, v *T), v *T, phase int) (encoding, error) {
	t := scratches.Get().(*scratch)
	defer t.free()
	t.w.Resume(append(t.buf[:0], 0), 0, phase)
	f(t.to, v)
	if err := t.w.Err(); err != nil {
		return encoding{}, err
	}
	t.buf = t.w.Bytes()
	return t.read(t.buf, phase, t.w.Bit()), nil
}

// sentFrom returns the encoding of the value that s has read since bit.
func sentFrom(s *bits.Stream, bit int) encoding {
	t := scratches.Get().(*scratch)
	defer t.free()
	return t.read(access.Data(s.Reader()), bit, s.Bit())
}

// read returns the bits of data from start to end.
func (t *scratch) read(data []byte, start, end int) (e encoding) {
	t.r.Reset(data, start)
	e.n = end - start
	if n := min(e.n, 64); n > 0 {
		e.word = t.r.ReadBits(n)
	}
	var rest []byte
	for t.r.Bit() < end {
		word := t.r.ReadBits(min(end-t.r.Bit(), 64))
		for range 8 {
			rest = append(rest, byte(word))
			word >>= 8
		}
	}
	e.rest = string(rest)
	return e
}

// failAt fails with the error of a value that was written aside.
func failAt(s *bits.Stream, err error) {
	if e, ok := err.(*bits.Error); ok {
		e.Bit += s.Bit()
	}
	s.Fail(err)
}

// list finds values by their encoding. Values with the same encoding are equal,
// as a reader cannot tell them apart.
type list[T any] struct {
	values    []T
	serialize func(s *bits.Stream, v *T)
	indices   [8]map[encoding]int // by the bit of a byte that a value starts at
}

func newList[T any](serialize func(s *bits.Stream, v *T), values []T) (list[T], error) {
	l := list[T]{values: values, serialize: serialize}
	for phase := range l.indices {
		indices := make(map[encoding]int, len(values))
		shifted := phase == 0 // whether the encodings depend on the bit
		for i := range values {
			e, err := encodingOf(serialize, &values[i], phase)
			if err != nil {
				return l, fmt.Errorf("compress: the value %v cannot be written: %w", values[i], err)
			}
			if _, ok := indices[e]; ok {
				return l, failed("the value %v is the same on the wire as a value before it", values[i])
			}
			indices[e] = i
			j, ok := l.indices[0][e]
			shifted = shifted || !ok || j != i
		}
		if l.indices[phase] = indices; !shifted {
			l.indices[phase] = l.indices[0]
		}
	}
	return l, nil
}

// index returns the index of the listed value that is equal to *v, or -1. It
// fails if *v cannot be written.
func (l *list[T]) index(s *bits.Stream, v *T) int {
	e, err := encodingOf(l.serialize, v, 0)
	if err != nil {
		failAt(s, err)
		return -1
	}
	if i, ok := l.indices[0][e]; ok {
		return i
	}
	return -1
}

// unlisted serializes a value that is not listed. start is the bit where its code
// began.
func (l *list[T]) unlisted(s *bits.Stream, v *T, start int) {
	bit := s.Bit()
	l.serialize(s, v)
	if !s.Reading() || s.Err() != nil {
		return
	}
	if i, listed := l.indices[bit&7][sentFrom(s, bit)]; listed {
		refuseValue(s, start, bits.ErrNotCanonical, l.values[i], values.FixListed)
	}
}

// refuseValue fails with an error about v, whose code starts at bit. s has no error.
func refuseValue(s *bits.Stream, bit int, err error, v any, fix string) {
	access.Refuse(s, bit, err, values.Plain(reflect.ValueOf(v)), nil, nil)
	s.Err().(*bits.Error).Fix = fix
}

// Common codes a few common values in fewer bits than the others:
//
//	1              the common value, if there is only one
//	11, 10         the first and the second of two
//	1, int(0,k-1)  the index of one of k
//	0, value       any other value, in its own encoding
//
// A value is common if its own encoding is that of a common value, so a quantizer
// decides which values are equal.
type Common[T any] struct{ list list[T] }

// NewCommon returns a code for values that serialize writes in full, or as one of
// the common values. It is an error if there are no common values, if one of them
// cannot be written, or if two have the same encoding. The values must not
// contain pointers or slices, because all values that are read share them.
func NewCommon[T any](serialize func(s *bits.Stream, v *T), common ...T) (*Common[T], error) {
	if len(common) == 0 {
		return nil, failed("list a common value at least")
	}
	l, err := newList(serialize, common)
	if err != nil {
		return nil, err
	}
	return &Common[T]{l}, nil
}

// Serialize serializes *v. Reading fails with bits.ErrNotCanonical if a common
// value is written in full.
func (c *Common[T]) Serialize(s *bits.Stream, v *T) {
	start, k := s.Bit(), len(c.list.values)
	i := -1
	if !s.Reading() {
		if i = c.list.index(s, v); s.Err() != nil {
			return
		}
	}
	common := i >= 0
	if s.Bool(&common); !common {
		c.list.unlisted(s, v, start)
		return
	}
	if k == 2 {
		first := i == 0
		if s.Bool(&first); first {
			i = 0
		} else {
			i = 1
		}
	} else {
		bits.Int(s, &i, 0, k-1)
	}
	if s.Reading() {
		*v = c.list.values[i]
	}
}

// Serialize serializes a symbol. It fails with bits.ErrRange if the symbol to
// write is not in [0, k). After an error the symbol read is 0.
func (h *Huffman) Serialize(s *bits.Stream, symbol *int) {
	if s.Reading() {
		r := s.Reader()
		r.Skip(prefixLen(r, h.MaxBits(), func(word uint64) (n int) {
			*symbol, n = h.Decode(word)
			return n
		}))
		if r.Err() != nil {
			*symbol = 0
		}
		return
	}
	if uint(*symbol) >= uint(h.Symbols()) {
		access.Refuse(s, s.Bit(), bits.ErrRange, int64(*symbol), int64(0), int64(h.Symbols()-1))
		return
	}
	s.Writer().WriteBits(h.Code(*symbol))
}

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

// HuffmanValue is a value that a [HuffmanValues] lists.
type HuffmanValue[T any] struct {
	Value  T
	Weight uint64 // how common the value is
	Escape bool   // whether this is the escape code, which any value that is not listed follows
}

// HuffmanValues is a [Huffman] code of values. Symbol i is the value listed at i.
// A value is listed if its own encoding is that of a listed value.
type HuffmanValues[T any] struct {
	code   *Huffman
	list   list[T]
	escape int // its symbol, or -1
}

// NewHuffmanValues returns a code for the listed values and, if one entry is the
// Escape, for all others that serialize can write. The weights are those of
// [NewHuffman]. It is an error if there are two escapes, if a value cannot be
// written, or if two have the same encoding. The values must not contain pointers
// or slices, because all values that are read share them.
func NewHuffmanValues[T any](serialize func(s *bits.Stream, v *T), entries ...HuffmanValue[T]) (*HuffmanValues[T], error) {
	h := &HuffmanValues[T]{escape: -1}
	var values []T
	weights := make([]uint64, len(entries))
	for i, e := range entries {
		weights[i] = e.Weight
		switch {
		case !e.Escape:
			values = append(values, e.Value)
		case h.escape >= 0:
			return nil, failed("there are two escapes: keep one")
		default:
			h.escape = i
		}
	}
	var err error
	if h.code, err = NewHuffman(weights); err != nil {
		return nil, err
	}
	h.list, err = newList(serialize, values)
	return h, err
}

// Serialize serializes *v. Writing fails with bits.ErrRange if *v is not listed
// and there is no escape. Reading fails with bits.ErrNotCanonical if a listed
// value follows the escape.
func (h *HuffmanValues[T]) Serialize(s *bits.Stream, v *T) {
	start, symbol := s.Bit(), h.escape
	if !s.Reading() {
		i := h.list.index(s, v)
		switch {
		case s.Err() != nil:
			return
		case i >= 0:
			symbol = h.symbol(i)
		case symbol < 0:
			refuseValue(s, start, bits.ErrRange, *v, values.FixUnlisted)
			return
		}
	}
	if h.code.Serialize(s, &symbol); symbol == h.escape {
		h.list.unlisted(s, v, start)
	} else if s.Reading() {
		if h.escape >= 0 && symbol > h.escape {
			symbol--
		}
		*v = h.list.values[symbol]
	}
}

// symbol returns the symbol of listed value i.
func (h *HuffmanValues[T]) symbol(i int) int {
	if h.escape >= 0 && i >= h.escape {
		return i + 1
	}
	return i
}

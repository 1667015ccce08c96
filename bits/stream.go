package bits

import (
	"math"

	"github.com/gobitpack/bitpack/internal/access"
)

// Stream lets one function write, read or measure, so the directions cannot
// differ. It is modeled on the unified serialize function of Glenn Fiedler's
// articles:
//
//	func (p *PacketB) Serialize(s *bits.Stream) error {
//		bits.Count(s, &p.NumElements, 0, len(p.Elements))
//		for i := range p.NumElements {
//			bits.Bits(s, &p.Elements[i], 32)
//		}
//		return s.Err()
//	}
//
// The methods and functions that serialize a variable take a pointer to it. A
// writing Stream writes the variable and a reading Stream sets it. A Stream
// keeps the first error. After it, writing does nothing and reading stores the
// smallest value of each range, so a loop over a hostile count always ends.
type Stream struct {
	w *Writer
	r *Reader
}

// NewWriteStream returns a Stream that writes to w. If w is from [NewMeasurer],
// the Stream measures.
func NewWriteStream(w *Writer) *Stream { return &Stream{w: w} }

// NewReadStream returns a Stream that reads from r.
func NewReadStream(r *Reader) *Stream { return &Stream{r: r} }

// Reading reports whether the Stream reads. Otherwise it writes or measures.
func (s *Stream) Reading() bool { return s.r != nil }

// Writer returns the Writer of a writing Stream, or nil for a reading one.
func (s *Stream) Writer() *Writer { return s.w }

// Reader returns the Reader of a reading Stream, or nil for a writing one.
func (s *Stream) Reader() *Reader { return s.r }

// Err returns the first error, or nil.
func (s *Stream) Err() error {
	if s.r != nil {
		return s.r.err
	}
	return s.w.err
}

// Fail makes err the Stream's error if it has none. A serialize function calls
// it to reject a value that is in range but still not acceptable.
func (s *Stream) Fail(err error) {
	if s.r != nil {
		s.r.Fail(err)
	} else {
		s.w.Fail(err)
	}
}

// Bit returns the number of bits written or read so far.
func (s *Stream) Bit() int {
	if s.r != nil {
		return s.r.bit
	}
	return s.w.bit
}

func init() {
	access.Refuse = func(s any, bit int, err error, value, min, max any) {
		s.(*Stream).refuse(bit, err, value, min, max)
	}
}

// refuse fails with an [Error] about the value at bit.
func (s *Stream) refuse(bit int, err error, value, min, max any) {
	switch {
	case s.r != nil:
		s.r.refuse(bit, err, value, min, max)
	case s.w.err == nil:
		s.w.Fail(&Error{Op: "write", Bit: bit, Err: err, Value: value, Min: min, Max: max})
	}
}

// Bool serializes one bit.
func (s *Stream) Bool(v *bool) {
	if s.r != nil {
		*v = s.r.ReadBool()
	} else {
		s.w.WriteBool(*v)
	}
}

// Float32 serializes the 32 bits of a float32.
func (s *Stream) Float32(v *float32) {
	if s.r != nil {
		*v = s.r.ReadFloat32()
	} else {
		s.w.WriteFloat32(*v)
	}
}

// Float64 serializes the 64 bits of a float64.
func (s *Stream) Float64(v *float64) {
	if s.r != nil {
		*v = s.r.ReadFloat64()
	} else {
		s.w.WriteFloat64(*v)
	}
}

// Align serializes zero bits up to the next multiple of 8.
func (s *Stream) Align() {
	if s.r != nil {
		s.r.ReadAlign()
	} else {
		s.w.WriteAlign()
	}
}

// Bytes aligns and serializes all of p. A reading Stream fills it.
func (s *Stream) Bytes(p []byte) {
	if s.r != nil {
		s.r.ReadBytes(p)
	} else {
		s.w.WriteBytes(p)
	}
}

// String serializes a string of at most maxLen bytes. See [Writer.WriteString].
func (s *Stream) String(v *string, maxLen int) {
	if s.r != nil {
		*v = s.r.ReadString(maxLen)
	} else {
		s.w.WriteString(*v, maxLen)
	}
}

// Check serializes a 32-bit value known to both sides. A reading Stream fails
// with [ErrCheck] if it finds another value, which means that the sides
// disagree on the format or on the position in the message.
func (s *Stream) Check(value uint32) {
	if s.r == nil {
		s.w.WriteBits(uint64(value), 32)
		return
	}
	bit := s.r.bit
	if v := uint32(s.r.ReadBits(32)); v != value && s.r.err == nil {
		s.r.refuse(bit, ErrCheck, uint64(v), uint64(value), uint64(value))
	}
}

// Serializer is a type with its own serialize function. The codec calls it
// wherever a value of that type occurs. The Stream, and its Reader or Writer,
// must not be used after Serialize has returned.
type Serializer interface {
	Serialize(s *Stream) error
}

// Value serializes v with its Serialize method, and makes an error that the
// method returns the Stream's.
func Value(s *Stream, v Serializer) { s.Fail(v.Serialize(s)) }

// Signed is any signed integer type.
type Signed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}

// Unsigned is any unsigned integer type.
type Unsigned interface {
	~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// Integer is any integer type.
type Integer interface{ Signed | Unsigned }

// Int serializes an integer in [min, max] in the number of bits that max-min
// needs.
func Int[T Integer](s *Stream, v *T, min, max T) {
	switch zero := T(0); {
	case zero-1 > 0 && s.r != nil:
		*v = T(s.r.ReadUint(uint64(min), uint64(max)))
	case zero-1 > 0:
		s.w.WriteUint(uint64(*v), uint64(min), uint64(max))
	case s.r != nil:
		*v = T(s.r.ReadInt(int64(min), int64(max)))
	default:
		s.w.WriteInt(int64(*v), int64(min), int64(max))
	}
}

// Bits serializes an integer in n bits, in two's complement if T is signed. It
// fails with [ErrRange] if a value to write does not fit in n bits, or if a
// value read does not fit in T. It panics unless n is in [1, 64].
func Bits[T Integer](s *Stream, v *T, n int) {
	if uint(n-1) > 63 {
		panicWidth(n)
	}
	zero := T(0)
	switch signed := zero-1 < 0; {
	case s.r == nil && signed:
		s.w.writeSigned(int64(*v), n)
	case s.r == nil:
		s.w.WriteBits(uint64(*v), n)
	case signed:
		x := s.r.readSigned(n)
		*v = T(x)
		if int64(*v) != x { // n exceeds the width of T
			min := smallestOf[T]()
			s.r.refuse(s.r.bit-n, ErrRange, x, int64(min), ^int64(min))
			*v = min
		}
	default:
		x := s.r.ReadBits(n)
		*v = T(x)
		if uint64(*v) != x {
			s.r.refuse(s.r.bit-n, ErrRange, x, uint64(0), uint64(zero-1))
			*v = 0
		}
	}
}

// smallestOf returns the smallest integer of a signed type.
func smallestOf[T Integer]() T {
	min := int64(math.MinInt64)
	for int64(T(min)) != min {
		min >>= 1
	}
	return T(min)
}

// Count serializes a length in [min, max]. It fails with [ErrLength] if the
// length is outside. A Stream that writes leaves such a length as it is, so test
// Err before the length bounds a loop.
func Count(s *Stream, n *int, min, max int) {
	if s.r != nil {
		*n = s.r.ReadCount(min, max)
	} else {
		s.w.WriteCount(*n, min, max)
	}
}

// Relative serializes an integer greater than previous, in the int_relative
// encoding. The integer must be in the range of int32 if T is signed, or of
// uint32 if T is unsigned, and in the range of T.
func Relative[T Integer](s *Stream, previous int64, current *T) {
	min, max := relativeBounds[T]()
	if s.r != nil {
		*current = T(s.r.ReadRelative(previous, min, max))
	} else {
		s.w.WriteRelative(previous, int64(*current), min, max)
	}
}

// relativeBounds returns the smallest and largest T that int_relative can
// encode.
func relativeBounds[T Integer]() (min, max int64) {
	if zero := T(0); zero-1 > 0 {
		largest := uint64(zero - 1)
		return 0, int64(largest & (1<<32 - 1))
	}
	min, max = -1<<31, 1<<31-1
	for int64(T(max)) != max { // a type of 8 or 16 bits
		min, max = min>>8, max>>8
	}
	return min, max
}

package compress

import (
	"fmt"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/values"
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

// Half serializes *v as an IEEE 754 binary16. See [EncodeHalf].
func Half(s *bits.Stream, v *float32) {
	if s.Reading() {
		*v = DecodeHalf(uint16(s.Reader().ReadBits(16)))
	} else {
		s.Writer().WriteBits(uint64(EncodeHalf(*v)), 16)
	}
}

// Serialize serializes the angle *v. It fails with bits.ErrRange if the angle to
// write is a NaN or an infinity.
func (a *Angle) Serialize(s *bits.Stream, v *float64) {
	if s.Reading() {
		*v = a.Decode(uint32(s.Reader().ReadBits(a.Bits())))
	} else {
		a.write(s, *v)
	}
}

// Serialize32 is Serialize for float32. See [Angle.Decode32].
func (a *Angle) Serialize32(s *bits.Stream, v *float32) {
	if s.Reading() {
		*v = a.Decode32(uint32(s.Reader().ReadBits(a.Bits())))
	} else {
		a.write(s, float64(*v))
	}
}

func (a *Angle) write(s *bits.Stream, v float64) {
	if !Finite64(v) {
		fail(s, v)
		return
	}
	s.Writer().WriteBits(uint64(a.Encode(v)), a.Bits())
}

// SerializeFixed serializes the raw integer *v, which must be within the bounds
// of q. T must be signed if q is from [NewFixed], and unsigned if it is from
// [NewFixedUint]. SerializeFixed panics if the bounds do not fit in T.
func SerializeFixed[T bits.Integer](s *bits.Stream, q *Fixed, v *T) {
	lowest, highest := T(q.Bias), T(q.Bias+q.Span)
	if uint64(lowest) != q.Bias || uint64(highest) != q.Bias+q.Span || lowest > highest {
		panic(fmt.Sprintf("compress: a %T does not hold the bounds of the fixed-point integers", lowest))
	}
	bits.Int(s, v, lowest, highest)
}

// serializeCode serializes a rotation or direction in a code of n bits. rest is
// the value that is read after an error.
func serializeCode[V any](s *bits.Stream, v *V, n int, rest V, encode func(V) (uint64, bool), decode func(uint64) (V, bool)) {
	if !s.Reading() {
		if code, ok := encode(*v); ok {
			s.Writer().WriteBits(code, n)
		} else {
			fail(s, values.Uncoded(widened(*v)))
		}
		return
	}
	r := s.Reader()
	look := *r // a copy, so that r stays at the start of a code that is not valid
	x, ok := decode(look.ReadBits(n))
	*v = rest
	if look.Err() == nil && !ok {
		fail(s, nil)
		return
	}
	if r.Skip(n); r.Err() == nil {
		*v = x
	}
}

// widened returns a vector with components of type float64.
func widened(v any) any {
	switch v := v.(type) {
	case [4]float32:
		return widen4(v)
	case [3]float32:
		return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])}
	}
	return v
}

// Serialize serializes the quaternion x, y, z, w. It fails with bits.ErrRange if
// the quaternion to write is zero or not finite, or if the code read is not
// valid. After an error it sets a variable to read to the identity.
func (q *Quat) Serialize(s *bits.Stream, v *[4]float64) {
	serializeCode(s, v, q.Bits(), [4]float64{3: 1}, q.Encode, q.Decode)
}

// Serialize32 is Serialize for float32.
func (q *Quat) Serialize32(s *bits.Stream, v *[4]float32) {
	serializeCode(s, v, q.Bits(), [4]float32{3: 1}, q.Encode32, q.Decode32)
}

// Serialize serializes the quaternion x, y, z, w, as [Quat.Serialize] does.
func (q *QuatSign) Serialize(s *bits.Stream, v *[4]float64) {
	serializeCode(s, v, q.Bits(), [4]float64{3: 1}, q.Encode, q.Decode)
}

// Serialize32 is Serialize for float32.
func (q *QuatSign) Serialize32(s *bits.Stream, v *[4]float32) {
	serializeCode(s, v, q.Bits(), [4]float32{3: 1}, q.Encode32, q.Decode32)
}

// Serialize serializes the direction of x, y, z. It fails with bits.ErrRange if
// the vector to write is zero or not finite, or if the code read is not valid.
// After an error it sets a variable to read to the direction of z.
func (q *Unit) Serialize(s *bits.Stream, v *[3]float64) {
	serializeCode(s, v, q.Bits(), [3]float64{2: 1}, q.Encode, q.Decode)
}

// Serialize32 is Serialize for float32.
func (q *Unit) Serialize32(s *bits.Stream, v *[3]float32) {
	serializeCode(s, v, q.Bits(), [3]float32{2: 1}, q.Encode32, q.Decode32)
}

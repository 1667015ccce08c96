package bits

import (
	"bytes"
	"encoding"
	"fmt"
	"reflect"
)

// Bits128 serializes all bits of a 128-bit integer, the low word first.
func Bits128[T Int128 | Uint128](s *Stream, v *T) {
	var words [2]uint64
	switch v := any(v).(type) {
	case *Int128:
		words = [2]uint64{v.Lo, uint64(v.Hi)}
	case *Uint128:
		words = [2]uint64{v.Lo, v.Hi}
	}
	if s.r == nil {
		s.w.WriteBits(words[0], 64)
		s.w.WriteBits(words[1], 64)
		return
	}
	words = [2]uint64{}
	if s.r.need(128) {
		words = [2]uint64{s.r.ReadBits(64), s.r.ReadBits(64)}
	} else {
		s.r.overread(128)
	}
	switch v := any(v).(type) {
	case *Int128:
		*v = Int128{words[0], int64(words[1])}
	case *Uint128:
		*v = Uint128{words[0], words[1]}
	}
}

// Complex64 serializes the bits of the real part, then those of the imaginary
// part.
func (s *Stream) Complex64(v *complex64) {
	re, im := real(*v), imag(*v)
	s.Float32(&re)
	s.Float32(&im)
	*v = complex(re, im)
}

// Complex128 is Complex64 for two float64 parts.
func (s *Stream) Complex128(v *complex128) {
	re, im := real(*v), imag(*v)
	s.Float64(&re)
	s.Float64(&im)
	*v = complex(re, im)
}

// Const serializes a value of n bits known to both sides. A reading Stream fails
// with [ErrCheck] if it finds another value. Const panics unless n is in [1, 64]
// and value has at most n bits.
func (s *Stream) Const(value uint64, n int) { s.constant(value, n, ErrCheck) }

// Reserved serializes n zero bits. A reading Stream fails with [ErrPadding] if
// one of them is not zero. Reserved panics unless n is in [1, 64].
func (s *Stream) Reserved(n int) { s.constant(0, n, ErrPadding) }

func (s *Stream) constant(value uint64, n int, err error) {
	switch {
	case uint(n-1) > 63:
		panicWidth(n)
	case value>>(n-1)>>1 != 0:
		panic(fmt.Sprintf("bits: the constant %d does not fit %d bits", value, n))
	case s.r == nil:
		s.w.WriteBits(value, n)
		return
	}
	bit := s.r.bit
	if v := s.r.ReadBits(n); v != value {
		s.r.refuse(bit, err, v, value, value) // keeps an earlier error
	}
}

// Text is [Stream.String] for named string types and for byte slices.
func Text[T ~string | ~[]byte](s *Stream, v *T, maxLen int) {
	if s.r == nil {
		s.w.WriteString(string(*v), maxLen)
		return
	}
	setBytes(v, s.r.ReadString(maxLen))
}

// CString serializes the text in p up to its first zero byte, as [Stream.String]
// with a maximum of len(p)-1 bytes. It fails with [ErrLength] if p has no zero
// byte to write. A reading Stream clears the bytes after the text. CString panics
// if p is empty.
func (s *Stream) CString(p []byte) {
	if s.r != nil {
		clear(p[copy(p, s.r.ReadString(len(p)-1)):])
		return
	}
	text, _, terminated := bytes.Cut(p, []byte{0})
	if !terminated {
		s.w.refuse(ErrLength, len(p), 0, len(p)-1)
		return
	}
	s.w.WriteString(string(text), len(p)-1)
}

// ByteSlice serializes a length in [minLen, maxLen], aligns, and serializes the
// bytes, which may have any values. It checks that all bytes are present before
// it allocates.
func ByteSlice[T ~string | ~[]byte](s *Stream, v *T, minLen, maxLen int) {
	n := len(*v)
	Count(s, &n, minLen, maxLen)
	switch {
	case s.r != nil && s.r.err != nil:
		setBytes(v, []byte(nil))
	case s.r != nil:
		setBytes(v, s.r.take(n))
	case s.w.err == nil:
		s.w.WriteBytes([]byte(*v))
	}
}

// setBytes sets *v to a copy of b. It reuses the memory of a byte slice.
func setBytes[T ~string | ~[]byte, B string | []byte](v *T, b B) {
	if at := reflect.ValueOf(v).Elem(); at.Kind() == reflect.Slice {
		room := resized(at.Bytes(), len(b))
		copy(room, b)
		at.SetBytes(room)
		return
	}
	*v = T(b)
}

// Binary serializes what the AppendBinary or MarshalBinary method of v returns,
// as [ByteSlice] does with at most maxLen bytes. A reading Stream calls
// UnmarshalBinary. An error of these methods becomes the Stream's. Binary panics
// if v has neither of the first two methods.
func Binary(s *Stream, v encoding.BinaryUnmarshaler, maxLen int) {
	appender, appends := v.(encoding.BinaryAppender)
	marshaler, marshals := v.(encoding.BinaryMarshaler)
	if !appends && !marshals {
		panic(fmt.Sprintf("bits: Binary: a %T has no method AppendBinary or MarshalBinary", v))
	}
	var form []byte
	var err error
	switch {
	case s.r != nil:
		ByteSlice(s, &form, 0, maxLen)
		if s.r.err == nil {
			err = v.UnmarshalBinary(form)
		}
		s.Fail(err)
		return
	case appends:
		form, err = appender.AppendBinary(nil)
	default:
		form, err = marshaler.MarshalBinary()
	}
	s.Fail(err)
	ByteSlice(s, &form, 0, maxLen)
}

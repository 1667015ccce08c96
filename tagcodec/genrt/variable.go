package genrt

import (
	"github.com/gobitpack/bitpack/internal/bitio"
)

// VectorCode returns the code of the rotation or direction with the components x.
// i is the index of its kind in the Vectors of the plan. VectorCode returns false if
// the components have no code, for example because one is a NaN.
func (code *Code[T]) VectorCode(i int, x ...float64) (uint64, bool) {
	v := &code.generated.Plan.Vectors[i]
	switch {
	case v.Quat != nil:
		return v.Quat.Encode([4]float64(x))
	case v.Signs != nil:
		return v.Signs.Encode([4]float64(x))
	}
	return v.Unit.Encode([3]float64(x))
}

// Vector is the inverse of [Code.VectorCode]. A direction has only three components.
// Vector returns false for a code that no rotation or direction has.
func (code *Code[T]) Vector(i int, c uint64) (x [4]float64, ok bool) {
	v := &code.generated.Plan.Vectors[i]
	switch {
	case v.Quat != nil:
		return v.Quat.Decode(c)
	case v.Signs != nil:
		return v.Signs.Decode(c)
	}
	var u [3]float64
	u, ok = v.Unit.Decode(c)
	copy(x[:], u[:])
	return x, ok
}

// Varint appends x in groups of 7 bits, zigzag-encoded if signed is set.
func Varint(buf []byte, pos int, w uint64, n uint, x uint64, signed bool) ([]byte, int, uint64, uint) {
	if signed {
		x = bitio.Zigzag(x)
	}
	for x > 0x7F {
		buf, pos, w, n = Put(buf, pos, w, n, x<<1&0xFF|1, 8)
		x >>= 7
	}
	return Put(buf, pos, w, n, x<<1, 8)
}

// ReadVarint reads an integer that [Varint] has written. It returns the bit after
// it, or a negative number.
func ReadVarint(data []byte, bit, end int, signed bool) (x uint64, next int) {
	for shift := uint(0); end-bit >= 8; shift += 7 {
		group := Load(data, bit) & 0xFF
		bit += 8
		x |= group >> 1 << shift
		switch {
		case shift > 0 && group == 0, shift == 63 && group != 2: // not the shortest form, or more than 64 bits
			return 0, -1
		case group&1 != 0:
			continue
		case signed:
			x = bitio.Unzigzag(x)
		}
		return x, bit
	}
	return 0, -1
}

// Relative appends x relative to the integer before it. It returns false unless x is
// greater than that and in [least, most].
func Relative(buf []byte, pos int, w uint64, n uint, before, x, least, most int64) ([]byte, int, uint64, uint, bool) {
	code, width := bitio.EncodeRelative(before, x)
	if width == 0 || x < least || x > most {
		return nil, 0, 0, 0, false
	}
	buf, pos, w, n = Put(buf, pos, w, n, code, uint(width))
	return buf, pos, w, n, true
}

// ReadRelative reads an integer that [Relative] has written. It returns the bit
// after it, or a negative number.
func ReadRelative(data []byte, bit, end int, before, least, most int64) (x int64, next int) {
	if bit == end {
		return 0, -1
	}
	x, width, ok := bitio.DecodeRelative(Load(data, bit), before, least, most)
	if !ok || width > end-bit {
		return 0, -1
	}
	return x, bit + width
}

package bitio

import mathbits "math/bits"

// The Exp-Golomb code of order k divides the integers from 0 into classes. Class
// z holds 2^(z+k) integers, so the classes start at 0, 2^k, 3*2^k, 7*2^k and so
// on. A code is z zeros, a one, and the place of the integer in its class in z+k
// bits.

// MaxExpGolombOrder is the largest order of an Exp-Golomb code.
const MaxExpGolombOrder = 63

// expGolombClass returns the class of v.
func expGolombClass(v uint64, k int) int {
	sum, carry := mathbits.Add64(v, 1<<k, 0)
	if carry != 0 {
		return 64 - k
	}
	return mathbits.Len64(sum) - 1 - k
}

// EncodeExpGolomb returns the Exp-Golomb code of order k of v. It is the low n
// bits of hi:lo. The longest code has 129 bits, whose last is zero.
func EncodeExpGolomb(v uint64, k int) (lo, hi uint64, n int) {
	z := expGolombClass(v, k)
	place := (v + 1<<k) & (1<<(z+k) - 1)
	lo = 1<<z | place<<(z+1)
	hi = place >> (63 - min(z, 63))
	if z == 64 { // v is the largest integer, the only one of its class
		hi = 1
	}
	return lo, hi, 2*z + 1 + k
}

// DecodeExpGolomb decodes the Exp-Golomb code of order k at bit. It returns the
// length n of the code. ok is false if the integer is above max; v is then the
// integer, or at most max if it is not known. A prefix with more zeros than that
// of max is refused at its first zero too many, where n ends.
func DecodeExpGolomb(data []byte, bit int, max uint64, k int) (v uint64, n int, ok bool) {
	word, last := PeekWord(data, bit), expGolombClass(max, k)
	z := mathbits.TrailingZeros64(word)
	if z > last || z == 64 && Peek(data, bit+64)&1 == 0 {
		return 0, last + 1, false
	}
	n = 2*z + 1 + k
	if n <= 64 {
		word >>= z + 1
	} else {
		word = PeekWord(data, bit+z+1)
	}
	first := uint64(1)<<(z+k) - 1<<k
	v = first + word&(1<<(z+k)-1)
	return v, n, v >= first && v <= max
}

// WriteCode writes a code of n bits, the low ones of hi:lo. Bits from the 128th
// on are zero.
func WriteCode(w interface{ WriteBits(v uint64, n int) }, lo, hi uint64, n int) {
	w.WriteBits(lo, min(n, 64))
	if n > 64 {
		w.WriteBits(hi, min(n-64, 64))
	}
	if n > 128 {
		w.WriteBits(0, n-128)
	}
}

// Zigzag maps 0, -1, 1, -2 and so on to 0, 1, 2, 3. x is the two's complement.
func Zigzag(x uint64) uint64 { return x<<1 ^ uint64(int64(x)>>63) }

// Unzigzag is the inverse of Zigzag.
func Unzigzag(x uint64) uint64 { return x>>1 ^ -(x & 1) }

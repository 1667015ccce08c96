// Package integer computes with the integers of tags and of errors, which may
// have more than 64 bits. It replaces math/big, which would add 120 kB to every
// program that imports the library.
package integer

import (
	"math/big"
	mathbits "math/bits"
	"strconv"
	"strings"
)

// Int is an integer of at most 192 bits and a sign. The zero value is 0. Zero has
// no sign, so equal integers are ==.
type Int struct {
	negative  bool
	magnitude [3]uint64 // low word first
}

// huge stands for every magnitude that has more bits.
var huge = [3]uint64{1<<64 - 1, 1<<64 - 1, 1<<64 - 1}

// Of returns v.
func Of(v int64) Int {
	if v < 0 {
		return Int{true, [3]uint64{-uint64(v)}}
	}
	return Int{false, [3]uint64{uint64(v)}}
}

// OfWords returns the unsigned integer of up to three words, low word first.
func OfWords(words ...uint64) (x Int) {
	copy(x.magnitude[:], words)
	return x
}

// OfSigned128 returns an integer of 128 bits in two's complement.
func OfSigned128(lo uint64, hi int64) Int {
	if hi >= 0 {
		return OfWords(lo, uint64(hi))
	}
	lo, borrow := mathbits.Sub64(0, lo, 0)
	high, _ := mathbits.Sub64(0, uint64(hi), borrow)
	return Int{true, [3]uint64{lo, high}}
}

// Range returns the smallest and the largest integer of n bits, from 1 to 128.
func Range(n int, signed bool) (lo, hi Int) {
	if signed {
		n--
		lo = Int{true, Of(1).Lsh(n).magnitude}
	}
	hi = Of(1).Lsh(n)
	var borrow uint64
	for i := range hi.magnitude {
		one := uint64(0)
		if i == 0 {
			one = 1
		}
		hi.magnitude[i], borrow = mathbits.Sub64(hi.magnitude[i], one, borrow)
	}
	return lo, hi
}

// Parse parses an integer in the syntax of Go literals, optionally signed: decimal
// or another base with its prefix, with underscores between digits. An integer of
// more than 192 bits becomes one that is larger in magnitude than all others.
func Parse(text string) (x Int, ok bool) {
	digits, negative := strings.CutPrefix(text, "-")
	if !negative {
		digits = strings.TrimPrefix(text, "+")
	}
	base, digit := uint64(10), false // an underscore must follow a digit or the base
	if len(digits) > 1 && digits[0] == '0' {
		base, digit, digits = 8, true, digits[1:]
		switch digits[0] {
		case 'b', 'B':
			base, digits = 2, digits[1:]
		case 'o', 'O':
			digits = digits[1:]
		case 'x', 'X':
			base, digits = 16, digits[1:]
		}
	}
	for i := range len(digits) {
		c := digits[i]
		d := uint64(c - '0')
		switch {
		case c == '_' && digit:
			digit = false
			continue
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			d = uint64(c|0x20-'a') + 10
		}
		if d >= base {
			return Int{}, false
		}
		x.append(base, d)
		digit = true
	}
	if !digit || digits == "" {
		return Int{}, false
	}
	x.negative = negative && x != Int{}
	return x, true
}

// append appends a digit to the magnitude of x.
func (x *Int) append(base, digit uint64) {
	if x.magnitude == huge {
		return
	}
	for i, word := range x.magnitude {
		hi, lo := mathbits.Mul64(word, base)
		lo, carry := mathbits.Add64(lo, digit, 0)
		x.magnitude[i], digit = lo, hi+carry
	}
	if digit > 0 {
		x.magnitude = huge
	}
}

// String returns x in decimal.
func (x Int) String() string {
	sign, text := "", ""
	if x.negative {
		sign = "-"
	}
	switch {
	case x.magnitude == huge && x.negative:
		return "less than -2^191"
	case x.magnitude == huge:
		return "more than 2^191"
	}
	for x.BitLen() > 64 {
		const group = 1e19 // the largest power of ten in a word
		var rest uint64
		for i := 2; i >= 0; i-- {
			x.magnitude[i], rest = mathbits.Div64(rest, x.magnitude[i], group)
		}
		digits := strconv.FormatUint(rest, 10)
		text = "0000000000000000000"[len(digits):] + digits + text
	}
	return sign + strconv.FormatUint(x.magnitude[0], 10) + text
}

// Big returns x as a big.Int.
func (x Int) Big() *big.Int {
	all := new(big.Int)
	for i := 2; i >= 0; i-- {
		all.Lsh(all, 64).Or(all, new(big.Int).SetUint64(x.magnitude[i]))
	}
	if x.negative {
		all.Neg(all)
	}
	return all
}

// Low128 returns the low 128 bits of x in two's complement. Like the other methods
// that are not inlined, it has many callers that are not called often.
//
//go:noinline
func (x Int) Low128() (lo, hi uint64) {
	lo, hi = x.magnitude[0], x.magnitude[1]
	if x.negative {
		var borrow uint64
		lo, borrow = mathbits.Sub64(0, lo, 0)
		hi, _ = mathbits.Sub64(0, hi, borrow)
	}
	return lo, hi
}

// Int64 returns x, and whether an int64 holds it.
//
//go:noinline
func (x Int) Int64() (v int64, ok bool) {
	v = int64(x.magnitude[0])
	if x.negative {
		v = -v
	}
	return v, Of(v) == x
}

// Sign returns -1 if x < 0, 0 if x is 0 and +1 if x > 0.
//
//go:noinline
func (x Int) Sign() int { return x.Cmp(Int{}) }

// Cmp returns -1 if x < y, 0 if x == y and +1 if x > y.
//
//go:noinline
func (x Int) Cmp(y Int) int {
	above := 1 // if the magnitude of x is larger
	switch {
	case x.negative != y.negative && x.negative:
		return -1
	case x.negative != y.negative:
		return 1
	case x.negative:
		above = -1
	}
	for i := 2; i >= 0; i-- {
		if x.magnitude[i] != y.magnitude[i] {
			if x.magnitude[i] > y.magnitude[i] {
				return above
			}
			return -above
		}
	}
	return 0
}

// BitLen returns the length of the magnitude of x in bits. It is 0 if x is 0.
func (x Int) BitLen() int {
	for i := 2; i >= 0; i-- {
		if word := x.magnitude[i]; word != 0 {
			return 64*i + mathbits.Len64(word)
		}
	}
	return 0
}

// TrailingZeroBits returns the number of zero bits at the end of the magnitude of x.
// It is 192 if x is 0.
func (x Int) TrailingZeroBits() int {
	for i, word := range x.magnitude {
		if word != 0 {
			return 64*i + mathbits.TrailingZeros64(word)
		}
	}
	return 192
}

// Lsh returns x shifted left by n bits. The result must have at most 192 bits. Lsh
// and Rsh are not copied into their callers.
//
//go:noinline
func (x Int) Lsh(n int) Int {
	for ; n >= 64; n -= 64 {
		x.magnitude = [3]uint64{0, x.magnitude[0], x.magnitude[1]}
	}
	m := x.magnitude
	for i := 2; i >= 0; i-- {
		x.magnitude[i] = m[i] << n
		if i > 0 {
			x.magnitude[i] |= m[i-1] >> 1 >> (63 - n)
		}
	}
	return x
}

// Rsh returns the magnitude of x shifted right by n bits, with the sign of x.
//
//go:noinline
func (x Int) Rsh(n int) Int {
	for ; n >= 64; n -= 64 {
		x.magnitude = [3]uint64{x.magnitude[1], x.magnitude[2], 0}
	}
	m := x.magnitude
	for i := range m {
		x.magnitude[i] = m[i] >> n
		if i < 2 {
			x.magnitude[i] |= m[i+1] << 1 << (63 - n)
		}
	}
	x.negative = x.negative && x.magnitude != [3]uint64{}
	return x
}

package bits

import (
	"math/big"
	mathbits "math/bits"

	"github.com/gobitpack/bitpack/internal/errtext"
	"github.com/gobitpack/bitpack/internal/integer"
)

// Uint128 is an unsigned 128-bit integer.
type Uint128 struct{ Lo, Hi uint64 }

// Int128 is a signed 128-bit integer in two's complement.
type Int128 struct {
	Lo uint64
	Hi int64
}

// Unsigned returns the same 128 bits without a sign.
func (a Int128) Unsigned() Uint128 { return Uint128{a.Lo, uint64(a.Hi)} }

// Signed returns the same 128 bits as two's complement.
func (a Uint128) Signed() Int128 { return Int128{a.Lo, int64(a.Hi)} }

// Add returns a+b modulo 2^128.
func (a Uint128) Add(b Uint128) Uint128 {
	lo, carry := mathbits.Add64(a.Lo, b.Lo, 0)
	hi, _ := mathbits.Add64(a.Hi, b.Hi, carry)
	return Uint128{lo, hi}
}

// Sub returns a-b modulo 2^128.
func (a Uint128) Sub(b Uint128) Uint128 {
	lo, borrow := mathbits.Sub64(a.Lo, b.Lo, 0)
	hi, _ := mathbits.Sub64(a.Hi, b.Hi, borrow)
	return Uint128{lo, hi}
}

// Cmp returns -1 if a < b, 0 if a == b and +1 if a > b.
func (a Uint128) Cmp(b Uint128) int {
	_, borrow := mathbits.Sub64(a.Lo, b.Lo, 0)
	_, borrow = mathbits.Sub64(a.Hi, b.Hi, borrow)
	switch {
	case borrow != 0:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// Cmp returns -1 if a < b, 0 if a == b and +1 if a > b.
func (a Int128) Cmp(b Int128) int {
	const sign = 1 << 63 // flipping the sign bits turns signed order into unsigned order
	return Uint128{a.Lo, uint64(a.Hi) ^ sign}.Cmp(Uint128{b.Lo, uint64(b.Hi) ^ sign})
}

// Len returns the number of bits needed to represent a. It is 0 if a is 0.
func (a Uint128) Len() int {
	if a.Hi != 0 {
		return 64 + mathbits.Len64(a.Hi)
	}
	return mathbits.Len64(a.Lo)
}

// Big returns a as a big.Int.
func (a Uint128) Big() *big.Int { return integer.OfWords(a.Lo, a.Hi).Big() }

// Big returns a as a big.Int.
func (a Int128) Big() *big.Int { return integer.OfSigned128(a.Lo, a.Hi).Big() }

// String returns a in decimal.
func (a Uint128) String() string { return integer.OfWords(a.Lo, a.Hi).String() }

// String returns a in decimal.
func (a Int128) String() string { return integer.OfSigned128(a.Lo, a.Hi).String() }

// ParseUint128 parses an integer in the syntax of Go literals, optionally
// signed: decimal or another base with its prefix, with underscores between
// digits.
func ParseUint128(s string) (Uint128, error) {
	lo, hi, err := parse128(s, "Uint128", false)
	return Uint128{lo, hi}, err
}

// ParseInt128 parses an integer in the syntax of Go literals, optionally
// signed: decimal or another base with its prefix, with underscores between
// digits.
func ParseInt128(s string) (Int128, error) {
	lo, hi, err := parse128(s, "Int128", true)
	return Int128{lo, int64(hi)}, err
}

func parse128(s, name string, signed bool) (lo, hi uint64, err error) {
	least, most := integer.Range(128, signed)
	x, ok := integer.Parse(s)
	if !ok || x.Cmp(least) < 0 || x.Cmp(most) > 0 {
		return 0, 0, errtext.New("bits: %q is not an integer in the range of %s", s, name)
	}
	lo, hi = x.Low128()
	return lo, hi, nil
}

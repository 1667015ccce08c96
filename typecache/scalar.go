package typecache

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
)

// scalar plans a value that is not an aggregate, as one op.
func (b *builder) scalar(t reflect.Type, at place, o options) error {
	if o.hasAny("common", "huffman") {
		return b.listed(t, at, o, b.scalar)
	}
	var op plan.Op
	var err error
	switch k := t.Kind(); {
	case k == reflect.Bool:
		op = plan.Op{Code: plan.CodeBool, Bits: 1, Span: 1}
		if o.kind != "" {
			err = o.wrongKind(t)
		}
	case k == reflect.Struct:
		op, err = b.wide(t, &o)
	case k == reflect.Float32, k == reflect.Float64:
		op, err = b.float(t, &o)
	case k == reflect.Complex64:
		op, err = b.float(reflect.TypeFor[float32](), &o)
		op.Count = 2
	case k == reflect.Complex128:
		op, err = b.float(reflect.TypeFor[float64](), &o)
		op.Count = 2
	default:
		op, err = b.integer(t, at, &o)
	}
	if err == nil {
		err = o.rest(t)
	}
	if err != nil {
		return at.wrap(err)
	}
	if op.Size == 0 {
		op.Size = uint8(t.Size())
	}
	b.emit(op, t, at)
	return nil
}

// integer plans an integer of at most 64 bits.
func (b *builder) integer(t reflect.Type, at place, o *options) (plan.Op, error) {
	if o.kind == "" && (o.has("min") || o.has("max") || o.has("bits")) {
		o.kind = "int"
		if !signed(t) {
			o.kind = "uint"
		}
	}
	switch o.kind {
	case "":
		return fullWidth(t), nil
	case "int", "uint":
		ends := o.has("min") || o.has("max")
		switch {
		case ends && o.has("bits"):
			return plan.Op{}, fmt.Errorf("bits and min, max both set the range: keep one")
		case o.has("bits"):
			return intBits(t, o)
		case ends:
			lo, hi, err := o.takeRange()
			if err != nil {
				return plan.Op{}, err
			}
			return ranged(t, lo, hi)
		case o.kind == "uint" && signed(t):
			return plan.Op{}, fmt.Errorf("kind \"uint\" needs min= and max= on %v: add them, or use int", t)
		}
		return fullWidth(t), nil
	case "enum":
		hi, ok, err := o.takeInt("max")
		if err != nil || !ok {
			return plan.Op{}, orMissing(err, "max")
		}
		if hi.Sign() < 0 {
			return plan.Op{}, fmt.Errorf("max=%v is below 0, where an enum starts: use int,min=,max=", hi)
		}
		return ranged(t, new(big.Int), hi)
	case "fixed":
		if k := t.Kind(); k == reflect.Int || k == reflect.Uint || k == reflect.Uintptr {
			return plan.Op{}, fmt.Errorf("fixed point needs an integer type of a known size: use int32 or int64 instead of %v", t)
		}
		lo, hi, err := o.fixedRange(t, t.Bits(), signed(t))
		if err != nil {
			return plan.Op{}, err
		}
		return ranged(t, lo, hi)
	case "varint":
		return plan.Op{Code: plan.CodeVarint, Flags: signFlag(t)}, nil
	case "expgolomb":
		n := plan.WireBits(t)
		order, _, err := o.takeSmall("k", 0, int64(n)-1)
		return plan.Op{Code: plan.CodeExpGolomb, Flags: signFlag(t), Bias: uint64(order), Span: math.MaxUint64 >> (64 - n)}, err
	case "relative":
		return b.relative(t, at, o)
	}
	return plan.Op{}, o.wrongKind(t, "int", "uint", "enum", "fixed", "varint", "expgolomb", "relative")
}

func signFlag(t reflect.Type) plan.Flags {
	if signed(t) {
		return plan.FlagSigned
	}
	return 0
}

// fullWidth plans an integer that is sent with all its bits. The sign does not
// matter for copying them, unless the integer is narrower in memory than on the
// wire, as an int is on a 32-bit machine.
func fullWidth(t reflect.Type) plan.Op {
	n := plan.WireBits(t)
	op := plan.Op{Code: plan.CodeWord, Bits: uint8(n), Span: math.MaxUint64 >> (64 - n), Flags: signFlag(t) | plan.FlagFullRange}
	if n == t.Bits() {
		op.Code = unsignedCode(t.Size())
	}
	return op
}

func unsignedCode(size uintptr) plan.Code {
	switch size {
	case 1:
		return plan.CodeUint8
	case 2:
		return plan.CodeUint16
	case 4:
		return plan.CodeUint32
	}
	return plan.CodeUint64
}

// intBits plans an integer that is sent in the number of bits that its tag sets.
func intBits(t reflect.Type, o *options) (plan.Op, error) {
	n, _, err := o.takeSmall("bits", 1, 64)
	switch {
	case err != nil:
		return plan.Op{}, err
	case o.kind == "uint" && signed(t):
		return plan.Op{}, fmt.Errorf("uint,bits= is for unsigned types: write int,bits=%d on %v", n, t)
	case o.kind == "int" && !signed(t):
		return plan.Op{}, fmt.Errorf("int,bits= is for signed types: write uint,bits=%d on %v", n, t)
	case int(n) > t.Bits():
		return plan.Op{}, fmt.Errorf("bits=%d is more than a %v holds: use %d at most", n, t, t.Bits())
	case int(n) == plan.WireBits(t):
		return fullWidth(t), nil
	case signed(t):
		return plan.Op{Code: plan.CodeWord, Bits: uint8(n), Span: 1<<n - 1, Flags: plan.FlagSigned | plan.FlagFullRange}, nil
	}
	return plan.Op{Code: unsignedCode(t.Size()), Bits: uint8(n), Span: 1<<n - 1, Flags: plan.FlagFullRange}, nil
}

// ranged plans an integer in [lo, hi].
func ranged(t reflect.Type, lo, hi *big.Int) (plan.Op, error) {
	if err := fits(t, t.Bits(), signed(t), lo, hi); err != nil {
		return plan.Op{}, err
	}
	code := unsignedCode(t.Size())
	if signed(t) && code != plan.CodeUint64 {
		code += plan.CodeInt8 - plan.CodeUint8
	}
	span := new(big.Int).Sub(hi, lo)
	op := plan.Op{Code: code, Bits: uint8(span.BitLen()), Span: span.Uint64(), Flags: signFlag(t)}
	op.Bias, _ = bitio.Low128(lo)
	return op, nil
}

// fits returns an error unless lo and hi fit an integer type of n bits. t is the
// type, for errors.
func fits(t reflect.Type, n int, signed bool, lo, hi *big.Int) error {
	if representable(n, signed, lo) && representable(n, signed, hi) {
		return nil
	}
	smallest, largest := storageRange(n, signed)
	if lo.Cmp(smallest) < 0 {
		return fmt.Errorf("min=%v does not fit %v: use %v at least, or another type", lo, t, smallest)
	}
	return fmt.Errorf("max=%v does not fit %v: use %v at most, or another type", hi, t, largest)
}

// fixedRange takes the bounds of a fixed-point number, in whole units, and
// returns the raw ones, shifted by frac bits.
func (o *options) fixedRange(t reflect.Type, storage int, signed bool) (lo, hi *big.Int, err error) {
	frac, ok, err := o.takeSmall("frac", 0, int64(storage)-1)
	if err != nil || !ok {
		return nil, nil, orMissing(err, "frac")
	}
	lo, hi, err = o.takeRange()
	if err != nil {
		return nil, nil, err
	}
	smallest, largest := storageRange(storage, signed)
	smallest.Rsh(smallest, uint(frac))
	largest.Rsh(largest, uint(frac))
	if lo.Cmp(smallest) < 0 || hi.Cmp(largest) > 0 {
		return nil, nil, fmt.Errorf("[%v, %v] does not fit %v with frac=%d, which holds the whole units [%v, %v]: "+
			"use these at most, fewer fraction bits or a larger type", lo, hi, t, frac, smallest, largest)
	}
	return lo.Lsh(lo, uint(frac)), hi.Lsh(hi, uint(frac)), nil
}

// wide plans a 128-bit integer.
func (b *builder) wide(t reflect.Type, o *options) (plan.Op, error) {
	isSigned := t == plan.Int128Type
	lo, hi := storageRange(128, isSigned)
	op := plan.Op{Code: plan.CodeWide, Aux: int32(len(b.plan.Wides)), Size: 16}
	if isSigned {
		op.Flags |= plan.FlagSigned
	}
	var err error
	switch {
	case o.kind == "fixed":
		lo, hi, err = o.fixedRange(t, 128, isSigned)
	case slices.Contains([]string{"", "int", "uint"}, o.kind) && (o.has("min") || o.has("max")):
		lo, hi, err = o.takeRange()
	case slices.Contains([]string{"", "int", "uint"}, o.kind):
		op.Flags |= plan.FlagFullRange
		lo = new(big.Int) // all 128 bits are sent as they are, without an offset
		_, hi = storageRange(128, false)
		b.plan.Wides = append(b.plan.Wides, plan.Wide{Span: uint128(hi)})
		op.Bits = 128
		return op, nil
	default:
		err = o.wrongKind(t, "int", "uint", "fixed")
	}
	if err == nil {
		err = fits(t, 128, isSigned, lo, hi)
	}
	if err != nil {
		return op, err
	}
	span := new(big.Int).Sub(hi, lo)
	op.Bits = uint8(span.BitLen())
	b.plan.Wides = append(b.plan.Wides, plan.Wide{Min: uint128(lo), Span: uint128(span)})
	return op, nil
}

// uint128 returns the low 128 bits of x in two's complement.
func uint128(x *big.Int) bits.Uint128 {
	lo, hi := bitio.Low128(x)
	return bits.Uint128{Lo: lo, Hi: hi}
}

// storageRange returns the smallest and the largest integer of n bits.
func storageRange(n int, signed bool) (lo, hi *big.Int) {
	one := big.NewInt(1)
	if signed {
		n--
		lo = new(big.Int).Lsh(one, uint(n))
		lo.Neg(lo)
	} else {
		lo = new(big.Int)
	}
	hi = new(big.Int).Lsh(one, uint(n))
	return lo, hi.Sub(hi, one)
}

// representable reports whether x fits an integer type of n bits.
func representable(n int, signed bool, x *big.Int) bool {
	switch {
	case !signed:
		return x.Sign() >= 0 && x.BitLen() <= n
	case x.Sign() >= 0:
		return x.BitLen() < n
	}
	return x.BitLen() < n || x.BitLen() == n && x.TrailingZeroBits() == uint(n-1) // -2^(n-1) is the smallest
}

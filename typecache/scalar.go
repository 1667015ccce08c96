package typecache

import (
	"math"
	mathbits "math/bits"
	"reflect"
	"strconv"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/integer"
	"github.com/gobitpack/bitpack/internal/plan"
)

// scalar plans a value that is not an aggregate, as one op.
func (b *builder) scalar(t reflect.Type, at *place, o *options) error {
	if o.hasAny("common", "huffman") {
		return b.listed(t, at, o)
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
		err = b.wide(&op, t, o)
	case k == reflect.Float32, k == reflect.Float64:
		err = b.float(&op, t, o)
	case k == reflect.Complex64:
		err = b.float(&op, reflect.TypeFor[float32](), o)
		op.Count = 2
	case k == reflect.Complex128:
		err = b.float(&op, reflect.TypeFor[float64](), o)
		op.Count = 2
	default:
		err = b.integer(&op, t, at, o)
	}
	if err == nil {
		err = o.rest(t)
	}
	if err != nil {
		return err
	}
	if op.Size == 0 {
		op.Size = uint8(t.Size())
	}
	b.emit(&op, t, at)
	return nil
}

// integer plans an integer of at most 64 bits.
func (b *builder) integer(op *plan.Op, t reflect.Type, at *place, o *options) error {
	if o.kind == "" && o.hasAny("min", "max", "bits") {
		o.kind = "int"
		if !signed(t) {
			o.kind = "uint"
		}
	}
	switch o.kind {
	case "":
		*op = fullWidth(t)
		return nil
	case "int", "uint":
		ends := o.hasAny("min", "max")
		switch {
		case ends && o.has("bits"):
			return both("bits", "sets the range", "min and max do")
		case o.has("bits"):
			return intBits(op, t, o)
		case ends:
			lo, hi, err := o.takeRange()
			if err != nil {
				return err
			}
			return ranged(op, t, lo, hi)
		case o.kind == "uint" && signed(t):
			return fail(MistakeMissing, "kind", "add them, or use int", "needs min= and max= on %v", t).with("uint")
		}
		*op = fullWidth(t)
		return nil
	case "enum":
		hi, ok, err := o.takeInt("max")
		if err != nil || !ok {
			return orMissing(err, "max")
		}
		if hi.Sign() < 0 {
			_, largest := integer.Range(t.Bits(), signed(t))
			return outside("max", "use int,min=,max= for less", hi, 0, largest, "")
		}
		return ranged(op, t, integer.Int{}, hi)
	case "fixed":
		if k := t.Kind(); k == reflect.Int || k == reflect.Uint || k == reflect.Uintptr {
			return fail(MistakeInapplicable, "kind", "use int32 or int64 instead of "+t.String(), "needs an integer type of a known size").with("fixed")
		}
		lo, hi, err := o.fixedRange(t, t.Bits(), signed(t))
		if err != nil {
			return err
		}
		return ranged(op, t, lo, hi)
	case "varint":
		*op = plan.Op{Code: plan.CodeVarint, Flags: signFlag(t)}
		return nil
	case "expgolomb":
		n := plan.WireBits(t)
		order, _, err := o.takeSmall("k", 0, int64(n)-1)
		*op = plan.Op{Code: plan.CodeExpGolomb, Flags: signFlag(t), Bias: uint64(order), Span: math.MaxUint64 >> (64 - n)}
		return err
	case "relative":
		return b.relative(op, t, at, o)
	}
	return o.wrongKind(t, "int", "uint", "enum", "fixed", "varint", "expgolomb", "relative")
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
func intBits(op *plan.Op, t reflect.Type, o *options) error {
	n, _, err := o.takeSmall("bits", 1, int64(t.Bits()))
	switch {
	case err != nil:
		return err
	case o.kind == "uint" && signed(t), o.kind == "int" && !signed(t):
		e := fail(MistakeInapplicable, "kind", "", "with bits= does not apply to %v", t).with(o.kind)
		if e.Suggestion = "int"; !signed(t) {
			e.Suggestion = "uint"
		}
		return e
	case int(n) == plan.WireBits(t):
		*op = fullWidth(t)
		return nil
	case signed(t):
		*op = plan.Op{Code: plan.CodeWord, Bits: uint8(n), Span: 1<<n - 1, Flags: plan.FlagSigned | plan.FlagFullRange}
		return nil
	}
	*op = plan.Op{Code: unsignedCode(t.Size()), Bits: uint8(n), Span: 1<<n - 1, Flags: plan.FlagFullRange}
	return nil
}

// ranged plans an integer in [lo, hi].
func ranged(op *plan.Op, t reflect.Type, lo, hi integer.Int) error {
	if err := fits(t, t.Bits(), signed(t), lo, hi); err != nil {
		return err
	}
	code := unsignedCode(t.Size())
	if signed(t) && code != plan.CodeUint64 {
		code += plan.CodeInt8 - plan.CodeUint8
	}
	bias, _ := lo.Low128()
	most, _ := hi.Low128()
	*op = plan.Op{Code: code, Bits: uint8(mathbits.Len64(most - bias)), Bias: bias, Span: most - bias, Flags: signFlag(t)}
	return nil
}

// fits returns an error unless lo and hi fit an integer type of n bits. t is the
// type, for errors.
func fits(t reflect.Type, n int, signed bool, lo, hi integer.Int) error {
	smallest, largest := integer.Range(n, signed)
	return holds(t.String(), "", lo, hi, smallest, largest)
}

// holds returns an error unless min and max, which are lo and hi, are in [smallest,
// largest], the values of form.
func holds(form, fix string, lo, hi, smallest, largest integer.Int) error {
	switch {
	case lo.Cmp(smallest) < 0:
		return outside("min", fix, lo, smallest, largest, ", the range of "+form)
	case hi.Cmp(largest) > 0:
		return outside("max", fix, hi, smallest, largest, ", the range of "+form)
	}
	return nil
}

// fixedRange takes the bounds of a fixed-point number, in whole units, and
// returns the raw ones, shifted by frac bits.
func (o *options) fixedRange(t reflect.Type, storage int, signed bool) (lo, hi integer.Int, err error) {
	frac, ok, err := o.takeSmall("frac", 0, int64(storage)-1)
	if err != nil || !ok {
		return lo, hi, orMissing(err, "frac")
	}
	lo, hi, err = o.takeRange()
	if err != nil {
		return lo, hi, err
	}
	smallest, largest := integer.Range(storage, signed)
	err = holds(t.String()+" with frac="+strconv.FormatInt(frac, 10), "use fewer fraction bits or a larger type for more", lo, hi, smallest.Rsh(int(frac)), largest.Rsh(int(frac)))
	return lo.Lsh(int(frac)), hi.Lsh(int(frac)), err
}

// wide plans a 128-bit integer.
func (b *builder) wide(op *plan.Op, t reflect.Type, o *options) error {
	isSigned := t == plan.Int128Type
	var lo, hi integer.Int
	*op = plan.Op{Code: plan.CodeWide, Aux: int32(len(b.plan.Wides)), Size: 16}
	if isSigned {
		op.Flags |= plan.FlagSigned
	}
	var err error
	switch {
	case o.kind == "fixed":
		lo, hi, err = o.fixedRange(t, 128, isSigned)
	case !o.is("", "int", "uint"):
		err = o.wrongKind(t, "int", "uint", "fixed")
	case o.hasAny("min", "max"):
		lo, hi, err = o.takeRange()
	default:
		op.Flags |= plan.FlagFullRange
		b.plan.Wides = append(b.plan.Wides, plan.Wide{Span: bits.Uint128{Lo: math.MaxUint64, Hi: math.MaxUint64}}) // all 128 bits are sent as they are
		op.Bits = 128
		return nil
	}
	if err == nil {
		err = fits(t, 128, isSigned, lo, hi)
	}
	if err != nil {
		return err
	}
	w := plan.Wide{Min: uint128(lo), Span: uint128(hi).Sub(uint128(lo))}
	op.Bits = uint8(w.Span.Len())
	b.plan.Wides = append(b.plan.Wides, w)
	return nil
}

// uint128 returns the low 128 bits of x in two's complement.
func uint128(x integer.Int) bits.Uint128 {
	lo, hi := x.Low128()
	return bits.Uint128{Lo: lo, Hi: hi}
}

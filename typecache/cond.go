package typecache

import (
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"
)

// condition reads the value of an if option: Field, !Field, Field==K,
// Field!=K or Field&M.
func (b *builder) condition(text string, at place) (int32, error) {
	name, test, operand := text, NotEqual, ""
	if rest, ok := strings.CutPrefix(text, "!"); ok {
		name, test = rest, Equal
	} else {
		for _, op := range []struct {
			text string
			test Test
		}{{"==", Equal}, {"!=", NotEqual}, {"&", AnyOf}} {
			if left, right, ok := strings.Cut(text, op.text); ok {
				name, test, operand = left, op.test, right
				if operand == "" {
					return 0, fmt.Errorf("option \"if\" lacks the integer after %q", op.text)
				}
				break
			}
		}
	}
	ref, err := b.refer("if", name, at)
	if err != nil {
		return 0, err
	}
	cond := Cond{Ref: ref, Test: test, Within: at.cond}
	if operand != "" {
		if cond.Value, err = operandValue(operand, ref); err != nil {
			return 0, err
		}
	}
	b.plan.Conds = append(b.plan.Conds, cond)
	return int32(len(b.plan.Conds) - 1), nil
}

// operandValue reads the integer that a field is compared with.
func operandValue(text string, ref Ref) (uint64, error) {
	if text == "true" || text == "false" {
		text = map[string]string{"true": "1", "false": "0"}[text]
	}
	x, ok := new(big.Int).SetString(text, 0)
	if !ok {
		return 0, fmt.Errorf("option \"if\" compares with an integer, not %q", text)
	}
	lo, hi := storageRange(int(ref.Size)*8, ref.Signed)
	if x.Cmp(lo) < 0 || x.Cmp(hi) > 0 {
		return 0, fmt.Errorf("option \"if\" compares with %v, which the field can never be", x)
	}
	if x.Sign() < 0 {
		return uint64(x.Int64()), nil
	}
	return x.Uint64(), nil
}

// refer finds an earlier integer or bool of the same struct.
func (b *builder) refer(option, name string, at place) (Ref, error) {
	ref, ok := at.scope.refs[name]
	if ok {
		return ref, nil
	}
	if why, ok := at.scope.why[name]; ok {
		return ref, fmt.Errorf("option %q refers to %s, which %s", option, name, why)
	}
	known := slices.Sorted(maps.Keys(at.scope.refs))
	hint := ": it must be an earlier bool or integer field of the same struct"
	if len(known) > 0 {
		hint = suggest(name, known)
	}
	return ref, fmt.Errorf("option %q refers to %q, which is no field before this one%s", option, name, hint)
}

// storageRange returns the integers of a type of n bits.
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

// structural writes a field of type struct{}: bits that belong to no value.
func (b *builder) structural(f reflect.StructField, at place, o options) error {
	if o.has("if") {
		return fmt.Errorf("option \"if\" does not apply to %s: put the bits into a struct that has the condition", o.kind)
	}
	op := Op{Code: CodeConst}
	switch o.kind {
	case "align":
		op.Code = CodeAlign
	case "reserved":
		n, ok, err := o.takeSmall("bits", 1, 64)
		if err != nil || !ok {
			return orMissing(err, "bits")
		}
		op.Bits, op.Flags = uint8(n), Reserved
	case "const":
		n, ok, err := o.takeSmall("bits", 1, 64)
		if err != nil || !ok {
			return orMissing(err, "bits")
		}
		op.Bits = uint8(n)
		v, ok, err := o.takeInt("value")
		if err != nil || !ok {
			return orMissing(err, "value")
		}
		if v.Sign() < 0 || v.BitLen() > int(n) {
			return fmt.Errorf("value=%v does not fit bits=%d: give it more bits", v, n)
		}
		op.Bias = v.Uint64()
	case "check":
		op.Bits = 32
		op.Bias = uint64(uint32(0x12345678) ^ uint32(at.index[len(at.index)-1]))
		v, ok, err := o.takeInt("value")
		if err != nil {
			return err
		}
		if ok {
			if v.Sign() < 0 || v.BitLen() > 32 {
				return fmt.Errorf("value=%v does not fit the 32 bits of a check", v)
			}
			op.Bias = v.Uint64()
		}
	default:
		return fmt.Errorf("a struct{} field holds no value: its kind is align, reserved, const or check, not %q", o.kind)
	}
	if err := o.rest(f.Type); err != nil {
		return err
	}
	b.emit(op, f.Type, at)
	return nil
}

func orMissing(err error, name string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("option %q is missing: add %s=", name, name)
}

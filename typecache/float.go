package typecache

import (
	"math"
	"reflect"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan"
)

// float plans a float32 or a float64.
func (b *builder) float(op *plan.Op, t reflect.Type, o *options) error {
	size := uint8(t.Size())
	if o.kind == "" && o.hasAny("min", "max", "res", "bits") {
		o.kind = "float"
	}
	switch o.kind {
	case "":
		*op = plan.Op{Code: unsignedCode(t.Size()), Bits: 8 * size, Span: math.MaxUint64 >> (64 - 8*size), Flags: plan.FlagFullRange, Size: size}
		return nil
	case "float":
		return b.quantized(op, t, o)
	case "half":
		if size != 4 {
			return fail(MistakeInapplicable, "kind", "use a float32", "does not apply to %v", t).with("half")
		}
		*op = plan.Op{Code: plan.CodeHalf, Bits: 16, Span: 1<<16 - 1, Size: size}
		return nil
	case "angle":
		return b.angle(op, t, o)
	}
	return o.wrongKind(t, "float", "half", "angle")
}

// quantized plans a float that is rounded to one of equal steps between two
// bounds.
func (b *builder) quantized(op *plan.Op, t reflect.Type, o *options) error {
	size, steps := t.Bits(), 53 // the most bits of steps
	if size == 32 {
		steps = 32
	}
	lo, okLo, err := o.takeFloat("min", size)
	if err != nil || !okLo {
		return orMissing(err, "min")
	}
	hi, okHi, err := o.takeFloat("max", size)
	if err != nil || !okHi {
		return orMissing(err, "max")
	}
	res, byRes, err := o.takeRes(size)
	if err != nil {
		return err
	}
	n, byBits, err := o.takeSmall("bits", 1, int64(steps))
	switch {
	case err != nil:
		return err
	case byRes && byBits:
		return both("res", "sets the steps", "bits does")
	case !byRes && !byBits:
		return fail(MistakeMissing, "kind", "add one", "needs res= or bits=").with("float")
	}
	*op = plan.Op{Code: plan.CodeFloat32, Size: uint8(t.Size())}
	if size == 32 {
		var q compress.Float32
		if byBits {
			q, err = compress.NewFloat32Bits(float32(lo), float32(hi), int(n))
		} else {
			q, err = compress.NewFloat32(float32(lo), float32(hi), float32(res))
		}
		op.Bits, op.Span = uint8(q.Bits()), uint64(q.Steps)
		op.Aux = int32(len(b.plan.Float32s))
		b.plan.Float32s = append(b.plan.Float32s, q)
		return badRange(err)
	}
	var q compress.Float64
	if byBits {
		q, err = compress.NewFloat64Bits(lo, hi, int(n))
	} else {
		q, err = compress.NewFloat64(lo, hi, res)
	}
	op.Code = plan.CodeFloat64
	op.Bits, op.Span = uint8(q.Bits()), q.Steps
	op.Aux = int32(len(b.plan.Float64s))
	b.plan.Float64s = append(b.plan.Float64s, q)
	return badRange(err)
}

// angle plans a float that is wrapped into one turn and rounded to one of equal
// steps.
func (b *builder) angle(op *plan.Op, t reflect.Type, o *options) error {
	period := 2 * math.Pi
	if unit, ok := o.take("unit"); ok {
		switch unit {
		case "deg":
			period = 360
		case "rad":
		default:
			return badValue("unit", unit, "must be rad or deg", "")
		}
	}
	res, byRes, err := o.takeRes(64)
	if err != nil {
		return err
	}
	n, byBits, err := o.takeSmall("bits", 1, 32)
	if err != nil {
		return err
	}
	var a compress.Angle
	switch {
	case byRes && byBits:
		return both("res", "sets the steps", "bits does")
	case !byRes && !byBits:
		return fail(MistakeMissing, "kind", "add one", "needs bits= or res=").with("angle")
	case byRes:
		a, err = compress.NewAngleRes(res, period)
	default:
		a, err = compress.NewAngle(int(n), period)
	}
	*op = plan.Op{Code: plan.CodeAngle, Bits: uint8(a.Bits()), Span: uint64(a.Mask), Size: uint8(t.Size()), Aux: int32(len(b.plan.Angles))}
	b.plan.Angles = append(b.plan.Angles, a)
	return badRange(err)
}

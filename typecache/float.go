package typecache

import (
	"math"
	"reflect"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/errtext"
	"github.com/gobitpack/bitpack/internal/plan"
)

// float plans a float32 or a float64.
func (b *builder) float(t reflect.Type, o *options) (plan.Op, error) {
	size := uint8(t.Size())
	if o.kind == "" && (o.has("min") || o.has("max") || o.has("res") || o.has("bits")) {
		o.kind = "float"
	}
	switch o.kind {
	case "":
		return plan.Op{Code: unsignedCode(t.Size()), Bits: 8 * size, Span: math.MaxUint64 >> (64 - 8*size), Flags: plan.FlagFullRange, Size: size}, nil
	case "float":
		return b.quantized(t, o)
	case "half":
		if size != 4 {
			return plan.Op{}, errtext.New("kind \"half\" does not apply to %v: use a float32", t)
		}
		return plan.Op{Code: plan.CodeHalf, Bits: 16, Span: 1<<16 - 1, Size: size}, nil
	case "angle":
		return b.angle(t, o)
	}
	return plan.Op{}, o.wrongKind(t, "float", "half", "angle")
}

// quantized plans a float that is rounded to one of equal steps between two
// bounds.
func (b *builder) quantized(t reflect.Type, o *options) (plan.Op, error) {
	size := t.Bits()
	lo, okLo, err := o.takeFloat("min", size)
	if err != nil || !okLo {
		return plan.Op{}, orMissing(err, "min")
	}
	hi, okHi, err := o.takeFloat("max", size)
	if err != nil || !okHi {
		return plan.Op{}, orMissing(err, "max")
	}
	res, byRes, err := o.takeFloat("res", size)
	if err != nil {
		return plan.Op{}, err
	}
	n, byBits, err := o.takeSmall("bits", 1, 53)
	switch {
	case err != nil:
		return plan.Op{}, err
	case byRes && byBits:
		return plan.Op{}, errtext.New("res and bits both set the steps: keep one")
	case !byRes && !byBits:
		return plan.Op{}, errtext.New("a quantized float needs res= or bits=: add one")
	}
	op := plan.Op{Code: plan.CodeFloat32, Size: uint8(t.Size())}
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
		return op, err
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
	return op, err
}

// angle plans a float that is wrapped into one turn and rounded to one of equal
// steps.
func (b *builder) angle(t reflect.Type, o *options) (plan.Op, error) {
	period := 2 * math.Pi
	if unit, ok := o.take("unit"); ok {
		switch unit {
		case "deg":
			period = 360
		case "rad":
		default:
			return plan.Op{}, errtext.New("unit must be rad or deg, not %q", unit)
		}
	}
	res, byRes, err := o.takeFloat("res", 64)
	if err != nil {
		return plan.Op{}, err
	}
	n, byBits, err := o.takeSmall("bits", 1, 32)
	if err != nil {
		return plan.Op{}, err
	}
	var a compress.Angle
	switch {
	case byRes && byBits:
		return plan.Op{}, errtext.New("res and bits both set the steps: keep one")
	case !byRes && !byBits:
		return plan.Op{}, errtext.New("an angle needs bits= or res=: add one")
	case byRes:
		a, err = compress.NewAngleRes(res, period)
	default:
		a, err = compress.NewAngle(int(n), period)
	}
	op := plan.Op{Code: plan.CodeAngle, Bits: uint8(a.Bits()), Span: uint64(a.Mask), Size: uint8(t.Size()), Aux: int32(len(b.plan.Angles))}
	b.plan.Angles = append(b.plan.Angles, a)
	return op, err
}

package reference

import (
	"reflect"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// matrix decomposes a matrix and writes its components.
func (e *encoder) matrix(pc int, op *plan.Op, v reflect.Value) *stop {
	var m [16]float32
	i := 0
	EachOf(v, false, func(x reflect.Value) error {
		m[i] = *As[float32](x)
		i++
		return nil
	})
	parts, err := core.PartsOf(&m)
	if err != nil {
		return e.failAt(op, e.w.Bit(), err)
	}
	if s := e.pushBlock(op, v, e.w.Bit()); s != nil {
		return s
	}
	return e.popBlock(e.ops(pc+1, -1, blockBase{value: reflect.ValueOf(&parts).Elem()}))
}

// matrix reads the components of a matrix and composes them.
func (d *decoder) matrix(pc int, op *plan.Op, v reflect.Value) *stop {
	if s := d.pushBlock(op, v, d.r.Bit()); s != nil {
		return s
	}
	var parts compress.Affine
	if s := d.ops(pc+1, -1, blockBase{value: reflect.ValueOf(&parts).Elem()}); s != nil {
		return s
	}
	m, err := core.MatrixOf(&parts)
	if err != nil {
		return d.failAt(&d.p.Ops[op.End-1], d.r.Bit(), err)
	}
	i := 0
	EachOf(v, false, func(x reflect.Value) error {
		*As[float32](x) = m[i]
		i++
		return nil
	})
	return d.popBlock(nil)
}

// vectorCode returns the code of a rotation or direction, and its components as
// a [4]float64 or [3]float64. ok is false if it has no code.
func vectorCode(t *plan.Vector, v reflect.Value) (code uint64, components any, ok bool) {
	component := func(i int) float64 { return core.Along(v, core.PathAt(v.Type(), t.Offs[i])).Float() }
	x, y, z := component(0), component(1), component(2)
	if t.Unit != nil {
		u := [3]float64{x, y, z}
		code, ok = t.Unit.Encode(u)
		return code, u, ok
	}
	q := [4]float64{x, y, z, component(3)}
	if t.Quat != nil {
		code, ok = t.Quat.Encode(q)
	} else {
		code, ok = t.Signs.Encode(q)
	}
	return code, q, ok
}

// setVectorCode is the inverse of vectorCode. It returns false and leaves v
// unchanged if no value has the code.
func setVectorCode(t *plan.Vector, v reflect.Value, code uint64) (ok bool) {
	var x [4]float64
	switch {
	case t.Quat != nil:
		x, ok = t.Quat.Decode(code)
	case t.Signs != nil:
		x, ok = t.Signs.Decode(code)
	default:
		var u [3]float64
		u, ok = t.Unit.Decode(code)
		copy(x[:], u[:])
	}
	for i := range x {
		if ok && (i < 3 || t.Unit == nil) {
			core.Along(v, core.PathAt(v.Type(), t.Offs[i])).SetFloat(x[i])
		}
	}
	return ok
}

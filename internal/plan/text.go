package plan

import (
	"fmt"
	"reflect"
	"strconv"
)

// wire describes what an op puts on the wire, for people.
func (p *Plan) wire(i int) string {
	op := &p.Ops[i]
	s := op.Text(p)
	if op.Count > 1 && op.Code.Values() {
		s = fmt.Sprintf("%d x %s", op.Count, s)
	}
	return s
}

// Text describes what one value of an op puts on the wire.
func (op *Op) Text(p *Plan) string { return codeTable[op.Code].text(p, op) }

func (p *Plan) wireWide(op *Op) string {
	w := p.Wides[op.Aux]
	switch most := w.Min.Add(w.Span); {
	case op.Flags&FlagFullRange != 0:
		return signName(op) + "128"
	case op.Flags&FlagSigned != 0:
		return fmt.Sprintf("int %v..%v", w.Min.Signed(), most.Signed())
	default:
		return fmt.Sprintf("int %v..%v", w.Min, most)
	}
}

func (p *Plan) wireFloat32(op *Op) string {
	q := &p.Float32s[op.Aux]
	return fmt.Sprintf("float32 from %s over %s in %d steps", decimal(q.Min, 32), decimal(q.Delta, 32), q.Steps)
}

func (p *Plan) wireFloat64(op *Op) string {
	q := &p.Float64s[op.Aux]
	return fmt.Sprintf("float64 from %s over %s in %d steps", decimal(q.Min, 64), decimal(q.Delta, 64), q.Steps)
}

func (p *Plan) wireAngle(op *Op) string {
	return fmt.Sprintf("angle %d bits of %s", op.Bits, decimal(p.Angles[op.Aux].Period, 64))
}

func (p *Plan) wireVarint(op *Op) string {
	return fmt.Sprintf("varint %s%d", signName(op), WireBits(p.elemType(op)))
}

func wireConst(_ *Plan, op *Op) string { return fmt.Sprintf("const %d bits %#x", op.Bits, op.Bias) }

func wireText(_ *Plan, op *Op) string {
	if op.Flags&FlagText != 0 {
		return "string " + counts(op)
	}
	return "bytes " + counts(op)
}

func (p *Plan) wireSubset(op *Op) string {
	if op.Flags&FlagSlice != 0 {
		return p.subsetMode(op) + " of " + counts(op)
	}
	return fmt.Sprintf("%s of %d", p.subsetMode(op), op.Count)
}

func (p *Plan) subsetMode(op *Op) string {
	sub := p.Elems[op.Aux].Subset
	if sub.Auto {
		return "subset auto"
	}
	return "subset " + sub.Mode.String()
}

// wireVector describes the code of a rotation or a direction.
func (p *Plan) wireVector(op *Op) string {
	v := &p.Vectors[op.Aux]
	switch {
	case v.Quat != nil:
		return fmt.Sprintf("quat smallest three, %d bits", op.Bits)
	case v.Signs != nil:
		return fmt.Sprintf("quat with sign, %d bits", op.Bits)
	}
	return fmt.Sprintf("unit octahedral, %d bits", op.Bits)
}

func (p *Plan) wireInt(op *Op) string {
	switch k := p.elemType(op).Kind(); {
	case k >= reflect.Float32 && k <= reflect.Complex128:
		return fmt.Sprintf("float%d", op.Bits)
	case op.Flags&FlagFullRange != 0:
		return fmt.Sprintf("%s%d", signName(op), op.Bits)
	case op.Flags&FlagSigned != 0:
		return fmt.Sprintf("int %d..%d", int64(op.Bias), int64(op.Bias+op.Span))
	}
	return fmt.Sprintf("int %d..%d", op.Bias, op.Bias+op.Span)
}

func signName(op *Op) string {
	if op.Flags&FlagSigned != 0 {
		return "int"
	}
	return "uint"
}

func counts(op *Op) string { return fmt.Sprintf("%d..%d", op.Bias, op.Bias+op.Span) }

// decimal formats v, a float of size bits, so that parsing it returns v exactly.
func decimal[T float32 | float64](v T, size int) string {
	return strconv.FormatFloat(float64(v), 'g', -1, size)
}

func (p *Plan) wireRelative(op *Op) string {
	r := &p.Relatives[op.Aux]
	s := fmt.Sprintf("relative %d..%d", r.Min, r.Max)
	switch r.Mode {
	case ToField:
		return s + " to " + p.shownRef(&r.To)
	case Chain:
		return fmt.Sprintf("%s chained from %d", s, r.Base)
	}
	return fmt.Sprintf("%s to %d", s, r.Base)
}

// elemType returns the type of one value of op, which may cover an array.
func (p *Plan) elemType(op *Op) reflect.Type {
	t := p.Fields[op.Field].Type
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t
}

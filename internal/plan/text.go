package plan

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/bits"
)

// Text describes what one value of an op puts on the wire.
func (op *Op) Text(p *Plan) string {
	switch op.Code {
	case CodeEnd:
		return "end"
	case CodeBool:
		return "bool"
	case CodeUint8, CodeUint16, CodeUint32, CodeUint64, CodeInt8, CodeInt16, CodeInt32, CodeWord:
		return p.wireInt(op)
	case CodeFloat32:
		return p.wireFloat32(op)
	case CodeFloat64:
		return p.wireFloat64(op)
	case CodeHalf:
		return "half"
	case CodeAngle:
		return p.wireAngle(op)
	case CodeVector:
		return p.wireVector(op)
	case CodeWide:
		return p.wireWide(op)
	case CodeVarint:
		return p.wireVarint(op)
	case CodeExpGolomb:
		return p.wireExpGolomb(op)
	case CodeRelative:
		return p.wireRelative(op)
	case CodeConst:
		return fmt.Sprintf("const %d bits %#x", op.Bits, op.Bias)
	case CodeAlign:
		return "align"
	case CodeBytes:
		return fmt.Sprintf("bytes %d", op.Count)
	case CodeCString:
		return fmt.Sprintf("string 0..%d", op.Count-1)
	case CodeString:
		return wireText(op)
	case CodeWString:
		return "wstring " + counts(op)
	case CodeBinary:
		return "binary " + counts(op) + " " + p.Fields[op.Field].Type.String()
	case CodeCustom:
		return "custom " + p.Fields[op.Field].Type.String()
	case CodeLink:
		return fmt.Sprintf("link %d bits", op.Bits)
	case CodeIf:
		return "if " + p.shownCond(&p.Conds[op.Aux])
	case CodeOptional:
		return "unless zero"
	case CodePresent:
		return "present"
	case CodeCommon:
		return p.shownCommon(op)
	case CodeHuffman:
		return p.shownHuffman(op)
	case CodeRunLength:
		return wireRunLength(op)
	case CodeScale:
		return "scale"
	case CodeArray:
		return fmt.Sprintf("array %d", op.Count)
	case CodeSlice:
		return "slice " + counts(op)
	case CodeMap:
		return fmt.Sprintf("map %d..%d", op.Bias, p.Elems[op.Aux].MaxLen)
	case CodeSubset:
		return p.wireSubset(op)
	case CodeMatrix:
		return "affine"
	case CodePointer:
		return "optional"
	case CodeUnion:
		return p.shownUnion(op)
	case CodeCall:
		return "recursive"
	case CodeNext:
		return "next"
	}
	panic("plan: no text of " + op.Code.String())
}

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

func (p *Plan) wireExpGolomb(op *Op) string {
	return fmt.Sprintf("expgolomb %d %s%d", op.Bias, signName(op), WireBits(p.elemType(op)))
}

func wireText(op *Op) string {
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

// listedIn returns the values that a CodeCommon or a CodeHuffman lists.
func (p *Plan) listedIn(op *Op) []Value {
	if op.Code == CodeHuffman {
		return p.Huffmans[op.Aux].Values
	}
	return p.Commons[op.Aux]
}

func (p *Plan) shownCommon(op *Op) string {
	var list []string
	for i := range p.Commons[op.Aux] {
		list = append(list, p.shownValue(op, &p.Commons[op.Aux][i]))
	}
	return "common " + strings.Join(list, "|")
}

func (p *Plan) shownHuffman(op *Op) string {
	h := &p.Huffmans[op.Aux]
	var list []string
	for i := range h.Values {
		text := "*"
		if i != h.Escape {
			text = p.shownValue(op, &h.Values[i])
		}
		_, n := h.Code.Code(i)
		list = append(list, fmt.Sprintf("%s:%d", text, n))
	}
	return "huffman, value:bits " + strings.Join(list, "|")
}

func (p *Plan) shownUnion(op *Op) string {
	var list []string
	for _, t := range p.Elems[op.Aux].Union.Types {
		list = append(list, MemberName(t))
	}
	return "union " + strings.Join(list, "|")
}

// shownRef names the field that r refers to.
func (p *Plan) shownRef(r *Ref) string {
	if r.Op < 0 {
		return fmt.Sprintf("#%d", r.Op)
	}
	return p.Fields[p.Ops[r.Op].Field].Path
}

// shownCond formats a condition as in a tag.
func (p *Plan) shownCond(c *Cond) string {
	field := p.shownRef(&c.Ref)
	value := strconv.FormatUint(c.Value, 10)
	if c.Signed {
		value = strconv.FormatInt(int64(c.Value), 10)
	}
	switch {
	case c.Test == AnyOf:
		return field + "&" + value
	case c.Test == NotEqual && c.Value == 0:
		return field
	case c.Test == Equal && c.Value == 0:
		return "!" + field
	case c.Test == NotEqual:
		return field + "!=" + value
	}
	return field + "==" + value
}

// shownValue formats a listed value of op, a CodeCommon or a CodeHuffman, as in a
// tag.
func (p *Plan) shownValue(op *Op, v *Value) string {
	t := p.elemType(&p.Ops[op.End-1])
	switch x := v.Mem[0]; {
	case t == Int128Type:
		return bits.Int128{Lo: x, Hi: int64(v.Mem[1])}.String()
	case t == Uint128Type:
		return bits.Uint128{Lo: x, Hi: v.Mem[1]}.String()
	case t.Kind() == reflect.Bool:
		return strconv.FormatBool(x != 0)
	case t.Kind() == reflect.Float32:
		return decimal(math.Float32frombits(uint32(x)), 32)
	case t.Kind() == reflect.Float64:
		return decimal(math.Float64frombits(x), 64)
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		return strconv.FormatInt(int64(x), 10)
	case t.Kind() == reflect.String:
		return strconv.Quote(v.Text)
	default:
		return strconv.FormatUint(x, 10)
	}
}

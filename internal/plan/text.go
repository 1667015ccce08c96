package plan

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Hash returns the SHA-256 of [Plan.Text]. Types with equal hashes have the same
// wire format.
func (p *Plan) Hash() [32]byte {
	p.described.Do(p.describe)
	return p.hash
}

// Text returns a description of the wire format, one line per op. It contains
// everything that affects the bytes, and nothing else. It omits the names of
// types and fields with two exceptions: it names types that encode themselves,
// because nothing else identifies their format, and the members of unions,
// because their names determine their order. It is the same on every machine.
func (p *Plan) Text() string {
	p.described.Do(p.describe)
	return p.text
}

// describe sets the text and the hash. It is not part of building the plan,
// because most programs never need them.
func (p *Plan) describe() {
	var s strings.Builder
	s.Grow(32 * len(p.Ops))
	s.WriteString("bitpack 1\n")
	p.Walk(func(at Step) {
		fmt.Fprintf(&s, "%d%s %s\n", at.Op, strings.Repeat(" .", at.Depth), p.wire(at.Op))
	})
	p.text = s.String()
	p.hash = sha256.Sum256([]byte(p.text))
}

// wire describes what an op puts on the wire.
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
	sub := p.Elems[op.Aux].Subset
	s := "subset " + sub.Mode.String()
	if sub.Auto {
		s = "subset auto"
	}
	if op.Flags&FlagSlice != 0 {
		return s + " of " + counts(op)
	}
	return fmt.Sprintf("%s of %d", s, op.Count)
}

func (p *Plan) wireUnion(op *Op) string {
	u := p.Elems[op.Aux].Union
	s := "union"
	for i, t := range u.Types {
		s += fmt.Sprintf(" %s:%d", MemberName(t), u.Starts[i])
	}
	return s
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

// wireValues lists values with their codes, and with their Huffman codes if op is
// a CodeHuffman. The op before op.End encodes the values.
func (p *Plan) wireValues(op *Op, values []Value) string {
	single := p.Ops[op.End-1].Code.Single()
	var list []string
	for i, v := range values {
		s := strconv.Quote(v.Text)
		if single {
			s = fmt.Sprintf("%#x=%#x", v.Code, v.Mem[0])
		} else if v.Text == "" {
			s = fmt.Sprintf("%#x:%#x", v.Mem[1], v.Mem[0])
		}
		if op.Code == CodeHuffman {
			h := &p.Huffmans[op.Aux]
			if i == h.Escape {
				s = "*"
			}
			code, n := h.Code.Code(i)
			s += fmt.Sprintf("(%d:%#x)", n, code)
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
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
		return s + " to " + wireRef(&r.To)
	case Chain:
		return fmt.Sprintf("%s chained from %d", s, r.Base)
	}
	return fmt.Sprintf("%s to %d", s, r.Base)
}

// wireRef returns the number of the op that encodes a field. The ops around that
// one show under which conditions the field is present.
func wireRef(r *Ref) string { return fmt.Sprintf("#%d", r.Op) }

func (p *Plan) wireCond(i int32) string {
	c := &p.Conds[i]
	return fmt.Sprintf("%s %s %#x", wireRef(&c.Ref), [...]string{"==", "!=", "&"}[c.Test], c.Value)
}

// elemType returns the type of one value of op, which may cover an array.
func (p *Plan) elemType(op *Op) reflect.Type {
	t := p.Fields[op.Field].Type
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t
}

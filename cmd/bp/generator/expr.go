package generator

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan"
)

// condition has the Go expressions of a condition. They differ because an absent
// field counts as zero: a writer may find any value in it, a reader has cleared
// it.
type condition struct{ write, read string }

// maxGuards bounds the size of the expression of a condition on a field that is
// conditional itself.
const maxGuards = 3

// condition returns condition c of the block whose value base points to.
func (b *builder) condition(c int32, base string, t reflect.Type, depth int) (cond condition, ok bool) {
	p := &b.pl.Conds[c]
	if p.Op < 0 || depth > maxGuards {
		return cond, false
	}
	op := &b.pl.Ops[p.Op]
	field := &b.pl.Fields[op.Field]
	x, ok := b.access(base, t, field)
	if !ok || op.Off != p.Off || op.Count != 1 {
		return cond, false
	}
	var zero bool // whether the condition holds for an absent field
	switch kind := field.Type.Kind(); {
	case kind == reflect.Bool:
		is := (p.Value != 0) == (p.Test != plan.NotEqual)
		if cond.read = x; !is {
			cond.read = "!" + x
		}
		zero = !is
	case kind >= reflect.Int && kind <= reflect.Uintptr:
		value := strconv.FormatUint(p.Value, 10)
		if p.Signed {
			value = strconv.FormatInt(int64(p.Value), 10)
		}
		bitSize := field.Type.Bits()
		if p.Signed && (int64(p.Value) >= 1<<(bitSize-1) || int64(p.Value) < -1<<(bitSize-1)) || !p.Signed && bitSize < 64 && p.Value >= 1<<bitSize {
			return cond, false
		}
		cond.read = x + [...]string{plan.Equal: " == ", plan.NotEqual: " != ", plan.AnyOf: "&"}[p.Test] + value
		if p.Test == plan.AnyOf {
			cond.read += " != 0"
		}
		zero = p.Test.Compare(0, p.Value)
	default:
		return cond, false
	}
	cond.write = cond.read
	if p.Guard >= 0 {
		guard, ok := b.holds(p.Guard, base, t, depth+1)
		if !ok {
			return cond, false
		}
		if cond.write = "(" + guard + ") && " + cond.read; zero {
			cond.write = "!(" + guard + ") || " + cond.read
		}
	}
	return cond, true
}

// holds returns the expression by which a writer finds whether condition c and
// those around it hold.
func (b *builder) holds(c int32, base string, t reflect.Type, depth int) (string, bool) {
	cond, ok := b.condition(c, base, t, depth)
	if within := b.pl.Conds[c].Within; ok && within >= 0 {
		var outer string
		if outer, ok = b.holds(within, base, t, depth+1); ok {
			return "(" + outer + ") && (" + cond.write + ")", true
		}
	}
	return cond.write, ok
}

// maxZero is the largest number of values whose zero test is an expression.
const maxZero = 32

// zero returns the expression that is true if all values of the nodes are zero, as
// the engine's isZero says. It returns false if there is no simple one.
func (b *builder) zero(list []node) (string, bool) {
	var terms []string
	for i := range list {
		n := &list[i]
		switch n.kind {
		case nodeAlign:
		case nodeText:
			terms = append(terms, n.value+` == ""`)
		case nodeBytes:
			terms = append(terms, "len("+n.value+") == 0")
		case nodeRaw:
			terms = append(terms, fmt.Sprintf("(%s == [%d]byte{})", n.value, n.op.Count))
		case nodeVarint, nodeRelative:
			terms = append(terms, n.value+" == 0")
		case nodePointer, nodeUnion:
			terms = append(terms, n.value+" == nil")
		case nodeField:
			if n.op.Code == plan.CodeConst {
				continue
			}
			term, ok := b.zeroField(n)
			if !ok {
				return "", false
			}
			terms = append(terms, term)
		default:
			return "", false
		}
	}
	return strings.Join(terms, " && "), len(terms) > 0 && len(terms) <= maxZero
}

// zeroField returns the expression that is true if a field is zero.
func (b *builder) zeroField(n *node) (string, bool) {
	op := n.op
	switch {
	case n.eight:
		return b.code(n) + " == 0", true
	case n.vector != nil:
		return strings.Join(n.vector, " == 0 && ") + " == 0", true
	}
	switch kind := n.typ.Kind(); {
	case kind == reflect.Bool:
		return "!" + n.value, true
	case kind != reflect.Float32 && kind != reflect.Float64:
		return n.value + " == 0", true
	case op.Flags&plan.FlagFullRange != 0:
		return fmt.Sprintf("%s == 0", floatBits(n)), true
	}
	code, last, decodesToZero := b.codeOfZero(op)
	switch {
	case !decodesToZero(code):
		return fmt.Sprintf("%s == 0", floatBits(n)), true
	case code > 0 && decodesToZero(code-1), code < last && decodesToZero(code+1):
		return "", false
	}
	return fmt.Sprintf("(%s == 0 || %s == %d)", floatBits(n), b.code(n), code), true
}

// codeOfZero returns the code of zero in a quantized float, the last code, and a
// function that reports whether a code decodes to a zero without a sign.
func (b *builder) codeOfZero(op *plan.Op) (code, last uint64, decodesToZero func(uint64) bool) {
	isZero := func(x float64) bool { return math.Float64bits(x) == 0 }
	switch op.Code {
	case plan.CodeFloat32:
		q := &b.pl.Float32s[op.Aux]
		return uint64(q.Encode(0)), uint64(q.Steps), func(c uint64) bool { return isZero(float64(q.Decode(uint32(c)))) }
	case plan.CodeFloat64:
		q := &b.pl.Float64s[op.Aux]
		return q.Encode(0), q.Steps, func(c uint64) bool { return isZero(q.Decode(c)) }
	case plan.CodeHalf:
		return 0, math.MaxUint16, func(c uint64) bool { return isZero(float64(compress.DecodeHalf(uint16(c)))) }
	case plan.CodeAngle:
		a := &b.pl.Angles[op.Aux]
		return 0, uint64(a.Mask), func(c uint64) bool { return isZero(a.Decode(uint32(c))) }
	}
	panic("generator: no code of zero in " + op.Code.String())
}

// floatBits returns the expression of the bits of a float.
func floatBits(n *node) string {
	if n.typ.Kind() == reflect.Float32 {
		return "math.Float32bits(" + convert("float32", n) + ")"
	}
	return "math.Float64bits(" + convert("float64", n) + ")"
}

// convert returns the value of a node as a value of a predeclared type.
func convert(to string, n *node) string {
	if n.typ.PkgPath() == "" && n.typ.Name() == to {
		return n.value
	}
	return to + "(" + n.value + ")"
}

// code returns the expression of the code of a field, as a uint64. It is right if
// the value is in range.
func (b *builder) code(n *node) string {
	op := n.op
	if n.eight {
		return "binary.LittleEndian.Uint64(" + n.value + ")"
	}
	switch op.Code {
	case plan.CodeConst:
		return "uint64(" + hex(op.Bias) + ")"
	case plan.CodeBool:
		return "genrt.Bit(" + convert("bool", n) + ")"
	case plan.CodeWord:
		if n.typ.Kind() <= reflect.Int64 && op.Bits < 64 {
			return "uint64(" + n.value + ") & " + hex(1<<op.Bits-1)
		}
		return convert("uint64", n)
	case plan.CodeFloat32, plan.CodeFloat64:
		q := b.quantizer(n)
		return fmt.Sprintf("genrt.Quantize%d(%s, %s, %s, %s, %d)", q.size, q.scaled, q.value, q.least, q.limit, q.steps)
	case plan.CodeHalf:
		return "genrt.Half(" + convert("float32", n) + ")"
	case plan.CodeAngle:
		a := &b.pl.Angles[op.Aux]
		return fmt.Sprintf("genrt.Angle(float64(%s), %s, %s, %d)", n.value, float64Text(a.Period), float64Text(angleStep(a)), a.Mask)
	}
	if n.typ.Kind() == reflect.Float32 || n.typ.Kind() == reflect.Float64 {
		return "uint64(" + floatBits(n) + ")"
	}
	if op.Flags&plan.FlagFullRange != 0 && n.typ.Kind() <= reflect.Int64 && op.Size < 8 { // without the copies of the sign
		return fmt.Sprintf("uint64(uint%d(%s))", 8*op.Size, n.value)
	}
	if kind := n.typ.Kind(); op.Bias != 0 && op.Span < 1<<32-1 && kind >= reflect.Int8 && kind <= reflect.Int32 {
		return fmt.Sprintf("uint64(uint32(%s) + %d)", n.value, uint32(-op.Bias))
	}
	return offset(convert("uint64", n), -op.Bias)
}

// quantizer has what the functions of a quantized float take.
type quantizer struct {
	size   int    // of the float in bits
	value  string // the expression of the value
	scaled string // the code plus a fraction, if the value is in range
	limit  string // the number up to which scaled is in range
	least  string // the smallest value
	steps  uint64
}

func (b *builder) quantizer(n *node) quantizer {
	if n.op.Size == 4 {
		f := &b.pl.Float32s[n.op.Aux]
		top := float32(f.Steps) + 1
		if f.Steps >= 1<<23 { // the sum in Scale rounds, so only the codes up to the last are in range
			if top = float32(f.Steps); float64(top) <= float64(f.Steps) {
				top = math.Nextafter32(top, math.MaxFloat32)
			}
		}
		q := quantizer{32, convert("float32", n), "", float32Text(top), float32Text(f.Min), uint64(f.Steps)}
		if powerOfTwo(float64(f.Delta)) {
			q.scaled = fmt.Sprintf("genrt.ScaleBy32(%s, %s, %s)", q.value, q.least, float32Text(float32(f.Steps)/f.Delta))
		} else {
			q.scaled = fmt.Sprintf("genrt.Scale32(%s, %s, %s, %s)", q.value, q.least, float32Text(f.Delta), float32Text(float32(f.Steps)))
		}
		return q
	}
	f := &b.pl.Float64s[n.op.Aux]
	top := float64(f.Steps) + 1
	if f.Steps >= 1<<52 {
		top = math.Nextafter(float64(f.Steps), math.MaxFloat64)
	}
	q := quantizer{64, convert("float64", n), "", float64Text(top), float64Text(f.Min), f.Steps}
	if powerOfTwo(f.Delta) {
		q.scaled = fmt.Sprintf("genrt.ScaleBy64(%s, %s, %s)", q.value, q.least, float64Text(float64(f.Steps)/f.Delta))
	} else {
		q.scaled = fmt.Sprintf("genrt.Scale64(%s, %s, %s, %s)", q.value, q.least, float64Text(f.Delta), float64Text(float64(f.Steps)))
	}
	return q
}

// powerOfTwo reports whether x is a power of two of moderate size. Then products
// and quotients with x are exact, and may be taken out of a formula.
func powerOfTwo(x float64) bool {
	fraction, exponent := math.Frexp(x)
	return fraction == 0.5 && exponent >= -32 && exponent <= 32
}

// valueOf returns the expression of the value of a field that has the given code.
func (b *builder) valueOf(n *node, code string) string {
	op := n.op
	to, _ := b.names.typeName(n.typ)
	cast := func(from, x string) string {
		if from == to {
			return x
		}
		return to + "(" + x + ")"
	}
	switch op.Code {
	case plan.CodeBool:
		return cast("bool", code+" != 0")
	case plan.CodeWord:
		if n.typ.Kind() <= reflect.Int64 {
			shift := 64 - uint(op.Bits)
			return fmt.Sprintf("%s(int64(%s<<%d) >> %d)", to, code, shift, shift)
		}
		return cast("uint64", code)
	case plan.CodeFloat32:
		q := &b.pl.Float32s[op.Aux]
		value := fmt.Sprintf("genrt.Value32(%s, %s, %s, %s)", code, float32Text(float32(q.Steps)), float32Text(q.Delta), float32Text(q.Min))
		if powerOfTwo(float64(q.Delta)) {
			value = fmt.Sprintf("genrt.ValueBy32(%s, %s, %s)", code, float32Text(float32(q.Steps)/q.Delta), float32Text(q.Min))
		}
		if q.Min+q.Delta > q.Max { // the value of the last code, which is the largest
			value = fmt.Sprintf("genrt.AtMost(%s, %s)", value, float32Text(q.Max))
		}
		return cast("float32", value)
	case plan.CodeFloat64:
		q := &b.pl.Float64s[op.Aux]
		value := fmt.Sprintf("genrt.Value64(%s, %s, %s, %s)", code, float64Text(float64(q.Steps)), float64Text(q.Delta), float64Text(q.Min))
		if powerOfTwo(q.Delta) {
			value = fmt.Sprintf("genrt.ValueBy64(%s, %s, %s)", code, float64Text(float64(q.Steps)/q.Delta), float64Text(q.Min))
		}
		if q.Min+q.Delta > q.Max {
			value = fmt.Sprintf("genrt.AtMost(%s, %s)", value, float64Text(q.Max))
		}
		return cast("float64", value)
	case plan.CodeHalf:
		return cast("float32", "genrt.HalfValue("+code+")")
	case plan.CodeAngle:
		a := &b.pl.Angles[op.Aux]
		if n.typ.Kind() == reflect.Float32 {
			return cast("float32", fmt.Sprintf("genrt.AngleValue32(%s, %s, %s)", code, float64Text(angleStep(a)), float32Text(angleLast(a))))
		}
		return cast("float64", fmt.Sprintf("genrt.AngleValue(%s, %s)", code, float64Text(angleStep(a))))
	}
	switch n.typ.Kind() {
	case reflect.Float32:
		return cast("float32", "math.Float32frombits(uint32("+code+"))")
	case reflect.Float64:
		return cast("float64", "math.Float64frombits("+code+")")
	}
	return cast("uint64", offset(code, op.Bias))
}

// listed returns the constant of a listed value of a field.
func listed(n *node, v *plan.Value) (string, bool) {
	x := v.Mem[0]
	switch kind := n.typ.Kind(); {
	case kind >= reflect.Int && kind <= reflect.Int64:
		shift := 64 - n.typ.Bits()
		return strconv.FormatInt(int64(x<<shift)>>shift, 10), true
	case kind >= reflect.Uint && kind <= reflect.Uintptr:
		return strconv.FormatUint(x, 10), true
	case kind == reflect.Float32 && n.typ.PkgPath() == "":
		return fmt.Sprintf("math.Float32frombits(%#x)", uint32(x)), true
	case kind == reflect.Float64 && n.typ.PkgPath() == "":
		return fmt.Sprintf("math.Float64frombits(%#x)", x), true
	}
	return "", false
}

// offset returns the expression of x+n, where n is a number in two's complement.
func offset(x string, n uint64) string {
	switch {
	case n == 0:
		return x
	case int64(n) < 0:
		return fmt.Sprintf("%s - %d", x, -n)
	}
	return fmt.Sprintf("%s + %d", x, n)
}

// angleStep returns the angle between neighboring codes.
func angleStep(a *compress.Angle) float64 { return math.Ldexp(a.Period, -a.Bits()) }

// angleLast returns the largest angle of a float32, which is below the period.
func angleLast(a *compress.Angle) float32 {
	last := float32(a.Period)
	if float64(last) >= a.Period {
		last = math.Nextafter32(last, 0)
	}
	return last
}

// hex returns a constant in the base that is easiest to read.
func hex(x uint64) string {
	if x < 10 {
		return strconv.FormatUint(x, 10)
	}
	return fmt.Sprintf("%#x", x)
}

// float32Text returns the shortest constant that rounds to x.
func float32Text(x float32) string { return strconv.FormatFloat(float64(x), 'g', -1, 32) }

// float64Text returns the shortest constant that rounds to x.
func float64Text(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

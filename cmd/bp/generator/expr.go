package generator

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan/tree"
)

// condition has the Go expressions of a condition. They differ because an absent
// field counts as zero: a writer may find any value in it, a reader has cleared
// it.
type condition struct{ write, read string }

// maxGuards bounds the size of the expression of a condition on a field that is
// conditional itself.
const maxGuards = 3

// condition returns condition c of the block whose value base points to.
func (b *builder) condition(c *tree.Cond, base string, t reflect.Type, depth int) (cond condition, ok bool) {
	of := c.Node
	if of == nil || depth > maxGuards {
		return cond, false
	}
	x, ok := b.access(base, t, of)
	if !ok || b.pl.Ops[of.Op].Count != 1 {
		return cond, false
	}
	var zero bool // whether the condition holds for an absent field
	switch kind := of.Type.Kind(); {
	case kind == reflect.Bool:
		is := (c.Value != 0) == (c.Test != tree.NotEqual)
		if cond.read = x; !is {
			cond.read = "!" + x
		}
		zero = !is
	case kind >= reflect.Int && kind <= reflect.Uintptr:
		value := strconv.FormatUint(c.Value, 10)
		if c.Signed {
			value = strconv.FormatInt(int64(c.Value), 10)
		}
		bitSize := of.Type.Bits()
		if c.Signed && (int64(c.Value) >= 1<<(bitSize-1) || int64(c.Value) < -1<<(bitSize-1)) || !c.Signed && bitSize < 64 && c.Value >= 1<<bitSize {
			return cond, false
		}
		cond.read = x + [...]string{tree.Equal: " == ", tree.NotEqual: " != ", tree.AnyOf: "&"}[c.Test] + value
		if c.Test == tree.AnyOf {
			cond.read += " != 0"
		}
		zero = c.Test.Compare(0, c.Value)
	default:
		return cond, false
	}
	cond.write = cond.read
	if c.Guard != nil {
		guard, ok := b.holds(c.Guard, base, t, depth+1)
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
func (b *builder) holds(c *tree.Cond, base string, t reflect.Type, depth int) (string, bool) {
	cond, ok := b.condition(c, base, t, depth)
	if ok && c.Within != nil {
		var outer string
		if outer, ok = b.holds(c.Within, base, t, depth+1); ok {
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
		case tree.KindAlign:
		case tree.KindString:
			terms = append(terms, n.value+` == ""`)
		case tree.KindBytes:
			terms = append(terms, "len("+n.value+") == 0")
		case nodeRaw:
			terms = append(terms, fmt.Sprintf("(%s == [%d]byte{})", n.value, n.Min))
		case tree.KindVarint, tree.KindRelative:
			terms = append(terms, n.value+" == 0")
		case tree.KindPointer, tree.KindUnion:
			terms = append(terms, n.value+" == nil")
		case nodeField:
			if n.Kind == tree.KindConst {
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
	case n.Kind == tree.KindFloat:
		return fmt.Sprintf("%s == 0", floatBits(n)), true
	}
	code, last, decodesToZero := n.codeOfZero()
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
func (n *node) codeOfZero() (code, last uint64, decodesToZero func(uint64) bool) {
	isZero := func(x float64) bool { return math.Float64bits(x) == 0 }
	switch n.Kind {
	case tree.KindFloat32:
		q := n.Float32
		return uint64(q.Encode(0)), uint64(q.Steps), func(c uint64) bool { return isZero(float64(q.Decode(uint32(c)))) }
	case tree.KindFloat64:
		q := n.Float64
		return q.Encode(0), q.Steps, func(c uint64) bool { return isZero(q.Decode(c)) }
	case tree.KindHalf:
		return 0, math.MaxUint16, func(c uint64) bool { return isZero(float64(compress.DecodeHalf(uint16(c)))) }
	case tree.KindAngle:
		a := n.Angle
		return 0, uint64(a.Mask), func(c uint64) bool { return isZero(a.Decode(uint32(c))) }
	default:
		panic("generator: no code of zero in a " + string(n.Kind))
	}
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
	if n.eight {
		return "binary.LittleEndian.Uint64(" + n.value + ")"
	}
	switch n.Kind {
	case tree.KindConst:
		return "uint64(" + hex(n.Min) + ")"
	case tree.KindBool:
		return "genrt.Bit(" + convert("bool", n) + ")"
	case tree.KindFloat32, tree.KindFloat64:
		q := n.quantizer()
		return fmt.Sprintf("genrt.Quantize%d(%s, %s, %s, %s, %d)", q.size, q.scaled(), q.value, q.text(q.min), q.limit(), q.steps)
	case tree.KindFloat:
		return "uint64(" + floatBits(n) + ")"
	case tree.KindHalf:
		return "genrt.Half(" + convert("float32", n) + ")"
	case tree.KindAngle:
		return fmt.Sprintf("genrt.Angle(float64(%s), %s, %s, %d)", n.value, float64Text(n.Angle.Period), float64Text(angleStep(n.Angle)), n.Angle.Mask)
	default:
	}
	switch size := 8 * int(n.typ.Size()); {
	case n.partial():
		return "uint64(" + n.value + ") & " + hex(1<<n.Bits-1)
	case n.Full && n.typ.Kind() <= reflect.Int64 && size < 64: // without the copies of the sign
		return fmt.Sprintf("uint64(uint%d(%s))", size, n.value)
	case n.Min != 0 && n.Span < 1<<32-1 && n.typ.Kind() >= reflect.Int8 && n.typ.Kind() <= reflect.Int32:
		return fmt.Sprintf("uint64(uint32(%s) + %d)", n.value, uint32(-n.Min))
	}
	return offset(convert("uint64", n), -n.Min)
}

// partial reports whether a field is the low bits of a signed integer.
func (n *node) partial() bool {
	return n.Kind == tree.KindInt && n.Full && n.Signed && n.Bits < 8*int(n.typ.Size())
}

// quantizer has what the functions of a quantized float take. The numbers are
// those of its own size.
type quantizer struct {
	size            int    // of the float in bits
	value           string // the expression of the value
	min, max, delta float64
	steps           uint64
}

func (n *node) quantizer() *quantizer {
	if f := n.Float32; f != nil {
		return &quantizer{32, convert("float32", n), float64(f.Min), float64(f.Max), float64(f.Delta), uint64(f.Steps)}
	}
	f := n.Float64
	return &quantizer{64, convert("float64", n), f.Min, f.Max, f.Delta, f.Steps}
}

// round rounds x to the size of the float.
func (q *quantizer) round(x float64) float64 {
	if q.size == 32 {
		return float64(float32(x))
	}
	return x
}

// text returns the shortest constant that rounds to x.
func (q *quantizer) text(x float64) string { return strconv.FormatFloat(x, 'g', -1, q.size) }

// scaled returns the expression of the code plus a fraction, if the value is in
// range.
func (q *quantizer) scaled() string {
	steps := q.round(float64(q.steps))
	if powerOfTwo(q.delta) {
		return fmt.Sprintf("genrt.ScaleBy%d(%s, %s, %s)", q.size, q.value, q.text(q.min), q.text(steps/q.delta))
	}
	return fmt.Sprintf("genrt.Scale%d(%s, %s, %s, %s)", q.size, q.value, q.text(q.min), q.text(q.delta), q.text(steps))
}

// limit returns the number up to which scaled is in range. Where the sum in Scale
// rounds, only the codes up to the last are.
func (q *quantizer) limit() string {
	steps := q.round(float64(q.steps))
	switch {
	case q.size == 64 && q.steps >= 1<<52:
		return q.text(math.Nextafter(steps, math.MaxFloat64))
	case q.size == 32 && q.steps >= 1<<23 && steps > float64(q.steps):
		return q.text(steps)
	case q.size == 32 && q.steps >= 1<<23:
		return q.text(float64(math.Nextafter32(float32(steps), math.MaxFloat32)))
	}
	return q.text(steps + 1)
}

// valueOf returns the expression of the value that has a code.
func (q *quantizer) valueOf(code string) string {
	steps := q.round(float64(q.steps))
	value := fmt.Sprintf("genrt.Value%d(%s, %s, %s, %s)", q.size, code, q.text(steps), q.text(q.delta), q.text(q.min))
	if powerOfTwo(q.delta) {
		value = fmt.Sprintf("genrt.ValueBy%d(%s, %s, %s)", q.size, code, q.text(steps/q.delta), q.text(q.min))
	}
	if q.round(q.min+q.delta) > q.max { // the value of the last code, which is the largest
		value = fmt.Sprintf("genrt.AtMost(%s, %s)", value, q.text(q.max))
	}
	return value
}

// powerOfTwo reports whether x is a power of two of moderate size. Then products
// and quotients with x are exact, and may be taken out of a formula.
func powerOfTwo(x float64) bool {
	fraction, exponent := math.Frexp(x)
	return fraction == 0.5 && exponent >= -32 && exponent <= 32
}

// valueOf returns the expression of the value of a field that has the given code.
func (b *builder) valueOf(n *node, code string) string {
	to, _ := b.names.typeName(n.typ)
	cast := func(from, x string) string {
		if from == to {
			return x
		}
		return to + "(" + x + ")"
	}
	switch n.Kind {
	case tree.KindBool:
		return cast("bool", code+" != 0")
	case tree.KindFloat32, tree.KindFloat64:
		q := n.quantizer()
		return cast(fmt.Sprint("float", q.size), q.valueOf(code))
	case tree.KindHalf:
		return cast("float32", "genrt.HalfValue("+code+")")
	case tree.KindAngle:
		a := n.Angle
		if n.typ.Kind() == reflect.Float32 {
			return cast("float32", fmt.Sprintf("genrt.AngleValue32(%s, %s, %s)", code, float64Text(angleStep(a)), float32Text(angleLast(a))))
		}
		return cast("float64", fmt.Sprintf("genrt.AngleValue(%s, %s)", code, float64Text(angleStep(a))))
	default:
	}
	switch {
	case n.partial():
		return fmt.Sprintf("%s(int64(%s<<%d) >> %d)", to, code, 64-n.Bits, 64-n.Bits)
	case n.typ.Kind() == reflect.Float32:
		return cast("float32", "math.Float32frombits(uint32("+code+"))")
	case n.typ.Kind() == reflect.Float64:
		return cast("float64", "math.Float64frombits("+code+")")
	}
	return cast("uint64", offset(code, n.Min))
}

// listed returns the constant of a listed value of a field.
func listed(n *node, v *tree.Value) (string, bool) {
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

package delta

import (
	"math"
	mathbits "math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/typecache"
)

// bitsFor returns the number of bits of the integers up to most.
func bitsFor(most int) int { return mathbits.Len(uint(max(most, 0))) }

// scalars compiles n values of an op.
func (c *compiler) scalars(t *building, pc int, op *plan.Op, n int, g int32) error {
	first := int32(len(t.cells))
	f := field{kind: numbers, first: first, guard: g}
	add := func(cell cell) {
		cell.guard = g
		t.addCell(op, cell)
	}
	switch op.Code {
	case plan.CodeVector:
		f.valid = c.vector(op, &f, add)
		t.copies(first)
	case plan.CodeWide:
		w := c.plan.Wides[op.Aux]
		for range n {
			c.wide(op, add)
		}
		if t.copies(first); op.Flags&plan.FlagFullRange == 0 && op.Bits > 64 {
			f.valid = func(codes []uint64) bool {
				for pair := range slices.Chunk(codes, 2) {
					if pair[1] > w.Span.Hi || pair[1] == w.Span.Hi && pair[0] > w.Span.Lo {
						return false
					}
				}
				return true
			}
		}
	default:
		if op.Bits > 8*op.Size { // where an int has 32 bits, it does not hold all codes
			c.schema.verify = true
		}
		if op.Code == plan.CodeRelative {
			c.schema.verify = true
			if c.plan.Relatives[op.Aux].Mode == plan.Chain && t.keyed && !t.implied[int32(pc)] {
				return c.fail(pc, typecache.MistakeConflict, "chain", "", "goes with a key only on the key itself, because the elements are sorted by it")
			}
		}
		for range n {
			add(c.number(op))
			i := int32(len(t.cells) - 1)
			switch {
			case op.Code == plan.CodeVarint:
				t.steps = append(t.steps, step{kind: stepVarint, op: op, cell: i})
			case op.Code.PrefixCoded():
				t.steps = append(t.steps, step{kind: stepPrefixCoded, op: op, cell: i})
			case op.Code == plan.CodeRelative:
				rel := &c.plan.Relatives[op.Aux]
				s := step{kind: stepRelative, op: op, cell: i, relative: rel, to: none}
				if rel.Mode == plan.ToField {
					s.to = t.refer(&rel.To)
				}
				t.steps = append(t.steps, s)
			default:
				t.copies(i)
			}
		}
	}
	t.cellOf[int32(pc)] = first
	if t.implied[int32(pc)] {
		t.key = first
		return nil
	}
	f.n = int32(len(t.cells)) - first
	for i := first; i < first+f.n; i++ {
		if t.cells[i].span > 0 {
			c.addField(t, pc, f)
			break
		}
	}
	if op.Code == plan.CodeWide || op.Code == plan.CodeVector && f.kind == numbers {
		f := &t.fields[len(t.fields)-1]
		f.pred = min(f.pred, plan.PredLin)
	}
	return nil
}

// number returns the cell of one value of an op.
func (c *compiler) number(op *plan.Op) cell {
	n := cell{width: op.Bits, span: op.Span, step: 1}
	signed := op.Flags&plan.FlagSigned != 0
	switch op.Code {
	case plan.CodeFloat32:
		q := &c.plan.Float32s[op.Aux]
		n.span, n.zero = uint64(q.Steps), uint64(q.Encode(0))
		n.step, n.low = float64(q.Delta)/float64(q.Steps), float64(q.Min)
		return n
	case plan.CodeFloat64:
		q := &c.plan.Float64s[op.Aux]
		n.span, n.zero = q.Steps, q.Encode(0)
		n.step, n.low = q.Delta/float64(q.Steps), q.Min
		return n
	case plan.CodeAngle:
		a := &c.plan.Angles[op.Aux]
		n.span, n.wraps, n.step = uint64(a.Mask), true, a.Period/(float64(a.Mask)+1)
		return n
	case plan.CodeHalf:
		n.span, n.step = math.MaxUint16, 0
		return n
	default:
		if op.Code == plan.CodeVarint || op.Code == plan.CodeRelative || op.Code.PrefixCoded() {
			n.width = 8 * op.Size
			n.span = math.MaxUint64 >> (64 - n.width)
			n.extend = signed
			break
		}
		if !op.Code.Single() {
			panic("delta: no way to code " + op.Code.String())
		}
		n.bias = op.Bias
		n.extend = signed && op.Flags&plan.FlagFullRange != 0
		if isFloat(c.plan.Fields[op.Field].Type) {
			n.step = 0 // the bits of a float
		}
	}
	switch high := op.Bias + op.Span; {
	case n.extend:
		n.flip = 1 << (n.width - 1)
		n.low = -float64(n.flip)
	case signed && int64(op.Bias) <= 0 && int64(high) >= 0:
		n.zero, n.low = -op.Bias, float64(int64(op.Bias))
	case signed && int64(high) < 0:
		n.zero, n.low = op.Span, float64(int64(op.Bias))
	default:
		n.low = float64(n.bias)
	}
	if f := fraction(c.plan.Fields[op.Field].Tag); f > 0 {
		n.step, n.low = math.Ldexp(n.step, -f), math.Ldexp(n.low, -f)
	}
	return n
}

// isFloat reports whether a type is made of floats.
func isFloat(t reflect.Type) bool {
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t.Kind() >= reflect.Float32 && t.Kind() <= reflect.Complex128
}

// fraction returns the fractional bits of a fixed-point number.
func fraction(tag string) int {
	_, rest, ok := strings.Cut(tag, "frac=")
	if !ok {
		return 0
	}
	text, _, _ := strings.Cut(rest, ",")
	n, _ := strconv.ParseInt(text, 0, 8) // the plan has checked it
	return int(n)
}

// vector adds the cells of a rotation or a direction. It returns the function
// that checks their codes.
func (c *compiler) vector(op *plan.Op, f *field, add func(cell)) func(codes []uint64) bool {
	v := &c.plan.Vectors[op.Aux]
	var widths []uint8
	var decodes func(code uint64) bool
	var zero uint64
	switch {
	case v.Quat != nil:
		f.kind = rotation
		n := (op.Bits - 2) / 3
		widths = []uint8{2, n, n, n}
		zero, _ = v.Quat.Encode([4]float64{3: 1})
		decodes = func(code uint64) bool { _, ok := v.Quat.Decode(code); return ok }
	case v.Signs != nil:
		n := (op.Bits - 1) / 3
		widths = []uint8{n, n, n, 1}
		zero, _ = v.Signs.Encode([4]float64{3: 1})
		decodes = func(code uint64) bool { _, ok := v.Signs.Decode(code); return ok }
	default:
		widths = []uint8{op.Bits / 2, op.Bits / 2}
		zero, _ = v.Unit.Encode([3]float64{2: 1})
		decodes = func(code uint64) bool { _, ok := v.Unit.Decode(code); return ok }
	}
	for _, n := range widths {
		part := cell{width: n, span: 1<<n - 1}
		part.zero = zero & part.span
		zero >>= n
		add(part)
	}
	return func(codes []uint64) bool {
		var code uint64
		for i, n := range slices.Backward(widths) {
			code = code<<n | codes[i]
		}
		return decodes(code)
	}
}

// wide adds the cells of a 128-bit integer.
func (c *compiler) wide(op *plan.Op, add func(cell)) {
	w := &c.plan.Wides[op.Aux]
	zero := bits.Uint128{}
	least, signed := w.Min, op.Flags&plan.FlagSigned != 0
	high := least.Add(w.Span)
	switch {
	case op.Flags&plan.FlagFullRange != 0:
	case signed && int64(least.Hi) < 0 && int64(high.Hi) >= 0:
		zero = bits.Uint128{}.Sub(least)
	case signed && int64(high.Hi) < 0:
		zero = w.Span
	}
	if op.Bits <= 64 {
		add(cell{width: op.Bits, span: w.Span.Lo, zero: zero.Lo})
		return
	}
	add(cell{width: 64, span: math.MaxUint64, zero: zero.Lo})
	add(cell{width: op.Bits - 64, span: w.Span.Hi, zero: zero.Hi})
}

// velocity turns the codes of a velocity into the distance moved in a number of
// ticks: (sum*256+off)*ticks*num >> shift codes, where sum is that of the codes
// before and after.
type velocity struct {
	num   uint64
	shift uint
	off   int64
}

// move computes how a velocity moves a field. It returns why it cannot.
func (f *field) move(t *table, vel *field, rate float64) (why string) {
	parts := t.cells[f.first : f.first+f.n]
	n := int(f.n)
	if f.kind == rotation {
		n = 3
	}
	if vel.kind != numbers || int(vel.n) != n || n > len(f.scale) {
		return "it needs one number for each component, or three for a rotation"
	}
	for i := range n {
		from := &t.cells[vel.first+int32(i)]
		unit := 0x1p-30 // a rotation turns by radians in fixed point
		if f.kind != rotation {
			unit = parts[i].step
		}
		if from.step == 0 || unit == 0 || from.width > narrow || parts[i].width > narrow {
			return "both must be integers or quantized floats of up to 32 bits"
		}
		each := from.step / unit / rate / 512
		frac, exp := math.Frexp(each)
		if exp > 31 || exp < -90 {
			return "their units are too different"
		}
		f.scale[i] = velocity{uint64(math.Ldexp(frac, 32)), uint(32 - exp), int64(math.Round(from.low / from.step * 512))}
	}
	return ""
}

// distance returns how far a value moves in some ticks.
func (v *velocity) distance(sum, ticks int64) int64 {
	x := (sum<<8 + v.off) * ticks
	abs := uint64(max(x, -x))
	hi, lo := mathbits.Mul64(abs, v.num)
	var moved uint64
	if v.shift < 64 {
		lo, carry := mathbits.Add64(lo, 1<<(v.shift-1), 0)
		hi += carry
		moved = lo>>v.shift | hi<<(64-v.shift)
	} else {
		moved = (hi + 1<<(v.shift-64)>>1) >> (v.shift - 64)
	}
	moved = min(moved, 1<<40)
	if x < 0 {
		return -int64(moved)
	}
	return int64(moved)
}

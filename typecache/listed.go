package typecache

import (
	"math"
	mathbits "math/bits"
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/integer"
	"github.com/gobitpack/bitpack/internal/plan"
)

// listed plans a scalar or a string whose tag lists values that get shorter
// codes. The op for all other values follows.
func (b *builder) listed(t reflect.Type, at *place, o *options) error {
	common, isCommon := o.take("common")
	weights, isHuffman := o.take("huffman")
	switch {
	case isCommon && isHuffman:
		return both("common", "lists values", "huffman does")
	case o.kind == "relative":
		return fail(MistakeConflict, "kind", "remove common and huffman", "has no values to list").with("relative")
	case t.Kind() == reflect.Complex64, t.Kind() == reflect.Complex128:
		return fail(MistakeInapplicable, "", "remove them", "complex numbers are two scalars, to which common and huffman do not apply")
	}
	i := b.emit(&plan.Op{Code: plan.CodeCommon}, t, at)
	var err error
	if k := t.Kind(); k == reflect.String || k == reflect.Slice {
		err = b.text(t, at, o)
	} else {
		err = b.scalar(t, at, o)
	}
	if err != nil {
		return err
	}
	b.plan.Ops[i].End = int32(len(b.plan.Ops))
	op := &b.plan.Ops[i]
	if isCommon {
		err = b.common(op, t, strings.Split(common, "|"))
	} else {
		err = b.huffman(op, t, strings.Split(weights, "|"))
	}
	return err
}

// common plans the index into the listed values.
func (b *builder) common(op *plan.Op, t reflect.Type, list []string) error {
	values, err := b.listedValues("common", t, list)
	op.Bits = uint8(mathbits.Len(uint(len(values) - 1)))
	op.Aux = int32(len(b.plan.Commons))
	b.plan.Commons = append(b.plan.Commons, values)
	return err
}

// huffman plans the Huffman code over the listed values and their weights.
func (b *builder) huffman(op *plan.Op, t reflect.Type, list []string) error {
	h := plan.Huffman{Escape: -1}
	var texts []string
	var weights []uint64
	for i, item := range list {
		colon := strings.LastIndexByte(item, ':')
		if colon < 0 {
			return fail(MistakeValue, "huffman", "", "lists values with their weights, as in huffman=0:90|1:7|*:3, and %q has none", item).with(item)
		}
		x, ok := integer.Parse(item[colon+1:])
		w, small := x.Int64()
		if !ok || !small || w < 1 || w > math.MaxUint32 {
			return badValue("huffman", item[colon+1:], "has weights from 1 to 2^32-1", "")
		}
		weights = append(weights, uint64(w))
		if item[:colon] == "*" {
			if h.Escape >= 0 {
				return fail(MistakeConflict, "huffman", "keep one", "has two escapes")
			}
			h.Escape = i
			continue
		}
		texts = append(texts, item[:colon])
	}
	values, err := b.listedValues("huffman", t, texts)
	if err != nil {
		return err
	}
	if h.Escape >= 0 {
		values = append(values, plan.Value{})
		copy(values[h.Escape+1:], values[h.Escape:])
		values[h.Escape] = plan.Value{}
	}
	h.Values = values
	h.Code, err = compress.NewHuffman(weights)
	op.Code = plan.CodeHuffman
	op.Aux = int32(len(b.plan.Huffmans))
	b.plan.Huffmans = append(b.plan.Huffmans, h)
	return badRange(err)
}

// listedValues parses the values that an option lists. They have type t, and the
// last op encodes them.
func (b *builder) listedValues(option string, t reflect.Type, list []string) ([]plan.Value, error) {
	op := &b.plan.Ops[len(b.plan.Ops)-1]
	b.size += len(list)
	values := make([]plan.Value, len(list))
	listed := make(map[plan.Value]bool, len(list))
	for i, text := range list {
		v, err := b.listedValue(option, op, t, text)
		if err != nil {
			return nil, err
		}
		wire := v
		if op.Code.Single() {
			wire = plan.Value{Code: v.Code}
		}
		if listed[wire] {
			return nil, fail(MistakeConflict, option, "remove it", "lists %q, which is the same on the wire as a value before it", text).with(text)
		}
		listed[wire], values[i] = true, v
	}
	return values, nil
}

// listedValue parses one listed value and checks that op can encode it.
func (b *builder) listedValue(option string, op *plan.Op, t reflect.Type, text string) (v plan.Value, err error) {
	switch k := t.Kind(); {
	case k == reflect.Bool:
		set, err := strconv.ParseBool(text)
		if err != nil {
			return v, badValue(option, text, "lists true and false", "")
		}
		if set {
			v.Code, v.Mem[0] = 1, 1
		}
		return v, nil
	case k == reflect.String:
		v.Text = text
		return v, listedText(option, op, text)
	case k == reflect.Float32 || k == reflect.Float64:
		return b.listedFloat(option, op, t, text)
	case k == reflect.Slice:
		return v, fail(MistakeInapplicable, option, "remove it", "does not apply to %v", t)
	}
	x, ok := integer.Parse(text)
	if !ok {
		return v, badValue(option, text, "lists integers", "")
	}
	sign := signed(t) || t == plan.Int128Type
	if lo, hi := b.bounds(op, int(t.Size()), sign); x.Cmp(lo) < 0 || x.Cmp(hi) > 0 {
		return v, outside(option, "", x, lo, hi, "")
	}
	lo64, hi64 := x.Low128()
	v.Mem = [2]uint64{lo64, hi64}
	if op.Code != plan.CodeWide {
		v.Mem[1] = 0
	}
	if op.Code.Single() {
		if v.Code = lo64 - op.Bias; op.Flags&plan.FlagFullRange != 0 {
			v.Code &= op.Span // Span covers all bits of the two's complement
		}
	}
	return v, nil
}

// listedText returns an error if the field cannot hold text.
func listedText(option string, op *plan.Op, text string) error {
	n := uint64(len(text))
	if op.Code == plan.CodeWString {
		n = uint64(bitio.UTF16Len(text))
	}
	switch {
	case n > op.Bias+op.Span || n < op.Bias:
		return fail(MistakeRange, option, "", "lists %q, whose length is not in [%d, %d]", text, op.Bias, op.Bias+op.Span).with(text).within(op.Bias, op.Bias+op.Span)
	case op.Flags&plan.FlagText != 0 && !bitio.ValidText(text):
		i, b := bitio.BadByte(text)
		return fail(MistakeValue, option, "", "lists %q: %v", text, bits.BadText{Index: i, Unit: b}).with(text)
	}
	return nil
}

// listedFloat parses one listed float and checks that op can encode it.
func (b *builder) listedFloat(option string, op *plan.Op, t reflect.Type, text string) (v plan.Value, err error) {
	x, err := strconv.ParseFloat(text, t.Bits())
	if err != nil {
		return v, badValue(option, text, "lists values of type float"+strconv.Itoa(t.Bits()), "")
	}
	v.Mem[0] = math.Float64bits(x)
	if t.Bits() == 32 {
		v.Mem[0] = uint64(math.Float32bits(float32(x)))
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	switch op.Code {
	case plan.CodeFloat32:
		q := &b.plan.Float32s[op.Aux]
		v.Code, x, lo, hi = uint64(q.Encode(float32(x))), float64(float32(x)), float64(q.Min), float64(q.Min+q.Delta)
	case plan.CodeFloat64:
		q := &b.plan.Float64s[op.Aux]
		v.Code, lo, hi = q.Encode(x), q.Min, q.Min+q.Delta
	case plan.CodeHalf:
		v.Code = uint64(compress.EncodeHalf(float32(x)))
	case plan.CodeAngle:
		v.Code, lo, hi = uint64(b.plan.Angles[op.Aux].Encode(x)), -math.MaxFloat64, math.MaxFloat64
	default:
		v.Code = v.Mem[0]
		return v, nil
	}
	if op.Code != plan.CodeHalf && !(x >= lo && x <= hi) {
		return v, outside(option, "", text, lo, hi, "")
	}
	return v, nil
}

package typecache

import (
	"math"
	mathbits "math/bits"
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/errtext"
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
		return errtext.New("common and huffman both list values: keep one")
	case o.kind == "relative":
		return errtext.New("relative integers have no values to list: remove common and huffman")
	case t.Kind() == reflect.Complex64, t.Kind() == reflect.Complex128:
		return errtext.New("complex numbers are two scalars, to which common and huffman do not apply: remove them")
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
			return errtext.New("huffman lists values with their weights, as in huffman=0:90|1:7|*:3, and %q has none", item)
		}
		x, ok := integer.Parse(item[colon+1:])
		w, small := x.Int64()
		if !ok || !small || w < 1 || w > math.MaxUint32 {
			return errtext.New("a weight must be an integer from 1 to 2^32-1, not %q", item[colon+1:])
		}
		weights = append(weights, uint64(w))
		if item[:colon] == "*" {
			if h.Escape >= 0 {
				return errtext.New("huffman has two escapes: keep one")
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
	return err
}

// listedValues parses the values that an option lists. They have type t, and the
// last op encodes them.
func (b *builder) listedValues(option string, t reflect.Type, list []string) ([]plan.Value, error) {
	op := &b.plan.Ops[len(b.plan.Ops)-1]
	b.size += len(list)
	values := make([]plan.Value, len(list))
	listed := make(map[plan.Value]bool, len(list))
	for i, text := range list {
		v, err := b.listedValue(op, t, text)
		if err != nil {
			return nil, errtext.New("option %q lists %q: %v", option, text, err)
		}
		wire := v
		if op.Code.Single() {
			wire = plan.Value{Code: v.Code}
		}
		if listed[wire] {
			return nil, errtext.New("option %q lists %q, which is the same on the wire as a value before it: remove it", option, text)
		}
		listed[wire], values[i] = true, v
	}
	return values, nil
}

// listedValue parses one listed value and checks that op can encode it.
func (b *builder) listedValue(op *plan.Op, t reflect.Type, text string) (v plan.Value, err error) {
	switch k := t.Kind(); {
	case k == reflect.Bool:
		set, err := strconv.ParseBool(text)
		if err != nil {
			return v, errtext.New("it is neither true nor false")
		}
		if set {
			v.Code, v.Mem[0] = 1, 1
		}
		return v, nil
	case k == reflect.String:
		v.Text = text
		return v, listedText(op, text)
	case k == reflect.Float32 || k == reflect.Float64:
		return b.listedFloat(op, t, text)
	case k == reflect.Slice:
		return v, errtext.New("bytes cannot be listed")
	}
	x, ok := integer.Parse(text)
	if !ok {
		return v, errtext.New("it is not an integer")
	}
	n, sign := t.Size()*8, signed(t) || t == plan.Int128Type
	lo, hi := integer.Range(int(n), sign)
	if op.Code == plan.CodeWide && op.Flags&plan.FlagFullRange == 0 {
		w := b.plan.Wides[op.Aux]
		most := w.Min.Add(w.Span)
		lo, hi = integer.OfWords(w.Min.Lo, w.Min.Hi), integer.OfWords(most.Lo, most.Hi)
		if sign {
			lo, hi = integer.OfSigned128(w.Min.Lo, int64(w.Min.Hi)), integer.OfSigned128(most.Lo, int64(most.Hi))
		}
	}
	if x.Cmp(lo) < 0 || x.Cmp(hi) > 0 {
		return v, errtext.New("it is outside [%v, %v]", lo, hi)
	}
	lo64, hi64 := x.Low128()
	v.Mem = [2]uint64{lo64, hi64}
	if op.Code != plan.CodeWide {
		v.Mem[1] = 0
	}
	if op.Code.Single() {
		v.Code = lo64 - op.Bias
		if op.Code == plan.CodeWord {
			v.Code &= op.Span
			if n := 64 - uint(op.Bits); sign && int64(lo64<<n)>>n != int64(lo64) {
				return v, errtext.New("it does not fit %d bits", op.Bits)
			}
		} else if op.Flags&plan.FlagFullRange != 0 && sign {
			v.Code &= op.Span // Span covers all bits of the two's complement
		}
		if v.Code > op.Span {
			return v, errtext.New("it is outside the range of the field")
		}
	}
	return v, nil
}

// listedText returns an error if the field cannot hold text.
func listedText(op *plan.Op, text string) error {
	n := uint64(len(text))
	if op.Code == plan.CodeWString {
		n = uint64(bitio.UTF16Len(text))
	}
	switch {
	case n > op.Bias+op.Span:
		return errtext.New("it is longer than the field")
	case n < op.Bias:
		return errtext.New("it is shorter than minlen=%d", op.Bias)
	case op.Flags&plan.FlagText != 0 && !bitio.ValidText(text):
		return errtext.New("it is not UTF-8 without zeros")
	}
	return nil
}

// listedFloat parses one listed float and checks that op can encode it.
func (b *builder) listedFloat(op *plan.Op, t reflect.Type, text string) (v plan.Value, err error) {
	x, err := strconv.ParseFloat(text, t.Bits())
	if err != nil {
		return v, errtext.New("it is not a float%d", t.Bits())
	}
	v.Mem[0] = math.Float64bits(x)
	if t.Bits() == 32 {
		v.Mem[0] = uint64(math.Float32bits(float32(x)))
	}
	outside := false
	switch op.Code {
	case plan.CodeFloat32:
		q := &b.plan.Float32s[op.Aux]
		v.Code, outside = uint64(q.Encode(float32(x))), !(float32(x) >= q.Min && float32(x) <= q.Min+q.Delta)
	case plan.CodeFloat64:
		q := &b.plan.Float64s[op.Aux]
		v.Code, outside = q.Encode(x), !(x >= q.Min && x <= q.Min+q.Delta)
	case plan.CodeHalf:
		v.Code = uint64(compress.EncodeHalf(float32(x)))
	case plan.CodeAngle:
		v.Code, outside = uint64(b.plan.Angles[op.Aux].Encode(x)), !compress.Finite64(x)
	default:
		v.Code = v.Mem[0]
	}
	if outside {
		return v, errtext.New("it is outside the bounds of the field")
	}
	return v, nil
}

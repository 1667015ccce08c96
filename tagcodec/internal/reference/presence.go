package reference

import (
	"math"
	mathbits "math/bits"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/values"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// isZero reports whether every value of the ops from pc to end is zero, or is
// quantized to zero. If read is true, the values have just been read. Links and
// values with their own encoding then never count as zero, because something
// other than zero may have been sent for them.
func (in *interpreter) isZero(pc, end int, base reflect.Value, read bool) bool {
	for !Closes(in.p, pc, end) {
		op := &in.p.Ops[pc]
		v := core.FieldAt(in.p, op, base)
		next, zero := opAfter(in.p, pc), true
		switch op.Code {
		case plan.CodeConst, plan.CodeAlign, plan.CodePresent:
		case plan.CodeOptional, plan.CodeCommon, plan.CodeHuffman, plan.CodeRunLength, plan.CodeScale:
			next = pc + 1
		case plan.CodeIf:
			if read && in.conditionHoldsOnRead(op.Aux, base) || !read && in.conditionHolds(op.Aux, base) {
				next = pc + 1
			}
		case plan.CodeArray:
			for i := range v.Len() {
				zero = zero && in.isZero(pc+1, -1, v.Index(i), read)
			}
		case plan.CodeSubset:
			zero = len(in.present(op, v)) == 0
		case plan.CodeCall:
			zero = in.isZero(int(op.End), -1, v, read)
		case plan.CodeFloat32, plan.CodeFloat64, plan.CodeHalf, plan.CodeAngle:
			_, err := EachOf(v, false, func(v reflect.Value) error { return in.readsZero(op, v) })
			zero = err == nil
		case plan.CodeVector: // negative zero counts as zero
			_, x, _ := vectorCode(&in.p.Vectors[op.Aux], v)
			zero = x == [4]float64{} || x == [3]float64{}
		case plan.CodeCString:
			zero = v.Bytes()[0] == 0
		case plan.CodeCustom, plan.CodeBinary:
			zero = !read && v.IsZero()
		case plan.CodeLink:
			zero = !read && v.IsNil()
		case plan.CodeWord, plan.CodeWide, plan.CodeVarint, plan.CodeRelative, plan.CodeBytes,
			plan.CodeString, plan.CodeWString, plan.CodeMatrix, plan.CodePointer, plan.CodeUnion:
			zero = values.AllBitsZero(v)
		default:
			if !op.Code.Integer() && !op.Code.PrefixCoded() { // comparable types have no other codes
				panic(core.UnhandledCode("compare", op.Code))
			}
			zero = values.AllBitsZero(v)
		}
		if !zero {
			return false
		}
		pc = next
	}
	return true
}

// readsZero returns an error unless the quantized float v is zero or its code
// decodes to zero.
func (in *interpreter) readsZero(op *plan.Op, v reflect.Value) error {
	if values.AllBitsZero(v) {
		return nil
	}
	back := reflect.New(v.Type()).Elem()
	e := encoder{interpreter: interpreter{c: in.c, p: in.p}, w: new(bits.Writer)}
	if _, err := e.code(op, v); err != nil {
		return err
	}
	d := decoder{interpreter: interpreter{c: in.c, p: in.p}, r: bits.NewReader(e.scratch.Bytes())}
	if err := d.scalar(op, back, blockBase{}); err != nil {
		return err
	}
	if !values.AllBitsZero(back) {
		return bits.ErrRange
	}
	return nil
}

// isListed reports whether v equals a listed value. Two values of an op whose
// code is Single are equal if the wire has the same bits for them.
func isListed(op *plan.Op, v reflect.Value, code uint64, value *plan.Value) bool {
	switch {
	case op.Code.Single():
		return code == value.Code
	case v.Kind() == reflect.String:
		return v.String() == value.Text
	case op.Code == plan.CodeWide:
		return wordsOf(v) == value.Mem
	case op.Code != plan.CodeVarint && !op.Code.PrefixCoded():
		panic(core.UnhandledCode("compare", op.Code))
	case v.CanInt():
		return uint64(v.Int()) == value.Mem[0]
	}
	return v.Uint() == value.Mem[0]
}

// wordsOf returns the words of a 128-bit integer, low word first.
func wordsOf(v reflect.Value) [2]uint64 {
	if v.Type() == reflect.TypeFor[bits.Int128]() {
		x := As[bits.Int128](v)
		return [2]uint64{x.Lo, uint64(x.Hi)}
	}
	x := As[bits.Uint128](v)
	return [2]uint64{x.Lo, x.Hi}
}

// setListed stores a listed value.
func setListed(v reflect.Value, value *plan.Value) {
	x := value.Mem[0]
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(x != 0)
	case v.Kind() == reflect.String:
		v.SetString(value.Text)
	case v.Kind() == reflect.Float32:
		*As[float32](v) = math.Float32frombits(uint32(x))
	case v.Kind() == reflect.Float64:
		*As[float64](v) = math.Float64frombits(x)
	case v.Type() == reflect.TypeFor[bits.Uint128]():
		*As[bits.Uint128](v) = bits.Uint128{Lo: x, Hi: value.Mem[1]}
	case v.Type() == reflect.TypeFor[bits.Int128]():
		*As[bits.Int128](v) = bits.Int128{Lo: x, Hi: int64(value.Mem[1])}
	case v.CanInt():
		v.SetInt(int64(x))
	default:
		v.SetUint(x)
	}
}

// code returns the bits that the wire has for a value of an op whose code is
// Single.
func (e *encoder) code(op *plan.Op, v reflect.Value) (uint64, error) {
	w := e.w
	e.scratch.Reset(e.scratchBuffer[:])
	e.w = &e.scratch
	err := e.scalar(op, v, blockBase{})
	e.w = w
	if err != nil {
		err.(*bits.Error).Bit = w.Bit()
		return 0, err
	}
	return codeAt(e.scratch.Bytes(), 0, int(op.Bits)), nil
}

// codeAt returns the n bits of data starting at bit, zero-padded at the end.
func codeAt(data []byte, bit, n int) uint64 {
	if n == 0 {
		return 0
	}
	return bitio.PeekWord(data, bit) << (64 - n) >> (64 - n)
}

// listed writes the code of the listed value that equals v. For any other value
// it writes the escape code (or a 0 bit for CodeCommon) and returns false.
func (e *encoder) listed(op *plan.Op, v reflect.Value) (listed bool, err error) {
	valueOp := &e.p.Ops[op.End-1]
	var code uint64
	if valueOp.Code.Single() {
		if code, err = e.code(valueOp, v); err != nil {
			return false, err
		}
	}
	if op.Code == plan.CodeHuffman {
		h := &e.p.Huffmans[op.Aux]
		symbol := h.Escape
		for i := len(h.Values) - 1; i >= 0; i-- {
			if i != h.Escape && isListed(valueOp, v, code, &h.Values[i]) {
				symbol = i
			}
		}
		if symbol < 0 {
			return false, core.UnlistedError(v)
		}
		word, n := h.Code.Code(symbol)
		e.w.WriteBits(word, n)
		return symbol != h.Escape, nil
	}
	values := e.p.Commons[op.Aux]
	for i := range values {
		if isListed(valueOp, v, code, &values[i]) {
			e.w.WriteBool(true)
			if len(values) == 2 {
				e.w.WriteBool(i == 0)
			} else {
				e.w.WriteUint(uint64(i), 0, uint64(len(values)-1))
			}
			return true, nil
		}
	}
	e.w.WriteBool(false)
	return false, nil
}

// prefix returns the length in bits of the next code. decode returns that
// length for a word that starts with the code. prefix requests one more bit at
// a time, so it never waits for bits after the code.
func (d *decoder) prefix(decode func(word uint64) (n int)) int {
	for k := 1; ; k++ {
		available := access.Ensure(d.r, k)
		n := decode(bitio.PeekWord(access.Data(d.r), d.r.Bit()))
		if n <= k || !available {
			return n
		}
	}
}

// listed is the inverse of the encoder's listed. It also reads a value that is
// not listed.
func (d *decoder) listed(pc int, op *plan.Op, v reflect.Value, b blockBase) *stop {
	r, bit := d.r, d.r.Bit()
	valueOp := &d.p.Ops[op.End-1]
	index, escape, n := -1, -1, 1
	var values []plan.Value
	if op.Code == plan.CodeHuffman {
		h := &d.p.Huffmans[op.Aux]
		values, escape = h.Values, h.Escape
		n = d.prefix(func(word uint64) (n int) {
			index, n = h.Code.Decode(word)
			return n
		})
	} else {
		values = d.p.Commons[op.Aux]
		if access.Ensure(r, 1) && codeAt(access.Data(r), bit, 1) == 1 {
			n = 1 + mathbits.Len(uint(len(values)-1))
			access.Ensure(r, n)
			index = int(codeAt(access.Data(r), bit+1, n-1))
			if len(values) == 2 {
				index = 1 - index
			}
		}
	}
	if left := r.Remaining(); left < n {
		return d.fail(op, d.refuse(bit, bits.ErrOverread, n, nil, left))
	}
	r.ReadBits(n)
	switch {
	case index >= len(values):
		return d.fail(op, d.refuse(bit, bits.ErrRange, index, 0, len(values)-1))
	case index >= 0 && index != escape:
		setListed(v, &values[index])
		d.traceValue(op, -1, "listed", v)
		return nil
	}
	d.traceText(op, "not listed")
	// A listed value must not be written in full.
	checkUnlisted := func(code uint64) *stop {
		for i := range values {
			if i != escape && isListed(valueOp, v, code, &values[i]) {
				return d.failAt(op, bit, core.ListedError(v.Type(), &values[i]))
			}
		}
		return nil
	}
	if n := int(valueOp.Bits); valueOp.Code.Single() && access.Ensure(r, n) {
		if s := checkUnlisted(codeAt(access.Data(r), r.Bit(), n)); s != nil {
			return s
		}
	}
	s := d.ops(pc+1, int(op.End), b)
	if s == nil && !valueOp.Code.Single() {
		s = checkUnlisted(0)
	}
	return s
}

// scalarOf is one float of a scale, with its op.
type scalarOf struct {
	op *plan.Op
	v  reflect.Value
}

// scalars returns the one or three floats of a scale.
func (in *interpreter) scalars(pc int, op *plan.Op, b blockBase) (all []scalarOf) {
	for pc++; pc < int(op.End); pc++ {
		each := &in.p.Ops[pc]
		EachOf(core.FieldAt(in.p, each, b.value), false, func(v reflect.Value) error {
			all = append(all, scalarOf{each, v})
			return nil
		})
	}
	return all
}

// uniform reports whether all codes are equal.
func uniform(codes []uint64) bool {
	for _, c := range codes {
		if c != codes[0] {
			return false
		}
	}
	return true
}

// scale writes a bit that is 1 if the scale is 1. Otherwise, if there are
// several axes, it writes a bit that is 1 if all have the same scale, and then
// the one or three scales.
func (e *encoder) scale(pc int, op *plan.Op, b blockBase) error {
	var codes []uint64
	all := e.scalars(pc, op, b)
	for _, s := range all {
		code, err := e.code(s.op, s.v)
		if err != nil {
			return err
		}
		codes = append(codes, code)
	}
	same := uniform(codes)
	unscaled := same && codes[0] == e.p.Commons[op.Aux][0].Code
	if e.w.WriteBool(unscaled); unscaled {
		return nil
	}
	if len(all) > 1 {
		e.w.WriteBool(same)
	}
	for _, s := range all {
		if err := e.scalar(s.op, s.v, b); err != nil || same {
			return err
		}
	}
	return nil
}

// scale is the inverse of the encoder's scale.
func (d *decoder) scale(pc int, op *plan.Op, b blockBase) error {
	bit, all := d.r.Bit(), d.scalars(pc, op, b)
	one := &d.p.Commons[op.Aux][0]
	unscaled, same := d.r.ReadBool(), false
	if d.r.Err() == nil && !unscaled && len(all) > 1 {
		same = d.r.ReadBool()
	}
	if d.r.Err() != nil {
		return d.r.Err()
	}
	switch {
	case unscaled:
		d.traceText(op, "scale of 1")
	case same:
		d.traceText(op, "uniform scale")
	default:
		d.traceText(op, "scale")
	}
	start := d.r.Bit()
	var codes []uint64
	for i, s := range all {
		if unscaled {
			setListed(s.v, one)
			continue
		}
		if same {
			d.r.Reset(access.Data(d.r), start)
		}
		access.Ensure(d.r, int(s.op.Bits))
		codes = append(codes, codeAt(access.Data(d.r), d.r.Bit(), int(s.op.Bits)))
		if err := d.scalar(s.op, s.v, b); err != nil {
			return err
		}
		if s.op.Count == 1 {
			d.traceValue(s.op, -1, "", s.v)
		} else {
			d.traceValue(s.op, i, "", s.v)
		}
	}
	if !unscaled && uniform(codes) && (codes[0] == one.Code || len(all) > 1 && !same) {
		return d.refuse(bit, core.ErrNotCanonical, nil, nil, nil)
	}
	return nil
}

package reference

import (
	"math"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/values"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/streams"
)

// Decode decodes data from bit into v, which must be settable, and returns the
// bit after the message. If fill is not nil, Decode calls fill(n) for data that
// has n bytes or all there are.
func Decode(c *core.Settings, pl *plan.Plan, v reflect.Value, data []byte, bit int, fill func(n int) []byte) (int, error) {
	s := streams.Get()
	defer s.Free()
	s.R.Reset(data, bit)
	s.Context.Fill = fill
	err := Read(c, pl, v, &s.R)
	return s.R.Bit(), err
}

// Read reads a message from r into v, which must be settable.
func Read(c *core.Settings, pl *plan.Plan, v reflect.Value, r *bits.Reader) error {
	d := decoder{interpreter: interpreter{c: c, p: pl, operation: "unmarshal", root: v, depth: c.Depth, reservedBits: c.ReservedBits}, r: r}
	if ctx := *access.ReaderContext(r); ctx != nil {
		d.ahead = ctx.Ahead
	}
	s := d.ops(pl.Start, -1, blockBase{value: v})
	return d.report(s)
}

// DecodeAll is Decode for each element of the slice all. After an error it returns
// the index of the element that failed.
func DecodeAll(c *core.Settings, pl *plan.Plan, all reflect.Value, data []byte, bit int) (end, failed int, err error) {
	s := streams.Get()
	defer s.Free()
	s.R.Reset(data, bit)
	for i := range all.Len() {
		if err := Read(c, pl, all.Index(i), &s.R); err != nil {
			return s.R.Bit(), i, err
		}
	}
	return s.R.Bit(), 0, nil
}

// decoder reads a message.
type decoder struct {
	interpreter
	r     *bits.Reader
	trace *tracer // or nil
	ahead *int    // Ahead of the context of r
}

// refuse returns the error for a value that starts at bit.
func (d *decoder) refuse(bit int, err error, value, least, most any) error {
	return &bits.Error{Op: "read", Bit: bit, Err: err, Value: value, Min: least, Max: most}
}

// ops executes the ops from pc to the end of their block, or to index end.
func (d *decoder) ops(pc, end int, b blockBase) *stop {
	for ; !Closes(d.p, pc, end); pc = opAfter(d.p, pc) {
		op := &d.p.Ops[pc]
		v := core.FieldAt(d.p, op, b.value)
		if d.ahead != nil {
			*d.ahead = saturate.Add(d.reservedBits, int(op.Rest))
		}
		var s *stop
		switch {
		case op.Code.Block():
			s = d.block(pc, op, v)
		case op.Code.Encloses():
			s = d.enclosing(pc, op, v, b)
		case op.Code == plan.CodePresent: // checked by enclosing
		case op.Code.Scalar():
			if d.ahead != nil && op.Code.Single() { // all values of an array in one call
				access.Ensure(d.r, saturate.Mul(op.Count, int(op.Bits)))
			}
			i := -1
			path, err := EachOf(v, true, func(v reflect.Value) error {
				err := d.scalar(op, v, b)
				i++
				d.traceValue(op, i, "", v)
				return err
			})
			if s = d.fail(op, err); s != nil {
				s.subpath = path
			}
		default:
			s = d.nonRepeating(op, v)
		}
		if s != nil {
			return s
		}
	}
	return nil
}

// enclosing executes an op that decides whether the ops it encloses run.
func (d *decoder) enclosing(pc int, op *plan.Op, v reflect.Value, b blockBase) *stop {
	switch op.Code {
	case plan.CodeIf:
		if !d.conditionHoldsOnRead(op.Aux, b.value) {
			setZero(v)
			return nil
		}
	case plan.CodeOptional:
		bit := d.r.Bit()
		present := d.r.ReadBool()
		if err := d.r.Err(); err != nil {
			return d.fail(op, err)
		}
		if !present {
			d.traceText(op, "zero")
			setZero(v)
			return nil
		}
		d.traceText(op, "not zero")
		if s := d.ops(pc+1, int(op.End), b); s != nil {
			return s
		}
		last := &d.p.Ops[op.End-1]
		if last.Code == plan.CodePresent && d.isZero(pc+1, int(op.End)-1, b.value, true) {
			return d.fail(op, d.refuse(bit, core.ErrNotCanonical, nil, nil, nil))
		}
		return nil
	case plan.CodeCommon, plan.CodeHuffman:
		return d.listed(pc, op, v, b)
	case plan.CodeRunLength:
		return d.runLength(pc, op, v, b)
	case plan.CodeScale:
		return d.fail(op, d.scale(pc, op, b))
	default:
		panic(core.UnhandledCode("read", op.Code))
	}
	return d.ops(pc+1, int(op.End), b)
}

// setZero sets a variable to zero. In an embedded struct of an unexported type,
// reflect can set only the exported fields. Messages never set the other fields
// either.
func setZero(v reflect.Value) {
	if v = core.Exposed(v); v.CanSet() {
		v.SetZero()
	} else if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			setZero(v.Field(i))
		}
	}
}

// block executes the ops of a block for each of its elements.
func (d *decoder) block(pc int, op *plan.Op, v reflect.Value) *stop {
	var n int    // number of elements
	var set bool // whether a pointer is non-nil
	defer func(reserved int) { d.reservedBits = reserved }(d.reservedBits)
	d.reservedBits = saturate.Add(d.reservedBits, int(op.Rest))
	switch bit := d.r.Bit(); op.Code {
	case plan.CodeSlice, plan.CodeMap:
		var v uint64 // a map's count may be wider than its largest value
		if op.Bits > 0 {
			v = d.r.ReadBits(int(op.Bits))
		}
		if n = int(op.Bias + v); v > op.Span {
			return d.fail(op, d.refuse(bit, bits.ErrLength, n, int(op.Bias), int(op.Bias+op.Span)))
		}
		if err := d.requireBits(bit, n, d.p.Elems[op.Aux].MinBits); err != nil {
			return d.fail(op, err)
		}
		d.traceInt(op, "count", n)
	case plan.CodePointer:
		if set = d.r.ReadBool(); !set {
			d.traceText(op, "nil")
		} else {
			d.traceText(op, "not nil")
			if err := d.requireBits(bit, 1, d.p.Elems[op.Aux].MinBits); err != nil {
				return d.fail(op, err)
			}
		}
	case plan.CodeCall:
		if s := d.deeper(op, d.r.Bit()); s != nil {
			return s
		}
		defer func() { d.depth-- }()
	}
	if err := d.r.Err(); err != nil {
		return d.fail(op, err)
	}
	switch op.Code {
	case plan.CodeSubset:
		return d.subset(pc, op, v)
	case plan.CodeMatrix:
		return d.matrix(pc, op, v)
	case plan.CodeUnion:
		return d.union(op, v)
	}
	if s := d.pushBlock(op, v, d.r.Bit()); s != nil {
		return s
	}
	return d.popBlock(d.elements(pc, op, v, n, set))
}

// elements executes the ops of the innermost block: for the n elements of a
// slice or map, or for the target of a pointer if set is true.
func (d *decoder) elements(pc int, op *plan.Op, v reflect.Value, n int, set bool) *stop {
	switch op.Code {
	case plan.CodeCall:
		return d.ops(int(op.End), -1, blockBase{value: v})
	case plan.CodePointer:
		if !set {
			v.SetZero()
			return nil
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return d.ops(pc+1, -1, blockBase{value: v.Elem()})
	case plan.CodeMap:
		return d.entries(pc, op, v, n)
	case plan.CodeSlice:
		setLen(op, v, n)
		fallthrough
	case plan.CodeArray:
		var previous reflect.Value
		each, reserved := d.p.Elems[op.Aux].MinBits, d.reservedBits
		for i := range v.Len() {
			d.reservedBits = saturate.MulAdd(v.Len()-1-i, each, reserved)
			d.innermost().index = i
			elem := v.Index(i)
			if s := d.ops(pc+1, -1, blockBase{elem, previous}); s != nil {
				d.clearRest(op, v, i)
				return s
			}
			previous = elem
		}
		return nil
	}
	panic(core.UnhandledCode("read", op.Code))
}

// clearRest zeroes the slice elements after element i if core.ClearsRest reports
// true for op.
func (d *decoder) clearRest(op *plan.Op, v reflect.Value, i int) {
	if core.ClearsRest(op) {
		v.Slice(i+1, v.Len()).Clear()
	}
}

// requireBits fails unless enough bits remain for n elements of at least each
// bits, in addition to the reserved bits. Its error is at bit, where the count
// of the elements starts.
func (d *decoder) requireBits(bit, n, each int) error {
	if d.r.Err() != nil {
		return d.r.Err()
	}
	all := saturate.MulAdd(n, each, d.reservedBits)
	if n > 0 && each > 0 {
		if d.ahead != nil {
			*d.ahead = 0 // all has them
		}
		access.Ensure(d.r, all)
	}
	if left := d.r.Remaining(); !core.Covers(left-d.reservedBits, n, each) {
		return d.refuse(bit, bits.ErrOverread, all, nil, left)
	}
	return nil
}

// setLen sets the length of a slice to n. Elements that it adds or drops are
// cleared.
func setLen(op *plan.Op, v reflect.Value, n int) {
	if n > v.Cap() || core.Excessive(op, v.Cap(), n) {
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		return
	}
	old := v.Len()
	v.SetLen(max(n, old))
	v.Slice(min(n, old), max(n, old)).Clear()
	v.SetLen(n)
}

// entries executes the ops of a map for n entries, and then stores them in m.
func (d *decoder) entries(pc int, op *plan.Op, m reflect.Value, n int) *stop {
	all := reflect.MakeSlice(reflect.SliceOf(d.p.Elems[op.Aux].Type), n, n)
	var previous reflect.Value
	each, reserved := d.p.Elems[op.Aux].MinBits, d.reservedBits
	for i := range n {
		d.reservedBits = saturate.MulAdd(n-1-i, each, reserved)
		entry := all.Index(i)
		d.innermost().elem = entry
		if s := d.ops(pc+1, -1, blockBase{entry, previous}); s != nil {
			return s
		}
		if i > 0 && values.KeyOf(previous.Field(0)).Compare(values.KeyOf(entry.Field(0))) >= 0 {
			return d.fail(&d.p.Ops[op.End-1], d.refuse(d.r.Bit(), core.ErrOrder, nil, nil, nil))
		}
		previous = entry
	}
	core.ClearMap(m, n, int(op.KeepCapacity))
	for i := range n {
		m.SetMapIndex(all.Index(i).Field(0), all.Index(i).Field(1))
	}
	return nil
}

// scalar reads one value of an op.
func (d *decoder) scalar(op *plan.Op, v reflect.Value, b blockBase) error {
	r := d.r
	switch op.Code {
	case plan.CodeBool:
		v.SetBool(r.ReadBool())
	case plan.CodeUint8, plan.CodeUint16, plan.CodeUint32, plan.CodeUint64,
		plan.CodeInt8, plan.CodeInt16, plan.CodeInt32, plan.CodeWord:
		return d.integer(op, v)
	case plan.CodeFloat32:
		q := &d.p.Float32s[op.Aux]
		*As[float32](v) = q.Decode(uint32(r.ReadUint(0, uint64(q.Steps))))
	case plan.CodeFloat64:
		q := &d.p.Float64s[op.Aux]
		*As[float64](v) = q.Decode(r.ReadUint(0, q.Steps))
	case plan.CodeHalf:
		*As[float32](v) = compress.DecodeHalf(uint16(r.ReadBits(16)))
	case plan.CodeAngle:
		a := &d.p.Angles[op.Aux]
		if code := uint32(r.ReadBits(a.Bits())); v.Kind() == reflect.Float32 {
			*As[float32](v) = a.Decode32(code)
		} else {
			*As[float64](v) = a.Decode(code)
		}
	case plan.CodeWide:
		least, most := wideBounds(d.p, op)
		switch {
		case op.Flags&plan.FlagSigned == 0:
			*As[bits.Uint128](v) = r.ReadUint128(least, most)
		case op.Flags&plan.FlagFullRange != 0:
			*As[bits.Int128](v) = r.ReadUint128(least, most).Signed()
		default:
			*As[bits.Int128](v) = r.ReadInt128(least.Signed(), most.Signed())
		}
	case plan.CodeVarint:
		return d.varint(v)
	case plan.CodeRelative:
		rel := &d.p.Relatives[op.Aux]
		x := r.ReadRelative(predecessor(d.p, op, b), rel.Min, rel.Max)
		return d.set(v, r.Bit(), x, uint64(x))
	default:
		if !op.Code.PrefixCoded() {
			panic(core.UnhandledCode("read", op.Code))
		}
		return d.prefixCoded(op, v)
	}
	return r.Err()
}

// set stores an integer, given in both signed and unsigned form, that starts at
// bit. It fails if the integer does not fit in memory: an int, for example, has
// 64 bits on the wire but may have 32 in memory.
func (d *decoder) set(v reflect.Value, bit int, signed int64, unsigned uint64) error {
	size := v.Type().Bits()
	switch {
	case d.r.Err() != nil:
		return d.r.Err()
	case v.CanInt() && v.OverflowInt(signed):
		return d.refuse(bit, bits.ErrRange, signed, int64(-1)<<(size-1), int64(1)<<(size-1)-1)
	case v.CanInt():
		v.SetInt(signed)
	case v.OverflowUint(unsigned):
		return d.refuse(bit, bits.ErrRange, unsigned, uint64(0), uint64(math.MaxUint64)>>(64-size))
	default:
		v.SetUint(unsigned)
	}
	return nil
}

// integer reads an integer with a range or a fixed width, or all bits of a
// float.
func (d *decoder) integer(op *plan.Op, v reflect.Value) error {
	r, bit := d.r, d.r.Bit()
	switch fullRange := op.Flags&plan.FlagFullRange != 0; {
	case v.Kind() == reflect.Float32:
		*As[float32](v) = r.ReadFloat32()
	case v.Kind() == reflect.Float64:
		*As[float64](v) = r.ReadFloat64()
	case v.CanInt() && fullRange:
		unused := 64 - op.Bits
		x := int64(r.ReadBits(int(op.Bits))<<unused) >> unused
		return d.set(v, bit, x, 0)
	case v.CanInt():
		x := r.ReadInt(SignedBounds(op))
		return d.set(v, bit, x, 0)
	default:
		x := r.ReadUint(UnsignedBounds(op))
		return d.set(v, bit, 0, x)
	}
	return r.Err()
}

// varint reads an integer in groups of 7 bits.
func (d *decoder) varint(v reflect.Value) error {
	start := d.r.Bit()
	x := d.r.ReadVarint()
	signed := int64(x / 2)
	if x%2 == 1 {
		signed = ^signed
	}
	return d.set(v, start, signed, x)
}

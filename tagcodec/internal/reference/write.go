package reference

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/streams"
)

// Encode appends the message of v, which must be settable, to dst.
func Encode(c *core.Settings, pl *plan.Plan, v reflect.Value, dst []byte) ([]byte, error) {
	s := streams.Get()
	defer s.Free()
	s.W.Resume(dst, len(dst), 0)
	if err := Write(c, pl, v, &s.W, dst[len(dst):cap(dst)]); err != nil {
		return dst, err
	}
	return s.W.Bytes(), nil
}

// Write writes the message of v, which must be settable, to w. After an error w
// may contain part of the message. initialBuffer is the memory that the message
// starts in.
func Write(c *core.Settings, pl *plan.Plan, v reflect.Value, w *bits.Writer, initialBuffer []byte) error {
	e := encoder{interpreter: interpreter{c: c, p: pl, operation: "marshal", depth: c.Depth}, w: w, initialBuffer: initialBuffer}
	return e.report(e.ops(pl.Start, -1, blockBase{value: v}))
}

// WriteAll is Write for each element of the slice all. After an error it returns
// the index of the element that failed, and the bit where it starts.
func WriteAll(c *core.Settings, pl *plan.Plan, all reflect.Value, w *bits.Writer, initialBuffer []byte) (failed, bit int, err error) {
	for i := range all.Len() {
		bit = w.Bit()
		if err := Write(c, pl, all.Index(i), w, initialBuffer); err != nil {
			return i, bit, err
		}
	}
	return 0, w.Bit(), nil
}

// encoder writes a message.
type encoder struct {
	interpreter
	w             *bits.Writer
	initialBuffer []byte // memory that the message started in

	scratch       bits.Writer // writer for codes that are inspected before they are written
	scratchBuffer [8]byte     // buffer of scratch
}

// refuse returns the error for a value at the current bit.
func (e *encoder) refuse(err error, value, least, most any) error {
	return &bits.Error{Op: "write", Bit: e.w.Bit(), Err: err, Value: value, Min: least, Max: most}
}

// ops executes the ops from pc to the end of their block, or to index end.
func (e *encoder) ops(pc, end int, b blockBase) *stop {
	for ; !Closes(e.p, pc, end); pc = opAfter(e.p, pc) {
		op := &e.p.Ops[pc]
		v := core.FieldAt(e.p, op, b.value)
		var s *stop
		switch {
		case op.Code.Block():
			s = e.block(pc, op, v)
		case op.Code.Encloses():
			s = e.enclosing(pc, op, v, b)
		case op.Code.Scalar():
			path, err := EachOf(v, false, func(v reflect.Value) error { return e.scalar(op, v, b) })
			if s = e.fail(op, err); s != nil {
				s.subpath = path
			}
		default:
			s = e.failAt(op, e.w.Bit(), e.nonRepeating(op, v))
		}
		if s != nil {
			return s
		}
	}
	return nil
}

// enclosing executes an op that decides whether the ops it encloses run.
func (e *encoder) enclosing(pc int, op *plan.Op, v reflect.Value, b blockBase) *stop {
	switch op.Code {
	case plan.CodeIf:
		if !e.conditionHolds(op.Aux, b.value) {
			return nil
		}
	case plan.CodeOptional:
		zero := e.isZero(pc+1, int(op.End), b.value, false)
		if e.w.WriteBool(!zero); zero {
			return nil
		}
	case plan.CodeCommon, plan.CodeHuffman:
		bit := e.w.Bit()
		if listed, err := e.listed(op, v); listed || err != nil {
			return e.failAt(op, bit, err)
		}
	case plan.CodeRunLength:
		return e.runLength(pc, op, v)
	case plan.CodeScale:
		return e.fail(op, e.scale(pc, op, b))
	default:
		panic(core.UnhandledCode("write", op.Code))
	}
	return e.ops(pc+1, int(op.End), b)
}

// block executes the ops of a block for each of its elements.
func (e *encoder) block(pc int, op *plan.Op, v reflect.Value) *stop {
	switch op.Code {
	case plan.CodeSlice:
		if bit := e.w.Bit(); op.Code == plan.CodeSlice && v.Type().Elem().Size() == 1 && uint64(v.Len())-op.Bias <= op.Span && e.overlaps(v) {
			return e.failAt(op, bit, core.ErrShared)
		}
		e.w.WriteCount(v.Len(), int(op.Bias), int(op.Bias+op.Span))
	case plan.CodeMap: // the width allows for more entries than the key type has values
		least, most := int(op.Bias), int(op.Bias+op.Span)
		if v.Len() < least || v.Len() > most {
			return e.fail(op, e.refuse(bits.ErrLength, v.Len(), least, most))
		}
		if op.Bits > 0 {
			e.w.WriteBits(uint64(v.Len()-least), int(op.Bits))
		}
	case plan.CodePointer:
		e.w.WriteBool(!v.IsNil())
	case plan.CodeCall:
		if s := e.deeper(op, e.w.Bit()); s != nil {
			return s
		}
		defer func() { e.depth-- }()
	}
	if err := e.w.Err(); err != nil {
		return e.fail(op, err)
	}
	switch op.Code {
	case plan.CodeSubset:
		return e.subset(pc, op, v)
	case plan.CodeMatrix:
		return e.matrix(pc, op, v)
	case plan.CodeUnion:
		return e.union(op, v)
	}
	if s := e.pushBlock(op, v, e.w.Bit()); s != nil {
		return s
	}
	return e.popBlock(e.elements(pc, op, v))
}

// elements executes the ops of the innermost block.
func (e *encoder) elements(pc int, op *plan.Op, v reflect.Value) *stop {
	switch op.Code {
	case plan.CodeCall:
		return e.ops(int(op.End), -1, blockBase{value: v})
	case plan.CodePointer:
		if v.IsNil() {
			return nil
		}
		return e.ops(pc+1, -1, blockBase{value: v.Elem()})
	case plan.CodeMap:
		return e.entries(pc, op, v)
	case plan.CodeArray, plan.CodeSlice:
		var previous reflect.Value
		for i := range v.Len() {
			e.innermost().index = i
			elem := v.Index(i)
			if s := e.ops(pc+1, -1, blockBase{elem, previous}); s != nil {
				return s
			}
			previous = elem
		}
		return nil
	}
	panic(core.UnhandledCode("write", op.Code))
}

// entries executes the ops of a map for its entries, in the order of their
// keys. The ops see an entry as a struct of key and value.
func (e *encoder) entries(pc int, op *plan.Op, m reflect.Value) *stop {
	all := core.SortedEntries(m, &e.p.Elems[op.Aux])
	var previous reflect.Value
	for i := range all.Len() {
		entry := all.Index(i)
		e.innermost().elem = entry
		if s := e.ops(pc+1, -1, blockBase{entry, previous}); s != nil {
			return s
		}
		previous = entry
	}
	return nil
}

// scalar writes one value of an op.
func (e *encoder) scalar(op *plan.Op, v reflect.Value, b blockBase) error {
	w := e.w
	switch op.Code {
	case plan.CodeBool:
		w.WriteBool(v.Bool())
	case plan.CodeUint8, plan.CodeUint16, plan.CodeUint32, plan.CodeUint64,
		plan.CodeInt8, plan.CodeInt16, plan.CodeInt32, plan.CodeWord:
		return e.integer(op, v)
	case plan.CodeFloat32:
		x := *As[float32](v)
		if !compress.Finite32(x) {
			return e.refuse(bits.ErrRange, x, nil, nil)
		}
		q := &e.p.Float32s[op.Aux]
		w.WriteUint(uint64(q.Encode(x)), 0, uint64(q.Steps))
	case plan.CodeFloat64:
		x := *As[float64](v)
		if !compress.Finite64(x) {
			return e.refuse(bits.ErrRange, x, nil, nil)
		}
		q := &e.p.Float64s[op.Aux]
		w.WriteUint(q.Encode(x), 0, q.Steps)
	case plan.CodeHalf:
		w.WriteBits(uint64(compress.EncodeHalf(*As[float32](v))), 16)
	case plan.CodeAngle:
		if x := v.Float(); !compress.Finite64(x) {
			return e.refuse(bits.ErrRange, x, nil, nil)
		}
		a := &e.p.Angles[op.Aux]
		w.WriteBits(uint64(a.Encode(v.Float())), a.Bits())
	case plan.CodeWide:
		least, most := wideBounds(e.p, op)
		switch {
		case op.Flags&plan.FlagSigned == 0:
			w.WriteUint128(*As[bits.Uint128](v), least, most)
		case op.Flags&plan.FlagFullRange != 0:
			w.WriteUint128(As[bits.Int128](v).Unsigned(), least, most)
		default:
			w.WriteInt128(*As[bits.Int128](v), least.Signed(), most.Signed())
		}
	case plan.CodeVarint:
		e.varint(v)
	case plan.CodeRelative:
		r := &e.p.Relatives[op.Aux]
		before := predecessor(e.p, op, b)
		if v.CanInt() {
			w.WriteRelative(before, v.Int(), r.Min, r.Max)
		} else if x := v.Uint(); before >= 0 && x <= uint64(before) || x > uint64(r.Max) {
			return e.refuse(bits.ErrRange, x, max(r.Min, before+1), r.Max)
		} else {
			w.WriteRelative(before, int64(x), r.Min, r.Max)
		}
	default:
		if !op.Code.PrefixCoded() {
			panic(core.UnhandledCode("write", op.Code))
		}
		e.prefixCoded(op, v)
	}
	return w.Err()
}

// integer writes an integer with a range or a fixed width, or all bits of a
// float.
func (e *encoder) integer(op *plan.Op, v reflect.Value) error {
	w := e.w
	switch fullRange := op.Flags&plan.FlagFullRange != 0; {
	case v.Kind() == reflect.Float32:
		w.WriteFloat32(*As[float32](v))
	case v.Kind() == reflect.Float64:
		w.WriteFloat64(*As[float64](v))
	case v.CanInt() && fullRange:
		if least, most := SignedBounds(op); v.Int() < least || v.Int() > most {
			return e.refuse(bits.ErrRange, v.Int(), least, most)
		}
		w.WriteBits(uint64(v.Int())&(1<<op.Bits-1), int(op.Bits))
	case v.CanInt():
		least, most := SignedBounds(op)
		w.WriteInt(v.Int(), least, most)
	default:
		least, most := UnsignedBounds(op)
		w.WriteUint(v.Uint(), least, most)
	}
	return w.Err()
}

// varint writes an integer in groups of 7 bits.
func (e *encoder) varint(v reflect.Value) {
	var x uint64
	if v.CanUint() {
		x = v.Uint()
	} else if n := v.Int(); n < 0 {
		x = 2*uint64(^n) + 1
	} else {
		x = 2 * uint64(n)
	}
	e.w.WriteVarint(x)
}

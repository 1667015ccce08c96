package tagcodec

import (
	"bytes"
	"math"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/tagcodec/internal/streams"
	"github.com/gobitpack/bitpack/typecache"
)

// plainEncode appends the message of v, which must be settable, to dst.
func plainEncode(c *config, p *typecache.Plan, v reflect.Value, dst []byte) ([]byte, error) {
	s := streams.Get()
	defer s.Free()
	s.W.Resume(dst, len(dst), 0)
	if err := plainWrite(c, p, v, &s.W, dst[len(dst):cap(dst)]); err != nil {
		return dst, err
	}
	return s.W.Bytes(), nil
}

// plainWrite writes the message of v to w. After an error w may contain part of
// it. room is the memory that the message starts in.
func plainWrite(c *config, p *typecache.Plan, v reflect.Value, w *bits.Writer, room []byte) error {
	e := plainEncoder{interpreter: interpreter{c: c, p: p, call: "marshal", depth: c.depth}, w: w, room: room}
	return e.report(e.ops(0, -1, surroundings{value: v}))
}

type plainEncoder struct {
	interpreter
	w    *bits.Writer
	room []byte // memory that the message started in

	aside bits.Writer // writer for codes that are inspected before they are written
	word  [8]byte     // buffer of aside
}

func (e *plainEncoder) refuse(err error, value, least, most any) error {
	return &bits.Error{Op: "write", Bit: e.w.Bit(), Err: err, Value: value, Min: least, Max: most}
}

// ops executes the ops from pc to the end of their block, or to index end.
func (e *plainEncoder) ops(pc, end int, b surroundings) *stopped {
	for ; !closes(e.p, pc, end); pc = opAfter(e.p, pc) {
		op := &e.p.Ops[pc]
		v := fieldAt(e.p, op, b.value)
		var s *stopped
		switch {
		case op.Code.Block():
			s = e.block(pc, op, v)
		case op.Code.Encloses():
			s = e.enclosing(pc, op, v, b)
		case op.Code.Scalar():
			path, err := eachOf(v, false, func(v reflect.Value) error { return e.scalar(op, v, b) })
			if s = e.failed(op, err); s != nil {
				s.run = path
			}
		default:
			s = e.fail(op, e.w.Bit(), e.piece(op, v))
		}
		if s != nil {
			return s
		}
	}
	return nil
}

// enclosing executes an op that decides whether the ops it encloses run.
func (e *plainEncoder) enclosing(pc int, op *typecache.Op, v reflect.Value, b surroundings) *stopped {
	switch op.Code {
	case typecache.CodeIf:
		if !e.holds(op.Aux, b.value) {
			return nil
		}
	case typecache.CodeOptional:
		zero := e.zero(pc+1, int(op.End), b.value, false)
		if e.w.WriteBool(!zero); zero {
			return nil
		}
	case typecache.CodeCommon, typecache.CodeHuffman:
		if listed, err := e.listed(op, v); listed || err != nil {
			return e.failed(op, err)
		}
	case typecache.CodeScale:
		return e.failed(op, e.scale(pc, op, b))
	default:
		panic(unknown("write", op.Code))
	}
	return e.ops(pc+1, int(op.End), b)
}

// block executes the ops of a block for each of its elements.
func (e *plainEncoder) block(pc int, op *typecache.Op, v reflect.Value) *stopped {
	switch op.Code {
	case typecache.CodeSlice:
		if bit := e.w.Bit(); op.Code == typecache.CodeSlice && v.Type().Elem().Size() == 1 && uint64(v.Len())-op.Bias <= op.Span && e.shares(v) {
			return e.fail(op, bit, errShared)
		}
		e.w.WriteCount(v.Len(), int(op.Bias), int(op.Bias+op.Span))
	case typecache.CodeMap: // the width allows for more entries than the key type has values
		least, most := int(op.Bias), int(op.Bias+op.Span)
		if v.Len() < least || v.Len() > most {
			return e.failed(op, e.refuse(ErrLength, v.Len(), least, most))
		}
		if op.Bits > 0 {
			e.w.WriteBits(uint64(v.Len()-least), int(op.Bits))
		}
	case typecache.CodePointer:
		e.w.WriteBool(!v.IsNil())
	case typecache.CodeCall:
		if s := e.deeper(op, e.w.Bit()); s != nil {
			return s
		}
		defer func() { e.depth-- }()
	}
	if err := e.w.Err(); err != nil {
		return e.failed(op, err)
	}
	switch op.Code {
	case typecache.CodeSubset:
		return e.subset(pc, op, v)
	case typecache.CodeMatrix:
		return e.matrix(pc, op, v)
	case typecache.CodeUnion:
		return e.union(op, v)
	}
	if s := e.enter(op, v, e.w.Bit()); s != nil {
		return s
	}
	return e.leave(e.elements(pc, op, v))
}

// elements executes the ops of the innermost block.
func (e *plainEncoder) elements(pc int, op *typecache.Op, v reflect.Value) *stopped {
	switch op.Code {
	case typecache.CodeCall:
		return e.ops(int(op.End), -1, surroundings{value: v})
	case typecache.CodePointer:
		if v.IsNil() {
			return nil
		}
		return e.ops(pc+1, -1, surroundings{value: v.Elem()})
	case typecache.CodeMap:
		return e.entries(pc, op, v)
	case typecache.CodeArray, typecache.CodeSlice:
		var before reflect.Value
		for i := range v.Len() {
			e.innermost().index = i
			elem := v.Index(i)
			if s := e.ops(pc+1, -1, surroundings{elem, before}); s != nil {
				return s
			}
			before = elem
		}
		return nil
	}
	panic(unknown("write", op.Code))
}

// entries executes the ops of a map for its entries, in the order of their
// keys. The ops see an entry as a struct of key and value.
func (e *plainEncoder) entries(pc int, op *typecache.Op, m reflect.Value) *stopped {
	all := sortedEntries(m, &e.p.Elems[op.Aux])
	var before reflect.Value
	for i := range all.Len() {
		entry := all.Index(i)
		e.innermost().elem = entry
		if s := e.ops(pc+1, -1, surroundings{entry, before}); s != nil {
			return s
		}
		before = entry
	}
	return nil
}

// scalar writes one value of an op.
func (e *plainEncoder) scalar(op *typecache.Op, v reflect.Value, b surroundings) error {
	w := e.w
	switch op.Code {
	case typecache.CodeBool:
		w.WriteBool(v.Bool())
	case typecache.CodeUint8, typecache.CodeUint16, typecache.CodeUint32, typecache.CodeUint64,
		typecache.CodeInt8, typecache.CodeInt16, typecache.CodeInt32, typecache.CodeWord:
		return e.integer(op, v)
	case typecache.CodeFloat32:
		x := *as[float32](v)
		if !compress.Finite32(x) {
			return e.refuse(ErrRange, x, nil, nil)
		}
		q := &e.p.Float32s[op.Aux]
		w.WriteUint(uint64(q.Encode(x)), 0, uint64(q.Steps))
	case typecache.CodeFloat64:
		x := *as[float64](v)
		if !compress.Finite64(x) {
			return e.refuse(ErrRange, x, nil, nil)
		}
		q := &e.p.Float64s[op.Aux]
		w.WriteUint(q.Encode(x), 0, q.Steps)
	case typecache.CodeHalf:
		w.WriteBits(uint64(compress.EncodeHalf(*as[float32](v))), 16)
	case typecache.CodeAngle:
		if x := v.Float(); !compress.Finite64(x) {
			return e.refuse(ErrRange, x, nil, nil)
		}
		a := &e.p.Angles[op.Aux]
		w.WriteBits(uint64(a.Encode(v.Float())), a.Bits())
	case typecache.CodeWide:
		least, most := wideBounds(e.p, op)
		switch {
		case op.Flags&typecache.FlagSigned == 0:
			w.WriteUint128(*as[bits.Uint128](v), least, most)
		case op.Flags&typecache.FlagFullRange != 0:
			w.WriteUint128(as[bits.Int128](v).Unsigned(), least, most)
		default:
			w.WriteInt128(*as[bits.Int128](v), least.Signed(), most.Signed())
		}
	case typecache.CodeVarint:
		e.varint(v)
	case typecache.CodeRelative:
		r := &e.p.Relatives[op.Aux]
		before := predecessor(e.p, op, b)
		if v.CanInt() {
			w.WriteRelative(before, v.Int(), r.Min, r.Max)
		} else if x := v.Uint(); before >= 0 && x <= uint64(before) || x > uint64(r.Max) {
			return e.refuse(ErrRange, x, max(r.Min, before+1), r.Max)
		} else {
			w.WriteRelative(before, int64(x), r.Min, r.Max)
		}
	default:
		panic(unknown("write", op.Code))
	}
	return w.Err()
}

// integer writes an integer with a range or a fixed width, or the raw bits of a
// float.
func (e *plainEncoder) integer(op *typecache.Op, v reflect.Value) error {
	w := e.w
	switch plain := op.Flags&typecache.FlagFullRange != 0; {
	case v.Kind() == reflect.Float32:
		w.WriteFloat32(*as[float32](v))
	case v.Kind() == reflect.Float64:
		w.WriteFloat64(*as[float64](v))
	case v.CanInt() && plain:
		if least, most := signedBounds(op); v.Int() < least || v.Int() > most {
			return e.refuse(ErrRange, v.Int(), least, most)
		}
		w.WriteBits(uint64(v.Int())&(1<<op.Bits-1), int(op.Bits))
	case v.CanInt():
		least, most := signedBounds(op)
		w.WriteInt(v.Int(), least, most)
	default:
		least, most := unsignedBounds(op)
		w.WriteUint(v.Uint(), least, most)
	}
	return w.Err()
}

// varint writes groups of a continuation bit and 7 bits, lowest group first.
func (e *plainEncoder) varint(v reflect.Value) {
	var x uint64
	if v.CanUint() {
		x = v.Uint()
	} else if n := v.Int(); n < 0 {
		x = 2*uint64(^n) + 1
	} else {
		x = 2 * uint64(n)
	}
	for ; x >= 128; x /= 128 {
		e.w.WriteBool(true)
		e.w.WriteBits(x%128, 7)
	}
	e.w.WriteBool(false)
	e.w.WriteBits(x, 7)
}

// piece writes a value of an op that cannot repeat.
func (e *plainEncoder) piece(op *typecache.Op, v reflect.Value) error {
	w := e.w
	least, most := int(op.Bias), int(op.Bias+op.Span) // bounds of a count
	switch op.Code {
	case typecache.CodeConst:
		w.WriteBits(op.Bias, int(op.Bits))
	case typecache.CodeAlign:
		w.WriteAlign()
	case typecache.CodeBytes:
		w.WriteBytes(v.Bytes())
	case typecache.CodeCString:
		text, _, terminated := bytes.Cut(v.Bytes(), []byte{0})
		if !terminated {
			return e.refuse(ErrLength, v.Len(), 0, v.Len()-1)
		}
		w.WriteString(string(text), v.Len()-1)
	case typecache.CodeString:
		var content []byte
		if op.Flags&typecache.FlagSlice != 0 {
			if e.shares(v) {
				return errShared
			}
			content = v.Bytes()
		} else {
			content = []byte(v.String())
		}
		if op.Flags&typecache.FlagText != 0 {
			w.WriteString(string(content), most)
			break
		}
		if w.WriteCount(len(content), least, most); w.Err() == nil {
			w.WriteBytes(content)
		}
	case typecache.CodeWString:
		w.WriteWString(v.String(), most)
	case typecache.CodeBinary:
		form, err := binaryForm(v)
		if err != nil {
			return err
		}
		if len(form) <= most && e.shares(reflect.ValueOf(form)) {
			return errShared
		}
		if w.WriteCount(len(form), least, most); w.Err() == nil {
			w.WriteBytes(form)
		}
	case typecache.CodePresent: // only readers check it
	case typecache.CodeVector:
		code, x, ok := vectorCode(&e.p.Vectors[op.Aux], v)
		if !ok {
			return e.refuse(ErrRange, uncoded(x), nil, nil)
		}
		w.WriteBits(code, int(op.Bits))
	case typecache.CodeLink:
		id, err := encodeLink(e.c.linker, op, v)
		if err != nil {
			return err
		}
		w.WriteBits(id, int(op.Bits))
	case typecache.CodeCustom:
		bit := w.Bit()
		err := e.custom(v)
		if err != nil && w.Err() == nil {
			return err
		}
		if w.Err() == nil && op.Flags&typecache.FlagNonEmpty != 0 && w.Bit() == bit {
			return e.refuse(ErrLength, 0, 1, math.MaxInt)
		}
	default:
		panic(unknown("write", op.Code))
	}
	return w.Err()
}

// custom calls the Serialize method of a value to write it.
func (e *plainEncoder) custom(v reflect.Value) error {
	at := access.WriterContext(e.w)
	outer := e.carry(at, 0)
	defer func() { *at = outer }()
	intact := access.Intact(e.w)
	before := *intact
	*intact = true
	err := exposed(v).Addr().Interface().(bits.Serializer).Serialize(bits.NewWriteStream(e.w))
	if err == nil && e.w.Err() == nil && !*intact {
		return errReset
	}
	*intact = before
	return err
}

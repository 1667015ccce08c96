package tagcodec

import (
	"encoding"
	"math"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/streams"
	"github.com/gobitpack/bitpack/typecache"
)

// plainDecode reads a message from a bit of data on into v, which can be set,
// and returns the bit after it. Where data may not be all, fill gets more of it.
func plainDecode(c *config, p *typecache.Plan, v reflect.Value, data []byte, bit int, fill func(n int) []byte) (int, error) {
	s := streams.Get()
	defer s.Free()
	s.R.Reset(data, bit)
	s.Context.Fill = fill
	err := plainRead(c, p, v, &s.R)
	return s.R.Bit(), err
}

// plainRead reads a message where r stands.
func plainRead(c *config, p *typecache.Plan, v reflect.Value, r *bits.Reader) error {
	d := plainDecoder{interpreter{c: c, p: p, call: "unmarshal", root: v, depth: c.depth, owed: c.owed}, r}
	stopped := d.ops(0, -1, surroundings{value: v})
	d.account()
	return d.report(stopped)
}

type plainDecoder struct {
	interpreter
	r *bits.Reader
}

// refuse is the error of what starts at bit.
func (d *plainDecoder) refuse(bit int, err error, value, least, most any) error {
	return &bits.Error{Op: "read", Bit: bit, Err: err, Value: value, Min: least, Max: most}
}

// ops runs the ops from pc on.
func (d *plainDecoder) ops(pc, end int, b surroundings) *stopped {
	for ; !closes(d.p, pc, end); pc = opAfter(d.p, pc) {
		op := &d.p.Ops[pc]
		v := fieldAt(d.p, op, b.value)
		d.steps++
		var s *stopped
		switch {
		case op.Code.Block():
			s = d.block(pc, op, v)
		case op.Code.Encloses():
			s = d.enclosing(pc, op, v, b)
		case op.Code == typecache.CodePresent: // enclosing checks it
		case op.Code.Scalar():
			path, err := eachOf(v, true, func(v reflect.Value) error { return d.scalar(op, v, b) })
			if s = d.failed(op, err); s != nil {
				s.run = path
			}
		default:
			s = d.piece(op, v)
		}
		if s != nil {
			return s
		}
	}
	return nil
}

// enclosing runs an op that decides over those that it encloses.
func (d *plainDecoder) enclosing(pc int, op *typecache.Op, v reflect.Value, b surroundings) *stopped {
	switch op.Code {
	case typecache.CodeIf:
		if !d.held(op.Aux, b.value) {
			d.touch(1, v.Type())
			setZero(v)
			return nil
		}
	case typecache.CodeOptional:
		bit := d.r.Bit()
		present := d.r.ReadBool()
		if err := d.r.Err(); err != nil {
			return d.failed(op, err)
		}
		if !present {
			d.touch(1, v.Type())
			setZero(v)
			return nil
		}
		if s := d.ops(pc+1, int(op.End), b); s != nil {
			return s
		}
		last := &d.p.Ops[op.End-1]
		if last.Code == typecache.CodePresent && d.zero(pc+1, int(op.End)-1, b.value, true) {
			return d.failed(op, d.refuse(bit, ErrForm, nil, nil, nil))
		}
		return nil
	case typecache.CodeCommon, typecache.CodeHuffman:
		return d.listed(pc, op, v, b)
	case typecache.CodeScale:
		return d.failed(op, d.scale(pc, op, b))
	default:
		panic(unknown("read", op.Code))
	}
	return d.ops(pc+1, int(op.End), b)
}

// setZero sets a variable to zero. Of an embedded struct whose type is not
// exported, reflect alone can set the exported fields and no others, which no
// message sets either.
func setZero(v reflect.Value) {
	if v = exposed(v); v.CanSet() {
		v.SetZero()
	} else if v.Kind() == reflect.Struct {
		for i := range v.NumField() {
			setZero(v.Field(i))
		}
	}
}

// block runs the ops of a block for each of its elements.
func (d *plainDecoder) block(pc int, op *typecache.Op, v reflect.Value) *stopped {
	var n int    // elements
	var set bool // the pointer
	defer func(owed int) { d.owed = owed }(d.owed)
	d.owed = saturate.Add(d.owed, int(op.Rest))
	switch bit := d.r.Bit(); op.Code {
	case typecache.CodeSlice, typecache.CodeMap:
		var v uint64 // the count of a map may be wider than its bounds need
		if op.Bits > 0 {
			v = d.r.ReadBits(int(op.Bits))
		}
		if n = int(op.Bias + v); v > op.Span {
			return d.failed(op, d.refuse(bit, ErrLength, n, int(op.Bias), int(op.Bias+op.Span)))
		}
		if err := d.payable(bit, n, d.p.Elems[op.Aux].MinBits); err != nil {
			return d.failed(op, err)
		}
	case typecache.CodePointer:
		if set = d.r.ReadBool(); set {
			if err := d.payable(bit, 1, d.p.Elems[op.Aux].MinBits); err != nil {
				return d.failed(op, err)
			}
		}
	case typecache.CodeCall:
		if s := d.deeper(op, d.r.Bit()); s != nil {
			return s
		}
		defer func() { d.depth-- }()
	}
	if err := d.r.Err(); err != nil {
		return d.failed(op, err)
	}
	switch op.Code {
	case typecache.CodeSubset:
		return d.subset(pc, op, v)
	case typecache.CodeMatrix:
		return d.matrix(pc, op, v)
	case typecache.CodeUnion:
		return d.union(op, v)
	}
	if s := d.enter(op, v, d.r.Bit()); s != nil {
		return s
	}
	return d.leave(d.elements(pc, op, v, n, set))
}

// elements runs the ops of a block that is open, for the n elements of a slice
// or a map or for what a pointer refers to if it is set.
func (d *plainDecoder) elements(pc int, op *typecache.Op, v reflect.Value, n int, set bool) *stopped {
	switch op.Code {
	case typecache.CodeCall:
		return d.ops(int(op.End), -1, surroundings{value: v})
	case typecache.CodePointer:
		if !set {
			v.SetZero()
			return nil
		}
		if v.IsNil() {
			d.touch(1, v.Type().Elem())
			v.Set(reflect.New(v.Type().Elem()))
		}
		return d.ops(pc+1, -1, surroundings{value: v.Elem()})
	case typecache.CodeMap:
		return d.entries(pc, op, v, n)
	case typecache.CodeSlice:
		d.touch(n, v.Type().Elem())
		setLen(op, v, n)
		fallthrough
	case typecache.CodeArray:
		var before reflect.Value
		each, owed := d.p.Elems[op.Aux].MinBits, d.owed
		for i := range v.Len() {
			d.owed = saturate.MulAdd(v.Len()-1-i, each, owed)
			d.innermost().index = i
			elem := v.Index(i)
			if s := d.ops(pc+1, -1, surroundings{elem, before}); s != nil {
				d.clearRest(op, v, i)
				return s
			}
			before = elem
		}
		return nil
	}
	panic(unknown("read", op.Code))
}

// clearRest zeroes the elements of a slice behind the one of index i, as
// [clearsRest] says.
func (d *plainDecoder) clearRest(op *typecache.Op, v reflect.Value, i int) {
	if clearsRest(op) {
		d.touch(v.Len()-i-1, v.Type().Elem())
		v.Slice(i+1, v.Len()).Clear()
	}
}

// payable makes sure that there are the bits that n elements take at least,
// whose count starts at bit, besides those that are owed.
func (d *plainDecoder) payable(bit, n, each int) error {
	if d.r.Err() != nil {
		return d.r.Err()
	}
	all := saturate.MulAdd(n, each, d.owed)
	if n > 0 && each > 0 {
		access.Need(d.r, all)
	}
	if left := d.r.Remaining(); !pays(left-d.owed, n, each) {
		return d.refuse(bit, ErrOverread, all, nil, left)
	}
	return nil
}

// setLen gives a slice n elements. Those that come or go are zero.
func setLen(op *typecache.Op, v reflect.Value, n int) {
	if n > v.Cap() || excessive(op, v.Cap(), n) {
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		return
	}
	old := v.Len()
	v.SetLen(max(n, old))
	v.Slice(min(n, old), max(n, old)).Clear()
	v.SetLen(n)
}

// entries runs the ops of a map for n entries and stores them all at the end.
func (d *plainDecoder) entries(pc int, op *typecache.Op, m reflect.Value, n int) *stopped {
	all := reflect.MakeSlice(reflect.SliceOf(d.p.Elems[op.Aux].Type), n, n)
	var before reflect.Value
	d.touch(2*n, all.Type().Elem())
	each, owed := d.p.Elems[op.Aux].MinBits, d.owed
	for i := range n {
		d.owed = saturate.MulAdd(n-1-i, each, owed)
		entry := all.Index(i)
		d.innermost().elem = entry
		if s := d.ops(pc+1, -1, surroundings{entry, before}); s != nil {
			return s
		}
		if i > 0 && compareKeys(before.Field(0), entry.Field(0)) >= 0 {
			return d.failed(&d.p.Ops[op.End-1], d.refuse(d.r.Bit(), ErrOrder, nil, nil, nil))
		}
		before = entry
	}
	clearMap(op, m, n)
	for i := range n {
		m.SetMapIndex(all.Index(i).Field(0), all.Index(i).Field(1))
	}
	return nil
}

// scalar reads one value of a run.
func (d *plainDecoder) scalar(op *typecache.Op, v reflect.Value, b surroundings) error {
	r := d.r
	d.steps++
	switch op.Code {
	case typecache.CodeBool:
		v.SetBool(r.ReadBool())
	case typecache.CodeUint8, typecache.CodeUint16, typecache.CodeUint32, typecache.CodeUint64,
		typecache.CodeInt8, typecache.CodeInt16, typecache.CodeInt32, typecache.CodeWord:
		return d.integer(op, v)
	case typecache.CodeFloat32:
		q := &d.p.Float32s[op.Aux]
		*as[float32](v) = q.Decode(uint32(r.ReadUint(0, uint64(q.Steps))))
	case typecache.CodeFloat64:
		q := &d.p.Float64s[op.Aux]
		*as[float64](v) = q.Decode(r.ReadUint(0, q.Steps))
	case typecache.CodeHalf:
		*as[float32](v) = compress.DecodeHalf(uint16(r.ReadBits(16)))
	case typecache.CodeAngle:
		a := &d.p.Angles[op.Aux]
		if code := uint32(r.ReadBits(a.Bits())); v.Kind() == reflect.Float32 {
			*as[float32](v) = a.Decode32(code)
		} else {
			*as[float64](v) = a.Decode(code)
		}
	case typecache.CodeWide:
		least, most := wideBounds(d.p, op)
		switch {
		case op.Flags&typecache.Signed == 0:
			*as[bits.Uint128](v) = r.ReadUint128(least, most)
		case op.Flags&typecache.Plain != 0:
			*as[bits.Int128](v) = r.ReadUint128(least, most).Signed()
		default:
			*as[bits.Int128](v) = r.ReadInt128(least.Signed(), most.Signed())
		}
	case typecache.CodeVarint:
		return d.varint(v)
	case typecache.CodeRelative:
		rel := &d.p.Relatives[op.Aux]
		x := r.ReadRelative(predecessor(d.p, op, b), rel.Min, rel.Max)
		return d.set(v, r.Bit(), x, uint64(x))
	default:
		panic(unknown("read", op.Code))
	}
	return r.Err()
}

// set stores an integer, given as signed and unsigned, that starts at bit. The
// memory must hold it, as one of 64 bits that is an int may not.
func (d *plainDecoder) set(v reflect.Value, bit int, signed int64, unsigned uint64) error {
	size := v.Type().Bits()
	switch {
	case d.r.Err() != nil:
		return d.r.Err()
	case v.CanInt() && v.OverflowInt(signed):
		return d.refuse(bit, ErrRange, signed, int64(-1)<<(size-1), int64(1)<<(size-1)-1)
	case v.CanInt():
		v.SetInt(signed)
	case v.OverflowUint(unsigned):
		return d.refuse(bit, ErrRange, unsigned, uint64(0), uint64(math.MaxUint64)>>(64-size))
	default:
		v.SetUint(unsigned)
	}
	return nil
}

// integer reads an integer in its range or its bits, or the bits of a float.
func (d *plainDecoder) integer(op *typecache.Op, v reflect.Value) error {
	r, bit := d.r, d.r.Bit()
	switch plain := op.Flags&typecache.Plain != 0; {
	case v.Kind() == reflect.Float32:
		*as[float32](v) = r.ReadFloat32()
	case v.Kind() == reflect.Float64:
		*as[float64](v) = r.ReadFloat64()
	case v.CanInt() && plain:
		unused := 64 - op.Bits
		x := int64(r.ReadBits(int(op.Bits))<<unused) >> unused
		return d.set(v, bit, x, 0)
	case v.CanInt():
		x := r.ReadInt(signedBounds(op))
		return d.set(v, bit, x, 0)
	default:
		x := r.ReadUint(unsignedBounds(op))
		return d.set(v, bit, 0, x)
	}
	return r.Err()
}

// varint reads groups of a continuation bit and 7 bits. Only the shortest form
// of an integer is one: its last group is not zero unless it is the only one.
func (d *plainDecoder) varint(v reflect.Value) error {
	start := d.r.Bit()
	var x uint64
	for n := 0; ; n++ {
		access.Need(d.r, 8)
		if left := d.r.Remaining(); left < 8 {
			return d.refuse(start, ErrOverread, 8, nil, left)
		}
		d.steps++
		more, group := d.r.ReadBool(), d.r.ReadBits(7)
		last := !more
		switch {
		case n > 0 && group == 0 && last:
			return d.refuse(start, ErrForm, nil, nil, nil)
		case n == 9 && (group > 1 || more):
			return d.refuse(start, ErrRange, nil, nil, nil)
		}
		x |= group << (7 * n)
		if last {
			break
		}
	}
	signed := int64(x / 2)
	if x%2 == 1 {
		signed = ^signed
	}
	return d.set(v, start, signed, x)
}

// piece reads what is one value as a whole.
func (d *plainDecoder) piece(op *typecache.Op, v reflect.Value) *stopped {
	r, bit := d.r, d.r.Bit()
	switch op.Code {
	case typecache.CodeConst:
		x := r.ReadBits(int(op.Bits))
		switch {
		case r.Err() != nil || x == op.Bias:
		case op.Flags&typecache.Reserved != 0:
			return d.failed(op, d.refuse(bit, ErrPadding, x, op.Bias, op.Bias))
		default:
			return d.failed(op, d.refuse(bit, ErrCheck, x, op.Bias, op.Bias))
		}
	case typecache.CodeAlign:
		return d.failed(op, d.align())
	case typecache.CodeBytes:
		raw, err := d.raw(op.Count)
		copy(v.Bytes(), raw)
		return d.failed(op, err)
	case typecache.CodeString, typecache.CodeCString, typecache.CodeBinary:
		n := r.ReadCount(int(op.Bias), int(op.Bias+op.Span))
		bit = r.Bit()
		if r.Err() != nil {
			break
		}
		raw, err := d.raw(n)
		if err != nil {
			return d.failed(op, err)
		}
		return d.fail(op, bit, d.content(op, v, bit, raw))
	case typecache.CodeWString:
		v.SetString(r.ReadWString(int(op.Span)))
		d.steps += v.Len()
	case typecache.CodeVector:
		code := r.ReadBits(int(op.Bits))
		if r.Err() == nil && !setVectorCode(&d.p.Vectors[op.Aux], v, code) {
			return d.failed(op, d.refuse(bit, ErrRange, nil, nil, nil))
		}
	case typecache.CodeLink:
		id := r.ReadBits(int(op.Bits))
		if r.Err() == nil {
			return d.fail(op, bit, d.link(op, v, id))
		}
	case typecache.CodeCustom:
		err := d.custom(op, v)
		switch {
		case err == errReset:
			return d.fail(op, bit, err)
		case r.Err() != nil:
			return d.fail(op, r.Bit(), r.Err())
		case err != nil:
			return d.fail(op, r.Bit(), err)
		case op.Flags&typecache.Paid != 0 && r.Bit() == bit:
			return d.failed(op, d.refuse(bit, ErrLength, 0, 1, math.MaxInt))
		}
	default:
		panic(unknown("read", op.Code))
	}
	return d.failed(op, r.Err())
}

// custom has a value read itself.
func (d *plainDecoder) custom(op *typecache.Op, v reflect.Value) error {
	defer d.carry(access.ReaderContext(d.r), saturate.Add(d.owed, int(op.Rest)))()
	intact := access.Intact(d.r)
	before := *intact
	*intact = true
	err := exposed(v).Addr().Interface().(bits.Serializer).Serialize(bits.NewReadStream(d.r))
	if !*intact {
		return errReset
	}
	*intact = before
	return err
}

// content stores what stands behind a count, which ends at bit.
func (d *plainDecoder) content(op *typecache.Op, v reflect.Value, bit int, raw []byte) error {
	if (op.Flags&typecache.Text != 0 || op.Code == typecache.CodeCString) && !bits.ValidText(string(raw)) {
		return d.refuse(bit, ErrText, nil, nil, nil)
	}
	switch {
	case op.Code == typecache.CodeBinary:
		return exposed(v).Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(raw)
	case op.Code == typecache.CodeCString:
		clear(v.Bytes()[copy(v.Bytes(), raw):])
	case op.Flags&typecache.Slice != 0:
		setLen(op, v, len(raw))
		copy(v.Bytes(), raw)
	default:
		v.SetString(string(raw))
	}
	return nil
}

// align skips to the next byte.
func (d *plainDecoder) align() error {
	bit := d.r.Bit()
	if bit%8 == 0 {
		return nil
	}
	if pad := d.r.ReadBits(8 - bit%8); pad != 0 {
		return d.refuse(bit, ErrPadding, pad, uint64(0), uint64(0))
	}
	return nil
}

// raw aligns and reads n bytes, for which it takes no memory unless they are
// there.
func (d *plainDecoder) raw(n int) ([]byte, error) {
	if err := d.align(); err != nil {
		return nil, err
	}
	access.Need(d.r, saturate.MulAdd(n, 8, 0))
	if left := d.r.Remaining(); n > left/8 {
		return nil, d.refuse(d.r.Bit(), ErrOverread, saturate.MulAdd(n, 8, 0), nil, left)
	}
	d.steps += n
	raw := make([]byte, n)
	d.r.ReadBytes(raw)
	return raw, nil
}

package tagcodec

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// The reference interpreter executes a plan on reflect.Values, one op at a
// time, through a bits.Writer or bits.Reader. It finds values by field index,
// not by address. Tests compare the fast loops with it in bytes, values and
// errors. With the build tag purego it replaces them.

// interpreter holds the state common to both directions.
type interpreter struct {
	c    *settings
	p    *typecache.Data
	call string        // "marshal" or "unmarshal"
	root reflect.Value // the variable to decode into; unset when encoding

	context      *access.Context // for values that serialize themselves; made for the first
	inner        *settings       // the settings in context
	blocks       []blockState    // the blocks being coded; kept after an error
	depth        int             // nesting depth of recursive types and unions
	reservedBits int             // minimum bits of everything after the current block
}

// blockState is the state of a block that is being coded.
type blockState struct {
	op      *typecache.Op
	value   reflect.Value // value of the block's op
	index   int           // index of the element or union member
	elem    reflect.Value // map entry or union member
	storage *storage      // storage of the element
	known   int           // index of the element whose storage is cached, plus 1
}

// pushBlock pushes the block of a value.
func (in *interpreter) pushBlock(op *typecache.Op, v reflect.Value, bit int) *stop {
	if in.c.stackLevels+len(in.blocks) >= maxStackLevels {
		return in.failAt(op, bit, newRefusal(errDepth, maxStackLevels+1, 0, maxStackLevels))
	}
	in.blocks = append(in.blocks, blockState{op: op, value: v})
	return nil
}

// popBlock pops the innermost block. After an error it keeps the block, which the
// path of the error needs.
func (in *interpreter) popBlock(s *stop) *stop {
	if s == nil {
		in.blocks = in.blocks[:len(in.blocks)-1]
	}
	return s
}

// innermost returns the innermost block.
func (in *interpreter) innermost() *blockState { return &in.blocks[len(in.blocks)-1] }

// deeper increments the depth for a value of a recursive type or union that
// starts at bit. It fails if the depth exceeds the limit.
func (in *interpreter) deeper(op *typecache.Op, bit int) *stop {
	if in.depth++; in.depth > in.c.maxDepth {
		return in.failAt(op, bit, newRefusal(errDepth, in.depth, 0, in.c.maxDepth))
	}
	return nil
}

// pathTo returns the path to the value of an op.
func (in *interpreter) pathTo(op *typecache.Op) string {
	var path strings.Builder
	path.WriteString(typename.Of(in.p.Type))
	for i := 0; i < len(in.blocks); i++ {
		if next, ok := elided(i, len(in.blocks)); ok {
			i = next
			path.WriteString(elision)
		}
		s := &in.blocks[i]
		writePath(&path, &in.p.Fields[s.op.Field])
		writeElement(&path, s.op, s.index, func() reflect.Value { return s.elem.Field(0) })
	}
	writePath(&path, &in.p.Fields[op.Field])
	return path.String()
}

// stop describes where and why the interpreter stopped.
type stop struct {
	op      *typecache.Op
	subpath string // path within the op's value
	bit     int
	err     error
}

// failAt stops at the value of op, at the given bit. It returns nil if err is
// nil.
func (in *interpreter) failAt(op *typecache.Op, bit int, err error) *stop {
	if err == nil {
		return nil
	}
	setPosition(err, in.call, bit)
	return &stop{op: op, bit: bit, err: err}
}

// failAt stops at the bit given by err, which must be a *bits.Error.
func (in *interpreter) fail(op *typecache.Op, err error) *stop {
	if err == nil {
		return nil
	}
	return in.failAt(op, err.(*bits.Error).Bit, err)
}

// report returns the error of the whole message.
func (in *interpreter) report(s *stop) error {
	switch {
	case s == nil:
		return nil
	case in.c.sentinelOnly && in.call == "unmarshal":
		return sentinelOf(s.err)
	}
	return newMessageError(in.call, in.p.Type, in.pathTo(s.op)+s.subpath, s.bit, s.err)
}

// carry stores in a Reader or Writer the settings for a value that serializes
// itself, with owed bits reserved for later values. It returns the context to
// restore after the value.
func (in *interpreter) carry(at **access.Context, owed int) (before *access.Context) {
	if in.context == nil {
		in.context, in.inner = new(access.Context), new(settings)
	}
	*in.inner = *in.c
	in.inner.depth, in.inner.reservedBits, in.inner.stackLevels = in.depth+1, owed, in.c.stackLevels+len(in.blocks)+1
	before = *at
	*in.context = access.Context{Settings: in.inner}
	if before != nil {
		in.context.Fill = before.Fill
	}
	*at = in.context
	return before
}

// surroundings are the values that ops run on: a value and, if it is one of
// several elements, the element before it.
type surroundings struct {
	value, before reflect.Value
}

// fieldAt returns the value of an op within base.
func fieldAt(p *typecache.Data, op *typecache.Op, base reflect.Value) reflect.Value {
	for _, i := range p.Fields[op.Field].Index {
		base = base.Field(i)
	}
	return base
}

// opAfter returns the index of the op after op pc and everything it encloses.
func opAfter(p *typecache.Data, pc int) int {
	if op := &p.Ops[pc]; op.Code.Encloses() {
		return int(op.End)
	}
	return pc + 1
}

// closes reports whether op pc ends a sequence of ops. The sequence ends at
// index end, or at the end of the block or message.
func closes(p *typecache.Data, pc, end int) bool {
	code := p.Ops[pc].Code
	return pc == end || code == typecache.CodeNext || code == typecache.CodeEnd
}

// conditionHolds evaluates a condition of the block at base.
func (in *interpreter) conditionHolds(cond int32, base reflect.Value) bool {
	load := loader(in.p, base)
	return in.p.Holds(cond, func(r *typecache.Ref) uint64 {
		return load(r)
	})
}

// conditionHoldsOnRead is like holds but for a block that is being read, in which absent fields
// are already zero.
func (in *interpreter) conditionHoldsOnRead(cond int32, base reflect.Value) bool {
	c := &in.p.Conds[cond]
	return c.Test.Compare(loader(in.p, base)(&c.Ref), c.Value)
}

// loader returns a function that loads earlier fields of the block at base.
func loader(p *typecache.Data, base reflect.Value) func(*typecache.Ref) uint64 {
	return func(r *typecache.Ref) uint64 {
		var v reflect.Value
		if r.Op >= 0 {
			v = fieldAt(p, &p.Ops[r.Op], base)
		} else { // a subset's by field
			v = along(base, pathAt(base.Type(), r.Off))
		}
		switch {
		case v.CanInt():
			return uint64(v.Int())
		case v.CanUint():
			return v.Uint()
		case v.Bool():
			return 1
		}
		return 0
	}
}

// predecessor returns the integer that a relative integer is coded against. If
// that is too large for an int64, it returns the maximum int64.
func predecessor(p *typecache.Data, op *typecache.Op, b surroundings) int64 {
	r := &p.Relatives[op.Aux]
	switch {
	case r.Mode == typecache.ToField:
		v := p.Value(&r.To, loader(p, b.value))
		if !r.To.Signed {
			v = min(v, math.MaxInt64)
		}
		return int64(v)
	case r.Mode == typecache.Chain && b.before.IsValid():
		v := fieldAt(p, op, b.before)
		if v.CanInt() {
			return v.Int()
		}
		return int64(v.Uint())
	}
	return r.Base
}

// as returns the address of v as a *T. T must be the underlying type of v.
func as[T any](v reflect.Value) *T {
	return v.Addr().Convert(reflect.TypeFor[*T]()).Interface().(*T)
}

// eachOf calls f for every value of an op: for the elements of an array or of
// nested arrays, and for both parts of a complex number. If sets is true, it
// stores the parts that f sets. If f fails, eachOf returns the path of the
// value within v.
func eachOf(v reflect.Value, sets bool, f func(reflect.Value) error) (path string, err error) {
	switch v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			if path, err := eachOf(v.Index(i), sets, f); err != nil {
				return "[" + strconv.Itoa(i) + "]" + path, err
			}
		}
		return "", nil
	case reflect.Complex64:
		c := as[complex64](v)
		re, im := real(*c), imag(*c)
		path, err = eachPart(reflect.ValueOf(&re), reflect.ValueOf(&im), f)
		if sets {
			*c = complex(re, im)
		}
		return path, err
	case reflect.Complex128:
		c := as[complex128](v)
		re, im := real(*c), imag(*c)
		path, err = eachPart(reflect.ValueOf(&re), reflect.ValueOf(&im), f)
		if sets {
			*c = complex(re, im)
		}
		return path, err
	}
	return "", f(v)
}

func eachPart(re, im reflect.Value, f func(reflect.Value) error) (path string, err error) {
	if err := f(re.Elem()); err != nil {
		return ".real", err
	}
	return ".imag", f(im.Elem())
}

// signedBounds returns the least and greatest integer of an op, given by its
// range or by its width in two's complement.
func signedBounds(op *typecache.Op) (least, most int64) {
	if op.Flags&typecache.FlagFullRange != 0 {
		least = -1 << (op.Bits - 1)
		return least, ^least
	}
	return int64(op.Bias), int64(op.Bias + op.Span)
}

func unsignedBounds(op *typecache.Op) (least, most uint64) {
	if op.Flags&typecache.FlagFullRange != 0 {
		return 0, math.MaxUint64 >> (64 - op.Bits)
	}
	return op.Bias, op.Bias + op.Span
}

// wideBounds returns the bounds of a 128-bit integer, in two's complement if it
// is signed.
func wideBounds(p *typecache.Data, op *typecache.Op) (least, most bits.Uint128) {
	w := &p.Wides[op.Aux]
	return w.Min, w.Min.Add(w.Span)
}

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

// The plain interpreter runs a plan on reflect.Values, one op after the other,
// and lets a bits.Writer and a bits.Reader do the rest. It knows nothing of
// addresses: it finds a value by the index of its field. It is what the fast
// loops must equal, in bytes, values and errors, and what runs in their place
// with the build tag purego.

// interpreter is what both directions keep.
type interpreter struct {
	c     *config
	p     *typecache.Plan
	call  string        // "marshal" or "unmarshal"
	root  reflect.Value // what is read
	trail []step        // the open blocks, also after the interpreter stopped
	depth int           // of recursive types
	owed  int           // bits that the elements behind those at hand take at least
	steps int           // what was done: ops, values, and words of memory, read or made zero
}

// step is an open block on the way to the value at hand.
type step struct {
	op      *typecache.Op
	value   reflect.Value // that the block is of
	index   int           // of the element, or of the type in a union
	elem    reflect.Value // an entry of a map, or the member of a union
	storage *storage      // what the element is in
	known   int           // the index of the element that storage is of, and 1 more
}

// enter opens the block of a value.
func (in *interpreter) enter(op *typecache.Op, v reflect.Value, bit int) *stopped {
	if in.c.open+len(in.trail) >= maxOpen {
		return in.fail(op, bit, refusal(ErrDepth, maxOpen+1, 0, maxOpen))
	}
	in.trail = append(in.trail, step{op: op, value: v})
	return nil
}

// leave closes the block that was entered last, unless the interpreter stopped
// in it.
func (in *interpreter) leave(s *stopped) *stopped {
	if s == nil {
		in.trail = in.trail[:len(in.trail)-1]
	}
	return s
}

// innermost is the block that was entered last.
func (in *interpreter) innermost() *step { return &in.trail[len(in.trail)-1] }

// deeper counts a value of a recursive type or of a union, which starts at bit.
func (in *interpreter) deeper(op *typecache.Op, bit int) *stopped {
	if in.depth++; in.depth > in.c.maxDepth {
		return in.fail(op, bit, refusal(ErrDepth, in.depth, 0, in.c.maxDepth))
	}
	return nil
}

// pathTo returns the path of an op's value.
func (in *interpreter) pathTo(op *typecache.Op) string {
	var path strings.Builder
	path.WriteString(typename.Of(in.p.Type))
	for i := 0; i < len(in.trail); i++ {
		if next, ok := elided(i, len(in.trail)); ok {
			i = next
			path.WriteString(elision)
		}
		s := &in.trail[i]
		writePath(&path, &in.p.Fields[s.op.Field])
		writeElement(&path, s.op, s.index, func() reflect.Value { return s.elem.Field(0) })
	}
	writePath(&path, &in.p.Fields[op.Field])
	return path.String()
}

// stopped says where and why the interpreter stopped.
type stopped struct {
	op  *typecache.Op
	run string // the path from the op's value on
	bit int
	err error
}

// fail stops at the value of an op, at a bit. It does not without an error.
func (in *interpreter) fail(op *typecache.Op, bit int, err error) *stopped {
	if err == nil {
		return nil
	}
	place(err, in.call, bit)
	return &stopped{op: op, bit: bit, err: err}
}

// failed stops at the bit that the error tells, which is one of package bits.
func (in *interpreter) failed(op *typecache.Op, err error) *stopped {
	if err == nil {
		return nil
	}
	return in.fail(op, err.(*bits.Error).Bit, err)
}

// report makes the error of a whole message.
func (in *interpreter) report(s *stopped) error {
	switch {
	case s == nil:
		return nil
	case in.c.brief && in.call == "unmarshal":
		return sentinel(s.err)
	}
	return newError(in.call, in.p.Type, in.pathTo(s.op)+s.run, s.bit, s.err)
}

// carry gives a Reader or Writer the settings for a value that serializes
// itself, where others still need the owed bits. The function that it returns
// brings back those that were there.
func (in *interpreter) carry(at **access.Context, owed int) (restore func()) {
	inner := *in.c
	inner.depth, inner.owed, inner.open = in.depth+1, owed, in.c.open+len(in.trail)+1
	before := *at
	ctx := access.Context{Settings: &inner}
	if before != nil {
		ctx.Fill = before.Fill
	}
	*at = &ctx
	return func() { *at = before }
}

// surroundings are what ops run on: a value, and the element before it where
// the value is one of several.
type surroundings struct {
	value, before reflect.Value
}

// fieldAt returns the value of an op.
func fieldAt(p *typecache.Plan, op *typecache.Op, base reflect.Value) reflect.Value {
	for _, i := range p.Fields[op.Field].Index {
		base = base.Field(i)
	}
	return base
}

// pathAt returns the way to the scalar of a struct or an array that is so many
// bytes from its start: the indices of fields and elements.
func pathAt(t reflect.Type, off uintptr) (path []int) {
	for {
		switch t.Kind() {
		case reflect.Struct:
			i := t.NumField() - 1
			for t.Field(i).Offset > off {
				i-- // the last that starts there: those before it have no size
			}
			f := t.Field(i)
			path, t, off = append(path, i), f.Type, off-f.Offset
		case reflect.Array:
			t = t.Elem()
			path, off = append(path, int(off/t.Size())), off%t.Size()
		default:
			return path
		}
	}
}

// along follows a path of pathAt.
func along(v reflect.Value, path []int) reflect.Value {
	for _, i := range path {
		if v.Kind() == reflect.Struct {
			v = v.Field(i)
		} else {
			v = v.Index(i)
		}
	}
	return v
}

// opAfter returns the op that follows op pc and all that is in it.
func opAfter(p *typecache.Plan, pc int) int {
	if op := &p.Ops[pc]; op.Code.Encloses() {
		return int(op.End)
	}
	return pc + 1
}

// closes reports whether op pc is the end of the ops up to end: of those that
// an op encloses by its index, of a block or the message by its code.
func closes(p *typecache.Plan, pc, end int) bool {
	code := p.Ops[pc].Code
	return pc == end || code == typecache.CodeNext || code == typecache.CodeEnd
}

// holds evaluates a condition of the block at base.
func (in *interpreter) holds(cond int32, base reflect.Value) bool {
	load := loader(in.p, base)
	return in.p.Holds(cond, func(r *typecache.Ref) uint64 {
		in.steps++
		return load(r)
	})
}

// held is holds for a block that is being read, of which a field that is not
// there is zero by then.
func (in *interpreter) held(cond int32, base reflect.Value) bool {
	c := &in.p.Conds[cond]
	in.steps++
	return c.Test.Compare(loader(in.p, base)(&c.Ref), c.Value)
}

// touch counts n values of type t as steps.
func (in *interpreter) touch(n int, t reflect.Type) { in.steps += n * (1 + int(t.Size()/8)) }

// loader returns the way to the earlier fields of the block at base.
func loader(p *typecache.Plan, base reflect.Value) func(*typecache.Ref) uint64 {
	return func(r *typecache.Ref) uint64 {
		var v reflect.Value
		if r.Op >= 0 {
			v = fieldAt(p, &p.Ops[r.Op], base)
		} else { // a subset carries it
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

// predecessor returns the integer that a relative one is coded against. Where
// no int64 holds it, it is one that nothing is above.
func predecessor(p *typecache.Plan, op *typecache.Op, b surroundings) int64 {
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

// as returns the address of a variable whose type has T as underlying type.
func as[T any](v reflect.Value) *T {
	return v.Addr().Convert(reflect.TypeFor[*T]()).Interface().(*T)
}

// eachOf calls f for every value of a run: the elements of an array, of arrays
// perhaps, and the parts of a complex number, which it stores if f sets them.
// It returns the path of the value at which f fails, from the run's on.
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

// signedBounds returns the integers that an op allows: those of its range, or of its
// bits in two's complement.
func signedBounds(op *typecache.Op) (least, most int64) {
	if op.Flags&typecache.Plain != 0 {
		least = -1 << (op.Bits - 1)
		return least, ^least
	}
	return int64(op.Bias), int64(op.Bias + op.Span)
}

func unsignedBounds(op *typecache.Op) (least, most uint64) {
	if op.Flags&typecache.Plain != 0 {
		return 0, math.MaxUint64 >> (64 - op.Bits)
	}
	return op.Bias, op.Bias + op.Span
}

// wideBounds returns the bounds of a 128-bit integer, of which the signed ones
// are the same bits.
func wideBounds(p *typecache.Plan, op *typecache.Op) (least, most bits.Uint128) {
	w := &p.Wides[op.Aux]
	return w.Min, w.Min.Add(w.Span)
}

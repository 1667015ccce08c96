package tagcodec

import (
	"cmp"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
)

// The interpreter below runs a plan on reflect.Values, one op after the other,
// and lets a bits.Writer and a bits.Reader do the rest. It knows nothing of
// offsets and addresses: it finds a value by the index of its field. It is the
// oracle of the loops, which must give the same bytes, values and errors.

// interpreter is what both directions keep.
type interpreter struct {
	c     *config
	p     *typecache.Plan
	trail []step
	depth int // of recursive types
}

// step is an open block on the way to the value at hand.
type step struct {
	op    *typecache.Op
	value reflect.Value // that the block is of
	index int           // of the element
	elem  reflect.Value // an entry of a map, or the member of a union
}

// enter opens the block of a value, which the function that it returns closes.
func (in *interpreter) enter(op *typecache.Op, v reflect.Value) (leave func()) {
	in.trail = append(in.trail, step{op: op, value: v})
	return func() { in.trail = in.trail[:len(in.trail)-1] }
}

// innermost is the block that was entered last.
func (in *interpreter) innermost() *step { return &in.trail[len(in.trail)-1] }

// pathTo returns the path of an op's value.
func (in *interpreter) pathTo(op *typecache.Op) string {
	path := typeName(in.p.Type)
	add := func(op *typecache.Op) {
		if field := in.p.Fields[op.Field].Path; field != "" {
			path += "." + field
		}
	}
	for _, s := range in.trail {
		add(s.op)
		switch s.op.Code {
		case typecache.CodeArray, typecache.CodeSlice, typecache.CodeSubset:
			path += "[" + strconv.Itoa(s.index) + "]"
		case typecache.CodeMap:
			path += "[" + nameOf(s.elem.Field(0)) + "]"
		}
	}
	add(op)
	return path
}

// stopped says why and where the interpreter stopped.
type stopped struct {
	path string
	bit  int
	err  error
}

// fail stops at the value of an op, at a bit. It does not without an error.
func (in *interpreter) fail(op *typecache.Op, bit int, err error) *stopped {
	if err == nil {
		return nil
	}
	return &stopped{in.pathTo(op), bit, err}
}

// failed stops at the bit that the error tells.
func (in *interpreter) failed(op *typecache.Op, err error) *stopped {
	if err == nil {
		return nil
	}
	return in.fail(op, err.(*bits.Error).Bit, err)
}

// report makes the error of a whole message.
func (s *stopped) report(direction string, p *typecache.Plan) error {
	return &Error{Op: direction, Type: p.Type, Path: s.path, Bit: s.bit, Err: s.err}
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

// byOffset returns the scalar of a struct or an array that is so many bytes
// from its start.
func byOffset(v reflect.Value, off uintptr) reflect.Value {
	for {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.Offset <= off && off < f.Offset+f.Type.Size() {
					v, off = v.Field(i), off-f.Offset
					break
				}
			}
		case reflect.Array:
			size := v.Type().Elem().Size()
			v, off = v.Index(int(off/size)), off%size
		default:
			return v
		}
	}
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
	return in.p.Holds(cond, loader(base))
}

// loader returns the way to the earlier fields of the block at base.
func loader(base reflect.Value) func(*typecache.Ref) uint64 {
	return func(r *typecache.Ref) uint64 {
		v := byOffset(base, r.Off)
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
		v := p.Value(&r.To, loader(b.value))
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

// nameOf returns the text of a key in a path.
func nameOf(key reflect.Value) string {
	switch {
	case key.Kind() == reflect.String:
		return strconv.Quote(key.String())
	case key.CanInt():
		return strconv.FormatInt(key.Int(), 10)
	case key.CanUint():
		return strconv.FormatUint(key.Uint(), 10)
	}
	return strconv.FormatBool(key.Bool())
}

// keyOrder compares two keys of a map as the wire sorts them.
func keyOrder(a, b reflect.Value) int {
	switch {
	case a.Kind() == reflect.String:
		return strings.Compare(a.String(), b.String())
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	}
	number := map[bool]int{false: 0, true: 1}
	return cmp.Compare(number[a.Bool()], number[b.Bool()])
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

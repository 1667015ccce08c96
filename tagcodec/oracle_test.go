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

// stopped says why and where the interpreter stopped. The path is of the value that
// was refused, from the value on that the ops ran on; every block adds itself
// on the way out.
type stopped struct {
	path string
	bit  int
	err  error
}

func (s *stopped) within(path string) *stopped {
	s.path = path + s.path
	return s
}

// report makes the error of a whole message.
func (s *stopped) report(op string, p *typecache.Plan) error {
	return &Error{Op: op, Type: p.Type, Path: typeName(p.Type) + s.path, Bit: s.bit, Err: s.err}
}

// surroundings are what ops run on: a value, and the element before it where the value
// is one of several.
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

// fieldPath returns the path of an op's field from its block.
func fieldPath(p *typecache.Plan, op *typecache.Op) string {
	if path := p.Fields[op.Field].Path; path != "" {
		return "." + path
	}
	return ""
}

// opAfter returns the op that follows op pc and all that is in it.
func opAfter(p *typecache.Plan, pc int) int {
	switch op := &p.Ops[pc]; op.Code {
	case typecache.CodeIf, typecache.CodeArray, typecache.CodeSlice, typecache.CodeMap, typecache.CodePointer:
		return int(op.End)
	}
	return pc + 1
}

// closes reports whether op pc is the end of the ops up to end: of a condition
// by its index, of a block or the message by its code.
func closes(p *typecache.Plan, pc, end int) bool {
	code := p.Ops[pc].Code
	return pc == end || code == typecache.CodeNext || code == typecache.CodeEnd
}

// loader returns the way to the earlier fields of the block at base.
func loader(p *typecache.Plan, base reflect.Value) func(*typecache.Ref) uint64 {
	return func(r *typecache.Ref) uint64 {
		v := fieldAt(p, &p.Ops[r.Op], base)
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
func eachOf(v reflect.Value, sets bool, f func(reflect.Value) *stopped) *stopped {
	switch v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			if s := eachOf(v.Index(i), sets, f); s != nil {
				return s.within("[" + strconv.Itoa(i) + "]")
			}
		}
		return nil
	case reflect.Complex64:
		c := as[complex64](v)
		re, im := real(*c), imag(*c)
		s := eachPart(reflect.ValueOf(&re), reflect.ValueOf(&im), f)
		if sets {
			*c = complex(re, im)
		}
		return s
	case reflect.Complex128:
		c := as[complex128](v)
		re, im := real(*c), imag(*c)
		s := eachPart(reflect.ValueOf(&re), reflect.ValueOf(&im), f)
		if sets {
			*c = complex(re, im)
		}
		return s
	}
	return f(v)
}

func eachPart(re, im reflect.Value, f func(reflect.Value) *stopped) *stopped {
	if s := f(re.Elem()); s != nil {
		return s.within(".real")
	}
	if s := f(im.Elem()); s != nil {
		return s.within(".imag")
	}
	return nil
}

// keyIndex returns the part of a path that names a map's entry.
func keyIndex(key reflect.Value) string {
	text := ""
	switch {
	case key.Kind() == reflect.String:
		text = strconv.Quote(key.String())
	case key.CanInt():
		text = strconv.FormatInt(key.Int(), 10)
	case key.CanUint():
		text = strconv.FormatUint(key.Uint(), 10)
	default:
		text = strconv.FormatBool(key.Bool())
	}
	return "[" + text + "]"
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

// bounds returns the integers that an op allows: those of its range, or of its
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

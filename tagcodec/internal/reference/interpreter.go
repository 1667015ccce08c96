package reference

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// interpreter is the state that both directions need.
type interpreter struct {
	c         *core.Settings
	p         *plan.Plan
	operation string        // "marshal" or "unmarshal"
	root      reflect.Value // the variable to decode into; unset when encoding

	context        *access.Context // for values that serialize themselves; nil until the first of them
	nestedSettings *core.Settings  // the Settings of context
	blocks         []blockState    // the blocks being coded; kept after an error
	depth          int             // nesting depth of recursive types and unions
	reservedBits   int             // minimum bits of the values after the current block, in all enclosing blocks
}

// blockState is the state of a block that is being coded.
type blockState struct {
	op         *plan.Op
	value      reflect.Value // value of the block's op
	index      int           // index of the element or union member
	elem       reflect.Value // map entry or union member
	storage    *core.Storage // storage of the element
	storageFor int           // 1 + index of the element whose storage is cached; 0 if none is
}

// pushBlock pushes the block of v, the value of op. It fails if there are too
// many levels on the stack. The error is at bit.
func (in *interpreter) pushBlock(op *plan.Op, v reflect.Value, bit int) *stop {
	if in.c.StackLevels+len(in.blocks) >= core.MaxStackLevels {
		return in.failAt(op, bit, core.NewRefusal(core.ErrDepth, core.MaxStackLevels+1, 0, core.MaxStackLevels))
	}
	in.blocks = append(in.blocks, blockState{op: op, value: v})
	return nil
}

// popBlock pops the innermost block and returns s. If s is an error, popBlock
// keeps the block, because the path of the error needs it.
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
func (in *interpreter) deeper(op *plan.Op, bit int) *stop {
	if in.depth++; in.depth > in.c.MaxDepth {
		return in.failAt(op, bit, core.NewRefusal(core.ErrDepth, in.depth, 0, in.c.MaxDepth))
	}
	return nil
}

// pathTo returns the path to the value of an op.
func (in *interpreter) pathTo(op *plan.Op) string {
	var path strings.Builder
	path.WriteString(typename.Of(in.p.Type))
	for i := 0; i < len(in.blocks); i++ {
		if next, ok := core.Elided(i, len(in.blocks)); ok {
			i = next
			path.WriteString(core.Elision)
		}
		s := &in.blocks[i]
		core.WritePath(&path, &in.p.Fields[s.op.Field])
		core.WriteElement(&path, s.op, s.index, func() reflect.Value { return s.elem.Field(0) })
	}
	core.WritePath(&path, &in.p.Fields[op.Field])
	return path.String()
}

// stop describes where and why the interpreter stopped.
type stop struct {
	op      *plan.Op
	subpath string // path within the op's value
	bit     int
	err     error
}

// failAt stops at the value of op, at the given bit. It returns nil if err is
// nil.
func (in *interpreter) failAt(op *plan.Op, bit int, err error) *stop {
	if err == nil {
		return nil
	}
	core.SetPosition(err, in.operation, bit)
	return &stop{op: op, bit: bit, err: err}
}

// fail stops at the bit given by err, which must be a *bits.Error or nil.
func (in *interpreter) fail(op *plan.Op, err error) *stop {
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
	case in.c.SentinelErrors && in.operation == "unmarshal":
		return core.SentinelOf(s.err)
	}
	return core.NewMessageError(in.operation, in.p.Type, in.pathTo(s.op)+s.subpath, s.bit, s.err)
}

// blockBase is what the ops of a block run on: a value and, if it is one of
// several elements, the previous element.
type blockBase struct {
	value, previous reflect.Value
}

// opAfter returns the index of the op after op pc and everything it encloses.
func opAfter(pl *plan.Plan, pc int) int {
	if op := &pl.Ops[pc]; op.Code.Encloses() {
		return int(op.End)
	}
	return pc + 1
}

// Closes reports whether a sequence of ops ends before op pc. It ends at index
// end, or at the end of the block or message.
func Closes(pl *plan.Plan, pc, end int) bool {
	code := pl.Ops[pc].Code
	return pc == end || code == plan.CodeNext || code == plan.CodeEnd
}

// conditionHolds evaluates a condition of the block at base.
func (in *interpreter) conditionHolds(cond int32, base reflect.Value) bool {
	load := loader(in.p, base)
	return in.p.Holds(cond, func(r *plan.Ref) uint64 {
		return load(r)
	})
}

// conditionHoldsOnRead is like conditionHolds but for a block that is being
// read, in which absent fields are already zero.
func (in *interpreter) conditionHoldsOnRead(cond int32, base reflect.Value) bool {
	c := &in.p.Conds[cond]
	return c.Test.Compare(loader(in.p, base)(&c.Ref), c.Value)
}

// loader returns a function that loads earlier fields of the block at base.
func loader(pl *plan.Plan, base reflect.Value) func(*plan.Ref) uint64 {
	return func(r *plan.Ref) uint64 {
		var v reflect.Value
		if r.Op >= 0 {
			v = core.FieldAt(pl, &pl.Ops[r.Op], base)
		} else { // the option by of a subset
			v = core.Along(base, core.PathAt(base.Type(), r.Off))
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
func predecessor(pl *plan.Plan, op *plan.Op, b blockBase) int64 {
	r := &pl.Relatives[op.Aux]
	switch {
	case r.Mode == plan.ToField:
		v := pl.Value(&r.To, loader(pl, b.value))
		if !r.To.Signed {
			v = min(v, math.MaxInt64)
		}
		return int64(v)
	case r.Mode == plan.Chain && b.previous.IsValid():
		v := core.FieldAt(pl, op, b.previous)
		if v.CanInt() {
			return v.Int()
		}
		return int64(v.Uint())
	}
	return r.Base
}

// As returns the address of v as a *T. T must be the underlying type of v.
func As[T any](v reflect.Value) *T {
	return v.Addr().Convert(reflect.TypeFor[*T]()).Interface().(*T)
}

// EachOf calls f for every scalar in v: for the elements of a slice, an array or
// nested arrays, and for both parts of a complex number. If sets is true, it
// stores the parts of complex numbers that f sets. If f fails, EachOf returns
// the error and the path of the scalar within v.
func EachOf(v reflect.Value, sets bool, f func(reflect.Value) error) (path string, err error) {
	switch v.Kind() {
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			if path, err := EachOf(v.Index(i), sets, f); err != nil {
				return "[" + strconv.Itoa(i) + "]" + path, err
			}
		}
		return "", nil
	case reflect.Complex64:
		c := As[complex64](v)
		re, im := real(*c), imag(*c)
		path, err = eachPart(reflect.ValueOf(&re), reflect.ValueOf(&im), f)
		if sets {
			*c = complex(re, im)
		}
		return path, err
	case reflect.Complex128:
		c := As[complex128](v)
		re, im := real(*c), imag(*c)
		path, err = eachPart(reflect.ValueOf(&re), reflect.ValueOf(&im), f)
		if sets {
			*c = complex(re, im)
		}
		return path, err
	}
	return "", f(v)
}

// eachPart calls f for the parts of a complex number.
func eachPart(re, im reflect.Value, f func(reflect.Value) error) (path string, err error) {
	if err := f(re.Elem()); err != nil {
		return ".real", err
	}
	return ".imag", f(im.Elem())
}

// SignedBounds returns the least and greatest integer of an op, given by its
// range or by its width in two's complement.
func SignedBounds(op *plan.Op) (least, most int64) {
	if op.Flags&plan.FlagFullRange != 0 {
		least = -1 << (op.Bits - 1)
		return least, ^least
	}
	return int64(op.Bias), int64(op.Bias + op.Span)
}

// UnsignedBounds is like SignedBounds for unsigned integers.
func UnsignedBounds(op *plan.Op) (least, most uint64) {
	if op.Flags&plan.FlagFullRange != 0 {
		return 0, math.MaxUint64 >> (64 - op.Bits)
	}
	return op.Bias, op.Bias + op.Span
}

// wideBounds returns the bounds of a 128-bit integer, in two's complement if it
// is signed.
func wideBounds(pl *plan.Plan, op *plan.Op) (least, most bits.Uint128) {
	w := &pl.Wides[op.Aux]
	return w.Min, w.Min.Add(w.Span)
}

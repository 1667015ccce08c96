//go:build !purego

package fast

import (
	"reflect"
	"strings"
	"sync"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// failure describes where and why a loop stopped.
type failure struct {
	op    int // index of the op in the plan
	index int // index of the value within the op, or -1 if the error is about all of them
	bit   int
	err   error
}

// shortfall is the error of a read of n bits when only left remain. Most bad
// messages end this way, so shortfalls are pooled. Only report converts them to
// a bits.Error.
type shortfall struct{ n, left int }

var shortfalls = sync.Pool{New: func() any { return new(shortfall) }}

// overread returns the error of a read of n bits when only left remain. It is not
// copied into its many callers.
//
//go:noinline
func overread(n, left int) error {
	s := shortfalls.Get().(*shortfall)
	s.n, s.left = n, left
	return s
}

func (s *shortfall) Error() string { return bits.ErrOverread.Error() }

// failureSentinel returns the sentinel of a failure, and frees a shortfall.
func failureSentinel(err error) error {
	if e, ok := err.(*shortfall); ok {
		shortfalls.Put(e)
		return bits.ErrOverread
	}
	return core.SentinelOf(err)
}

// report returns the error of a failure inside the blocks of stack. The op is
// that of the call, "marshal" or "unmarshal".
func report(op string, pl *plan.Plan, stack []frame, f failure) error {
	if short, ok := f.err.(*shortfall); ok {
		f.err = core.NewRefusal(bits.ErrOverread, short.n, nil, short.left)
		shortfalls.Put(short)
	}
	core.SetPosition(f.err, op, f.bit)
	var s strings.Builder
	s.Grow(64) // enough for most paths, so that errors are cheap
	writeOpPath(&s, pl, stack, &pl.Ops[f.op])
	if o := &pl.Ops[f.op]; (o.Code.Scalar() || o.Code == plan.CodeRunLength && f.index >= 0) && pl.Fields[o.Field].Type != nil {
		core.WriteRunIndex(&s, pl.Fields[o.Field].Type, f.index)
	}
	return core.NewMessageError(op, pl.Type, s.String(), f.bit, f.err)
}

// pathOf returns the path to the value of op inside the blocks of stack.
func pathOf(pl *plan.Plan, stack []frame, op *plan.Op) string {
	var s strings.Builder
	writeOpPath(&s, pl, stack, op)
	return core.ShortPath(s.String())
}

// writeOpPath writes the path to the value of op inside the blocks of stack.
func writeOpPath(s *strings.Builder, pl *plan.Plan, stack []frame, op *plan.Op) {
	s.WriteString(typename.Of(pl.Type))
	for i := 0; i < len(stack); i++ {
		if next, ok := core.Elided(i, len(stack)); ok {
			i = next
			s.WriteString(core.Elision)
		}
		f := &stack[i]
		open := &pl.Ops[f.opener]
		core.WritePath(s, &pl.Fields[open.Field])
		index := f.total - f.left
		core.WriteElement(s, open, index, func() reflect.Value {
			elem := &pl.Elems[open.Aux]
			return f.elem.At(uintptr(index) * elem.Size).Value(elem.Type).Field(0)
		})
	}
	core.WritePath(s, &pl.Fields[op.Field])
}

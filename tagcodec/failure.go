//go:build !purego

package tagcodec

import (
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// failure is what a loop knows when it stops.
type failure struct {
	op    int // the op in the plan
	index int // the value of its run
	bit   int
	err   error
}

// shortfall is the failure of a read of n bits of which left are left. It is
// what most bad packets come to, and report makes an error of it only for those
// who want one.
type shortfall struct{ n, left int }

var shortfalls = sync.Pool{New: func() any { return new(shortfall) }}

// overread is the failure of a read of n bits.
func overread(n, left int) error {
	s := shortfalls.Get().(*shortfall)
	s.n, s.left = n, left
	return s
}

func (s *shortfall) Error() string { return ErrOverread.Error() }

// brief is the sentinel of a failure.
func brief(err error) error {
	if e, ok := err.(*shortfall); ok {
		shortfalls.Put(e)
		return ErrOverread
	}
	return sentinel(err)
}

// report makes the error of a failure in the blocks of stack.
func report(op string, p *typecache.Plan, stack []frame, f failure) error {
	if short, ok := f.err.(*shortfall); ok {
		f.err = refusal(ErrOverread, short.n, nil, short.left)
		shortfalls.Put(short)
	}
	place(f.err, op, f.bit)
	var s strings.Builder
	s.Grow(64) // for most paths, so that a refusal is cheap
	writeOpPath(&s, p, stack, &p.Ops[f.op])
	if o := &p.Ops[f.op]; o.Code.Scalar() && p.Fields[o.Field].Type != nil {
		writeRunIndex(&s, p.Fields[o.Field].Type, f.index)
	}
	return newError(op, p.Type, s.String(), f.bit, f.err)
}

// pathOf returns the path of an op's value in the blocks of stack.
func pathOf(p *typecache.Plan, stack []frame, op *typecache.Op) string {
	var s strings.Builder
	writeOpPath(&s, p, stack, op)
	return shortPath(s.String())
}

func writeOpPath(s *strings.Builder, p *typecache.Plan, stack []frame, op *typecache.Op) {
	s.WriteString(typename.Of(p.Type))
	for i := 0; i < len(stack); i++ {
		if next, ok := elided(i, len(stack)); ok {
			i = next
			s.WriteString(elision)
		}
		f := &stack[i]
		open := &p.Ops[f.open]
		writePath(s, &p.Fields[open.Field])
		index := f.total - f.left
		writeElement(s, open, index, func() reflect.Value {
			elem := &p.Elems[open.Aux]
			return f.elem.At(uintptr(index) * elem.Size).Value(elem.Type).Field(0)
		})
	}
	writePath(s, &p.Fields[op.Field])
}

// writeRunIndex writes which value of an array, of arrays perhaps, a run is at.
func writeRunIndex(s *strings.Builder, t reflect.Type, i int) {
	values := 1
	leaf := t
	for leaf.Kind() == reflect.Array {
		values *= leaf.Len()
		leaf = leaf.Elem()
	}
	part := 0
	if k := leaf.Kind(); k == reflect.Complex64 || k == reflect.Complex128 {
		i, part = i/2, 1+i%2
	}
	for ; t.Kind() == reflect.Array; t = t.Elem() {
		values /= t.Len()
		s.WriteString("[" + strconv.Itoa(i/values) + "]")
		i %= values
	}
	s.WriteString([...]string{"", ".real", ".imag"}[part])
}

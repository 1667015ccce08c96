//go:build purego

package core

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
)

// Exposed returns v. Package engine refuses plans in which reflect could not
// call the methods of v.
func Exposed(v reflect.Value) reflect.Value { return v }

// weakRef stands in for a weak reference, which needs unsafe. A waiting link
// keeps its message alive instead; see pinnedBytes.
type weakRef struct{}

// newWeakRef returns v as the value to keep, because there are no weak
// references without unsafe.
func newWeakRef(v reflect.Value) (weakRef, reflect.Value) { return weakRef{}, v }

func (weakRef) alive() bool { return false }

func (weakRef) variable(uintptr, reflect.Type) (v reflect.Value, ok bool) { return v, false }

func (weakRef) pointee(reflect.Type) (v reflect.Value, ok bool) { return v, false }

// pinnedBytes returns the approximate memory of a message in v, which its links
// keep alive.
func pinnedBytes(pl *plan.Plan, v func() reflect.Value) int {
	m := measurer{pl}
	return int(pl.Type.Size()) + m.block(0, v())
}

// measurer measures the memory that decoding a value allocates.
type measurer struct{ p *plan.Plan }

// block returns the memory that belongs to the ops from pc to the end of their
// block, whose base is v.
func (m measurer) block(pc int, v reflect.Value) (bytes int) {
	for ; !m.p.Ops[pc].Code.Ends(); pc++ {
		op := &m.p.Ops[pc]
		if field := FieldAt(m.p, op, v); field.IsValid() {
			bytes += m.value(pc, op, field)
		}
		// A call or union encloses no ops: those of its value are elsewhere.
		if op.Code.Block() && op.Code.Encloses() {
			pc = int(op.End) - 1
		}
	}
	return bytes
}

// value returns the memory that belongs to the value of op pc.
func (m measurer) value(pc int, op *plan.Op, v reflect.Value) (bytes int) {
	switch op.Code {
	case plan.CodeString, plan.CodeWString:
		return v.Len()
	case plan.CodeRunLength:
		if v.Kind() == reflect.Slice {
			bytes = v.Cap() * int(v.Type().Elem().Size())
		}
	case plan.CodeArray, plan.CodeSlice, plan.CodeSubset:
		if v.Kind() == reflect.Slice {
			bytes = v.Cap() * int(v.Type().Elem().Size())
		}
		for i := range v.Len() {
			if subset := m.p.Elems[op.Aux].Subset; subset != nil && subset.Pointers {
				bytes += m.target(pc+1, v.Index(i))
			} else {
				bytes += m.block(pc+1, v.Index(i))
			}
		}
	case plan.CodeMap:
		for it := v.MapRange(); it.Next(); {
			entry := reflect.New(m.p.Elems[op.Aux].Type).Elem()
			entry.Field(0).Set(it.Key())
			entry.Field(1).Set(it.Value())
			bytes += 2*int(entry.Type().Size()) + m.block(pc+1, entry)
		}
	case plan.CodePointer:
		bytes = m.target(pc+1, v)
	case plan.CodeUnion:
		if index, target, err := MemberOf(m.p.Elems[op.Aux].Union, v); err == nil && index > 0 {
			bytes = m.target(int(m.p.Elems[op.Aux].Union.Starts[index-1]), target)
		}
	case plan.CodeCall:
		bytes = m.block(int(op.End), v)
	}
	return bytes
}

// target returns the memory of what a pointer points to.
func (m measurer) target(pc int, pointer reflect.Value) int {
	if pointer.IsNil() {
		return 0
	}
	return int(pointer.Type().Elem().Size()) + m.block(pc, pointer.Elem())
}

//go:build purego

package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/typecache"
)

// exposed returns v. Plans in which reflect could not call the methods of v are
// refused by unreachable.
func exposed(v reflect.Value) reflect.Value { return v }

// weakRef stands in for a weak reference, which needs unsafe. A patch keeps its
// message alive instead; see pinnedBytes.
type weakRef struct{}

// newWeakRef returns v as the value to keep, because there are no weak references
// without unsafe.
func newWeakRef(v reflect.Value) (weakRef, reflect.Value) { return weakRef{}, v }

func (weakRef) alive() bool { return false }

func (weakRef) variable(uintptr, reflect.Type) (v reflect.Value, ok bool) { return v, false }

func (weakRef) pointee(reflect.Type) (v reflect.Value, ok bool) { return v, false }

// pinnedBytes returns the approximate memory of a message in v, which its links
// keep alive.
func pinnedBytes(p *typecache.Data, v func() reflect.Value) int {
	m := measurer{p}
	return int(p.Type.Size()) + m.block(0, v())
}

// measurer measures the memory that decoding a value allocates.
type measurer struct{ p *typecache.Data }

// block returns the memory that belongs to the ops from pc to the end of their
// block, whose base is v.
func (m measurer) block(pc int, v reflect.Value) (bytes int) {
	for ; !m.p.Ops[pc].Code.Ends(); pc++ {
		op := &m.p.Ops[pc]
		if field := fieldAt(m.p, op, v); field.IsValid() {
			bytes += m.value(pc, op, field)
		}
		if op.Code.Block() {
			pc = int(op.End) - 1
		}
	}
	return bytes
}

// value returns the memory that belongs to the value of op pc.
func (m measurer) value(pc int, op *typecache.Op, v reflect.Value) (bytes int) {
	switch op.Code {
	case typecache.CodeString, typecache.CodeWString:
		return v.Len()
	case typecache.CodeArray, typecache.CodeSlice, typecache.CodeSubset:
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
	case typecache.CodeMap:
		for it := v.MapRange(); it.Next(); {
			entry := reflect.New(m.p.Elems[op.Aux].Type).Elem()
			entry.Field(0).Set(it.Key())
			entry.Field(1).Set(it.Value())
			bytes += 2*int(entry.Type().Size()) + m.block(pc+1, entry)
		}
	case typecache.CodePointer:
		bytes = m.target(pc+1, v)
	case typecache.CodeUnion:
		if index, member, err := memberOf(m.p.Elems[op.Aux].Union, v); err == nil && index > 0 {
			bytes = m.target(int(m.p.Elems[op.Aux].Union.Starts[index-1]), member)
		}
	case typecache.CodeCall:
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

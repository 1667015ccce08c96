package reference

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// union writes the index of the type in an interface, and then the value.
func (e *encoder) union(op *plan.Op, v reflect.Value) *stop {
	u := e.p.Elems[op.Aux].Union
	index, pointer, err := core.MemberOf(u, v)
	if err != nil {
		return e.failAt(op, e.w.Bit(), err)
	}
	if index == 0 {
		e.w.WriteBits(0, int(op.Bits))
		return nil
	}
	if s := e.deeper(op, e.w.Bit()); s != nil {
		return s
	}
	defer func() { e.depth-- }()
	e.w.WriteUint(uint64(index), 0, uint64(len(u.Types)))
	if s := e.pushBlock(op, v, e.w.Bit()); s != nil {
		return s
	}
	return e.popBlock(e.ops(int(u.Starts[index-1]), -1, blockBase{value: pointer.Elem()}))
}

// union reads the index of a type, and then the value. It reuses the target if
// the interface already contains a pointer of that type.
func (d *decoder) union(op *plan.Op, v reflect.Value) *stop {
	u, bit := d.p.Elems[op.Aux].Union, d.r.Bit()
	index := d.r.ReadBits(int(op.Bits))
	switch {
	case d.r.Err() != nil:
		return d.fail(op, d.r.Err())
	case index > uint64(len(u.Types)):
		return d.fail(op, d.refuse(bit, core.ErrUnion, index, uint64(0), uint64(len(u.Types))))
	case index == 0:
		d.traceText(op, "nil")
		v.SetZero()
		return nil
	}
	if d.trace != nil {
		d.traceText(op, "type "+typename.Of(u.Types[index-1]))
	}
	if s := d.deeper(op, bit); s != nil {
		return s
	}
	defer func() { d.depth-- }()
	if err := d.requireBits(bit, 1, u.MinBits[index-1]); err != nil {
		return d.fail(op, err)
	}
	if s := d.pushBlock(op, v, bit); s != nil {
		return s
	}
	t := u.Types[index-1]
	pointer := core.NewMember(t, v)
	in := d.innermost()
	in.index, in.elem = int(index-1), pointer.Elem()
	if s := d.popBlock(d.ops(int(u.Starts[index-1]), -1, blockBase{value: pointer.Elem()})); s != nil {
		return s
	}
	core.SetMember(v, pointer, t)
	return nil
}

// link sets v to the object with the given id.
func (d *decoder) link(op *plan.Op, v reflect.Value, id uint64) error {
	core.Overwrite(d.c.Linker, v, d.storage)
	return core.Resolve(d.c.Linker, v, id, func() (string, core.FieldRef) { return core.ShortPath(d.pathTo(op)), core.NewFieldRef(v, d.storage()) })
}

// storage returns the storage that contains the current value.
func (d *decoder) storage() (in *core.Storage) {
	i := len(d.blocks)
	for i > 0 && d.blocks[i-1].storageFor != d.blocks[i-1].index+1 {
		i--
	}
	if i > 0 {
		in = d.blocks[i-1].storage
	} else {
		in = core.OwnStorage(d.root)
	}
	for ; i < len(d.blocks); i++ {
		s := &d.blocks[i]
		in = d.storageIn(s, in)
		if s.op.Code != plan.CodeMap { // the entries of a map have no index
			s.storage, s.storageFor = in, s.index+1
		}
	}
	return in
}

// storageIn returns the storage that contains the current element of s. outer is
// the storage of the enclosing block.
func (d *decoder) storageIn(s *blockState, outer *core.Storage) *core.Storage {
	elem := &d.p.Elems[s.op.Aux]
	switch s.op.Code {
	case plan.CodeSlice:
		return core.SliceStorage(s.value)
	case plan.CodePointer:
		return core.OwnStorage(s.value.Elem())
	case plan.CodeMap:
		return core.EntryStorage(s.value, s.elem, outer)
	case plan.CodeUnion:
		if elem.Union.Types[s.index].Kind() == reflect.Pointer {
			return core.OwnStorage(s.elem) // the interface gets this pointer
		}
		return core.MemberStorage(s.value, s.elem, outer)
	case plan.CodeSubset:
		switch {
		case elem.Subset.Pointers:
			return core.OwnStorage(s.value.Index(s.index).Elem())
		case s.value.Kind() == reflect.Slice:
			return core.SliceStorage(s.value)
		}
	}
	return outer
}

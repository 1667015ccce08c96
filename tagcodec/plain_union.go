package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/typecache"
)

// union writes the index of the type in an interface, and then the value.
func (e *plainEncoder) union(op *typecache.Op, v reflect.Value) *stop {
	u := e.p.Elems[op.Aux].Union
	index, held, err := memberOf(u, v)
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
	return e.popBlock(e.ops(int(u.Starts[index-1]), -1, surroundings{value: held.Elem()}))
}

// union reads the index of a type, and then the value. It reuses the target if
// the interface already holds a pointer of that type.
func (d *plainDecoder) union(op *typecache.Op, v reflect.Value) *stop {
	u, bit := d.p.Elems[op.Aux].Union, d.r.Bit()
	index := d.r.ReadBits(int(op.Bits))
	switch {
	case d.r.Err() != nil:
		return d.fail(op, d.r.Err())
	case index > uint64(len(u.Types)):
		return d.fail(op, d.refuse(bit, errUnion, index, uint64(0), uint64(len(u.Types))))
	case index == 0:
		v.SetZero()
		return nil
	}
	if s := d.deeper(op, bit); s != nil {
		return s
	}
	defer func() { d.depth-- }()
	if err := d.payable(bit, 1, u.MinBits[index-1]); err != nil {
		return d.fail(op, err)
	}
	if s := d.pushBlock(op, v, bit); s != nil {
		return s
	}
	t := u.Types[index-1]
	held := newMember(t, v)
	in := d.innermost()
	in.index, in.elem = int(index-1), held.Elem()
	if s := d.popBlock(d.ops(int(u.Starts[index-1]), -1, surroundings{value: held.Elem()})); s != nil {
		return s
	}
	setMember(v, held, t)
	return nil
}

// waitingLink sets v to the object with the given id.
func (d *plainDecoder) link(op *typecache.Op, v reflect.Value, id uint64) error {
	overwrite(d.c.linker, v, d.storage)
	return resolve(d.c.linker, v, id, func() (string, fieldRef) { return shortPath(d.pathTo(op)), newFieldRef(v, d.storage()) })
}

// storage returns the storage that holds the current value.
func (d *plainDecoder) storage() (in *storage) {
	i := len(d.blocks)
	for i > 0 && d.blocks[i-1].known != d.blocks[i-1].index+1 {
		i--
	}
	if i > 0 {
		in = d.blocks[i-1].storage
	} else {
		in = ownStorage(d.root)
	}
	for ; i < len(d.blocks); i++ {
		s := &d.blocks[i]
		in = d.storageIn(s, in)
		if s.op.Code != typecache.CodeMap { // the entries of a map have no index
			s.storage, s.known = in, s.index+1
		}
	}
	return in
}

// storageIn returns the storage that holds the block of s, given the storage of
// the enclosing block.
func (d *plainDecoder) storageIn(s *blockState, outer *storage) *storage {
	elem := &d.p.Elems[s.op.Aux]
	switch s.op.Code {
	case typecache.CodeSlice:
		return sliceStorage(s.value)
	case typecache.CodePointer:
		return ownStorage(s.value.Elem())
	case typecache.CodeMap:
		return entryStorage(s.value, s.elem, outer)
	case typecache.CodeUnion:
		if elem.Union.Types[s.index].Kind() == reflect.Pointer {
			return ownStorage(s.elem) // the interface will hold this pointer
		}
		return memberStorage(s.value, s.elem, outer)
	case typecache.CodeSubset:
		switch {
		case elem.Subset.Pointers:
			return ownStorage(s.value.Index(s.index).Elem())
		case s.value.Kind() == reflect.Slice:
			return sliceStorage(s.value)
		}
	}
	return outer
}

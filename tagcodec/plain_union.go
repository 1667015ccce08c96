package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/typecache"
)

// union writes which type an interface holds, and the value.
func (e *plainEncoder) union(op *typecache.Op, v reflect.Value) *stopped {
	u := e.p.Elems[op.Aux].Union
	index, held, err := member(u, v)
	if err != nil {
		return e.fail(op, e.w.Bit(), err)
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
	if s := e.enter(op, v, e.w.Bit()); s != nil {
		return s
	}
	return e.leave(e.ops(int(u.Starts[index-1]), -1, surroundings{value: held.Elem()}))
}

// union reads which type an interface holds, and the value. It reuses a pointer
// of that type that the interface has.
func (d *plainDecoder) union(op *typecache.Op, v reflect.Value) *stopped {
	u, bit := d.p.Elems[op.Aux].Union, d.r.Bit()
	index := d.r.ReadBits(int(op.Bits))
	switch {
	case d.r.Err() != nil:
		return d.failed(op, d.r.Err())
	case index > uint64(len(u.Types)):
		return d.failed(op, d.refuse(bit, ErrUnion, index, uint64(0), uint64(len(u.Types))))
	case index == 0:
		v.SetZero()
		return nil
	}
	if s := d.deeper(op, bit); s != nil {
		return s
	}
	defer func() { d.depth-- }()
	if err := d.payable(bit, 1, u.MinBits[index-1]); err != nil {
		return d.failed(op, err)
	}
	if s := d.enter(op, v, bit); s != nil {
		return s
	}
	t := u.Types[index-1]
	d.touch(2, t)
	held := newMember(t, v)
	in := d.innermost()
	in.index, in.elem = int(index-1), held.Elem()
	if s := d.leave(d.ops(int(u.Starts[index-1]), -1, surroundings{value: held.Elem()})); s != nil {
		return s
	}
	setMember(v, held, t)
	return nil
}

// link reads the id of the object that v is to refer to.
func (d *plainDecoder) link(op *typecache.Op, v reflect.Value, id uint64) error {
	overwrite(d.c.linker, v, d.copies)
	return resolve(d.c.linker, v, id, func() Patch {
		d.steps += min(len(d.trail), mostBlocks)
		return Patch{ID: id, Path: shortPath(d.pathTo(op)), field: v, kept: d.copies()}
	})
}

// copies returns the innermost copy that maps and interfaces keep of what the
// value at hand is in: the memory that it is read into is not where it ends.
func (d *plainDecoder) copies() (inner *kept) {
	i := len(d.trail)
	for i > 0 && d.trail[i-1].known != d.trail[i-1].index+1 {
		i--
	}
	if i > 0 {
		inner = d.trail[i-1].kept
	}
	for ; i < len(d.trail); i++ {
		d.steps++
		s := &d.trail[i]
		inner = d.copied(s, inner)
		if s.op.Code != typecache.CodeMap { // whose entries have no index
			s.kept, s.known = inner, s.index+1
		}
	}
	return inner
}

// copied returns the innermost copy of a block, given that of the block around
// it.
func (d *plainDecoder) copied(s *step, outer *kept) *kept {
	switch s.op.Code {
	case typecache.CodeMap:
		return &kept{in: s.value, key: s.elem.Field(0), read: s.elem.Field(1)}
	case typecache.CodeUnion:
		if d.p.Elems[s.op.Aux].Union.Types[s.index].Kind() == reflect.Pointer {
			return nil // the interface keeps the pointer to it
		}
		return &kept{outer: outer, in: s.value, read: s.elem}
	case typecache.CodeSlice, typecache.CodePointer:
		return nil
	case typecache.CodeSubset:
		if s.value.Kind() == reflect.Slice || s.value.Type().Elem().Kind() == reflect.Pointer {
			return nil
		}
	}
	return outer
}

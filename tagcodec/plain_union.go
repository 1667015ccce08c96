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

// union is the reverse. A pointer of the same type that the interface holds is
// used again.
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
	return resolve(d.c.linker, v, id, func() Patch {
		d.steps += len(d.trail)
		return Patch{ID: id, Path: d.pathTo(op), field: v, kept: d.copies()}
	})
}

// copies returns what maps and interfaces keep copies of on the way to the
// value at hand: the memory that the value is read into is not where it ends.
func (d *plainDecoder) copies() (list []kept) {
	for _, s := range d.trail {
		switch s.op.Code {
		case typecache.CodeMap:
			list = []kept{{in: s.value, key: s.elem.Field(0), read: s.elem.Field(1)}}
		case typecache.CodeUnion:
			if d.p.Elems[s.op.Aux].Union.Types[s.index].Kind() == reflect.Pointer {
				list = nil // the interface keeps the pointer to it
			} else {
				list = append(list, kept{in: s.value, read: s.elem})
			}
		case typecache.CodeSlice, typecache.CodePointer:
			list = nil
		case typecache.CodeSubset:
			if s.value.Kind() == reflect.Slice || s.value.Type().Elem().Kind() == reflect.Pointer {
				list = nil
			}
		}
	}
	return list
}

package tagcodec

import (
	"fmt"
	"math"
	stdbits "math/bits"
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/typecache"
)

// present returns the indices of the elements of a subset that are present.
func (in *interpreter) present(op *typecache.Op, v reflect.Value) (indices []int) {
	sub := in.p.Elems[op.Aux].Subset
	for i := range v.Len() {
		elem := v.Index(i)
		if sub.Pointers && !elem.IsNil() || !sub.Pointers && byOffset(elem, sub.By).Bool() {
			indices = append(indices, i)
		}
	}
	return indices
}

// target returns what the ops of a present element run on.
func target(sub *typecache.Subset, elem reflect.Value) reflect.Value {
	if sub.Pointers {
		return elem.Elem()
	}
	return elem
}

// writeIndex writes the index of a present element of n after another one, or
// n behind the last.
func writeIndex(w *bits.Writer, mode compress.Subset, previous, i, n int) {
	switch mode {
	case compress.SubsetBitmap:
		for previous++; previous < i; previous++ {
			w.WriteBool(false)
		}
		if i < n {
			w.WriteBool(true)
		}
	case compress.SubsetIndex:
		if i < n {
			w.WriteUint(uint64(i), 0, uint64(n-1))
		}
	case compress.SubsetSentinel:
		w.WriteUint(uint64(i), 0, uint64(n))
	case compress.SubsetRelative:
		code, width := compress.EncodeIndex(previous, i, n)
		w.WriteBits(code, width)
	}
}

// cheapest returns the mode that takes the fewest bits.
func cheapest(indices []int, n int) (best compress.Subset) {
	least := math.MaxInt
	for mode := compress.SubsetBitmap; mode <= compress.SubsetRelative; mode++ {
		w := bits.NewMeasurer()
		if mode == compress.SubsetIndex {
			w.WriteCount(len(indices), 0, n)
		}
		previous := -1
		for _, i := range append(slices.Clip(indices), n) {
			writeIndex(w, mode, previous, i, n)
			previous = i
		}
		if w.Bit() < least {
			best, least = mode, w.Bit()
		}
	}
	return best
}

// subset writes the elements that are present.
func (e *reflectEncoder) subset(pc int, op *typecache.Op, v reflect.Value) *stopped {
	sub, n := e.p.Elems[op.Aux].Subset, v.Len()
	if op.Flags&typecache.Slice != 0 {
		e.w.WriteCount(n, int(op.Bias), int(op.Bias+op.Span))
	}
	if e.w.Err() != nil || n == 0 {
		return e.failed(op, e.w.Err())
	}
	indices, mode := e.present(op, v), sub.Mode
	if sub.Auto {
		mode = cheapest(indices, n)
		e.w.WriteBits(uint64(mode), 2)
	}
	if mode == compress.SubsetIndex {
		e.w.WriteCount(len(indices), 0, n)
	}
	previous := -1
	for _, i := range indices {
		writeIndex(e.w, mode, previous, i, n)
		leave := e.enter(op, v)
		e.innermost().index = i
		s := e.ops(pc+1, -1, surroundings{value: target(sub, v.Index(i))})
		if leave(); s != nil {
			return s
		}
		previous = i
	}
	writeIndex(e.w, mode, previous, n, n)
	return nil
}

// subset is the reverse. Absent elements become zero.
func (d *reflectDecoder) subset(pc int, op *typecache.Op, v reflect.Value) *stopped {
	sub, n, start := d.p.Elems[op.Aux].Subset, v.Len(), d.r.Bit()
	if op.Flags&typecache.Slice != 0 {
		n = d.r.ReadCount(int(op.Bias), int(op.Bias+op.Span))
		each := 0
		if sub.Mode == compress.SubsetBitmap && !sub.Auto {
			each = 1
		}
		if err := d.payable(start, n, each); err != nil {
			return d.failed(op, err)
		}
		setLen(v, n)
	}
	if n == 0 {
		return nil
	}
	mode, left := sub.Mode, 0
	if sub.Auto {
		mode = compress.Subset(d.r.ReadBits(2))
	}
	if mode == compress.SubsetIndex {
		left = d.r.ReadCount(0, n)
	}
	if err := d.r.Err(); err != nil {
		return d.failed(op, err)
	}
	for previous := -1; ; {
		i, err := n, error(nil)
		if mode != compress.SubsetIndex || left > 0 {
			left--
			i, err = d.readIndex(mode, previous, n, left)
		}
		if err != nil {
			return d.failed(op, err)
		}
		for absent := previous + 1; absent < i; absent++ {
			v.Index(absent).SetZero()
		}
		if i == n {
			if sub.Auto && mode != cheapest(d.present(op, v), n) {
				return d.failed(op, d.refuse(start, ErrForm, mode.String(), nil, nil))
			}
			return nil
		}
		elem := v.Index(i)
		if !sub.Pointers {
			byOffset(elem, sub.By).SetBool(true)
		} else if elem.IsNil() {
			elem.Set(reflect.New(elem.Type().Elem()))
		}
		leave := d.enter(op, v)
		d.innermost().index = i
		s := d.ops(pc+1, -1, surroundings{value: target(sub, elem)})
		if leave(); s != nil {
			return s
		}
		previous = i
	}
}

// readIndex is the reverse of writeIndex. In the index mode so many follow.
func (d *reflectDecoder) readIndex(mode compress.Subset, previous, n, follow int) (i int, err error) {
	r, bit := d.r, d.r.Bit()
	width, last, ok := 0, n, true
	switch mode {
	case compress.SubsetBitmap:
		left := r.Remaining()
		for i = previous + 1; i < n; i++ {
			if i-previous > left {
				return i, d.refuse(bit, ErrOverread, left+1, nil, left)
			}
			if r.ReadBool() {
				break
			}
		}
		return i, nil
	case compress.SubsetIndex:
		width = stdbits.Len(uint(n - 1))
		i = int(codeAt(r.Data(), bit, width))
		last = n - 1 - follow
		ok = i > previous && i <= last
	case compress.SubsetSentinel:
		width = stdbits.Len(uint(n))
		i = int(codeAt(r.Data(), bit, width))
		ok = i > previous && i <= n
	case compress.SubsetRelative:
		i, width, ok = compress.DecodeIndex(bits.PeekWord(r.Data(), bit), previous, n)
	}
	if left := r.Remaining(); width > left {
		return i, d.refuse(bit, ErrOverread, width, nil, left)
	}
	if !ok {
		return i, d.refuse(bit, ErrRange, i, previous+1, last)
	}
	if width > 0 {
		r.ReadBits(width)
	}
	return i, nil
}

// union writes which type an interface holds, and the value.
func (e *reflectEncoder) union(op *typecache.Op, v reflect.Value) *stopped {
	u := e.p.Elems[op.Aux].Union
	index := 0
	var held reflect.Value
	if !v.IsNil() {
		held = v.Elem()
		index = 1 + slices.Index(u.Types, held.Type())
		if index == 0 {
			return e.failed(op, e.refuse(ErrUnion, held.Type().String(), nil, nil))
		}
		if held.Kind() != reflect.Pointer {
			copied := reflect.New(held.Type())
			copied.Elem().Set(held)
			held = copied
		} else if held.IsNil() {
			return e.failed(op, e.refuse(ErrUnion, "nil "+held.Type().String(), nil, nil))
		}
	}
	if index == 0 {
		e.w.WriteBits(0, int(op.Bits))
		return nil
	}
	if err := e.deeper(); err != nil {
		return e.failed(op, err)
	}
	defer func() { e.depth-- }()
	e.w.WriteUint(uint64(index), 0, uint64(len(u.Types)))
	defer e.enter(op, v)()
	return e.ops(int(u.Starts[index-1]), -1, surroundings{value: held.Elem()})
}

// union is the reverse. A pointer of the same type that the interface holds is
// used again.
func (d *reflectDecoder) union(op *typecache.Op, v reflect.Value) *stopped {
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
	if err := d.deeper(bit); err != nil {
		return d.failed(op, err)
	}
	defer func() { d.depth-- }()
	t := u.Types[index-1]
	member := reflect.New(t) // or what it points to
	if t.Kind() == reflect.Pointer {
		member = reflect.New(t.Elem())
		if held := v.Elem(); held.IsValid() && held.Type() == t && !held.IsNil() {
			member = held
		}
	}
	defer d.enter(op, v)()
	d.innermost().elem = member.Elem()
	if s := d.ops(int(u.Starts[index-1]), -1, surroundings{value: member.Elem()}); s != nil {
		return s
	}
	if t.Kind() == reflect.Pointer {
		v.Set(member)
	} else {
		v.Set(member.Elem())
	}
	return nil
}

// link writes the id of the object that v refers to.
func (e *reflectEncoder) link(op *typecache.Op, v reflect.Value) error {
	var id uint64
	if !v.IsNil() {
		if e.c.linker == nil {
			return fmt.Errorf("%w: give the codec a Linker", ErrLink)
		}
		known := false
		if id, known = e.c.linker.ID(v.Interface()); !known || id == 0 {
			return fmt.Errorf("%w: the Linker has no id for the %v", ErrLink, v.Type())
		}
		if most := uint64(math.MaxUint64) >> (64 - op.Bits); id > most {
			return e.refuse(ErrRange, id, uint64(1), most)
		}
	}
	e.w.WriteBits(id, int(op.Bits))
	return nil
}

// link is the reverse.
func (d *reflectDecoder) link(op *typecache.Op, v reflect.Value, id uint64) error {
	v.SetZero()
	if id == 0 {
		return nil
	}
	if d.c.linker == nil {
		return fmt.Errorf("%w: give the codec a Linker", ErrLink)
	}
	object, known := d.c.linker.Object(id)
	if !known {
		d.c.linker.Unresolved(Patch{ID: id, Path: d.pathTo(op), field: v, kept: d.copies()})
		return nil
	}
	return Patch{ID: id, field: v}.Set(object)
}

// copies returns what maps and interfaces keep copies of on the way to the
// value at hand: the memory that the value is read into is not where it ends.
func (d *reflectDecoder) copies() (list []kept) {
	for _, s := range d.trail {
		switch s.op.Code {
		case typecache.CodeMap:
			list = []kept{{in: s.value, key: s.elem.Field(0), read: s.elem.Field(1)}}
		case typecache.CodeUnion:
			if d.held(s).Kind() == reflect.Pointer {
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

// held returns the type that a union's interface gets.
func (d *reflectDecoder) held(s step) reflect.Type {
	types := d.p.Elems[s.op.Aux].Union.Types
	if slices.Contains(types, s.elem.Type()) {
		return s.elem.Type()
	}
	return reflect.PointerTo(s.elem.Type())
}

package reference

import (
	"math"
	mathbits "math/bits"
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// present returns the indices of the present elements of a subset.
func (in *interpreter) present(op *plan.Op, v reflect.Value) (indices []int) {
	sub := in.p.Elems[op.Aux].Subset
	var by []int
	if !sub.Pointers {
		by = core.PathAt(v.Type().Elem(), sub.By)
	}
	for i := range v.Len() {
		elem := v.Index(i)
		if sub.Pointers && !elem.IsNil() || !sub.Pointers && core.Along(elem, by).Bool() {
			indices = append(indices, i)
		}
	}
	return indices
}

// target returns the value that the ops of a present element run on.
func target(sub *plan.Subset, elem reflect.Value) reflect.Value {
	if sub.Pointers {
		return elem.Elem()
	}
	return elem
}

// writeIndex writes the index i of the next present element. previous is the
// index of the last one, or -1. n is the number of elements, and i == n ends
// the subset.
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

// cheapest returns the mode that takes the fewest bits for the present elements
// of n.
func cheapest(indices []int, n int) (best compress.Subset) {
	least := math.MaxInt
	ends := append(slices.Clip(indices), n)
	for mode := compress.SubsetBitmap; mode <= compress.SubsetRelative; mode++ {
		w := bits.NewMeasurer()
		if mode == compress.SubsetIndex {
			w.WriteCount(len(indices), 0, n)
		}
		previous := -1
		for _, i := range ends {
			writeIndex(w, mode, previous, i, n)
			previous = i
		}
		if w.Bit() < least {
			best, least = mode, w.Bit()
		}
	}
	return best
}

// subset writes the present elements.
func (e *encoder) subset(pc int, op *plan.Op, v reflect.Value) *stop {
	sub, n := e.p.Elems[op.Aux].Subset, v.Len()
	if op.Flags&plan.FlagSlice != 0 {
		e.w.WriteCount(n, int(op.Bias), int(op.Bias+op.Span))
	}
	if e.w.Err() != nil || n == 0 {
		return e.fail(op, e.w.Err())
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
		if s := e.pushBlock(op, v, e.w.Bit()); s != nil {
			return s
		}
		e.innermost().index = i
		if s := e.popBlock(e.ops(pc+1, -1, blockBase{value: target(sub, v.Index(i))})); s != nil {
			return s
		}
		previous = i
	}
	writeIndex(e.w, mode, previous, n, n)
	return nil
}

// subset reads the present elements and clears the absent ones.
func (d *decoder) subset(pc int, op *plan.Op, v reflect.Value) *stop {
	sub, n, start, each := d.p.Elems[op.Aux].Subset, v.Len(), d.r.Bit(), 0
	if op.Flags&plan.FlagSlice != 0 {
		n = d.r.ReadCount(int(op.Bias), int(op.Bias+op.Span))
		if sub.Mode == compress.SubsetBitmap && !sub.Auto {
			each = 1
		}
		if err := d.requireBits(start, n, each); err != nil {
			return d.fail(op, err)
		}
		setLen(op, v, n)
		d.traceInt(op, "count", n)
	}
	if n == 0 {
		return nil
	}
	mode, left := sub.Mode, 0
	if sub.Auto {
		mode = compress.Subset(d.r.ReadBits(2))
		if d.trace != nil {
			d.traceText(op, "subset "+mode.String())
		}
	}
	if mode == compress.SubsetIndex {
		left = d.r.ReadCount(0, n)
		d.traceInt(op, "elements", left)
	}
	if err := d.r.Err(); err != nil {
		return d.fail(op, err)
	}
	reserved := d.reservedBits
	for previous := -1; ; {
		bit, i, err := d.r.Bit(), n, error(nil)
		if mode != compress.SubsetIndex || left > 0 {
			left--
			i, err = d.readIndex(mode, previous, n, left)
		}
		if err != nil {
			if previous >= 0 {
				d.clearRest(op, v, previous)
			}
			return d.fail(op, err)
		}
		if i == n {
			d.traceText(op, "no more elements")
		} else {
			d.traceInt(op, "index", i)
		}
		for absent := previous + 1; absent < i; absent++ {
			v.Index(absent).SetZero()
		}
		d.reservedBits = saturate.MulAdd(max(n-1-i, 0), each, reserved)
		if i == n {
			if sub.Auto && mode != cheapest(d.present(op, v), n) {
				return d.fail(op, d.refuse(start, core.ErrNotCanonical, mode.String(), nil, nil))
			}
			return nil
		}
		elem := v.Index(i)
		if !sub.Pointers {
			core.Along(elem, core.PathAt(elem.Type(), sub.By)).SetBool(true)
		} else if err := d.requireBits(bit, 1, d.p.Elems[op.Aux].MinBits); err != nil {
			return d.fail(op, err)
		} else if elem.IsNil() {
			elem.Set(reflect.New(elem.Type().Elem()))
		}
		if s := d.pushBlock(op, v, d.r.Bit()); s != nil {
			return s
		}
		d.innermost().index = i
		if s := d.popBlock(d.ops(pc+1, -1, blockBase{value: target(sub, elem)})); s != nil {
			d.clearRest(op, v, i)
			return s
		}
		previous = i
	}
}

// readIndex is the inverse of writeIndex. In the mode SubsetIndex, follow is the
// number of present elements after this one.
func (d *decoder) readIndex(mode compress.Subset, previous, n, follow int) (i int, err error) {
	r, bit := d.r, d.r.Bit()
	width, last, ok := 0, n, true
	switch mode {
	case compress.SubsetBitmap:
		for i = previous + 1; i < n; i++ {
			access.Ensure(r, 1)
			if left := r.Bit() - bit; r.Remaining() == 0 {
				return i, d.refuse(bit, bits.ErrOverread, left+1, nil, left)
			}
			if r.ReadBool() {
				break
			}
		}
		return i, nil
	case compress.SubsetIndex:
		width = mathbits.Len(uint(n - 1))
		access.Ensure(r, width)
		i = int(codeAt(access.Data(r), bit, width))
		last = n - 1 - follow
		ok = i > previous && i <= last
	case compress.SubsetSentinel:
		width = mathbits.Len(uint(n))
		access.Ensure(r, width)
		i = int(codeAt(access.Data(r), bit, width))
		ok = i > previous && i <= n
	case compress.SubsetRelative:
		width = d.prefix(func(word uint64) (width int) {
			i, width, ok = compress.DecodeIndex(word, previous, n)
			return width
		})
	}
	if left := r.Remaining(); width > left {
		return i, d.refuse(bit, bits.ErrOverread, width, nil, left)
	}
	if !ok {
		return i, d.refuse(bit, bits.ErrRange, i, previous+1, last)
	}
	if width > 0 {
		r.ReadBits(width)
	}
	return i, nil
}

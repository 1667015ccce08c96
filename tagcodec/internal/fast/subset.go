//go:build !purego

package fast

import (
	mathbits "math/bits"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// The frame of a subset visits only the present elements. The index of its
// current element is total-left, as in other blocks.

// indexBits returns the number of bits of an index in [0, n].
func indexBits(n int) int { return mathbits.Len(uint(max(n, 0))) }

// element returns the address of element i.
func (f *frame) element(i int) memory.Pointer { return f.elem.At(uintptr(i) * f.size) }

// present returns the base of the current element: the element itself, or the
// target of its pointer.
func (f *frame) present(elem *plan.Elem) memory.Pointer {
	p := f.element(f.total - f.left)
	if elem.Subset.Pointers {
		return *p.Ptr()
	}
	return p
}

// next returns the index of the first present element at or after i, or f.total
// if no such element exists.
func (f *frame) next(elem *plan.Elem, i int) int {
	for ; i < f.total; i++ {
		p := f.element(i)
		if elem.Subset.Pointers {
			if !p.Ptr().IsNil() {
				break
			}
		} else if *p.At(elem.Subset.By).U8() != 0 {
			break
		}
	}
	return i
}

// cost returns the cost of the present elements' indices in each mode, and the
// number of present elements.
func (f *frame) cost(elem *plan.Elem) (cost compress.SubsetCost, count int) {
	cost = compress.NewSubsetCost(f.total)
	for i := f.next(elem, 0); i < f.total; i = f.next(elem, i+1) {
		cost.Add(i)
		count++
	}
	return cost, count
}

// subset writes the start of the subset at p, including the index of the first
// present element. If no element is present, the left field of the frame is 0.
func (e *encoder) subset(op *plan.Op, p memory.Pointer) (frame, error) {
	elem, out := &e.pl.Elems[op.Aux], e.out
	f := frame{base: e.base, elem: p, size: elem.Size, total: op.Count, mode: elem.Subset.Mode}
	if op.Flags&plan.FlagSlice != 0 {
		s := p.Slice()
		count, err := countCode(op, s.Len)
		if err != nil {
			return f, err
		}
		out.put(count, uint(op.Bits))
		f.elem, f.total = s.Data, s.Len
	}
	if f.total == 0 {
		return f, nil
	}
	if elem.Subset.Auto || f.mode == compress.SubsetIndex {
		cost, count := f.cost(elem)
		if elem.Subset.Auto {
			f.mode = cost.Cheapest()
			out.put(uint64(f.mode), 2)
		}
		if f.mode == compress.SubsetIndex {
			out.put(uint64(count), uint(indexBits(f.total)))
		}
	}
	f.writeNext(elem, -1, out)
	return f, nil
}

// writeNext writes the index of the first present element after previous, or
// the end of the subset, and moves the frame there.
func (f *frame) writeNext(elem *plan.Elem, previous int, out *output) {
	i := f.next(elem, previous+1)
	f.left = f.total - i
	switch f.mode {
	case compress.SubsetBitmap:
		absent := i - previous - 1
		for ; absent >= 64; absent -= 64 {
			out.put(0, 64)
		}
		out.put(0, uint(absent))
		if f.left > 0 {
			out.put(1, 1)
		}
	case compress.SubsetIndex:
		if f.left > 0 {
			out.put(uint64(i), uint(indexBits(f.total-1)))
		}
	case compress.SubsetSentinel:
		out.put(uint64(i), uint(indexBits(f.total)))
	case compress.SubsetRelative:
		code, n := compress.EncodeIndex(previous, i, f.total)
		out.put(code, uint(n))
	}
}

// subset is the inverse of encoder.subset. The reserved bits are those for the
// values after the subset. On an error it returns the bit where it occurred.
func (d *decoder) subset(op *plan.Op, p memory.Pointer, reserved, bit int) (frame, int, error) {
	elem, data := &d.pl.Elems[op.Aux], d.data
	f := frame{base: d.base, elem: p, size: elem.Size, total: op.Count, mode: elem.Subset.Mode, start: bit}
	end := 8 * len(data)
	if op.Flags&plan.FlagSlice != 0 {
		n, err := decodeCount(op, data, bit)
		if err == nil && f.mode == compress.SubsetBitmap && !elem.Subset.Auto {
			f.each = 1
			err = requireBits(n, 1, reserved, end-bit-int(op.Bits))
		}
		if err != nil {
			return f, bit, err
		}
		bit += int(op.Bits)
		t := d.pl.Fields[op.Field].Type
		resize(p, op, t, &plan.Elem{Type: t.Elem(), Size: elem.Size}, n)
		f.elem, f.total = p.Slice().Data, n
	}
	if f.total == 0 {
		return f, bit, nil
	}
	if elem.Subset.Auto {
		if end-bit < 2 {
			return f, bit, overread(2, end-bit)
		}
		f.mode = compress.Subset(bitio.Peek(data, bit) & 3)
		bit += 2
	}
	if f.mode == compress.SubsetIndex {
		n := indexBits(f.total)
		if n > end-bit {
			return f, bit, overread(n, end-bit)
		}
		f.chosen = int(bitio.Peek(data, bit) & (1<<n - 1))
		if f.chosen > f.total {
			return f, bit, core.NewRefusal(bits.ErrLength, f.chosen, 0, f.total)
		}
		bit += n
	}
	bit, err := d.readNext(&f, op, -1, reserved, bit)
	return f, bit, err
}

// nextPresent moves f, the frame of the innermost block, to the next present
// element. If no such element exists, f.left becomes 0. After an error the
// block has ended, because the error is in the index and not in an element.
func (d *decoder) nextPresent(f *frame, op *plan.Op, bit int) (int, error) {
	left := f.left
	bit, err := d.readNext(f, op, f.total-left, d.reserved-(left-1)*f.each, bit)
	if err != nil {
		d.n--
		clearRest(d.pl, d.frames[d.n:d.n+1])
		return bit, err
	}
	d.reserved -= (left - max(f.left, 1)) * f.each
	if f.left > 0 {
		d.base = f.present(&d.pl.Elems[op.Aux])
	}
	return bit, nil
}

// readNext is the inverse of writeNext for the subset of op. It clears the
// absent elements before the one it moves to. The reserved bits are those for
// the values after the subset.
func (d *decoder) readNext(f *frame, op *plan.Op, previous, reserved, bit int) (int, error) {
	elem := &d.pl.Elems[op.Aux]
	i, n, err := f.readIndex(previous, d.data, bit)
	if err != nil {
		return bit, err
	}
	f.left = f.total - i
	clearElems(op, d.pl.Fields[op.Field].Type.Elem(), f.size, f.elem, previous+1, i)
	if f.left == 0 {
		if elem.Subset.Auto {
			if cost, _ := f.cost(elem); cost.Cheapest() != f.mode {
				return f.start, core.NewRefusal(core.ErrNotCanonical, f.mode.String(), nil, nil)
			}
		}
		return bit + n, nil
	}
	p := f.element(i)
	if !elem.Subset.Pointers {
		*p.At(elem.Subset.By).U8() = 1
		return bit + n, nil
	}
	if err := requireBits(1, elem.MinBits, saturate.MulAdd(f.left-1, f.each, reserved), 8*len(d.data)-bit-n); err != nil {
		return bit, err
	}
	if p.Ptr().IsNil() {
		*p.Ptr() = memory.To(reflect.New(elem.Type))
	}
	return bit + n, nil
}

// readIndex reads the index of the first present element after previous, or
// f.total if no such element exists. It also returns the number of bits read.
func (f *frame) readIndex(previous int, data []byte, bit int) (i, n int, err error) {
	left, last, ok := 8*len(data)-bit, f.total, true
	switch f.mode {
	case compress.SubsetBitmap:
		for i = previous + 1; i < f.total; i++ {
			if n >= left {
				return i, n, overread(n+1, left)
			}
			n++
			if bitAt(data, bit+n-1) {
				break
			}
		}
		return i, n, nil
	case compress.SubsetIndex:
		if f.chosen == 0 {
			return f.total, 0, nil
		}
		f.chosen--
		n = indexBits(f.total - 1)
		// The remaining elements must come after this one.
		i, last = int(bitio.Peek(data, bit)&(1<<n-1)), f.total-1-f.chosen
		ok = i > previous && i <= last
	case compress.SubsetSentinel:
		n = indexBits(f.total)
		i = int(bitio.Peek(data, bit) & (1<<n - 1))
		ok = i > previous && i <= f.total
	case compress.SubsetRelative:
		i, n, ok = compress.DecodeIndex(bitio.PeekWord(data, bit), previous, f.total)
	}
	switch {
	case n > left:
		return i, n, overread(n, left)
	case !ok:
		return i, n, core.NewRefusal(bits.ErrRange, i, previous+1, last)
	}
	return i, n, nil
}

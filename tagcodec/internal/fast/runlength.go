//go:build !purego

package fast

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// runLength writes the elements of a CodeRunLength. elem is the op of one
// element. On an error it returns the index of the element, or -1 if the error is
// about the whole.
func (e *encoder) runLength(op, elem *plan.Op, p memory.Pointer) (int, error) {
	n, o := op.Count, e.out
	if op.Flags&plan.FlagSlice != 0 {
		s := p.Slice()
		count := uint64(s.Len) - op.Bias
		if count > op.Span {
			return -1, core.LengthError(op, s.Len)
		}
		if elem.Size == 1 && o.shares(s.Data, s.Len) {
			return -1, core.ErrShared
		}
		o.put(count, uint(op.Bits))
		p, n = s.Data, s.Len
	}
	length, last := 0, uint64(0) // the stretch before element i
	for i := range n {
		code, err := encodeSingle(e.pl, elem, p.At(uintptr(i)*uintptr(elem.Size)))
		if err != nil {
			return i, err
		}
		if length > 0 && (code != last || length == bitio.MaxStretch) {
			putStretch(elem, length, last, o)
			length = 0
		}
		length, last = length+1, code
	}
	if length > 0 {
		putStretch(elem, length, last, o)
	}
	return 0, nil
}

// putStretch writes length elements with one code.
func putStretch(elem *plan.Op, length int, code uint64, o *output) {
	word, _, n := bitio.EncodeExpGolomb(uint64(length-1), 0)
	o.put(word, uint(n))
	o.put(code, uint(elem.Bits))
}

// runLength reads the elements of a CodeRunLength. It returns the bit after them.
// On an error it returns the bit and the index of the element, or -1 if the error
// is about the whole.
func (d *decoder) runLength(op, elem *plan.Op, p memory.Pointer, bit int) (next, index int, err error) {
	n, width, data, end := op.Count, int(elem.Bits), d.data, 8*len(d.data)
	if op.Flags&plan.FlagSlice != 0 {
		if n, err = decodeCount(op, data, bit); err != nil {
			return bit, -1, err
		}
		if n > 0 {
			if err = requireBits(1, bitio.StretchBits(n, width), saturate.Add(d.reserved, int(op.Rest)), end-bit-int(op.Bits)); err != nil {
				return bit, -1, err
			}
		}
		bit += int(op.Bits)
		resize(p, op, d.pl.Fields[op.Field].Type, &d.pl.Elems[op.Aux], n)
		p = p.Slice().Data
	}
	last, whole := uint64(0), true // the code of the stretch before, and whether it may go on
	for i := 0; i < n; {
		more, used, ok := bitio.DecodeExpGolomb(data, bit, uint64(min(n-i, bitio.MaxStretch)-1), 0)
		if used > end-bit {
			return bit, i, overread(used, end-bit)
		}
		if !ok {
			return bit, i, core.NewRefusal(bits.ErrLength, nil, nil, nil)
		}
		bit += used
		if width > end-bit {
			return bit, i, overread(width, end-bit)
		}
		code := bitio.PeekWord(data, bit) & (1<<elem.Bits - 1)
		if code == last && !whole {
			return bit, i, core.NewRefusal(core.ErrNotCanonical, nil, nil, nil)
		}
		first := p.At(uintptr(i) * uintptr(elem.Size))
		if err = decodeSingle(d.pl, elem, first, code); err != nil {
			return bit, i, err
		}
		length := int(more) + 1
		repeatFirst(first.Array(length*int(elem.Size)), int(elem.Size))
		bit += width
		i += length
		last, whole = code, length == bitio.MaxStretch
	}
	return bit, 0, nil
}

// repeatFirst fills memory with copies of its first size bytes.
func repeatFirst(memory []byte, size int) {
	for ; size < len(memory); size *= 2 {
		copy(memory[size:], memory[:size])
	}
}

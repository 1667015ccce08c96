package binary

import (
	"encoding"
	"reflect"

	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
)

// block contains the integers of an element that later ops depend on: those used
// by conditions, and those that relative integers refer to.
type block struct {
	refs    []uintptr
	values  []uint64 // the low bits, as in memory
	started bool     // an element of the block has been read before
}

// newBlock returns a block whose integers are zero.
func (x *walker) newBlock() *block {
	b := &block{refs: x.plan.refs}
	if len(b.refs) > 0 {
		b.values = make([]uint64, len(b.refs))
	}
	return b
}

// index returns the index of the integer at an offset.
func (b *block) index(off uintptr) (int, bool) {
	for i, at := range b.refs {
		if at >= off {
			return i, at == off
		}
	}
	return 0, false
}

// set records the integer at an offset if anything depends on it.
func (b *block) set(off uintptr, v uint64) {
	if i, ok := b.index(off); ok {
		b.values[i] = v
	}
}

// setValue is like set for a value of a type with its own encoding.
func (b *block) setValue(off uintptr, v reflect.Value) {
	switch {
	case v.CanInt():
		b.set(off, uint64(v.Int()))
	case v.CanUint():
		b.set(off, v.Uint())
	case v.Kind() == reflect.Bool && v.Bool():
		b.set(off, 1)
	case v.Kind() == reflect.Bool:
		b.set(off, 0)
	}
}

// zero records that the values of a field are zero because the field is absent.
func (b *block) zero(op *plan.Op) {
	for i, off := range b.refs {
		if off >= op.Off && off < op.Off+uintptr(op.Count) {
			b.values[i] = 0
		}
	}
}

// load returns the integer that a condition refers to.
func (b *block) load(r *plan.Ref) uint64 { return b.at(r.Off, r.Size, r.Signed) }

// at returns the integer at an offset, or 0 if nothing depends on it. size is
// its size in bytes.
func (b *block) at(off uintptr, size uint8, signed bool) uint64 {
	i, ok := b.index(off)
	if !ok {
		return 0
	}
	n := 64 - 8*uint(size)
	if signed {
		return uint64(int64(b.values[i]<<n) >> n)
	}
	return b.values[i] << n >> n
}

// single skips op.Count values of one width. A lone integer is checked and
// recorded instead, because later ops may depend on it.
func (x *walker) single(op *plan.Op, b *block) {
	if !op.Code.Single() {
		panic("binary: no way to measure " + op.Code.String())
	}
	if op.Count > 1 || !op.Code.Integer() && op.Code != plan.CodeWord {
		x.skip(op.Count, int(op.Bits))
		return
	}
	v := x.take(int(op.Bits))
	switch {
	case v > op.Span:
		x.refuse()
	case op.Code == plan.CodeWord && op.Flags&plan.FlagSigned != 0:
		n := 64 - uint(op.Bits)
		b.set(op.Off, uint64(int64(v<<n)>>n))
	default:
		b.set(op.Off, v+op.Bias)
	}
}

// varint reads value k of the op.Count varints of an op.
func (x *walker) varint(op *plan.Op, b *block, k int) {
	var v uint64
	for shift := 0; ; shift += 7 {
		group := x.take(8)
		v |= group >> 1 << shift
		if group&1 == 0 {
			break
		}
		if shift > 63 {
			x.refuse()
			return
		}
	}
	if op.Flags&plan.FlagSigned != 0 {
		v = bitio.Unzigzag(v)
	}
	b.set(op.Off+uintptr(k)*uintptr(op.Size), v)
}

// runLength reads the elements of a CodeRunLength.
func (x *walker) runLength(op, elem *plan.Op) {
	left, width := op.Count, int(elem.Bits)
	if op.Flags&plan.FlagSlice != 0 {
		left = x.count(op)
		if left > 0 {
			x.ensureAll(1, bitio.StretchBits(left, width), saturate.Add(x.reservedBits, int(op.Rest)))
		}
	}
	for left > 0 && x.err == nil {
		var more uint64
		x.prefix(func() (n int, ok bool) {
			more, n, ok = bitio.DecodeExpGolomb(x.data, x.bit, uint64(min(left, bitio.MaxStretch)-1), 0)
			return n, ok
		})
		x.skip(1, width)
		left -= int(more) + 1
	}
}

// prefix consumes a code whose first bits tell its length. decode returns the
// length n and whether the code is valid. If the code has not been read to its
// end, n is greater than the number of bits read.
func (x *walker) prefix(decode func() (n int, ok bool)) {
	for k := max(1, x.available-x.bit); x.ensure(k); k++ {
		if n, ok := decode(); n <= k {
			if x.bit += n; !ok {
				x.refuse()
			}
			return
		}
	}
}

// prefixCoded reads value k of the op.Count integers of a PrefixCoded op.
func (x *walker) prefixCoded(op *plan.Op, b *block, k int) {
	var v uint64
	x.prefix(func() (n int, ok bool) {
		v, n, ok = op.DecodeInteger(x.data, x.bit)
		return n, ok
	})
	b.set(op.Off+uintptr(k)*uintptr(op.Size), v)
}

// relative reads value k of the op.Count relative integers of an op.
func (x *walker) relative(op *plan.Op, b *block, k int) {
	r := &x.plan.Relatives[op.Aux]
	off := op.Off + uintptr(k)*uintptr(op.Size)
	previous := r.Base
	switch {
	case r.Mode == plan.ToField:
		if previous = int64(x.plan.Value(&r.To, b.load)); !r.To.Signed && previous < 0 {
			previous = 1<<63 - 1
		}
	case r.Mode == plan.Chain && b.started:
		previous = int64(b.at(off, op.Size, op.Flags&plan.FlagSigned != 0))
	}
	var v int64
	var ok bool
	x.takePrefixCode(func(word uint64) (n int) {
		v, n, ok = bitio.DecodeRelative(word, previous, r.Min, r.Max)
		return n
	})
	if !ok {
		x.refuse()
	}
	b.set(off, uint64(v))
}

// listed reads the index of a listed value, and records that value. It returns
// false if the value is not listed and the op's own encoding follows.
func (x *walker) listed(op *plan.Op, b *block) bool {
	var values []plan.Value
	var index int
	if op.Code == plan.CodeHuffman {
		h := &x.plan.Huffmans[op.Aux]
		x.prefix(func() (n int, ok bool) {
			index, n = h.Code.Decode(x.peek())
			return n, true
		})
		if values = h.Values; x.err != nil {
			return true
		}
		if index == h.Escape {
			return false
		}
	} else {
		if x.take(1) == 0 {
			return x.err != nil
		}
		values, index = x.plan.Commons[op.Aux], int(x.take(int(op.Bits)))
		if len(values) == 2 {
			index = 1 - index
		}
	}
	if index >= len(values) {
		x.refuse()
		return true
	}
	b.set(op.Off, values[index].Mem[0])
	return true
}

// binary reads the binary form of a value that encodes itself.
func (x *walker) binary(op *plan.Op, b *block) {
	n := x.count(op)
	x.align()
	if _, wanted := b.index(op.Off); wanted && x.ensureAll(n, 8, 0) {
		v := reflect.New(x.plan.Fields[op.Field].Type)
		form := x.data[x.bit/8:][:n]
		if err := v.Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(form); err != nil {
			x.refuse()
		}
		b.setValue(op.Off, v.Elem())
	}
	x.skip(n, 8)
}

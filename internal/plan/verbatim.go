package plan

import (
	"encoding/binary"
	"math"
	"runtime"
)

// Values whose bits in memory are those on the wire, such as integers and floats
// of full width, are copied together. Only little-endian machines have them.

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Unaligned reports whether this machine is little-endian and loads and stores
// integers at any address. On these machines the Go compiler itself joins the
// loads of adjacent bytes.
const Unaligned = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" || runtime.GOARCH == "386" ||
	runtime.GOARCH == "wasm" || runtime.GOARCH == "loong64" || runtime.GOARCH == "ppc64le"

// markVerbatim sets FlagVerbatim. It visits the ops from the last to the first,
// because a block depends on the ops inside.
func (p *Plan) markVerbatim() {
	for i := len(p.Ops) - 1; i >= 0 && littleEndian; i-- {
		if p.verbatim(i) {
			p.Ops[i].Flags |= FlagVerbatim
		}
	}
	p.copied = p.fillsVerbatim(0, len(p.Ops)-1, p.Type.Size())
}

// fillsVerbatim reports whether the ops [from, to) are one stretch of memory that
// is sent as it is, from the base of their block to its size.
func (p *Plan) fillsVerbatim(from, to int, size uintptr) bool {
	next, n := p.stretch(from, to)
	return size > 0 && n == size && next == to && p.Ops[from].Off == 0
}

// verbatim reports whether the values of an op, or the elements of a block
// together, have the same bits in memory and on the wire.
func (p *Plan) verbatim(i int) bool {
	switch op := &p.Ops[i]; op.Code {
	case CodeUint8, CodeUint16, CodeUint32, CodeUint64:
		return op.Bits == 8*op.Size && op.Bias == 0 && op.Span == math.MaxUint64>>(64-op.Bits)
	case CodeWide:
		return op.Flags&FlagFullRange != 0
	case CodeArray, CodeSlice:
		return p.fillsVerbatim(i+1, int(op.End)-1, p.Elems[op.Aux].Size)
	}
	return false
}

// stretch returns the longest stretch of memory from op i on that is sent as it
// is: the op after it, and its number of bytes. It ends at op to at the latest.
func (p *Plan) stretch(i, to int) (next int, n uintptr) {
	start := p.Ops[i].Off
	for ; i < to; i = p.After(i) {
		op := &p.Ops[i]
		if op.Flags&FlagVerbatim == 0 || op.Code == CodeSlice || op.Off != start+n {
			break
		}
		size := uintptr(op.Size)
		if op.Code == CodeArray {
			size = p.Elems[op.Aux].Size
		}
		n += uintptr(op.Count) * size
	}
	return i, n
}

// mostWords is the largest number of bytes that a run copies as integers. More are
// copied faster together.
const mostWords = 64

// joins reports whether n bytes of memory from op i on, all sent as they are, take
// fewer values together than op by op.
func (p *finder) joins(i int, n uintptr) bool {
	return n > mostWords || Unaligned && (n > 8 || n > 1 && n > uintptr(p.Ops[i].Size))
}

// addStretch appends values for n bytes of memory, the first of them that of op i.
// They are the largest integers that fit, which need not be aligned, or one
// RunVerbatim.
func (p *finder) addStretch(i int, n uintptr) {
	v := RunValue{Off: p.Ops[i].Off, Op: -1}
	if n > mostWords {
		v.Bias, v.Kind = uint64(n), RunVerbatim
		p.put(v)
		return
	}
	for _, word := range []struct {
		size uintptr
		kind RunKind
	}{{8, RunLongInt64}, {4, RunInt32}, {2, RunInt16}, {1, RunInt8}} {
		v.Kind, v.Width = word.kind, uint8(8*word.size)
		v.Span = math.MaxUint64 >> (64 - v.Width)
		v.Mask = v.Span
		for ; n >= word.size; n -= word.size {
			p.put(v)
			v.Off += word.size
		}
	}
}

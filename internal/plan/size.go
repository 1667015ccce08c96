package plan

import (
	mathbits "math/bits"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/saturate"
)

// sizeRange bounds the size of a sequence of ops.
type sizeRange struct {
	min, max int // the smallest and the largest size in bits
	phase    int // the bit of a byte after the last op, 0 to 7, or unknownPhase
	nesting  int // the largest number of nested blocks
}

// unknownPhase is the phase if it differs between messages.
const unknownPhase = -1

// then returns the size range of e followed by f.
//
//go:noinline
func (e sizeRange) then(f sizeRange) sizeRange {
	return sizeRange{saturate.Add(e.min, f.min), saturate.Add(e.max, f.max), f.phase, max(e.nesting, f.nesting)}
}

// or returns the size range of either e or f.
func (e sizeRange) or(f sizeRange) sizeRange {
	phase := e.phase
	if f.phase != phase {
		phase = unknownPhase
	}
	return sizeRange{min(e.min, f.min), max(e.max, f.max), phase, max(e.nesting, f.nesting)}
}

// fixed returns the size range of n bits that start at phase.
func fixed(n, phase int) sizeRange { return sizeRange{min: n, max: n, phase: advance(phase, n)} }

// advance returns the phase n bits after phase.
func advance(phase, n int) int {
	if phase == unknownPhase {
		return unknownPhase
	}
	return (phase + n) & 7
}

// align returns the size range of the padding from phase to the next byte.
func align(phase int) sizeRange {
	if phase == unknownPhase {
		return sizeRange{max: 7}
	}
	return fixed(-phase&7, phase)
}

// op measures op i and the ops that it encloses.
func (m *measurer) op(i, phase int) sizeRange {
	op := &m.plan.Ops[i]
	switch op.Code {
	case CodeEnd, CodePresent, CodeNext:
		return sizeRange{phase: phase}
	case CodeBool, CodeUint8, CodeUint16, CodeUint32, CodeUint64, CodeInt8, CodeInt16, CodeInt32, CodeWord,
		CodeFloat32, CodeFloat64, CodeHalf, CodeAngle, CodeVector, CodeWide, CodeConst, CodeLink:
		return fixed(saturate.Mul(op.Count, int(op.Bits)), phase)
	case CodeVarint:
		return m.varint(i, phase)
	case CodeExpGolomb:
		return m.prefixCoded(i, phase)
	case CodeRelative:
		return m.relative(i, phase)
	case CodeAlign:
		return align(phase)
	case CodeBytes:
		return m.bytes(i, phase)
	case CodeCString, CodeString, CodeBinary:
		return m.text(i, phase)
	case CodeWString:
		return m.wideText(i, phase)
	case CodeCustom:
		return m.custom(i, phase)
	case CodeIf:
		return m.condition(i, phase)
	case CodeOptional:
		return m.optional(i, phase)
	case CodeCommon:
		return m.common(i, phase)
	case CodeHuffman:
		return m.huffman(i, phase)
	case CodeRunLength:
		return m.runLength(i, phase)
	case CodeScale:
		return m.scale(i, phase)
	case CodeArray:
		return m.array(i, phase)
	case CodeSlice, CodeMap:
		return m.slice(i, phase)
	case CodeSubset:
		return m.subset(i, phase)
	case CodeMatrix:
		return m.element(i, phase)
	case CodePointer:
		return m.pointer(i, phase)
	case CodeUnion:
		return m.union(i, phase)
	case CodeCall:
		return m.call(i, phase)
	}
	panic("plan: no size of " + op.Code.String())
}

// Each method below measures op i of one or two codes.

func (m *measurer) bytes(i, phase int) sizeRange {
	return align(phase).then(fixed(saturate.Mul(m.plan.Ops[i].Count, 8), 0))
}

func (m *measurer) text(i, phase int) sizeRange {
	op := &m.plan.Ops[i]
	count := fixed(int(op.Bits), phase)
	count = count.then(align(count.phase))
	return count.then(sizeRange{min: saturate.Mul(int(op.Bias), 8), max: saturate.Mul(int(op.Bias+op.Span), 8)})
}

func (m *measurer) wideText(i, phase int) sizeRange {
	op := &m.plan.Ops[i]
	count := fixed(int(op.Bits), phase)
	return count.then(sizeRange{max: saturate.Mul(int(op.Span), 32), phase: count.phase})
}

func (m *measurer) varint(i, phase int) sizeRange {
	op := &m.plan.Ops[i]
	groups := (WireBits(m.plan.elemType(op)) + 6) / 7
	return sizeRange{min: saturate.Mul(op.Count, 8), max: saturate.Mul(op.Count, 8*groups), phase: phase}
}

func (m *measurer) relative(i, _ int) sizeRange {
	n := m.plan.Ops[i].Count
	return sizeRange{min: n, max: saturate.Mul(n, bitio.MaxRelativeBits), phase: unknownPhase}
}

func (m *measurer) custom(i, _ int) sizeRange {
	op := &m.plan.Ops[i]
	if m.tagged {
		return sizeRange{phase: unknownPhase}
	}
	return sizeRange{min: int(op.Bias), max: int(op.Bias + op.Span), phase: unknownPhase}
}

func (m *measurer) condition(i, phase int) sizeRange {
	return m.until(i+1, int(m.plan.Ops[i].End), phase).or(sizeRange{phase: phase})
}

func (m *measurer) optional(i, phase int) sizeRange {
	bit := fixed(1, phase)
	return bit.then(m.until(i+1, int(m.plan.Ops[i].End), bit.phase).or(sizeRange{phase: bit.phase}))
}

func (m *measurer) common(i, phase int) sizeRange {
	miss := fixed(1, phase)
	miss = miss.then(m.op(i+1, miss.phase))
	return miss.or(fixed(1+int(m.plan.Ops[i].Bits), phase))
}

// huffman measures the CodeHuffman at op i.
func (m *measurer) huffman(i, phase int) sizeRange {
	op := &m.plan.Ops[i]
	h := &m.plan.Huffmans[op.Aux]
	var all sizeRange
	for symbol := range h.Values {
		_, n := h.Code.Code(symbol)
		e := fixed(n, phase)
		if symbol == h.Escape {
			e = e.then(m.op(i+1, e.phase))
		}
		if symbol > 0 {
			e = all.or(e)
		}
		all = e
	}
	return all
}

func (m *measurer) scale(i, _ int) sizeRange {
	each := m.until(i+1, int(m.plan.Ops[i].End), unknownPhase)
	return sizeRange{min: 1, max: 1 + each.max + scaleBits(m.plan, i), phase: unknownPhase}
}

// scaleBits returns 1 if the scale at op i has several scalars, which need a bit
// that says whether they are equal, and 0 otherwise.
func scaleBits(p *Plan, i int) int {
	if op := &p.Ops[i]; int(op.End) > i+2 || p.Ops[i+1].Count > 1 {
		return 1
	}
	return 0
}

func (m *measurer) array(i, phase int) sizeRange {
	n := m.plan.Ops[i].Count
	return m.repeat(i, n, n, phase)
}

func (m *measurer) slice(i, phase int) sizeRange {
	op := &m.plan.Ops[i]
	count := fixed(int(op.Bits), phase)
	return count.then(m.repeat(i, int(op.Bias), int(op.Bias+op.Span), count.phase))
}

// subset measures the indices and the present elements of a subset. The largest
// size depends on the mode. For auto it is the smallest of the largest sizes of
// all modes.
func (m *measurer) subset(i, phase int) sizeRange {
	op := &m.plan.Ops[i]
	e := m.element(i, unknownPhase)
	count := op.countBits()
	least, most := op.Lengths()
	width := func(n int) int { return mathbits.Len(uint(max(n, 0))) }
	values := saturate.Mul(most, e.max)
	modes := [...]sizeRange{
		compress.SubsetBitmap:   {min: least, max: saturate.Add(most, values)},
		compress.SubsetIndex:    {min: width(least), max: saturate.Add(width(most), saturate.Add(saturate.Mul(most, width(most-1)), values))},
		compress.SubsetSentinel: {min: width(least), max: saturate.Add(saturate.Mul(most+1, width(most)), values)},
		compress.SubsetRelative: {min: 1, max: saturate.Add(most+1, values)},
	}
	if e.max < 2 {
		// A step over d-1 absent elements takes at most 2d bits. If these elements
		// were present instead, they would take d bits of steps and d-1 elements,
		// which may be less.
		modes[compress.SubsetRelative].max = saturate.Add(saturate.Mul(most+1, 2), values)
	}
	if most == 0 {
		return sizeRange{nesting: e.nesting}.then(fixed(count, phase))
	}
	var all sizeRange
	if sub := m.plan.Elems[op.Aux].Subset; !sub.Auto {
		all = modes[sub.Mode]
	} else {
		all = modes[0]
		for _, other := range modes[1:] {
			all = sizeRange{min: min(all.min, other.min), max: min(all.max, other.max)}
		}
		all = sizeRange{min: all.min + 2, max: saturate.Add(all.max, 2)}
	}
	if least == 0 {
		all.min = 0
	}
	all.phase, all.nesting = unknownPhase, e.nesting
	return fixed(count, phase).then(all)
}

func (m *measurer) pointer(i, phase int) sizeRange {
	bit := fixed(1, phase)
	elem := m.element(i, bit.phase)
	return bit.then(elem.or(sizeRange{phase: bit.phase}))
}

// union measures the CodeUnion at op i: an index, then one of the members or
// nothing.
func (m *measurer) union(i, phase int) sizeRange {
	op := &m.plan.Ops[i]
	all := sizeRange{phase: unknownPhase} // nil
	if m.tagged {
		return all
	}
	for _, start := range m.plan.Elems[op.Aux].Union.Starts {
		all = all.or(m.member(start))
	}
	return fixed(int(op.Bits), phase).then(all)
}

func (m *measurer) call(i, _ int) sizeRange {
	return sizeRange{min: m.subs[m.plan.Ops[i].End], max: Unbounded, phase: unknownPhase}
}

// longestCode returns the length in bits of the longest word of a Huffman code.
func longestCode(p *Plan, op *Op) (longest int) {
	h := &p.Huffmans[op.Aux]
	for symbol := range h.Values {
		_, n := h.Code.Code(symbol)
		longest = max(longest, n)
	}
	return longest
}

// longestIndices returns an upper bound, in bits, on the size of a subset's count,
// mode and indices together.
func longestIndices(p *Plan, op *Op) int {
	n, width := op.Repeats(), int(op.Bits)
	if sub := p.Elems[op.Aux].Subset; sub.Auto || sub.Mode == compress.SubsetBitmap {
		return saturate.Add(width+2, n) // the best of auto is no longer than the bitmap
	}
	return saturate.MulAdd(n, mathbits.Len(uint(n)), width+8)
}

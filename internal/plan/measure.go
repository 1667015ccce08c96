package plan

import (
	"math"
	"slices"

	"github.com/gobitpack/bitpack/internal/saturate"
)

// Measure sets the sizes and the nesting of the plan. It returns the smallest size
// in bits of each recursive type, by the index of its first op.
func (p *Plan) Measure() map[int32]int {
	m := &measurer{plan: p, ends: make([]int, 0, 66)}
	for _, op := range p.Ops {
		if op.Code == CodeCall {
			if m.subs == nil {
				m.subs = map[int32]int{}
			}
			m.subs[op.End] = 0
		}
	}
	// The smallest size of a recursive type depends on those of others. Each round
	// computes lower bounds from those known so far. They are exact after as many
	// rounds as there are types, except for a type without finite values, whose
	// bound never stops growing. The last round changes no bound, and records the
	// smallest sizes of elements. The phase is unknown because a message that is
	// part of another may start at any bit of a byte.
	m.rests = true
	var starts []int32 // in the order of the plan
	for i := range int32(len(p.Ops)) {
		if _, ok := m.subs[i]; ok {
			starts = append(starts, i)
		}
	}
	changes := len(starts) > 0
	for round := 0; changes && round <= len(starts); round++ {
		changes = false
		for _, start := range slices.Backward(starts) {
			least := m.ops(int(start), unknownPhase).min
			changes = changes || least != m.subs[start]
			m.subs[start] = least
		}
		clear(m.members)
	}
	p.Least = m.ops(0, unknownPhase).min
	for i := range p.Elems {
		if u := p.Elems[i].Union; u != nil {
			for k, start := range u.Starts {
				u.MinBits[k] = m.member(start).min
			}
		}
	}
	m.rests = false
	m.addRests(0, len(p.Ops), 0)
	clear(m.members)
	whole := m.ops(0, 0)
	p.MinBits, p.MaxBits, p.Nesting = whole.min, whole.max, whole.nesting
	return m.subs
}

// measurer computes the sizes of the ops of a plan.
type measurer struct {
	plan    *Plan
	subs    map[int32]int       // the smallest sizes of recursive types in bits, by first op
	members map[int32]sizeRange // the members of unions, by first op
	rests   bool                // record MinBits of elements and Rest of ops
	tagged  bool                // unions and values with a Serialize method count as nothing
	ends    []int               // for each op measured so far in the current blocks, the smallest size from the start of its block to the end of the op
}

// ops measures the ops from i to the CodeNext or CodeEnd that ends their block.
func (m *measurer) ops(i, phase int) sizeRange {
	return m.until(i, -1, phase)
}

// until measures the ops [i, end) or, if end is -1, from i to the end of their
// block.
func (m *measurer) until(i, end, phase int) sizeRange {
	sum, first, outer := sizeRange{phase: phase}, i, len(m.ends)
	for ; !m.plan.Closes(i, end); i = m.plan.After(i) {
		sum = sum.then(m.op(i, sum.phase))
		if m.rests {
			m.ends = append(m.ends, sum.min)
		}
	}
	if m.rests {
		for k := outer; k < len(m.ends); k++ {
			m.plan.Ops[first].Rest = int32(min(sum.min-m.ends[k], math.MaxInt32))
			first = m.plan.After(first)
		}
		m.ends = m.ends[:outer]
	}
	return sum
}

// addRests completes the Rest of the ops [from, to) and of the ops inside them.
// Within a condition or an option, until counts only up to the end of the enclosed
// ops. The parameter more is the smallest size in bits of what follows these ops in
// the block.
func (m *measurer) addRests(from, to int, more int32) {
	for i := from; i < to; i++ {
		op := &m.plan.Ops[i]
		op.Rest = int32(min(int64(op.Rest)+int64(more), math.MaxInt32))
		if op.Code.Encloses() {
			inner := op.Rest
			if op.Code.Block() {
				inner = 0
			}
			m.addRests(i+1, int(op.End), inner)
			i = int(op.End) - 1
		}
	}
}

// element measures one element of the block at op i. If rests is set, it records
// the element's smallest size.
func (m *measurer) element(i, phase int) sizeRange {
	e := m.ops(i+1, phase)
	e.nesting++
	if m.rests {
		m.plan.Elems[m.plan.Ops[i].Aux].MinBits = e.min
	}
	return e
}

// repeat measures the block at op i, which has from least to most elements.
func (m *measurer) repeat(i, least, most, phase int) sizeRange {
	e := m.element(i, phase)
	if e.phase != phase && phase != unknownPhase {
		// The elements start at different bits of a byte.
		e = m.element(i, unknownPhase)
	}
	all := sizeRange{saturate.Mul(least, e.min), saturate.Mul(most, e.max), phase, e.nesting}
	switch {
	case most == 0 || e.phase == phase && phase != unknownPhase:
	case least == most && e.min == e.max:
		all.phase = advance(phase, least*e.min)
	default:
		all.phase = unknownPhase
	}
	return all
}

// member measures a member of a union. It measures each member once, because
// members may hold unions of each other. A member reached again while being
// measured is recursive and has no largest size.
func (m *measurer) member(start int32) sizeRange {
	e, ok := m.members[start]
	if !ok {
		if m.members == nil {
			m.members = map[int32]sizeRange{}
		}
		m.members[start] = sizeRange{max: Unbounded, phase: unknownPhase}
		e = m.ops(int(start), unknownPhase)
		m.members[start] = e
	}
	return e
}

// MostBits returns a bound on the bits that op i writes each time it is executed,
// not counting its block or the ops that it encloses.
func (p *Plan) MostBits(i int) int {
	op := &p.Ops[i]
	switch op.Code {
	case CodeIf, CodeArray, CodeMatrix:
		return 0
	case CodeOptional, CodeCommon, CodePointer:
		return 1
	case CodeScale:
		return 2
	case CodeHuffman:
		return longestCode(p, op)
	case CodeRunLength:
		return p.runLengthOwn(op)
	case CodeSlice, CodeMap, CodeUnion:
		return int(op.Bits)
	case CodeSubset:
		return longestIndices(p, op)
	case CodeCall:
		return Unbounded
	}
	m := measurer{plan: p}
	return m.op(i, unknownPhase).max
}

// Aligns reports whether any op pads to a byte boundary, so that the size of a
// message may depend on the bit of a byte where it starts. It does not consider
// custom serializers, which may also pad.
func (p *Plan) Aligns() bool {
	for i := range p.Ops {
		if p.Ops[i].Code.Aligns() {
			return true
		}
	}
	return false
}

package plan

import (
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
)

// Step describes an op that [Plan.Walk] visits.
type Step struct {
	Op    int    // index into Plan.Ops
	Path  string // path of the value from the root of the message: "Bodies[].Position"
	Depth int    // number of ops that enclose this one
	Times int    // how many times it may run in one message, or [Unbounded]
}

// Walk calls f for every op of the plan in order. Within a recursive type or a
// member of a union, a path starts with the name of that type. The ops that end a block
// have no path. Times may be too low for an op in a member of several unions, or
// in a member that contains itself.
func (p *Plan) Walk(f func(Step)) {
	type block struct {
		end   int
		path  string
		times int
	}
	programs := map[int]block{} // recursive types and members of unions, by first op
	root := block{times: 1}
	var open []block
	for i := range p.Ops {
		op := &p.Ops[i]
		for len(open) > 0 && open[len(open)-1].end <= i {
			open = open[:len(open)-1]
		}
		if program, ok := programs[i]; ok && len(open) == 0 {
			root = program
		}
		at := root
		if len(open) > 0 {
			at = open[len(open)-1]
		}
		step := Step{Op: i, Depth: len(open), Times: at.times}
		if !op.Code.Ends() {
			step.Path = typename.Join(at.path, p.Fields[op.Field].Path)
		}
		f(step)
		switch {
		case op.Code == CodeUnion:
			union := p.Elems[op.Aux].Union
			for k, start := range union.Starts {
				known := programs[int(start)]
				programs[int(start)] = block{path: MemberName(union.Types[k]), times: max(known.times, at.times)}
			}
		case op.Code == CodeCall:
			programs[int(op.End)] = block{path: typename.Of(p.Fields[op.Field].Type), times: Unbounded}
		case op.Code.Encloses():
			inner := block{end: int(op.End), path: at.path, times: at.times}
			if op.Code.Block() {
				inner.path, inner.times = step.Path, saturate.Mul(at.times, op.Repeats())
				if inner.path == "" || op.Code.Repeats() {
					inner.path += "[]"
				}
			}
			open = append(open, inner)
		}
	}
}

// Repeats returns the largest number of elements in the block of an op. It is 1
// for an op whose code does not repeat.
func (op *Op) Repeats() int {
	switch {
	case !op.Code.Repeats():
		return 1
	case op.Code == CodeArray, op.Code == CodeSubset && op.Flags&FlagSlice == 0:
		return op.Count
	}
	return int(op.Bias + op.Span)
}

// MostBits returns a bound on the bits that op i writes each time it is executed,
// not counting its block or the ops that it encloses.
func (p *Plan) MostBits(i int) int {
	op := &p.Ops[i]
	if own := codeTable[op.Code].own; own != nil {
		return own(p, op)
	}
	m := measurer{plan: p}
	return m.op(i, unknownPhase).max
}

// Aligns reports whether any op pads to a byte boundary, so that the size of a
// message may depend on the bit of a byte where it starts. It does
// not consider custom serializers, which may also pad.
func (p *Plan) Aligns() bool {
	for i := range p.Ops {
		if p.Ops[i].Code.Aligns() {
			return true
		}
	}
	return false
}

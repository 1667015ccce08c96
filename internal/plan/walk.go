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

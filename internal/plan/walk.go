package plan

import (
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
)

// Step describes an op that [Plan.Walk] visits.
type Step struct {
	Op    int    // index into Plan.Ops
	Path  string // path of the value from the root of the message: "Bodies[].Position"
	Name  string // its path from the base of its block: "Position"
	Depth int    // number of ops that enclose this one
	Times int    // how many times it may run in one message, or [Unbounded]
}

// Walk calls f for every op of the plan in order. Within a recursive type or a
// member of a union, a path starts with the name of that type. The ops that end a
// block have no path. Times may be too low for an op in a member of several
// unions, or in a member that contains itself.
func (p *Plan) Walk(f func(Step)) {
	type block struct {
		end   int
		path  string
		times int
		entry bool // the block is an entry of a map
	}
	called := map[int]block{} // recursive types and members of unions, by first op
	root := block{times: 1}
	var enclosing []block
	for i := range p.Ops {
		op := &p.Ops[i]
		for len(enclosing) > 0 && enclosing[len(enclosing)-1].end <= i {
			enclosing = enclosing[:len(enclosing)-1]
		}
		if part, ok := called[i]; ok && len(enclosing) == 0 {
			root = part
		}
		at := root
		if len(enclosing) > 0 {
			at = enclosing[len(enclosing)-1]
		}
		step := Step{Op: i, Depth: len(enclosing), Times: at.times}
		if !op.Code.Ends() {
			field := &p.Fields[op.Field]
			if step.Name = field.Path; at.entry {
				step.Name = field.EntryPath()
			}
			step.Path = typename.Join(at.path, step.Name)
		}
		f(step)
		switch {
		case op.Code == CodeUnion:
			union := p.Elems[op.Aux].Union
			for k, start := range union.Starts {
				known := called[int(start)]
				called[int(start)] = block{path: MemberName(union.Types[k]), times: max(known.times, at.times)}
			}
		case op.Code == CodeCall:
			called[int(op.End)] = block{path: typename.Of(p.Fields[op.Field].Type), times: Unbounded}
		case op.Code.Encloses():
			inner := block{int(op.End), at.path, at.times, at.entry}
			if op.Code.Block() {
				inner.entry = op.Code == CodeMap
				inner.path, inner.times = step.Path, saturate.Mul(at.times, op.Repeats())
				if inner.path == "" || op.Code.Repeats() {
					inner.path += "[]"
				}
			}
			enclosing = append(enclosing, inner)
		}
	}
}

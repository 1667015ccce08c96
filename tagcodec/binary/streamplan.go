package binary

import (
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// streamPlan is a plan with the additional facts that reading from a stream
// needs.
type streamPlan struct {
	*plan.Plan

	// methods reports whether methods of user types access the memory of a
	// value.
	methods bool
	// custom reports whether some of these methods are Serialize.
	custom bool
	// phaseIndependent reports whether an element takes the same number of bits
	// wherever it starts.
	phaseIndependent bool
	// least is the smallest size in bits of an element, wherever it starts. It may be
	// too low.
	least int
	// fixed reports whether every element takes MinBits.
	fixed bool
	// refs are the offsets of the integers that later ops depend on, in order.
	refs []uintptr
	// stretches has, for each op, the ops from it on that the walk can skip together.
	stretches []stretch
}

// stretch is a sequence of ops up to end, without it, whose values have a fixed size
// of bits together and affect nothing else. It is empty if end is 0.
type stretch struct{ end, bits int }

// planOf returns the plan of an element type with bp tags.
func planOf(elem reflect.Type) (*streamPlan, error) {
	pl, err := typecache.DataOf(elem)
	if err == nil { // tagcodec may know why it cannot run the plan
		_, err = tagcodec.MaxSize(reflect.Zero(reflect.PointerTo(elem)).Interface())
	}
	if err != nil {
		return nil, err
	}
	return newStreamPlan(pl), nil
}

// newStreamPlan returns the streamPlan of pl.
func newStreamPlan(pl *plan.Plan) *streamPlan {
	p := &streamPlan{Plan: pl, phaseIndependent: true, stretches: make([]stretch, len(pl.Ops))}
	ref := func(off uintptr) { p.refs = append(p.refs, off) }
	for i := range pl.Conds {
		ref(pl.Conds[i].Off)
	}
	for i := range pl.Ops {
		op := &pl.Ops[i]
		switch op.Code {
		case plan.CodeCustom, plan.CodeBinary, plan.CodeLink, plan.CodeUnion:
			p.methods = true
			p.custom = p.custom || op.Code == plan.CodeCustom
		case plan.CodeRelative:
			if r := &pl.Relatives[op.Aux]; r.Mode == plan.ToField {
				ref(r.To.Off)
			} else if r.Mode == plan.Chain {
				for k := range op.Count {
					ref(op.Off + uintptr(k)*uintptr(op.Size))
				}
			}
		}
		p.phaseIndependent = p.phaseIndependent && !aligns(op.Code)
	}
	p.least = p.leastAnywhere()
	p.fixed = p.MinBits == p.MaxBits && p.phaseIndependent
	slices.Sort(p.refs)
	p.refs = slices.Compact(p.refs)
	for i := len(pl.Ops) - 1; i >= 0; i-- {
		n, ok := p.skipped(&pl.Ops[i])
		if !ok {
			continue
		}
		p.stretches[i] = stretch{i + 1, n}
		if i+1 < len(pl.Ops) && p.stretches[i+1].end > 0 {
			p.stretches[i] = stretch{p.stretches[i+1].end, saturate.Add(n, p.stretches[i+1].bits)}
		}
	}
	return p
}

// leastAnywhere returns the value of least. In an element that starts within a byte,
// each op that aligns may take up to 7 bits less than in one that starts a byte.
func (p *streamPlan) leastAnywhere() int {
	least, repeated := p.MinBits, 0
	for i := range p.Ops {
		switch op := &p.Ops[i]; {
		case aligns(op.Code):
			if i < repeated {
				return 0 // how often it aligns is not known
			}
			least -= 7
		case op.Code.Block():
			repeated = max(repeated, int(op.End))
			if !p.phaseIndependent && (op.Code == plan.CodeCall || op.Code == plan.CodeUnion) {
				return 0
			}
		}
	}
	return max(least, 0)
}

// aligns reports whether an op takes bits that depend on where it starts.
func aligns(code plan.Code) bool {
	return code.Aligns() || code == plan.CodeCustom
}

// skipped reports whether the walk may skip the values of an op unseen, and returns
// their bits. It looks at a lone integer if a later op depends on it, or if some
// values of its bits are out of range.
func (p *streamPlan) skipped(op *plan.Op) (bits int, ok bool) {
	switch op.Code {
	case plan.CodeConst, plan.CodeLink:
		return int(op.Bits), true
	case plan.CodeWide, plan.CodeVector:
	default:
		if !op.Code.Single() {
			return 0, false
		}
		if op.Count == 1 && (op.Code.Integer() || op.Code == plan.CodeWord) {
			_, wanted := slices.BinarySearch(p.refs, op.Off)
			ok = !wanted && op.Span == 1<<op.Bits-1
			return int(op.Bits), ok
		}
	}
	return saturate.Mul(op.Count, int(op.Bits)), true
}

package binary

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
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
	// fixed reports whether every element takes MinBits.
	fixed bool
	// refs numbers the integers that later ops depend on, by offset.
	refs map[uintptr]int
}

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
	p := &streamPlan{Plan: pl, phaseIndependent: true, refs: map[uintptr]int{}}
	ref := func(off uintptr) {
		if _, ok := p.refs[off]; !ok {
			p.refs[off] = len(p.refs)
		}
	}
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
		switch op.Code {
		case plan.CodeAlign, plan.CodeBytes, plan.CodeCString, plan.CodeString,
			plan.CodeBinary, plan.CodeCustom:
			p.phaseIndependent = false
		}
	}
	p.fixed = p.MinBits == p.MaxBits && p.phaseIndependent
	return p
}

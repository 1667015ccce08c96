package binary

import (
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
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
}

// planOf returns the plan of an element type with bp tags.
func planOf(elem reflect.Type) (*streamPlan, error) {
	pl, err := sealed.Plan(typecache.Of(elem))
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
	p := &streamPlan{Plan: pl, phaseIndependent: true}
	for i := range pl.Ops {
		code := pl.Ops[i].Code
		switch code {
		case plan.CodeCustom, plan.CodeBinary, plan.CodeLink, plan.CodeUnion:
			p.methods = true
		}
		p.custom = p.custom || code == plan.CodeCustom
		p.phaseIndependent = p.phaseIndependent && !code.Aligns() && code != plan.CodeCustom
	}
	p.fixed = p.MinBits == p.MaxBits && p.phaseIndependent
	return p
}

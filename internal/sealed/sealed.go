// Package sealed leads from what users see of a plan to the plan, for the other
// packages of this module.
package sealed

import (
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/typecache"
)

// PlanOf returns the plan that a view hides.
func PlanOf(view *typecache.Plan) *plan.Plan { return (*plan.View)(view).Plan() }

// ViewOf returns what users see of a plan.
func ViewOf(p *plan.Plan) *typecache.Plan { return (*typecache.Plan)(p.View()) }

// Plan is PlanOf unless there is an error.
func Plan(view *typecache.Plan, err error) (*plan.Plan, error) {
	if err != nil {
		return nil, err
	}
	return PlanOf(view), nil
}

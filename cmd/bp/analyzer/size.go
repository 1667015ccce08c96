package analyzer

import (
	"go/types"

	"github.com/gobitpack/bitpack/cmd/bp/internal/budget"
	"github.com/gobitpack/bitpack/internal/plan/tree"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/typecache"
)

// budgets returns the budgets of the package's types. It reports the directives
// that are wrong.
func (r *reporter) budgets() map[types.Type]budget.Budget {
	all := map[types.Type]budget.Budget{}
	for _, file := range r.pass.Files {
		found, mistakes := budget.Find(file)
		for _, m := range mistakes {
			r.add(m.Pos, "", m.Text)
		}
		for _, b := range found {
			if obj := r.pass.TypesInfo.Defs[b.Type.Name]; obj != nil {
				all[origin(obj.Type())] = b
			}
		}
	}
	return all
}

// checkSize reports a type that is larger than its budget and, if it is a message,
// one that is larger than the flag -mtu. The judge must have checked the type. A
// type with a mistake has no size, and neither has one that encodes itself.
func (r *reporter) checkSize(c candidate, whole bool, b budget.Budget) {
	if r.judge.plan == nil || r.judge.left > 0 || encodesItself(c.typ) || b.Bytes == 0 && *mtu <= 0 {
		return
	}
	most, rows, without := measure(r.judge.plan)
	if b.Bytes > 0 {
		if text := budget.Of(b).Excess(most, rows, without); text != "" {
			r.add(b.Type.Name.Pos(), "", ownerName(c.typ)+": "+text)
		}
	}
	if *mtu > 0 && (whole || c.passed) {
		if text := budget.MTU(*mtu).Excess(most, rows, without); text != "" {
			r.add(c.pos, Warning, ownerName(c.typ)+": "+text)
		}
	}
}

// measure returns the largest size of a type's messages in bits and the rows of
// its plan. The source does not show the size of unions and Serialize methods. They
// count as nothing, and without names them.
func measure(view *typecache.Plan) (most int, rows []typecache.Row, without string) {
	t := sealed.PlanOf(view).Tagged()
	unions, methods := false, false
	for x := range t.All() {
		unions, methods = unions || x.Kind == tree.KindUnion, methods || x.Kind == tree.KindCustom
	}
	switch {
	case unions && methods:
		without = "its unions and Serialize methods"
	case unions:
		without = "its unions"
	case methods:
		without = "its Serialize methods"
	}
	for _, x := range t.Parts[0].Nodes {
		rows = append(rows, typecache.Row{Path: x.Path, MaxBits: x.MaxBits})
	}
	return t.MaxBits, rows, without
}

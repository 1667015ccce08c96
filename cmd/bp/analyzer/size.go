package analyzer

import (
	"fmt"
	"go/types"
	"math"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/cmd/bp/internal/budget"
	"github.com/gobitpack/bitpack/internal/plan"
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
	p := view.Data()
	unions, methods := false, false
	for i := range p.Ops {
		switch op := &p.Ops[i]; op.Code {
		case plan.CodeUnion:
			unions = true
			p.Elems[op.Aux].Union.Starts, op.Bits = nil, 0
		case plan.CodeCustom:
			methods = true
			op.Bias, op.Span = 0, 0
		}
	}
	p.Measure()
	switch {
	case unions && methods:
		without = "its unions and Serialize methods"
	case unions:
		without = "its unions"
	case methods:
		without = "its Serialize methods"
	}
	return p.MaxBits, view.Rows(), without
}

// warnFine warns of each res in a type that is finer than the float that holds the
// values. The judge must have checked the type.
func (r *reporter) warnFine(c candidate) {
	if !*fineRes || r.judge.plan == nil {
		return
	}
	p := r.judge.plan.Data()
	p.Walk(func(s plan.Step) {
		op := &p.Ops[s.Op]
		name, lo, hi, step, apart := "float32", 0.0, 0.0, 0.0, 0.0
		switch op.Code {
		case plan.CodeFloat32:
			q := &p.Float32s[op.Aux]
			lo, hi, step = float64(q.Min), float64(q.Min+q.Delta), float64(q.Delta)/float64(q.Steps)
			largest := float32(math.Max(math.Abs(lo), math.Abs(hi)))
			apart = float64(largest - math.Nextafter32(largest, 0))
		case plan.CodeFloat64:
			q := &p.Float64s[op.Aux]
			name, lo, hi, step = "float64", q.Min, q.Min+q.Delta, q.Delta/float64(q.Steps)
			largest := math.Max(math.Abs(lo), math.Abs(hi))
			apart = largest - math.Nextafter(largest, 0)
		default:
			return
		}
		if step >= apart*(1-1e-6) { // a range is divided into whole steps, which may be a little smaller than res
			return
		}
		steps, _ := follow(strip(c.typ), strings.ReplaceAll(s.Path, "[]", ""))
		for i := len(steps) - 1; i >= 0; i-- {
			f := steps[i].field
			res := resOf(steps[i].tag)
			if res == "" {
				continue
			}
			if f.Pkg() == r.judge.pkg && !r.warned[f] {
				r.warned[f] = true
				larger := ""
				if op.Code == plan.CodeFloat32 {
					larger = ", or a float64"
				}
				r.add(f.Pos(), Warning, fmt.Sprintf("%s: res=%s is finer than a %s, whose values near %s are %s apart: use res=%s%s",
					display(c.typ, steps[:i+1]), res, name, short(math.Max(math.Abs(lo), math.Abs(hi))), short(apart), above(apart), larger))
			}
			return
		}
	})
}

// short formats a number with few digits.
func short(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// above formats a number with few digits, and rounds up.
func above(v float64) string {
	s := short(v)
	if rounded, err := strconv.ParseFloat(s, 64); err == nil && rounded < v {
		return short(v * 1.0005)
	}
	return s
}

// resOf returns the value of the option res in a tag, for the field or for its
// elements, or "".
func resOf(tag string) string {
	for part := range strings.SplitSeq(bpTag(tag), ",") {
		name, value, _ := strings.Cut(part, "=")
		for strings.HasPrefix(name, "elem.") {
			name = name[len("elem."):]
		}
		if name == "res" {
			return value
		}
	}
	return ""
}

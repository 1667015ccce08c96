package typecache

import (
	"reflect"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
)

// hinted is a hint of a struct whose fields are being planned.
type hinted struct {
	plan.Hint
	velocity string // the name of the field in pred=vel:Field
	name     name
	set      bool // the tag has one of the options
}

// take removes the options of a hint from o and stores it. t is the type of
// the field, and conditional says that its tag has a condition.
func (h *hinted) take(o *options, t reflect.Type, at *place, conditional bool) error {
	if pred, ok := o.take("pred"); ok {
		h.set = true
		field, vel := strings.CutPrefix(pred, "vel:")
		switch {
		case pred == "hold":
		case pred == "lin":
			h.Pred = plan.PredLin
		case vel && field != "":
			h.Pred, h.velocity = plan.PredVel, field
		default:
			return badValue("pred", pred, "is hold, lin or vel:Field", "")
		}
		if k := t.Kind(); h.Pred != plan.PredHold && (k == reflect.Bool || k == reflect.String || k == reflect.Interface) {
			return fail(MistakeInapplicable, "pred", "remove it", "of %v is hold, because it does not move", t)
		}
	}
	if _, ok := o.take("key"); ok {
		h.set, h.Key = true, true
		if !isInteger(t) {
			return fail(MistakeInapplicable, "key", "remove it, or key another field", "is for an integer, not %v", t)
		}
		if o.has("optional") || conditional || at.cond >= 0 {
			return fail(MistakeConflict, "key", "remove optional and if", "is for a value that every element has")
		}
	}
	if step, ok := o.take("step"); ok {
		h.set, h.Step = true, true
		switch {
		case step != "auto":
			return badValue("step", step, "is auto", "the width of a float's steps is res=")
		case !isList(t):
			return fail(MistakeInapplicable, "step", "remove it", "is for a slice or an array, not %v", t)
		}
	}
	return nil
}

// setHints appends the hints of the fields of struct t to the plan. firsts has
// the first op of each field, or -1 if it has none.
func (b *builder) setHints(t reflect.Type, hints []hinted, firsts []int32) error {
	key := ""
	for _, h := range hints {
		if h.Key && key != "" {
			problem, fix := plan.SecondKey(key)
			return h.name.wrap(fail(MistakeConflict, "key", fix, "%s", problem).with(key))
		}
		if h.Key {
			key = h.name.field
		}
		if h.Pred == plan.PredVel {
			first := int32(-1)
			var names []string
			for i := range firsts {
				if name := t.Field(i).Name; firsts[i] >= 0 && name != "_" {
					names = append(names, name)
					if name == h.velocity {
						first = firsts[i]
					}
				}
			}
			if first < 0 {
				return h.name.wrap(badReference("pred", h.velocity, "is not a field of the same struct", "").suggestField(h.velocity, names))
			}
			if first == h.First {
				return h.name.wrap(badReference("pred", h.velocity, "is the field itself", "name its velocity"))
			}
			h.Vel = first
		}
		if h.First < h.End {
			b.plan.Hints = append(b.plan.Hints, h.Hint)
		}
	}
	return nil
}

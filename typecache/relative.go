package typecache

import (
	"math"
	"reflect"

	"github.com/gobitpack/bitpack/internal/plan"
)

// relative plans an integer that is sent as its difference from an earlier one
// or from a constant.
func (b *builder) relative(op *plan.Op, t reflect.Type, at *place, o *options) error {
	smallest, largest := int64(math.MinInt32), int64(math.MaxInt32)
	switch {
	case !signed(t):
		smallest, largest = 0, math.MaxUint32
		if t.Bits() < 32 {
			largest = 1<<t.Bits() - 1
		}
	case t.Bits() < 32:
		largest = 1<<(t.Bits()-1) - 1
		smallest = -largest - 1
	}
	rel := plan.Relative{Min: smallest, Max: largest}
	to, toField := o.take("to")
	_, chain := o.take("chain")
	base, hasBase, err := o.takeSmall("base", math.MinInt32, largest-1)
	switch {
	case err != nil:
		return err
	case toField && (chain || hasBase):
		return fail(MistakeConflict, "to", "keep one", "goes with neither base nor chain")
	case !toField && !chain && !hasBase:
		return fail(MistakeMissing, "kind", "add base= with a number, to= with an earlier field, or chain", "lacks what the integer is relative to").with("relative")
	case toField:
		rel.Mode = plan.ToField
		if rel.To, err = b.refer("to", to, at); err != nil {
			return err
		}
	case chain:
		rel.Mode, rel.Base = plan.Chain, -1
		if at.stride == 0 {
			return fail(MistakePlace, "chain", "use base= or to=", "is for an integer that the elements of a slice or an array hold themselves")
		}
		if at.cond >= 0 {
			return fail(MistakeConflict, "chain", "use base= or to=", "does not go with a condition, under which the element before may lack the integer")
		}
		rel.Stride = at.stride
	}
	if hasBase {
		rel.Base = base
	}
	*op = plan.Op{Code: plan.CodeRelative, Flags: signFlag(t), Aux: int32(len(b.plan.Relatives))}
	b.plan.Relatives = append(b.plan.Relatives, rel)
	return nil
}

package engine

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/typecache"
)

func Unmarshal(c *core.Settings, plan *plan.Plan, base Variable, data []byte) error {
	bit, ok := decodeWhole(plan, base, data)
	if ok && endsAt(data, bit) {
		return nil
	}
	if !ok {
		inner, held := c.Withhold()
		var err error
		if bit, err = decodeOps(inner, plan, base, data); err != nil {
			return err
		}
		if endsAt(data, bit) {
			held.Release(plan, func() reflect.Value { return ValueOf(base, plan.Type) })
			return nil
		}
	}
	if c.SentinelOnly {
		return bits.ErrTrailing
	}
	return core.NewMessageError("unmarshal", plan.Type, typename.Of(plan.Type), bit,
		&bits.Error{Op: "read", Bit: bit, Err: bits.ErrTrailing})
}

func UnmarshalFirst(c *core.Settings, plan *plan.Plan, base Variable, data []byte) ([]byte, error) {
	c, held := c.Withhold()
	bit, err := Decode(c, plan, base, data, 0)
	if err != nil {
		return data, err
	}
	held.Release(plan, func() reflect.Value { return ValueOf(base, plan.Type) })
	return data[saturate.Bytes(bit):], nil
}

// endsAt reports whether data ends in the byte that contains the end of the
// message, and the unused bits of that byte are zero.
func endsAt(data []byte, bit int) bool {
	end := (bit + 7) >> 3
	return len(data) <= end && (bit&7 == 0 || data[end-1]>>(bit&7) == 0)
}

// PlanFor returns the plan of t, built with the unions of c if it has any. c may
// be nil.
func PlanFor(c *core.Settings, t reflect.Type) (*typecache.Plan, error) {
	if c == nil || c.Registry == nil {
		return PlanOf(t)
	}
	plan, err := c.Registry.Of(t)
	if err != nil {
		return nil, err
	}
	return plan, unreachable(plan)
}

// DataFor is PlanFor for callers that need the ops alone.
func DataFor(c *core.Settings, t reflect.Type) (*plan.Plan, error) {
	plan, err := PlanFor(c, t)
	if err != nil {
		return nil, err
	}
	return plan.Data(), nil
}

// Size encodes the value into a scratch buffer, so it fails whenever encode
// does.
func Size(c *core.Settings, plan *plan.Plan, base Variable) (int, error) {
	b := core.Buffers.Get().(*[]byte)
	defer core.Buffers.Put(b)
	out, err := Encode(c, plan, base, (*b)[:0])
	*b = out[:0]
	return len(out), err
}

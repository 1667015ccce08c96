package engine

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// Unmarshal decodes all of data into the variable base.
func Unmarshal(c *core.Settings, pl *plan.Plan, base Variable, data []byte) error {
	bit, ok := decodeWhole(pl, base, data)
	if ok && endsAt(data, bit) {
		return nil
	}
	if !ok {
		inner, withheld := c.Withhold()
		var err error
		if bit, err = decodeOps(inner, pl, base, data); err != nil {
			return err
		}
		if endsAt(data, bit) {
			withheld.Release(pl, func() reflect.Value { return ValueOf(base, pl.Type) })
			return nil
		}
	}
	if c.SentinelOnly {
		return bits.ErrTrailing
	}
	return trailing(pl, bit)
}

// trailing returns the error for data after the message, which ends before bit.
func trailing(pl *plan.Plan, bit int) error {
	return core.NewMessageError("unmarshal", pl.Type, typename.Of(pl.Type), bit,
		&bits.Error{Op: "read", Bit: bit, Err: bits.ErrTrailing})
}

// Explain decodes all of data into v, which must be settable, and calls part for
// each part of it. It returns the error that Unmarshal returns.
func Explain(c *core.Settings, pl *plan.Plan, v reflect.Value, data []byte, part func(reference.Part)) error {
	bit, err := reference.Explain(c, pl, v, data, 0, part)
	if err == nil && !endsAt(data, bit) {
		return trailing(pl, bit)
	}
	return err
}

// UnmarshalFirst decodes one message from the start of data into the variable
// base and returns the bytes after it. After an error it returns data.
func UnmarshalFirst(c *core.Settings, pl *plan.Plan, base Variable, data []byte) ([]byte, error) {
	c, withheld := c.Withhold()
	bit, err := Decode(c, pl, base, data, 0)
	if err != nil {
		return data, err
	}
	withheld.Release(pl, func() reflect.Value { return ValueOf(base, pl.Type) })
	return data[saturate.Bytes(bit):], nil
}

// endsAt reports whether data contains nothing after the message, which ends
// before bit: no further bytes, and only zeros in the unused bits of the last
// one.
func endsAt(data []byte, bit int) bool {
	end := (bit + 7) >> 3
	return len(data) <= end && (bit&7 == 0 || data[end-1]>>(bit&7) == 0)
}

// PlanFor returns the plan of t, built with the unions of c if it has its own.
// c may be nil.
func PlanFor(c *core.Settings, t reflect.Type) (*plan.Plan, error) {
	if c == nil || c.Registry == nil {
		return PlanOf(t)
	}
	pl, err := c.Registry.DataOf(t)
	if err != nil {
		return nil, err
	}
	return pl, unreachable(pl)
}

// Size returns the length of the message in bytes. It encodes the value into a
// scratch buffer, so it fails whenever Encode does.
func Size(c *core.Settings, pl *plan.Plan, base Variable) (int, error) {
	b := core.Buffers.Get().(*[]byte)
	defer core.Buffers.Put(b)
	out, err := Encode(c, pl, base, (*b)[:0])
	*b = out[:0]
	return len(out), err
}

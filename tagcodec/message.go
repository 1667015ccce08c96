package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

func unmarshal(c *settings, plan *typecache.Data, base variable, data []byte) error {
	bit, ok := decodeWhole(plan, base, data)
	if ok && endsAt(data, bit) {
		return nil
	}
	if !ok {
		inner, held := c.withhold()
		var err error
		if bit, err = decode(inner, plan, base, data, 0); err != nil {
			return err
		}
		if endsAt(data, bit) {
			held.release(plan, func() reflect.Value { return valueOf(base, plan.Type) })
			return nil
		}
	}
	if c.sentinelOnly {
		return bits.ErrTrailing
	}
	return newMessageError("unmarshal", plan.Type, typename.Of(plan.Type), bit,
		&bits.Error{Op: "read", Bit: bit, Err: bits.ErrTrailing})
}

func unmarshalFirst(c *settings, plan *typecache.Data, base variable, data []byte) ([]byte, error) {
	c, held := c.withhold()
	bit, err := decode(c, plan, base, data, 0)
	if err != nil {
		return data, err
	}
	held.release(plan, func() reflect.Value { return valueOf(base, plan.Type) })
	return data[saturate.Bytes(bit):], nil
}

// endsAt reports whether data ends in the byte that contains the end of the
// message, and the unused bits of that byte are zero.
func endsAt(data []byte, bit int) bool {
	end := (bit + 7) >> 3
	return len(data) <= end && (bit&7 == 0 || data[end-1]>>(bit&7) == 0)
}

// size encodes the value into a scratch buffer, so it fails whenever encode

// planFor returns the plan of t, built with the unions of c if it has any. c may
// be nil.
func planFor(c *settings, t reflect.Type) (*typecache.Plan, error) {
	if c == nil || c.registry == nil {
		return planOf(t)
	}
	plan, err := c.registry.Of(t)
	if err != nil {
		return nil, err
	}
	return plan, unreachable(plan)
}

// dataFor is planFor for callers that need the ops alone.
func dataFor(c *settings, t reflect.Type) (*typecache.Data, error) {
	plan, err := planFor(c, t)
	if err != nil {
		return nil, err
	}
	return plan.Data(), nil
}

// size encodes the value into a scratch buffer, so it fails whenever encode
// does.
func size(c *settings, plan *typecache.Data, base variable) (int, error) {
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	out, err := encode(c, plan, base, (*b)[:0])
	*b = out[:0]
	return len(out), err
}

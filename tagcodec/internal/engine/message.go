package engine

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
	"github.com/gobitpack/bitpack/typecache"
)

// Unmarshal decodes all of data into the variable base.
func Unmarshal(c *core.Settings, pl *plan.Plan, base Variable, data []byte) error {
	if g := codeOf(c, pl); g != nil {
		if bit, ok := g.Read(c, base, data, 0); ok && EndsAt(data, bit) {
			return nil
		}
	}
	return UnmarshalPlan(c, pl, base, data)
}

// UnmarshalPlan is Unmarshal without generated code.
func UnmarshalPlan(c *core.Settings, pl *plan.Plan, base Variable, data []byte) error {
	bit, ok := decodeWhole(pl, base, data)
	if ok && EndsAt(data, bit) {
		return nil
	}
	if !ok {
		inner, withheld := c.Withhold()
		var err error
		if bit, err = decodeOps(inner, pl, base, data); err != nil {
			return err
		}
		if EndsAt(data, bit) {
			withheld.Release(pl, func() reflect.Value { return ValueOf(base, pl.Type) })
			return nil
		}
	}
	if c.SentinelErrors {
		return bits.ErrTrailing
	}
	return trailing(pl, bit)
}

// Encode appends the message of the value at base to dst. The existing bytes of
// dst do not change.
func Encode(c *core.Settings, pl *plan.Plan, base Variable, dst []byte) ([]byte, error) {
	if g := codeOf(c, pl); g != nil {
		if out, _, ok := g.Append(c, base, dst); ok {
			return out, nil
		}
	}
	return EncodePlan(c, pl, base, dst)
}

// EncodeFrom appends the value at base to the message that starts at dst[start]
// and has the given number of bits, which are the last of dst. It returns dst with
// the value, and the number of bits. After an error dst may have been overwritten
// from there on.
func EncodeFrom(c *core.Settings, pl *plan.Plan, base Variable, dst []byte, start, bit int) ([]byte, int, error) {
	if g := codeOf(c, pl); g != nil {
		if out, end, ok := g.appendAt(c, pl, base, dst, start, bit); ok {
			return out, end, nil
		}
	}
	return encodeFrom(c, pl, base, dst, start, bit)
}

// EncodeInPlace appends the value at base to w, which must be growable. After an
// error nothing has been appended.
func EncodeInPlace(c *core.Settings, pl *plan.Plan, base Variable, w *bits.Writer) error {
	data := w.Bytes()
	start := len(data) - w.Len()
	out, bit, err := EncodeFrom(c, pl, base, data, start, w.Bit())
	if err != nil {
		return err
	}
	w.Resume(out, start, bit)
	return nil
}

// Decode decodes data from bit into the variable at base and returns the bit
// after the message.
func Decode(c *core.Settings, pl *plan.Plan, base Variable, data []byte, bit int) (int, error) {
	if g := codeOf(c, pl); g != nil && c.ReservedBits == 0 {
		if end, ok := g.readAt(c, pl, base, data, bit); ok {
			return end, nil
		}
	}
	return decode(c, pl, base, data, bit)
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
	if err == nil && !EndsAt(data, bit) {
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

// EndsAt reports whether data contains nothing after the message, which ends
// before bit: no further bytes, and only zeros in the unused bits of the last
// one.
func EndsAt(data []byte, bit int) bool {
	end := (bit + 7) >> 3
	return len(data) <= end && (bit&7 == 0 || data[end-1]>>(bit&7) == 0)
}

// PlanFor returns the plan of t, or of a value of type t that is coded by the text of
// a tag if that is not empty. It is built with the options of c, which may be nil.
// Errors are under the name of package tagcodec.
func PlanFor(c *core.Settings, t reflect.Type, tag string) (pl *plan.Plan, err error) {
	var o typecache.Options
	if c != nil {
		o = c.Plans
	}
	switch {
	case tag != "":
		pl, err = sealed.Plan(o.Tagged(t, tag, func(p *typecache.Plan) error { return unreachable(sealed.PlanOf(p)) }))
	case o == typecache.Options{}:
		pl, err = PlanOf(t)
	default:
		if pl, err = sealed.Plan(o.Of(t)); err == nil {
			err = unreachable(pl)
		}
	}
	if err != nil {
		return nil, &core.Renamed{Package: "tagcodec", Err: err}
	}
	return pl, nil
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

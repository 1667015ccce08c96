//go:build !purego

package fast

import (
	"encoding"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/tagcodec/internal/streams"
)

// encodeBinary writes the result of a value's AppendBinary or MarshalBinary
// method.
func encodeBinary(op *plan.Op, v reflect.Value, out *output) error {
	form, err := core.BinaryForm(v)
	if err != nil {
		return err
	}
	if uint64(len(form)) > op.Span {
		return core.BinaryTooLong(op, len(form))
	}
	if out.shares(memory.Start(form), len(form)) {
		return core.ErrShared
	}
	out.counted(uint64(len(form)), uint(op.Bits), form)
	return nil
}

// decodeBinary is the inverse of encodeBinary.
func decodeBinary(v reflect.Value, form []byte) error {
	return v.Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(form)
}

// custom calls the Serialize method of the value at p to write it in place.
func (e *encoder) custom(op *plan.Op, p memory.Pointer) error {
	v, out := p.Value(e.pl.Fields[op.Field].Type), e.out
	if out.tooLong() {
		return core.NewRefusal(bits.ErrOverflow, nil, nil, nil)
	}
	self := v.Addr().Interface().(bits.Serializer)
	s := streams.Get()
	defer freeStream(s)
	attachSettings(s, e.c, self, e.depth, 0)
	bit := out.bit()
	s.W.Resume(out.close(), out.start, bit)
	*access.Untouched(&s.W) = true
	err := self.Serialize(s.Writing)
	if e := s.W.Err(); e != nil {
		err = e
	}
	if err == nil && !*access.Untouched(&s.W) {
		err = core.ErrReset
	}
	if err != nil {
		return err
	}
	if err := core.CheckLength(op, s.W.Bit()-bit); err != nil {
		return err
	}
	out.resume(s.W.Bytes(), s.W.Bit())
	return nil
}

// custom is the inverse of encoder.custom. It returns the bit where the method
// stopped.
func (d *decoder) custom(op *plan.Op, p memory.Pointer, bit int) (int, error) {
	v := p.Value(d.pl.Fields[op.Field].Type)
	self := v.Addr().Interface().(bits.Serializer)
	s := streams.Get()
	defer freeStream(s)
	attachSettings(s, d.c, self, d.depth, saturate.Add(d.reserved, int(op.Rest)))
	s.R.Reset(d.data, bit)
	*access.Untouched(&s.R) = true
	err := self.Serialize(s.Reading)
	if e := s.R.Err(); e != nil {
		err = e
	}
	end := s.R.Bit()
	if !*access.Untouched(&s.R) {
		return bit, core.ErrReset
	}
	if err != nil {
		return end, err
	}
	if err := core.CheckLength(op, end-bit); err != nil {
		return bit, err
	}
	return end, nil
}

// attachSettings stores in s the settings for self, a value that serializes itself.
// The reserved bits are the minimum size of later values. Call freeStream after the
// value.
func attachSettings(s *streams.Stream, c *core.Settings, self bits.Serializer, depth, reserved int) {
	inner, ok := s.Settings.(*core.Settings)
	if !ok {
		inner = new(core.Settings)
		s.Settings = inner
	}
	c.FillNested(inner, self, depth, 0, reserved)
	s.Context.Settings = inner
}

// freeStream clears the settings set by attachSettings and frees s.
func freeStream(s *streams.Stream) {
	*s.Settings.(*core.Settings) = core.Settings{}
	s.Free()
}

package reference

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// attachSettings stores in a Reader or Writer the settings for self, a value that
// serializes itself. The reserved bits are the minimum size of later values. It
// returns the context to restore after the value.
func (in *interpreter) attachSettings(at **access.Context, self bits.Serializer, reserved int) (previous *access.Context) {
	if in.context == nil {
		in.context, in.nestedSettings = new(access.Context), new(core.Settings)
	}
	in.c.FillNested(in.nestedSettings, self, in.depth, len(in.blocks), reserved)
	previous = *at
	*in.context = access.Context{Settings: in.nestedSettings}
	if previous != nil {
		in.context.Fill = previous.Fill
	}
	*at = in.context
	return previous
}

// custom calls the Serialize method of a value to write it.
func (e *encoder) custom(v reflect.Value) error {
	at, self := access.WriterContext(e.w), core.Exposed(v).Addr().Interface().(bits.Serializer)
	outer := e.attachSettings(at, self, 0)
	defer func() { *at = outer }()
	untouched := access.Untouched(e.w)
	before := *untouched
	*untouched = true
	err := self.Serialize(bits.NewWriteStream(e.w))
	if err == nil && e.w.Err() == nil && !*untouched {
		return core.ErrReset
	}
	*untouched = before
	return err
}

// custom calls the Serialize method of a value to read it.
func (d *decoder) custom(op *plan.Op, v reflect.Value) error {
	at, self := access.ReaderContext(d.r), core.Exposed(v).Addr().Interface().(bits.Serializer)
	outer := d.attachSettings(at, self, saturate.Add(d.reservedBits, int(op.Rest)))
	defer func() { *at = outer }()
	untouched := access.Untouched(d.r)
	before := *untouched
	*untouched = true
	err := self.Serialize(bits.NewReadStream(d.r))
	if !*untouched {
		return core.ErrReset
	}
	*untouched = before
	return err
}

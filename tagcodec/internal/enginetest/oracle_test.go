// Package enginetest tests the two engines of package tagcodec against each
// other: with random types and values, with hostile messages, and for bounds of
// memory. It contains tests only, and has no users.
package enginetest

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// The reference interpreter is the oracle for the fast loops. With the build
// tag purego it is compared with itself, and only the golden tests check the
// bytes.

// referenceUnmarshal decodes all of data into v with the reference interpreter.
func referenceUnmarshal(c *core.Settings, pl *plan.Plan, v reflect.Value, data []byte) error {
	r := bits.NewReader(data)
	if err := reference.Read(c, pl, v, r); err != nil {
		return err
	}
	if err := r.Finish(); err != nil {
		return core.NewMessageError("unmarshal", pl.Type, typename.Of(pl.Type), r.Bit(), err)
	}
	return nil
}

// settingsWith returns the settings that opts make.
func settingsWith(opts ...tagcodec.Option) core.Settings {
	c := core.Settings{MaxDepth: tagcodec.DefaultMaxDepth}
	core.Apply(&c, opts)
	return c
}

// standard is the settings of a codec without options.
var standard = &core.Settings{MaxDepth: tagcodec.DefaultMaxDepth}

// serializeInside passes a pointer to Serialize, as a method inside a message
// does.
func serializeInside(c *core.Settings, v reflect.Value, s *bits.Stream) error {
	var at **access.Context
	if s.Reading() {
		at = access.ReaderContext(s.Reader())
	} else {
		at = access.WriterContext(s.Writer())
	}
	*at = &access.Context{Settings: c}
	defer func() { *at = nil }()
	return tagcodec.Serialize(s, v.Interface())
}

// coder codes values with the engine of this build or, if reference is set, with
// the reference interpreter. Values are given by pointers.
type coder struct{ reference bool }

func (k coder) unmarshal(c *core.Settings, p *plan.Plan, v reflect.Value, data []byte) error {
	if k.reference {
		return referenceUnmarshal(c, p, v.Elem(), data)
	}
	return engine.Unmarshal(c, p, engine.VariableTo(v), data)
}

func (k coder) encode(c *core.Settings, p *plan.Plan, v reflect.Value) ([]byte, error) {
	if k.reference {
		return reference.Encode(c, p, v.Elem(), nil)
	}
	return engine.Encode(c, p, engine.VariableTo(v), nil)
}

// coders are the engines of this build.
var coders = map[bool][]coder{false: {{}, {reference: true}}, true: {{}}}[pure]

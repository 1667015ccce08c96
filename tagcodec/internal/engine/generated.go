package engine

import (
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// Generated is the generated code of a type, for callers that do not know the
// type. It handles only success: if a function returns false, the engine runs the
// plan from the start, which either succeeds or finds the error.
type Generated struct {
	// Append appends the message of the value at v to dst.
	Append func(c *core.Settings, v Variable, dst []byte) ([]byte, bool)
	// Read decodes data into the variable at v and returns the bit after the
	// message.
	Read func(c *core.Settings, v Variable, data []byte) (bit int, ok bool)
}

// Code is the generated code of type T, as the functions of [Generated].
type Code[T any] struct {
	Append func(c *core.Settings, v *T, dst []byte) ([]byte, bool)
	Read   func(c *core.Settings, v *T, data []byte) (bit int, ok bool)
}

// Untyped returns the code for callers that do not know T.
func (code *Code[T]) Untyped() *Generated {
	return &Generated{
		Append: func(c *core.Settings, v Variable, dst []byte) ([]byte, bool) {
			return code.Append(c, PointerTo[T](v), dst)
		},
		Read: func(c *core.Settings, v Variable, data []byte) (int, bool) {
			return code.Read(c, PointerTo[T](v), data)
		},
	}
}

// CodeOf returns the generated code of a plan for T, or nil. Messages with a
// Linker must not use it, because a link that was read must be withheld until the
// message has been accepted.
func CodeOf[T any](pl *plan.Plan) *Code[T] {
	if g := pl.Generated(); g != nil {
		code, _ := g.Code.(*Code[T])
		return code
	}
	return nil
}

// codeOf is CodeOf for callers that do not know the type. It returns nil for
// messages with a Linker.
func codeOf(c *core.Settings, pl *plan.Plan) *Generated {
	if g := pl.Generated(); g != nil && c.Linker == nil {
		return g.Untyped.(*Generated)
	}
	return nil
}

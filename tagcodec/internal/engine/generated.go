package engine

import (
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// Generated is the generated code of a type, in the form that the engine calls.
// It handles only success: if a function returns false, the engine runs the plan
// from the start, which either succeeds or finds the error.
type Generated struct {
	// Append appends the message of the value at v to dst.
	Append func(c *core.Settings, v Variable, dst []byte) ([]byte, bool)
	// Read decodes data into the variable at v and returns the bit after the
	// message.
	Read func(c *core.Settings, v Variable, data []byte) (bit int, ok bool)
}

// codeOf returns the generated code of a plan, or nil. Messages with a Linker have
// none, because a link that was read must be withheld until the message has been
// accepted.
func codeOf(c *core.Settings, pl *plan.Plan) *Generated {
	if g := pl.Generated(); g != nil && c.Linker == nil {
		return g.Code.(*Generated)
	}
	return nil
}

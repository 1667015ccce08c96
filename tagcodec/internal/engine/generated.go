package engine

import (
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// Generated is the generated code of a type, for callers that do not know the
// type. It handles only success: if a function returns false, the engine runs the
// plan from the start, which either succeeds or finds the error.
type Generated struct {
	// Append appends the message of the value at v to dst. It also returns the
	// number of unused bits in the last byte.
	Append func(c *core.Settings, v Variable, dst []byte) (out []byte, unused uint, ok bool)
	// Read decodes data, without its last unused bits, into the variable at v and
	// returns the bit after the message.
	Read func(c *core.Settings, v Variable, data []byte, unused int) (bit int, ok bool)
}

// Code is the generated code of type T, as the functions of [Generated].
type Code[T any] struct {
	Append func(c *core.Settings, v *T, dst []byte) (out []byte, unused uint, ok bool)
	Read   func(c *core.Settings, v *T, data []byte, unused int) (bit int, ok bool)
}

// Untyped returns the code for callers that do not know T.
func (code *Code[T]) Untyped() *Generated {
	return &Generated{
		Append: func(c *core.Settings, v Variable, dst []byte) ([]byte, uint, bool) {
			return code.Append(c, PointerTo[T](v), dst)
		},
		Read: func(c *core.Settings, v Variable, data []byte, unused int) (int, bool) {
			return code.Read(c, PointerTo[T](v), data, unused)
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

// appendAt appends the value at base to the message that starts at dst[start] and
// has the given number of bits. It returns dst with the value, and the number of
// bits.
func (g *Generated) appendAt(c *core.Settings, pl *plan.Plan, base Variable, dst []byte, start, bit int) ([]byte, int, bool) {
	if bit&7 == 0 {
		out, unused, ok := g.Append(c, base, dst)
		return out, 8*(len(out)-start) - int(unused), ok
	}
	if pl.Generated().Aligns {
		return nil, 0, false
	}
	b := core.Buffers.Get().(*[]byte)
	defer core.Buffers.Put(b)
	message, unused, ok := g.Append(c, base, (*b)[:0])
	if !ok {
		return nil, 0, false
	}
	*b = message[:0]
	n := 8*len(message) - int(unused)
	return bitio.AppendBits(dst, uint(bit&7), message, n), bit + n, true
}

// maxCopied is the largest maximum of a message, in bytes, that is copied in order
// to read it from the start of a byte.
const maxCopied = 512

// readAt decodes data from bit into the variable at base and returns the bit after
// the value.
func (g *Generated) readAt(c *core.Settings, pl *plan.Plan, base Variable, data []byte, bit int) (int, bool) {
	data, phase := data[bit>>3:], bit&7
	unused := 0
	if phase != 0 {
		if code := pl.Generated(); code.Aligns || len(code.Parts) > 0 || pl.MaxBits > 8*maxCopied {
			return 0, false
		}
		b := core.Buffers.Get().(*[]byte)
		defer core.Buffers.Put(b)
		*b, unused = bitio.ShiftBits((*b)[:0], data, uint(phase), pl.MaxBits)
		data = *b
	}
	end, ok := g.Read(c, base, data, unused)
	return bit + end, ok
}

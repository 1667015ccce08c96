package packet

import (
	"fmt"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/typename"
	"github.com/gobitpack/bitpack/typecache"
)

// Encoding is a format of bytes that a packet type carries in a field. A codec of
// package delta is one.
type Encoding interface {
	// MaxBits returns the largest length in bits, or [typecache.Unbounded].
	MaxBits() int
	// Hash returns a hash of everything that affects the bytes.
	Hash() [32]byte
}

// Carries returns a copy of t whose packets carry bytes of an encoding, such as
// the messages of package delta, in a field of kind bytes. The encoding's hash is
// part of the protocol id. [New] fails unless the maxlen of one of the type's
// fields is enough for the longest bytes, except for types with [Type.MayExceed].
// So the longest bytes count against the MTU.
func (t Type) Carries(e Encoding) Type {
	t.carries = e
	return t
}

// addCarried adds the line of the description that says what a type carries, or
// an empty one. It checks that the longest bytes fit into a field.
func (p *spec) addCarried(t *Type, of *plan.Plan) error {
	line := ""
	if t.carries != nil {
		line = fmt.Sprintf("carries %x\n", t.carries.Hash())
		longest := 0
		for i := range of.Ops {
			if op := &of.Ops[i]; op.Code == plan.CodeString {
				longest = max(longest, int(op.Bias+op.Span))
			}
		}
		switch n := t.carries.MaxBits(); {
		case t.mayExceed:
		case n == typecache.Unbounded:
			return fmt.Errorf("packet: %s carries bytes that have no maximum length", typename.Of(t.typ))
		case longest < (n-1)/8+1:
			return fmt.Errorf("packet: %s carries up to %d bytes; the maxlen of its field is %d", typename.Of(t.typ), (n-1)/8+1, longest)
		}
	}
	p.carried = append(p.carried, line)
	return nil
}

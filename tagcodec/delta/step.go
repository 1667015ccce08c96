package delta

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
)

// stepKind says what a step does.
type stepKind uint8

const (
	stepCopy        stepKind = iota // n bits, which are the same in a row from bit cell on
	stepConst                       // n bits of op.Bias
	stepAlign                       // padding to a whole byte
	stepVarint                      // groups of 7 bits
	stepPrefixCoded                 // a code of variable length that depends on nothing but the integer
	stepRelative                    // an integer relative to another
	stepText                        // text number cell
	stepIf                          // skips to end unless guard holds
	stepListed                      // a listed value, or the steps up to end
	stepScale                       // n axes, or fewer bits if they are equal
	stepList                        // list number cell
)

// step is a part of the message of a row. The steps of a table turn a message
// into rows, and rows into a message.
type step struct {
	kind     stepKind
	op       *plan.Op
	own      *plan.Op // for stepListed, the op of a value that is not listed; for stepScale, that of an axis
	cell     int32
	n        int32
	guard    int32
	end      int32
	to       int32 // for stepRelative, the cell of the field, or none
	relative *plan.Relative
	script   *script
	values   *listed
}

// previous returns the integer that the cell of a relative step is relative to.
// before is the row of the element before, or none.
func (s *step) previous(t *table, data []byte, row, before int) int64 {
	switch {
	case s.relative.Mode == plan.ToField:
		v := uint64(0)
		c := &t.cells[s.to]
		if t.present(c.guard, data, row) {
			v = c.value(c.load(data, row))
		}
		if !s.relative.To.Signed {
			v = min(v, 1<<63-1)
		}
		return int64(v)
	case s.relative.Mode == plan.Chain && before != none:
		c := &t.cells[s.cell]
		return int64(c.value(c.load(data, before)))
	}
	return s.relative.Base
}

// code returns the code of a listed value of the step.
func (s *step) code(p *plan.Plan, v *plan.Value) (low, high uint64) {
	switch {
	case s.own.Code.Single():
		return v.Code, 0
	case s.own.Code == plan.CodeWide:
		x := bits.Uint128{Lo: v.Mem[0], Hi: v.Mem[1]}.Sub(p.Wides[s.own.Aux].Min)
		return x.Lo, x.Hi
	}
	return v.Mem[0], 0
}

// cells returns the number of cells of a listed value.
func (s *step) cells(t *table) int32 {
	switch {
	case s.own.Code == plan.CodeWide && s.own.Bits > 64:
		return 2
	case s.own.Code == plan.CodeString, s.own.Code == plan.CodeWString:
		return 0
	}
	return 1
}

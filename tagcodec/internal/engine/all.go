package engine

import (
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// EncodeAll is EncodeFrom for all of the values, one after the other without gaps.
// After an error it returns the index of the value that failed, and the bit where
// that value starts.
func EncodeAll(c *core.Settings, pl *plan.Plan, all Variables, dst []byte, start, bit int) (buf []byte, end, failed int, err error) {
	if g := wholeBytes(c, pl, bit); g != nil {
		if buf, ok := g.appendAll(c, all, dst); ok {
			return buf, 8 * (len(buf) - start), 0, nil
		}
	}
	return encodeAll(c, pl, all, dst, start, bit)
}

// DecodeAll is Decode for all of the variables. After an error it returns the index
// of the variable that failed.
func DecodeAll(c *core.Settings, pl *plan.Plan, all Variables, data []byte, bit int) (end, failed int, err error) {
	if g := wholeBytes(c, pl, bit); g != nil && c.ReservedBits == 0 {
		if n, ok := g.readAll(c, all, data[bit>>3:]); ok {
			return bit + n, 0, nil
		}
	}
	return decodeAll(c, pl, all, data, bit)
}

// wholeBytes returns the generated code of a plan if every message takes the same
// number of whole bytes. Then all values start at byte boundaries if the first one,
// at bit, does.
func wholeBytes(c *core.Settings, pl *plan.Plan, bit int) *Generated {
	if bit&7 == 0 && pl.MinBits == pl.MaxBits && pl.MinBits&7 == 0 {
		return codeOf(c, pl)
	}
	return nil
}

// appendAll appends the messages of all values.
func (g *Generated) appendAll(c *core.Settings, all Variables, dst []byte) (buf []byte, ok bool) {
	for i := range all.Len() {
		if dst, _, ok = g.Append(c, all.Index(i), dst); !ok {
			return nil, false
		}
	}
	return dst, true
}

// readAll decodes data into all of the variables and returns the bit after them.
func (g *Generated) readAll(c *core.Settings, all Variables, data []byte) (bit int, ok bool) {
	for i := range all.Len() {
		n, ok := g.Read(c, all.Index(i), data[bit>>3:], 0)
		if !ok {
			return 0, false
		}
		bit += n
	}
	return bit, true
}

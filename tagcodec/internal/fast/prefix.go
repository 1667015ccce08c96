//go:build !purego

package fast

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// encodePrefixCoded writes an integer of a PrefixCoded op.
func encodePrefixCoded(op *plan.Op, p memory.Pointer, o *output) {
	lo, hi, n := op.EncodeInteger(load(p, op.Size, op.Flags&plan.FlagSigned != 0))
	o.put(lo, uint(min(n, 64)))
	if n > 64 {
		o.put(hi, uint(min(n-64, 64)))
		o.put(0, uint(max(n-128, 0)))
	}
}

// decodePrefixCoded reads an integer of a PrefixCoded op.
func decodePrefixCoded(op *plan.Op, p memory.Pointer, data []byte, bit int) (int, error) {
	x, n, ok := op.DecodeInteger(data, bit)
	if left := 8*len(data) - bit; n > left {
		return bit, overread(n, left)
	}
	if !ok || !store(p, op.Size, op.Flags&plan.FlagSigned != 0, x) {
		return bit, core.NewRefusal(bits.ErrRange, nil, nil, nil)
	}
	return bit + n, nil
}

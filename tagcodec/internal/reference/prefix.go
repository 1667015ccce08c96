package reference

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
)

// prefixCoded writes an integer of a PrefixCoded op.
func (e *encoder) prefixCoded(op *plan.Op, v reflect.Value) {
	var x uint64
	if v.CanInt() {
		x = uint64(v.Int())
	} else {
		x = v.Uint()
	}
	lo, hi, n := op.EncodeInteger(x)
	bitio.WriteCode(e.w, lo, hi, n)
}

// prefixCoded reads an integer of a PrefixCoded op.
func (d *decoder) prefixCoded(op *plan.Op, v reflect.Value) error {
	r, bit := d.r, d.r.Bit()
	var x uint64
	var ok bool
	n := d.prefix(func(uint64) (n int) {
		x, n, ok = op.DecodeInteger(access.Data(r), bit)
		return n
	})
	if left := r.Remaining(); left < n {
		return d.refuse(bit, bits.ErrOverread, n, nil, left)
	}
	if !ok || v.CanInt() && v.OverflowInt(int64(x)) || v.CanUint() && v.OverflowUint(x) {
		return d.refuse(bit, bits.ErrRange, nil, nil, nil)
	}
	r.Skip(n)
	return d.set(v, bit, int64(x), x)
}

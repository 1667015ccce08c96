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
	bit := d.r.Bit()
	x, err := d.integerCode(bits.ErrRange, func(data []byte, bit int) (x uint64, n int, ok bool) {
		x, n, ok = op.DecodeInteger(data, bit)
		return x, n, ok && !(v.CanInt() && v.OverflowInt(int64(x))) && !(v.CanUint() && v.OverflowUint(x))
	})
	if err != nil {
		return err
	}
	return d.set(v, bit, int64(x), x)
}

// integerCode reads an integer whose code tells its own length n. decode is like
// [plan.Op.DecodeInteger]. If the integer is not valid, refusal is the reason.
func (d *decoder) integerCode(refusal error, decode func(data []byte, bit int) (x uint64, n int, ok bool)) (x uint64, err error) {
	r, bit := d.r, d.r.Bit()
	var ok bool
	n := d.prefix(func(uint64) (n int) {
		x, n, ok = decode(access.Data(r), bit)
		return n
	})
	if left := r.Remaining(); left < n {
		return 0, d.refuse(bit, bits.ErrOverread, n, nil, left)
	}
	if !ok {
		return 0, d.refuse(bit, refusal, nil, nil, nil)
	}
	r.Skip(n)
	return x, nil
}

package reference

import (
	"reflect"
	"strconv"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// element is an element of a CodeRunLength.
type element struct {
	v    reflect.Value
	path string
}

// elementsOf returns the elements of a slice, or the values in an array or in
// arrays of it.
func elementsOf(v reflect.Value, path string) (all []element) {
	if k := v.Kind(); k != reflect.Array && k != reflect.Slice {
		return []element{{v, path}}
	}
	for i := range v.Len() {
		all = append(all, elementsOf(v.Index(i), path+"["+strconv.Itoa(i)+"]")...)
	}
	return all
}

// runLength writes the elements of the CodeRunLength at pc.
func (e *encoder) runLength(pc int, op *plan.Op, v reflect.Value) *stop {
	if op.Flags&plan.FlagSlice != 0 {
		least, most := op.Lengths()
		if v.Len() >= least && v.Len() <= most && v.Type().Elem().Size() == 1 && e.overlaps(v) {
			return e.failAt(op, e.w.Bit(), core.ErrShared)
		}
		if e.w.WriteCount(v.Len(), least, most); e.w.Err() != nil {
			return e.fail(op, e.w.Err())
		}
	}
	all, own := elementsOf(v, ""), &e.p.Ops[pc+1]
	for first := 0; first < len(all); {
		var code uint64
		next := first
		for ; next < len(all) && next < first+plan.MaxStretch; next++ {
			c, err := e.code(own, all[next].v)
			if err != nil {
				s := e.fail(op, err)
				s.subpath = all[next].path
				return s
			}
			if next > first && c != code {
				break
			}
			code = c
		}
		e.w.WriteExpGolomb(uint64(next-first-1), plan.MaxStretch-1, 0)
		e.w.WriteBits(code, int(own.Bits))
		first = next
	}
	return e.fail(op, e.w.Err())
}

// runLength reads the elements of the CodeRunLength at pc.
func (d *decoder) runLength(pc int, op *plan.Op, v reflect.Value, b blockBase) *stop {
	own, r := &d.p.Ops[pc+1], d.r
	width := int(own.Bits)
	if op.Flags&plan.FlagSlice != 0 {
		bit := r.Bit()
		least, most := op.Lengths()
		n := r.ReadCount(least, most)
		if r.Err() == nil && n > 0 {
			defer func(reserved int) { d.reservedBits = reserved }(d.reservedBits)
			d.reservedBits = saturate.Add(d.reservedBits, int(op.Rest))
			r.Fail(d.requireBits(bit, 1, plan.StretchBits(n, width)))
		}
		if r.Err() != nil {
			return d.fail(op, r.Err())
		}
		setLen(op, v, n)
	}
	all := elementsOf(v, "")
	var last uint64
	for i, before := 0, plan.MaxStretch; i < len(all); i += before {
		failed := func(err error) *stop {
			s := d.fail(op, err)
			s.subpath = all[i].path
			return s
		}
		bit, most := r.Bit(), min(len(all)-i, plan.MaxStretch)-1
		var more uint64
		var ok bool
		n := d.prefix(func(uint64) (n int) {
			more, n, ok = bitio.DecodeExpGolomb(access.Data(r), bit, uint64(most), 0)
			return n
		})
		if left := r.Remaining(); n > left {
			return failed(d.refuse(bit, bits.ErrOverread, n, nil, left))
		}
		if !ok {
			return failed(d.refuse(bit, bits.ErrLength, nil, nil, nil))
		}
		r.Skip(n)
		bit = r.Bit()
		if access.Ensure(r, width) {
			code := codeAt(access.Data(r), bit, width)
			if code == last && before < plan.MaxStretch {
				return failed(d.refuse(bit, core.ErrNotCanonical, nil, nil, nil))
			}
			last = code
		}
		if err := d.scalar(own, all[i].v, b); err != nil {
			return failed(err)
		}
		before = int(more) + 1
		for _, same := range all[i+1 : i+before] {
			same.v.Set(all[i].v)
		}
	}
	return nil
}

package reference

import (
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

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
	own := &e.p.Ops[pc+1]
	length, last := 0, uint64(0) // of the stretch before the element
	end := func() {
		if length > 0 {
			e.w.WriteExpGolomb(uint64(length-1), bitio.MaxStretch-1, 0)
			e.w.WriteBits(last, int(own.Bits))
			length = 0
		}
	}
	path, err := EachOf(v, false, func(v reflect.Value) error {
		code, err := e.code(own, v)
		if err != nil {
			return err
		}
		if code != last || length == bitio.MaxStretch {
			end()
		}
		length, last = length+1, code
		return nil
	})
	if err == nil {
		end()
		err = e.w.Err()
	}
	s := e.fail(op, err)
	if s != nil {
		s.subpath = path
	}
	return s
}

// runLength reads the elements of the CodeRunLength at pc.
func (d *decoder) runLength(pc int, op *plan.Op, v reflect.Value, b blockBase) *stop {
	own, r := &d.p.Ops[pc+1], d.r
	width, count := int(own.Bits), own.Count
	if op.Flags&plan.FlagSlice != 0 {
		bit := r.Bit()
		least, most := op.Lengths()
		count = r.ReadCount(least, most)
		if r.Err() == nil && count > 0 {
			defer func(reserved int) { d.reservedBits = reserved }(d.reservedBits)
			d.reservedBits = saturate.Add(d.reservedBits, int(op.Rest))
			r.Fail(d.requireBits(bit, 1, bitio.StretchBits(count, width)))
		}
		if r.Err() != nil {
			return d.fail(op, r.Err())
		}
		setLen(op, v, count)
		d.traceInt(op, "count", count)
	}
	var first reflect.Value // of the stretch before the element
	var last uint64         // its code
	length, same := bitio.MaxStretch, 0
	i := -1
	path, err := EachOf(v, false, func(v reflect.Value) error {
		count--
		i++
		if same > 0 {
			same--
			v.Set(first)
			return nil
		}
		more, err := d.stretch(min(count, bitio.MaxStretch-1))
		if err != nil {
			return err
		}
		if bit := r.Bit(); access.Ensure(r, width) {
			code := codeAt(access.Data(r), bit, width)
			if code == last && length < bitio.MaxStretch {
				return d.refuse(bit, core.ErrNotCanonical, nil, nil, nil)
			}
			last = code
		}
		d.traceInt(op, "equal elements", more+1)
		first, length, same = v, more+1, more
		err = d.scalar(own, v, b)
		d.traceValue(op, i, "", v)
		return err
	})
	s := d.fail(op, err)
	if s != nil {
		s.subpath = path
	}
	return s
}

// stretch reads the number of elements after the first of a stretch.
func (d *decoder) stretch(most int) (int, error) {
	more, err := d.integerCode(bits.ErrLength, func(data []byte, bit int) (uint64, int, bool) {
		return bitio.DecodeExpGolomb(data, bit, uint64(most), 0)
	})
	return int(more), err
}

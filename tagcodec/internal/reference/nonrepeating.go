package reference

import (
	"bytes"
	"encoding"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/values"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// nonRepeating writes the value of an op that cannot repeat within the op: a
// constant, padding, text, bytes, a vector, a link, or a value that encodes
// itself.
func (e *encoder) nonRepeating(op *plan.Op, v reflect.Value) error {
	w := e.w
	least, most := int(op.Bias), int(op.Bias+op.Span) // bounds of a count
	switch op.Code {
	case plan.CodeConst:
		w.WriteBits(op.Bias, int(op.Bits))
	case plan.CodeAlign:
		w.WriteAlign()
	case plan.CodeBytes:
		w.WriteBytes(v.Bytes())
	case plan.CodeCString:
		text, _, terminated := bytes.Cut(v.Bytes(), []byte{0})
		if !terminated {
			return e.refuse(bits.ErrLength, v.Len(), 0, v.Len()-1)
		}
		w.WriteString(string(text), v.Len()-1)
	case plan.CodeString:
		var content []byte
		if op.Flags&plan.FlagSlice != 0 {
			if e.overlaps(v) {
				return core.ErrShared
			}
			content = v.Bytes()
		} else {
			content = []byte(v.String())
		}
		if op.Flags&plan.FlagText != 0 {
			w.WriteString(string(content), most)
			break
		}
		if w.WriteCount(len(content), least, most); w.Err() == nil {
			w.WriteBytes(content)
		}
	case plan.CodeWString:
		w.WriteWString(v.String(), most)
	case plan.CodeBinary:
		form, err := core.BinaryForm(v)
		if err != nil {
			return err
		}
		if len(form) > most {
			return core.BinaryTooLong(op, len(form))
		}
		if e.overlaps(reflect.ValueOf(form)) {
			return core.ErrShared
		}
		if w.WriteCount(len(form), least, most); w.Err() == nil {
			w.WriteBytes(form)
		}
	case plan.CodePresent: // only readers check it
	case plan.CodeVector:
		code, x, ok := vectorCode(&e.p.Vectors[op.Aux], v)
		if !ok {
			return e.refuse(bits.ErrRange, values.Uncoded(x), nil, nil)
		}
		w.WriteBits(code, int(op.Bits))
	case plan.CodeLink:
		id, err := core.EncodeLink(e.c.Linker, int(op.Bits), v)
		if err != nil {
			return err
		}
		w.WriteBits(id, int(op.Bits))
	case plan.CodeCustom:
		bit := w.Bit()
		err := e.custom(v)
		if err != nil && w.Err() == nil {
			return err
		}
		if w.Err() == nil {
			return core.CheckLength(op, w.Bit()-bit)
		}
	default:
		panic(core.UnhandledCode("write", op.Code))
	}
	return w.Err()
}

// overlaps reports whether the byte slice v is in the memory that the message
// started in, where the message may have overwritten it.
func (e *encoder) overlaps(v reflect.Value) bool {
	from, start := v.Pointer(), reflect.ValueOf(e.initialBuffer).Pointer()
	return v.Len() > 0 && from < start+uintptr(len(e.initialBuffer)) && start < from+uintptr(v.Len())
}

// nonRepeating is the inverse of the encoder's nonRepeating.
func (d *decoder) nonRepeating(op *plan.Op, v reflect.Value) *stop {
	r, bit := d.r, d.r.Bit()
	switch op.Code {
	case plan.CodeConst:
		x := r.ReadBits(int(op.Bits))
		switch {
		case r.Err() != nil || x == op.Bias:
			d.traceText(op, constantName(op))
		case op.Flags&plan.FlagReserved != 0:
			return d.fail(op, d.refuse(bit, bits.ErrPadding, x, op.Bias, op.Bias))
		default:
			return d.fail(op, d.refuse(bit, bits.ErrCheck, x, op.Bias, op.Bias))
		}
	case plan.CodeAlign:
		return d.fail(op, d.align(op))
	case plan.CodeBytes:
		raw, err := d.raw(op, op.Count)
		copy(v.Bytes(), raw)
		d.traceValue(op, -1, "", v)
		return d.fail(op, err)
	case plan.CodeString, plan.CodeCString, plan.CodeBinary:
		n := r.ReadCount(int(op.Bias), int(op.Bias+op.Span))
		bit = r.Bit()
		if r.Err() != nil {
			break
		}
		d.traceInt(op, "length", n)
		raw, err := d.raw(op, n)
		if err != nil {
			return d.fail(op, err)
		}
		s := d.failAt(op, bit, d.content(op, v, bit, raw))
		if s == nil {
			d.traceValue(op, -1, "", v)
		}
		return s
	case plan.CodeWString:
		v.SetString(r.ReadWString(int(op.Span)))
		d.traceValue(op, -1, "", v)
	case plan.CodeVector:
		code := r.ReadBits(int(op.Bits))
		if r.Err() == nil && !setVectorCode(&d.p.Vectors[op.Aux], v, code) {
			return d.fail(op, d.refuse(bit, bits.ErrRange, nil, nil, nil))
		}
		d.traceValue(op, -1, "", v)
	case plan.CodeLink:
		id := r.ReadBits(int(op.Bits))
		if r.Err() == nil {
			if d.trace != nil {
				d.traceTo(op, r.Bit(), "", "id", id)
			}
			return d.failAt(op, bit, d.link(op, v, id))
		}
	case plan.CodeCustom:
		err := d.custom(op, v)
		switch {
		case err == core.ErrReset:
			return d.failAt(op, bit, err)
		case r.Err() != nil:
			return d.failAt(op, r.Bit(), r.Err())
		case err != nil:
			return d.failAt(op, r.Bit(), err)
		}
		if err := core.CheckLength(op, r.Bit()-bit); err != nil {
			return d.failAt(op, bit, err)
		}
		d.traceValue(op, -1, "Serialize", v)
	default:
		panic(core.UnhandledCode("read", op.Code))
	}
	return d.fail(op, r.Err())
}

// content stores in v the bytes that follow a count. The count ends at bit.
func (d *decoder) content(op *plan.Op, v reflect.Value, bit int, raw []byte) error {
	if (op.Flags&plan.FlagText != 0 || op.Code == plan.CodeCString) && !bitio.ValidBytes(raw) {
		return core.BadText(string(raw))
	}
	switch {
	case op.Code == plan.CodeBinary:
		return core.Exposed(v).Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(raw)
	case op.Code == plan.CodeCString:
		clear(v.Bytes()[copy(v.Bytes(), raw):])
	case op.Flags&plan.FlagSlice != 0:
		setLen(op, v, len(raw))
		copy(v.Bytes(), raw)
	default:
		v.SetString(string(raw))
	}
	return nil
}

// align skips the padding up to the next byte.
func (d *decoder) align(op *plan.Op) error {
	bit := d.r.Bit()
	if bit%8 == 0 {
		return nil
	}
	if pad := d.r.ReadBits(8 - bit%8); pad != 0 {
		return d.refuse(bit, bits.ErrPadding, pad, uint64(0), uint64(0))
	}
	d.traceText(op, "padding")
	return nil
}

// raw skips to the next byte and reads n bytes. It allocates nothing if they are
// missing.
func (d *decoder) raw(op *plan.Op, n int) ([]byte, error) {
	if err := d.align(op); err != nil {
		return nil, err
	}
	access.Ensure(d.r, saturate.MulAdd(n, 8, 0))
	if left := d.r.Remaining(); n > left/8 {
		return nil, d.refuse(d.r.Bit(), bits.ErrOverread, saturate.MulAdd(n, 8, 0), nil, left)
	}
	raw := make([]byte, n)
	d.r.ReadBytes(raw)
	return raw, nil
}

package tagcodec

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"unicode/utf8"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/typecache"
)

// decode reads a message from the start of data into the value at base, and
// returns the number of bits it took.
func decode(c *config, plan *typecache.Plan, base pointer, data []byte) (int, error) {
	if len(data) > math.MaxInt/8 {
		data = data[:math.MaxInt/8] // the bits of which an int can count
	}
	var inline [inlineFrames]frame
	stack, bit, f := decodeOps(c, plan, base, stackFor(plan, inline[:]), data)
	if f.err != nil {
		return bit, report("unmarshal", plan, stack, f)
	}
	return bit, nil
}

// decodeOps runs the plan. It returns the open blocks, the bit it reached, and
// where and why it stopped if not at the end.
func decodeOps(c *config, plan *typecache.Plan, base pointer, stack []frame, data []byte) ([]frame, int, failure) {
	ops, bit, end, depth := plan.Ops, 0, 8*len(data), 0
	var err error

	for pc := 0; ; {
		op := &ops[pc]
		pc++
		p := base.at(op.Off)
		n := op.Count
		width := int(op.Bits)
		if op.Code.Single() {
			for {
				if width > end-bit {
					err = overread(width, end-bit)
					goto fail
				}
				var v uint64
				if i := bit >> 3; i+8 <= len(data) {
					v = binary.LittleEndian.Uint64(data[i:]) >> (uint(bit) & 7)
				} else {
					v = bits.Peek(data, bit)
				}
				if width > 57 {
					v = bits.PeekWord(data, bit)
				}
				v &= 1<<uint(width) - 1
				if v > op.Span {
					err = aboveSpan(op, v)
					goto fail
				}
				switch op.Code {
				case typecache.CodeBool, typecache.CodeUint8, typecache.CodeInt8:
					*p.u8() = uint8(v + op.Bias)
				case typecache.CodeUint16, typecache.CodeInt16:
					*p.u16() = uint16(v + op.Bias)
				case typecache.CodeUint32, typecache.CodeInt32:
					*p.u32() = uint32(v + op.Bias)
				case typecache.CodeUint64:
					*p.u64() = v + op.Bias
				case typecache.CodeFloat32:
					*p.f32() = plan.Float32s[op.Aux].Decode(uint32(v))
				case typecache.CodeFloat64:
					*p.f64() = plan.Float64s[op.Aux].Decode(v)
				case typecache.CodeHalf:
					*p.f32() = compress.DecodeHalf(uint16(v))
				case typecache.CodeAngle:
					decodeAngle(&plan.Angles[op.Aux], op, p, uint32(v))
				case typecache.CodeWord:
					if err = decodeWord(op, p, v); err != nil {
						goto fail
					}
				}
				bit += width
				if n--; n <= 0 {
					break
				}
				p = p.at(uintptr(op.Size))
			}
			continue
		}
		switch op.Code {
		case typecache.CodeIf:
			if !holds(plan, op.Aux, base) {
				zero(plan, op, p)
				pc = int(op.End)
			}
			continue
		case typecache.CodePointer:
			if bit == end {
				err = overread(1, 0)
				goto fail
			}
			set := data[bit>>3]>>(uint(bit)&7)&1 != 0
			bit++
			if !set {
				*p.ptr() = pointer{}
				pc = int(op.End)
				continue
			}
			if p.ptr().isNil() {
				*p.ptr() = pointerTo(reflect.New(plan.Elems[op.Aux].Type))
			}
			stack = append(stack, frame{base: base, left: 1, total: 1, open: int32(pc - 1)})
			base = *p.ptr()
		case typecache.CodeArray:
			if n == 0 {
				pc = int(op.End)
				continue
			}
			stack = append(stack, frame{base: base, size: plan.Elems[op.Aux].Size, left: n, total: n, open: int32(pc - 1)})
			base = p
		case typecache.CodeSlice, typecache.CodeMap:
			elem := &plan.Elems[op.Aux]
			count, failed := decodeCount(op, data, bit, end)
			if err = failed; err == nil {
				err = payable(count, elem.MinBits, end-bit-width)
			}
			if err != nil {
				goto fail
			}
			bit += width
			var first pointer
			if op.Code == typecache.CodeMap {
				if count == 0 {
					p.value(plan.Fields[op.Field].Type).Clear()
				} else {
					first = pointerTo(reflect.MakeSlice(reflect.SliceOf(elem.Type), count, count))
				}
			} else {
				resize(p, op, plan.Fields[op.Field].Type, elem, count)
				first = p.slice().data
			}
			if count == 0 {
				pc = int(op.End)
				continue
			}
			stack = append(stack, frame{base: base, elem: first, size: elem.Size, left: count, total: count, open: int32(pc - 1)})
			base = first
		case typecache.CodeCall:
			if depth++; depth > c.maxDepth {
				err = refusal(ErrDepth, depth, 0, c.maxDepth)
				goto fail
			}
			stack = append(stack, frame{base: base, left: 1, total: 1, open: int32(pc - 1)})
			base, pc = p, int(op.End)
		case typecache.CodeNext:
			f := &stack[len(stack)-1]
			switch open := &ops[f.open]; open.Code {
			case typecache.CodeMap:
				elem := &plan.Elems[open.Aux]
				if f.left < f.total && !ascending(base, elem) {
					err = refusal(ErrOrder, nil, nil, nil)
					goto fail
				}
				if f.left == 1 {
					m := f.base.at(open.Off).value(plan.Fields[open.Field].Type)
					storeEntries(m, f.elem, f.total, elem)
				}
			case typecache.CodeCall:
				depth--
				pc = int(f.open) + 1
			}
			if f.left--; f.left > 0 {
				base, pc = base.at(f.size), int(f.open)+1
				continue
			}
			base, stack = f.base, stack[:len(stack)-1]
		case typecache.CodeEnd:
			return stack, bit, failure{}
		default:
			for {
				next, failed := decodeRare(plan, op, base, p, stack, data, bit)
				if err = failed; err != nil {
					bit = next
					goto fail
				}
				bit = next
				if n--; n <= 0 || op.Code >= typecache.CodeConst {
					break
				}
				p = p.at(uintptr(op.Size))
			}
		}
		continue
	fail:
		return stack, bit, failure{pc - 1, op.Count - n, bit, err}
	}
}

// aboveSpan is the failure of a code v above the span of its op.
func aboveSpan(op *typecache.Op, v uint64) error {
	if op.Code >= typecache.CodeFloat32 {
		return refusal(ErrRange, v, uint64(0), op.Span)
	}
	least, most := limits(op)
	return refusal(ErrRange, sum(op, v), least, most)
}

// sum returns the integer of the code v for an error: it may be one that no
// 64 bits hold.
func sum(op *typecache.Op, v uint64) any {
	bias := bits.Uint128{Lo: op.Bias}
	if op.Flags&typecache.Signed != 0 {
		bias.Hi = uint64(int64(op.Bias) >> 63)
	}
	x := bias.Add(bits.Uint128{Lo: v}).Signed()
	switch {
	case op.Flags&typecache.Signed != 0 && x.Hi == int64(x.Lo)>>63:
		return int64(x.Lo)
	case op.Flags&typecache.Signed == 0 && x.Hi == 0:
		return x.Lo
	}
	return x
}

// decodeWord stores the low bits of an integer in two's complement, which must
// fit the memory it has.
func decodeWord(op *typecache.Op, p pointer, v uint64) error {
	signed := op.Flags&typecache.Signed != 0
	if n := 64 - uint(op.Bits); signed {
		v = uint64(int64(v<<n) >> n)
	}
	if !store(p, op.Size, signed, v) {
		least, most := limits(op)
		return refusal(ErrRange, shown(op, v), least, most)
	}
	return nil
}

// decodeAngle stores an angle in the float it has.
func decodeAngle(a *compress.Angle, op *typecache.Op, p pointer, code uint32) {
	if op.Size == 4 {
		*p.f32() = a.Decode32(code)
	} else {
		*p.f64() = a.Decode(code)
	}
}

// zero sets the field of a condition that does not hold.
func zero(plan *typecache.Plan, op *typecache.Op, p pointer) {
	if op.Flags&typecache.Pointers != 0 {
		p.value(plan.Fields[op.Field].Type).SetZero()
		return
	}
	clear(p.array(op.Count))
}

// decodeCount reads a count. The bits it takes are the caller's to skip.
func decodeCount(op *typecache.Op, data []byte, bit, end int) (int, error) {
	if int(op.Bits) > end-bit {
		return 0, overread(int(op.Bits), end-bit)
	}
	v := bits.Peek(data, bit) & (1<<op.Bits - 1)
	if v > op.Span {
		return 0, lengthError(op, int(v+op.Bias))
	}
	return int(v + op.Bias), nil
}

// payable fails if fewer bits are left than n elements take at least, so that
// no memory is taken for elements that cannot come.
func payable(n, bitsEach, left int) error {
	if bitsEach > 0 && n > left/bitsEach {
		return overread(n*bitsEach, left)
	}
	return nil
}

// resize gives a slice n elements, in the memory that it has if that is
// enough. Elements that its user saw before and that are no longer in it, or
// that come into it, are zero.
func resize(p pointer, op *typecache.Op, t reflect.Type, elem *typecache.Elem, n int) {
	s := p.slice()
	if n > s.cap {
		p.value(t).Set(reflect.MakeSlice(t, n, n))
		return
	}
	first, last := min(n, s.len), max(n, s.len)
	s.len = n
	if first == last { // which may be the end of the memory, where no pointer may go
		return
	}
	if op.Flags&typecache.Pointers == 0 {
		clear(s.data.at(uintptr(first) * elem.Size).array((last - first) * int(elem.Size)))
		return
	}
	for ; first < last; first++ {
		s.data.at(uintptr(first) * elem.Size).value(elem.Type).SetZero()
	}
}

// decodeRare handles the ops that the loop itself does not. It returns the bit
// behind the value, or the one where it failed.
func decodeRare(plan *typecache.Plan, op *typecache.Op, base, p pointer, stack []frame, data []byte, bit int) (int, error) {
	end := 8 * len(data)
	width := int(op.Bits)
	switch op.Code {
	case typecache.CodeWide:
		return decodeWide(&plan.Wides[op.Aux], op, p, data, bit)
	case typecache.CodeVarint:
		return decodeVarint(op, p, data, bit)
	case typecache.CodeRelative:
		r := &plan.Relatives[op.Aux]
		before := previous(plan, r, op, base, p, stack)
		x, n, ok := bits.DecodeRelative(bits.PeekWord(data, bit), before, r.Min, r.Max)
		if n > end-bit {
			return bit, overread(n, end-bit)
		}
		if !ok {
			return bit, refusal(ErrRange, x, max(r.Min, before+1), r.Max)
		}
		store(p, op.Size, op.Flags&typecache.Signed != 0, uint64(x))
		return bit + n, nil
	case typecache.CodeConst:
		if width > end-bit {
			return bit, overread(width, end-bit)
		}
		v := bits.PeekWord(data, bit) & (math.MaxUint64 >> (64 - uint(width)))
		if v != op.Bias && op.Flags&typecache.Reserved != 0 {
			return bit, refusal(ErrPadding, v, op.Bias, op.Bias)
		} else if v != op.Bias {
			return bit, refusal(ErrCheck, v, op.Bias, op.Bias)
		}
		return bit + width, nil
	case typecache.CodeAlign:
		_, next, err := take(data, bit, 0)
		return next, err
	case typecache.CodeBytes:
		raw, next, err := take(data, bit, op.Count)
		copy(p.array(op.Count), raw)
		return next, err
	case typecache.CodeCustom:
		return decodeCustom(op, p.value(plan.Fields[op.Field].Type), data, bit)
	}
	return decodeText(plan, op, p, data, bit)
}

// take aligns and returns n bytes and the bit behind them.
func take(data []byte, bit, n int) ([]byte, int, error) {
	pad := -bit & 7
	if v := bits.Peek(data, bit) & (1<<pad - 1); v != 0 {
		return nil, bit, refusal(ErrPadding, v, uint64(0), uint64(0))
	}
	first := (bit + pad) >> 3
	if left := 8*len(data) - bit - pad; n > left/8 {
		return nil, bit + pad, overread(8*n, left)
	}
	return data[first : first+n : first+n], bit + pad + 8*n, nil
}

// decodeText reads all that is a count and bytes.
func decodeText(plan *typecache.Plan, op *typecache.Op, p pointer, data []byte, bit int) (int, error) {
	n, err := decodeCount(op, data, bit, 8*len(data))
	if err != nil {
		return bit, err
	}
	bit += int(op.Bits)
	if op.Code == typecache.CodeWString {
		return decodeWString(n, p, data, bit)
	}
	raw, next, err := take(data, bit, n)
	if err != nil {
		return next, err
	}
	if (op.Flags&typecache.Text != 0 || op.Code == typecache.CodeCString) && !validText(raw) {
		return bit, refusal(ErrText, nil, nil, nil)
	}
	switch {
	case op.Code == typecache.CodeCString:
		array := p.array(op.Count)
		clear(array[copy(array, raw):])
	case op.Code == typecache.CodeBinary:
		if err := decodeBinary(p.value(plan.Fields[op.Field].Type), raw); err != nil {
			return bit, err
		}
	case op.Flags&typecache.Slice != 0:
		setBytes(p.bytes(), raw)
	default:
		setString(p.str(), raw)
	}
	return next, nil
}

func validText(p []byte) bool { return utf8.Valid(p) && bytes.IndexByte(p, 0) < 0 }

// setString sets a string, keeping the one it is if it is the same.
func setString(s *string, raw []byte) {
	if *s != string(raw) {
		*s = string(raw)
	}
}

// setBytes sets a []byte in the memory that it has if that is enough.
func setBytes(s *[]byte, raw []byte) {
	if len(raw) < len(*s) {
		clear((*s)[len(raw):])
	}
	*s = append((*s)[:0], raw...)
}

// decodeWString reads UTF-16 units.
func decodeWString(n int, p pointer, data []byte, bit int) (int, error) {
	if left := 8*len(data) - bit; n > left/32 {
		return bit, overread(32*n, left)
	}
	var short [64]byte
	s, next := bits.AppendWString(short[:0], data, bit, n)
	if next != bit+32*n {
		return next, refusal(ErrText, nil, nil, nil)
	}
	setString(p.str(), s)
	return next, nil
}

// decodeWide reads a 128-bit integer.
func decodeWide(w *typecache.Wide, op *typecache.Op, p pointer, data []byte, bit int) (int, error) {
	width := int(op.Bits)
	if left := 8*len(data) - bit; width > left {
		return bit, overread(width, left)
	}
	var x bits.Uint128
	if width > 64 {
		x.Lo = bits.PeekWord(data, bit)
		x.Hi = bits.PeekWord(data, bit+64) & (math.MaxUint64 >> (128 - uint(width)))
	} else if width > 0 {
		x.Lo = bits.PeekWord(data, bit) & (math.MaxUint64 >> (64 - uint(width)))
	}
	v := x.Add(w.Min)
	if x.Cmp(w.Span) > 0 {
		return bit, aboveWide(w, v, op.Flags&typecache.Signed != 0)
	}
	*p.words128() = [2]uint64{v.Lo, v.Hi}
	return bit + width, nil
}

// aboveWide is the failure of an integer above its range. It is one that its
// type does not hold if v, its low 128 bits, is below the range.
func aboveWide(w *typecache.Wide, v bits.Uint128, signed bool) error {
	most := w.Min.Add(w.Span)
	switch {
	case signed && v.Signed().Cmp(w.Min.Signed()) < 0:
		return refusal(ErrRange, v, w.Min.Signed(), most.Signed())
	case signed:
		return refusal(ErrRange, v.Signed(), w.Min.Signed(), most.Signed())
	case v.Cmp(w.Min) < 0:
		x := v.Big()
		return refusal(ErrRange, x.SetBit(x, 128, 1), w.Min, most)
	}
	return refusal(ErrRange, v, w.Min, most)
}

// decodeVarint reads groups of 7 bits. A last group of zero, after another,
// says nothing: one integer has one form.
func decodeVarint(op *typecache.Op, p pointer, data []byte, bit int) (int, error) {
	start := bit
	signed := op.Flags&typecache.Signed != 0
	var x uint64
	for shift := uint(0); ; shift += 7 {
		if left := 8*len(data) - bit; left < 8 {
			return start, overread(8, left)
		}
		group := bits.Peek(data, bit) & 0xFF
		bit += 8
		x |= group >> 1 << shift
		switch {
		case shift == 63 && group != 2, shift > 0 && group == 0:
			return start, refusal(ErrRange, "a varint longer than its value needs", nil, nil)
		case group&1 != 0:
			continue
		}
		v := x
		if signed {
			v = unfold(x)
		}
		if !store(p, op.Size, signed, v) {
			least, most := limits(&typecache.Op{Code: typecache.CodeWord, Bits: 64, Size: op.Size, Flags: op.Flags})
			return start, refusal(ErrRange, shown(op, v), least, most)
		}
		return bit, nil
	}
}

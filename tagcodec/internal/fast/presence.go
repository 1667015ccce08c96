//go:build !purego

package fast

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/bitio"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// isZero reports whether every value written by the ops [from, to) is zero. A
// float counts as zero if it is quantized to zero, since the reader gets zero.
// If read is set, the value has just been read. Links and values with their own
// encoding then never count as zero, because a nonzero encoding may read as
// zero.
func isZero(pl *plan.Plan, from, to int, base memory.Pointer, read bool) bool {
	for pc := from; pc < to; {
		op := &pl.Ops[pc]
		p := base.At(op.Off)
		pc++
		zero, size := true, 0 // size bytes at p must be zero as well
		switch op.Code {
		case plan.CodeConst, plan.CodeAlign, plan.CodePresent, plan.CodeOptional,
			plan.CodeCommon, plan.CodeHuffman, plan.CodeRunLength, plan.CodeScale:
			// These have no value of their own, or their value's ops follow.
		case plan.CodeIf:
			if read && !conditionHoldsOnRead(pl, op.Aux, base) || !read && !conditionHolds(pl, op.Aux, base) {
				pc = int(op.End)
			}
		case plan.CodeFloat32, plan.CodeFloat64, plan.CodeHalf, plan.CodeAngle:
			zero = zeroCodes(pl, op, p)
		case plan.CodeString, plan.CodeWString:
			zero = *p.Str() == ""
		case plan.CodeBytes:
			size = op.Count
		case plan.CodeCString: // bytes after the text are not written
			zero = *p.U8() == 0
		case plan.CodeCall:
			zero = isZero(pl, int(op.End), pl.BlockEnd(int(op.End)), p, read)
		case plan.CodeArray:
			elem := &pl.Elems[op.Aux]
			for i := 0; i < op.Count && zero; i++ {
				zero = isZero(pl, pc, int(op.End)-1, p.At(uintptr(i)*elem.Size), read)
			}
			pc = int(op.End)
		case plan.CodeSubset:
			f := frame{elem: p, size: pl.Elems[op.Aux].Size, total: op.Count}
			zero = f.next(&pl.Elems[op.Aux], 0) == op.Count
			pc = int(op.End)
		case plan.CodeVector:
			zero = loadVector(&pl.Vectors[op.Aux], op.Size, p) == [4]float64{}
		case plan.CodeMatrix, plan.CodeUnion, plan.CodePointer:
			size = int(pl.Fields[op.Field].Type.Size())
			if op.Code.Encloses() {
				pc = int(op.End)
			}
		case plan.CodeLink, plan.CodeBinary, plan.CodeCustom:
			zero = !read && p.Value(pl.Fields[op.Field].Type).IsZero()
		case plan.CodeWord, plan.CodeWide, plan.CodeVarint, plan.CodeRelative:
			size = op.Count * int(op.Size)
		default:
			if !op.Code.Integer() && !op.Code.PrefixCoded() {
				panic(core.UnhandledCode("compare", op.Code))
			}
			size = op.Count * int(op.Size)
		}
		if !zero || !allZero(p.Array(size)) {
			return false
		}
	}
	return true
}

// zeroCodes reports whether all quantized floats of an op are zero or decode to
// zero. Zero itself may have no code.
func zeroCodes(pl *plan.Plan, op *plan.Op, p memory.Pointer) bool {
	for i := range op.Count {
		p := p.At(uintptr(i) * uintptr(op.Size))
		if allZero(p.Array(int(op.Size))) {
			continue
		}
		code, err := encodeSingle(pl, op, p)
		var value uint64
		if err != nil || decodeSingle(pl, op, memory.Of(&value), code) != nil || value != 0 {
			return false
		}
	}
	return true
}

// allZero reports whether all bytes of p are zero.
func allZero(p []byte) bool {
	for _, b := range p {
		if b != 0 {
			return false
		}
	}
	return true
}

// matchesListed reports whether the memory at p holds the listed value v. op
// describes the field, and code is its encoding if it has a fixed width.
func matchesListed(op *plan.Op, p memory.Pointer, v *plan.Value, code uint64) bool {
	switch op.Code {
	case plan.CodeString, plan.CodeWString:
		return *p.Str() == v.Text
	case plan.CodeWide:
		return *p.Words128() == v.Mem
	}
	switch {
	case op.Code == plan.CodeVarint, op.Code.PrefixCoded():
		return load(p, op.Size, op.Flags&plan.FlagSigned != 0) == v.Mem[0]
	case !op.Code.Single():
		panic(core.UnhandledCode("compare", op.Code))
	}
	return code == v.Code
}

// setValue stores a listed value.
func setValue(op *plan.Op, p memory.Pointer, v *plan.Value) {
	switch op.Code {
	case plan.CodeString, plan.CodeWString:
		*p.Str() = v.Text
	case plan.CodeWide:
		*p.Words128() = v.Mem
	default:
		if !op.Code.Single() && op.Code != plan.CodeVarint && !op.Code.PrefixCoded() {
			panic(core.UnhandledCode("read", op.Code))
		}
		storeLow(p, op.Size, v.Mem[0])
	}
}

// find returns the index of the listed value that the memory at p holds, or -1.
// The escape code of a Huffman code does not count.
func find(op *plan.Op, p memory.Pointer, values []plan.Value, escape int, code uint64) int {
	for i := range values {
		if i != escape && matchesListed(op, p, &values[i], code) {
			return i
		}
	}
	return -1
}

// encodeListed writes the code of the listed value that the field holds. For
// any other value it writes the escape code (or a 0 bit for CodeCommon) and
// returns false, and the caller writes the value itself.
func encodeListed(pl *plan.Plan, op *plan.Op, p memory.Pointer, out *output) (listed bool, err error) {
	value := &pl.Ops[op.End-1]
	var code uint64
	if value.Code.Single() {
		if code, err = encodeSingle(pl, value, p); err != nil {
			return false, err
		}
	}
	if op.Code == plan.CodeHuffman {
		h := &pl.Huffmans[op.Aux]
		symbol := find(value, p, h.Values, h.Escape, code)
		listed = symbol >= 0
		if !listed {
			if symbol = h.Escape; symbol < 0 {
				return false, core.UnlistedError(p.Value(pl.Fields[value.Field].Type))
			}
		}
		word, n := h.Code.Code(symbol)
		out.put(word, uint(n))
		return listed, nil
	}
	values := pl.Commons[op.Aux]
	i := find(value, p, values, -1, code)
	if i < 0 {
		out.put(0, 1)
		return false, nil
	}
	out.put(1, 1)
	out.put(commonIndex(values, uint64(i)), uint(op.Bits))
	return true, nil
}

// commonIndex converts between an index into values and its code. It is its own
// inverse. With two values, the code of the first is 1.
func commonIndex(values []plan.Value, i uint64) uint64 {
	if len(values) == 2 {
		return 1 - i
	}
	return i
}

// listed is the inverse of encodeListed. It returns false if the value itself
// follows, or on an error.
func (d *decoder) listed(op *plan.Op, p memory.Pointer, bit int) (next int, done bool, err error) {
	pl, data := d.pl, d.data
	value := &pl.Ops[op.End-1]
	word, left := bitio.PeekWord(data, bit), 8*len(data)-bit
	var values []plan.Value
	escape, index, n := -1, -1, 1
	if op.Code == plan.CodeHuffman {
		h := &pl.Huffmans[op.Aux]
		values, escape = h.Values, h.Escape
		if index, n = h.Code.Decode(word); index == escape {
			index = -1
		}
	} else {
		values = pl.Commons[op.Aux]
		if word&1 != 0 && left > 0 {
			n = 1 + int(op.Bits)
			index = int(commonIndex(values, word>>1&(1<<op.Bits-1)))
		}
	}
	switch {
	case n > left:
		return bit, false, overread(n, left)
	case index >= len(values):
		return bit, false, core.NewRefusal(bits.ErrRange, index, 0, len(values)-1)
	case index >= 0:
		setValue(value, p, &values[index])
		return bit + n, true, nil
	}
	// A listed value must not be written in full.
	next = bit + n
	if value.Code.Single() {
		width := int(value.Bits)
		code := bitio.PeekWord(data, next) & (1<<value.Bits - 1)
		if width <= left-n {
			index = find(value, p, values, escape, code)
		}
		if index >= 0 {
			return bit, false, core.ListedError(pl.Fields[value.Field].Type, &values[index])
		}
		return next, false, nil
	}
	_, end, err := d.values(value, p, next)
	if err == nil {
		index = find(value, p, values, escape, 0)
	}
	if index >= 0 {
		return bit, false, core.ListedError(pl.Fields[value.Field].Type, &values[index])
	}
	return end, err == nil, err
}

// eachScalar calls f for each value of the Single ops in [from, to).
func eachScalar(pl *plan.Plan, from, to int, base memory.Pointer, f func(i int, op *plan.Op, p memory.Pointer) error) error {
	i := 0
	for pc := from; pc < to; pc++ {
		op := &pl.Ops[pc]
		for k := range op.Count {
			if err := f(i, op, base.At(op.Off+uintptr(k)*uintptr(op.Size))); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

// scaleCodes holds the codes of a scale.
type scaleCodes struct {
	codes [3]uint64
	n     int
	width uint
}

// uniform reports whether all axes have the same scale.
func (s *scaleCodes) uniform() bool {
	return s.n == 1 || s.codes[0] == s.codes[1] && s.codes[1] == s.codes[2]
}

// encodeScale writes a scale. The first bit is 1 if the scale is 1. Otherwise,
// if there are several axes, the next bit is 1 if all have the same scale. Then
// the one or three scales follow.
func encodeScale(pl *plan.Plan, op *plan.Op, from int, base memory.Pointer, out *output) error {
	var s scaleCodes
	err := eachScalar(pl, from, int(op.End), base, func(i int, op *plan.Op, p memory.Pointer) (err error) {
		s.codes[i], err = encodeSingle(pl, op, p)
		s.n, s.width = i+1, uint(op.Bits)
		return err
	})
	if err != nil {
		return err
	}
	if s.uniform() && s.codes[0] == pl.Commons[op.Aux][0].Code {
		out.put(1, 1)
		return nil
	}
	out.put(0, 1)
	codes := s.codes[:s.n]
	if s.n > 1 {
		var uniform uint64
		if s.uniform() {
			uniform, codes = 1, codes[:1]
		}
		out.put(uniform, 1)
	}
	for _, code := range codes {
		out.put(code, s.width)
	}
	return nil
}

// decodeScale is the inverse of encodeScale.
func decodeScale(pl *plan.Plan, op *plan.Op, from int, base memory.Pointer, data []byte, bit int) (int, error) {
	one, start := &pl.Commons[op.Aux][0], bit
	take := func(n uint) (v uint64, err error) {
		if left := 8*len(data) - bit; int(n) > left {
			return 0, overread(int(n), left)
		}
		v = bitio.PeekWord(data, bit) & (1<<n - 1)
		bit += int(n)
		return v, nil
	}
	unscaled, err := take(1)
	if err != nil {
		return bit, err
	}
	several := int(op.End) > from+1 || pl.Ops[from].Count > 1
	uniform := uint64(0)
	if unscaled == 0 && several {
		if uniform, err = take(1); err != nil {
			return bit, err
		}
	}
	var s scaleCodes
	code := bit // position of the last scale read
	err = eachScalar(pl, from, int(op.End), base, func(i int, op *plan.Op, p memory.Pointer) (err error) {
		if unscaled != 0 {
			setValue(op, p, one)
			return nil
		}
		s.n = i + 1
		if s.codes[i] = s.codes[0]; i == 0 || uniform == 0 {
			code = bit
			if s.codes[i], err = take(uint(op.Bits)); err != nil {
				return err
			}
		}
		return decodeSingle(pl, op, p, s.codes[i])
	})
	if err != nil {
		return code, err
	}
	if unscaled == 0 && s.uniform() && (s.codes[0] == one.Code || several && uniform == 0) {
		return start, core.NewRefusal(core.ErrNotCanonical, nil, nil, nil)
	}
	return bit, nil
}

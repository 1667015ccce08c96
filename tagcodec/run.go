package tagcodec

import (
	"encoding/binary"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// run writes the values of a run. It is not ok, and nothing is written, if one
// of them has no code, which the ops of the run find out again one by one.
func (o *output) run(plan *typecache.Plan, r *typecache.Run, base memory.Pointer) (ok bool) {
	buf, pos, word, fill := o.buf, o.pos, o.word, o.fill
	for i := range r.Values {
		x := &r.Values[i]
		p := base.At(x.Off)
		var v uint64
		switch x.Kind {
		case typecache.RunInt8:
			v = uint64(*p.U8()) ^ x.Sign - x.Sub
		case typecache.RunInt16:
			v = uint64(*p.U16()) ^ x.Sign - x.Sub
		case typecache.RunInt32:
			v = uint64(*p.U32()) ^ x.Sign - x.Sub
		case typecache.RunInt64:
			v = *p.U64() - x.Sub
		case typecache.RunFloat32:
			f := *p.F32()
			if !compress.Finite32(f) {
				return false
			}
			v = uint64(plan.Float32s[x.Aux].Encode(f))
		case typecache.RunFloat64:
			f := *p.F64()
			if !compress.Finite64(f) {
				return false
			}
			v = plan.Float64s[x.Aux].Encode(f)
		case typecache.RunVector:
			if v, ok = codeOfVector(&plan.Vectors[x.Aux], plan.Ops[x.Op].Size, p); !ok {
				return false
			}
		default:
			var err error
			if v, err = single(plan, &plan.Ops[x.Op], p); err != nil {
				return false
			}
		}
		if v > x.Span {
			return false
		}
		word |= v << (fill & 63)
		if fill += uint(x.Width); fill >= 64 {
			if pos+8 > len(buf) {
				buf = room(buf, pos, 16)
				o.buf = buf
			}
			binary.LittleEndian.PutUint64(buf[pos:], word)
			pos += 8
			fill -= 64
			word = v >> (uint(x.Width) - fill)
		}
	}
	o.pos, o.word, o.fill = pos, word, fill
	return true
}

// decodeRun stores the values of a run whose first bit is given and whose bits
// are all there. It is not ok if a value is refused, which the ops of the run
// find out again one by one; those before it are stored.
func decodeRun(plan *typecache.Plan, r *typecache.Run, base memory.Pointer, data []byte, bit int) (ok bool) {
	last := len(data) - 8
	if last < 0 {
		var word [8]byte
		copy(word[:], data)
		return decodeRun(plan, r, base, word[:], bit)
	}
	for k := range r.Values {
		x := &r.Values[k]
		// The word that holds the code begins with its first byte, or is the last
		// of the data.
		i := min(bit>>3, last)
		shift := uint(bit-8*i) & 63
		v := binary.LittleEndian.Uint64(data[i:]) >> shift
		if x.Wide && i < last { // the code may go on behind the word
			v |= uint64(data[i+8]) << (64 - shift)
		}
		if v &= x.Mask; v > x.Span {
			return false
		}
		bit += int(x.Width)
		p := base.At(x.Off)
		switch x.Kind {
		case typecache.RunInt8:
			*p.U8() = uint8(v + x.Bias)
		case typecache.RunInt16:
			*p.U16() = uint16(v + x.Bias)
		case typecache.RunInt32:
			*p.U32() = uint32(v + x.Bias)
		case typecache.RunInt64:
			*p.U64() = v + x.Bias
		case typecache.RunFloat32:
			*p.F32() = plan.Float32s[x.Aux].Decode(uint32(v))
		case typecache.RunFloat64:
			*p.F64() = plan.Float64s[x.Aux].Decode(v)
		case typecache.RunVector:
			if !setVector(&plan.Vectors[x.Aux], plan.Ops[x.Op].Size, p, v) {
				return false
			}
		default:
			if setSingle(plan, &plan.Ops[x.Op], p, v) != nil {
				return false
			}
		}
	}
	return true
}

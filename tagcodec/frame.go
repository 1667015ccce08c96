package tagcodec

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/typecache"
)

// frame is an open block: which one it is, and what of it is left.
type frame struct {
	base  pointer // of the block around it
	elem  pointer // the elements, for a map
	size  uintptr // from one element to the next
	left  int     // elements that are not finished
	total int
	open  int32 // the op that opened it
}

// inlineFrames is how deep blocks may nest before the stack of frames is taken
// from the heap.
const inlineFrames = 8

// stackFor returns the stack of frames for a plan: none, or that of the
// caller, or one that is large enough.
func stackFor(p *typecache.Plan, inline []frame) []frame {
	if p.Nesting > len(inline) && !p.Recursive {
		return make([]frame, 0, p.Nesting)
	}
	return inline[:0]
}

// writeIndex writes which element of its block a frame is at.
func (f *frame) writeIndex(s *strings.Builder, p *typecache.Plan) {
	i := f.total - f.left
	op := &p.Ops[f.open]
	switch op.Code {
	case typecache.CodeArray, typecache.CodeSlice:
		s.WriteString("[" + strconv.Itoa(i) + "]")
	case typecache.CodeMap:
		elem := &p.Elems[op.Aux]
		key := f.elem.at(uintptr(i) * elem.Size).value(elem.Type).Field(0)
		s.WriteString("[" + keyText(key) + "]")
	}
}

func keyText(key reflect.Value) string {
	switch {
	case key.Kind() == reflect.String:
		return strconv.Quote(key.String())
	case key.CanInt():
		return strconv.FormatInt(key.Int(), 10)
	case key.CanUint():
		return strconv.FormatUint(key.Uint(), 10)
	}
	return strconv.FormatBool(key.Bool())
}

// load returns the integer or bool of a size at p, sign-extended if it is
// signed.
func load(p pointer, size uint8, signed bool) uint64 {
	switch size {
	case 1:
		if signed {
			return uint64(int8(*p.u8()))
		}
		return uint64(*p.u8())
	case 2:
		if signed {
			return uint64(int16(*p.u16()))
		}
		return uint64(*p.u16())
	case 4:
		if signed {
			return uint64(int32(*p.u32()))
		}
		return uint64(*p.u32())
	}
	return *p.u64()
}

// store sets the integer of a size at p to the low bits of v, and reports
// whether these are all of it.
func store(p pointer, size uint8, signed bool, v uint64) bool {
	n := 64 - 8*uint(size)
	if signed && uint64(int64(v<<n)>>n) != v || !signed && v<<n>>n != v {
		return false
	}
	switch size {
	case 1:
		*p.u8() = uint8(v)
	case 2:
		*p.u16() = uint16(v)
	case 4:
		*p.u32() = uint32(v)
	default:
		*p.u64() = v
	}
	return true
}

// holds evaluates condition c of the block at base.
func holds(p *typecache.Plan, c int32, base pointer) bool {
	cond := &p.Conds[c]
	if cond.Within < 0 && cond.Guard < 0 {
		return cond.Test.Compare(load(base.at(cond.Off), cond.Size, cond.Signed), cond.Value)
	}
	return p.Holds(c, func(r *typecache.Ref) uint64 { return load(base.at(r.Off), r.Size, r.Signed) })
}

// previous returns the integer that a relative one at p is coded against.
func previous(plan *typecache.Plan, r *typecache.Relative, op *typecache.Op, base, p pointer, stack []frame) int64 {
	switch {
	case r.Mode == typecache.ToField:
		v := plan.Value(&r.To, func(r *typecache.Ref) uint64 { return load(base.at(r.Off), r.Size, r.Signed) })
		if !r.To.Signed && int64(v) < 0 {
			return 1<<63 - 1 // which nothing is above, as nothing is above v
		}
		return int64(v)
	case r.Mode == typecache.Chain:
		if f := &stack[len(stack)-1]; f.left < f.total {
			return int64(load(p.back(r.Stride), op.Size, op.Flags&typecache.Signed != 0))
		}
	}
	return r.Base
}

// limits returns the bounds of an integer op for an error.
func limits(op *typecache.Op) (least, most any) {
	switch {
	case op.Code == typecache.CodeWord && op.Flags&typecache.Signed != 0:
		n := min(uint(op.Bits), 8*uint(op.Size))
		return int64(-1) << (n - 1), int64(1)<<(n-1) - 1
	case op.Code == typecache.CodeWord:
		return uint64(0), ^uint64(0) >> (64 - min(uint(op.Bits), 8*uint(op.Size)))
	case op.Flags&typecache.Signed != 0:
		return int64(op.Bias), int64(op.Bias + op.Span)
	}
	return op.Bias, op.Bias + op.Span
}

// shown returns an integer for an error.
func shown(op *typecache.Op, v uint64) any {
	if op.Flags&typecache.Signed != 0 {
		return int64(v)
	}
	return v
}

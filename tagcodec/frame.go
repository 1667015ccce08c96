//go:build !purego

package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
	"github.com/gobitpack/bitpack/typecache"
)

// frame is an open block: which one it is, and what of it is left.
type frame struct {
	base  memory.Pointer // of the block around it
	elem  memory.Pointer // the elements, for a map
	size  uintptr        // from one element to the next
	left  int            // elements that are not finished
	total int
	open  int32 // the op that opened it
	each  int   // bits that an element, or its place in a bitmap, takes at least; 0 where they are not counted

	// chosen is the type of a union by its index, or the elements that a subset
	// has left by its count; mode is how the subset writes its indices, and start
	// the bit where it starts.
	chosen int

	// storage is what the memory of the block is in, which is known if known is
	// left+1, or atEach.
	storage *storage
	known   int

	mode  compress.Subset
	start int
}

// How many frames may be on the stack of the goroutine. All of them are zeroed
// for each message, so that one with few blocks takes few; where blocks nest
// deeper, the frames are taken from the heap.
const (
	fewFrames  = 2
	manyFrames = 8
)

// stackFor returns the stack of frames for a plan: that of the caller, or one
// that is large enough.
func stackFor(p *typecache.Plan, many []frame) []frame {
	if p.Nesting > len(many) && !p.Recursive {
		return make([]frame, 0, p.Nesting)
	}
	return many[:0]
}

// push opens the block of an op, of n elements that lie size apart.
func push(stack []frame, base memory.Pointer, open, n int, size uintptr) []frame {
	stack = append(stack, frame{})
	f := &stack[len(stack)-1]
	f.base, f.size, f.left, f.total, f.open = base, size, n, n, int32(open)
	return stack
}

// holds evaluates condition c of the block at base, where what c is within
// holds.
func holds(p *typecache.Plan, c int32, base memory.Pointer) bool {
	cond := &p.Conds[c]
	if cond.Guard < 0 {
		return held(p, c, base)
	}
	v := p.Value(&cond.Ref, func(r *typecache.Ref) uint64 { return load(base.At(r.Off), r.Size, r.Signed) })
	return cond.Test.Compare(v, cond.Value)
}

// held is holds for a block that is being read. A field that is not there is
// zero by then, so that its own condition, and what that depends on, need not be
// looked at: the time of a read does not grow with a chain of conditions.
func held(p *typecache.Plan, c int32, base memory.Pointer) bool {
	cond := &p.Conds[c]
	return cond.Test.Compare(load(base.At(cond.Off), cond.Size, cond.Signed), cond.Value)
}

// previous returns the integer that a relative one at p is coded against.
func previous(plan *typecache.Plan, r *typecache.Relative, op *typecache.Op, base, p memory.Pointer, stack []frame) int64 {
	switch {
	case r.Mode == typecache.ToField:
		v := plan.Value(&r.To, func(r *typecache.Ref) uint64 { return load(base.At(r.Off), r.Size, r.Signed) })
		if !r.To.Signed && int64(v) < 0 {
			return 1<<63 - 1 // which nothing is above, as nothing is above v
		}
		return int64(v)
	case r.Mode == typecache.Chain:
		if f := &stack[len(stack)-1]; f.left < f.total {
			return int64(load(p.Back(r.Stride), op.Size, op.Flags&typecache.Signed != 0))
		}
	}
	return r.Base
}

// atEach is known of a storage that all elements of a block are in.
const atEach = -1

// storageOf returns the storage that v, the value of an op in the innermost
// block, is in. Frames know their own for as long as they are at one element, so
// that many links deep inside of a value share those around them.
func storageOf(plan *typecache.Plan, op *typecache.Op, v reflect.Value, stack []frame) (in *storage) {
	i := len(stack)
	for i > 0 && stack[i-1].known != stack[i-1].left+1 && stack[i-1].known != atEach {
		i--
	}
	switch {
	case i > 0:
		in = stack[i-1].storage
	case len(stack) > 0:
		in = ownStorage(stack[0].base.Value(plan.Type))
	default:
		in = ownStorage(memory.To(v.Addr()).Back(op.Off).Value(plan.Type))
	}
	for ; i < len(stack); i++ {
		f := &stack[i]
		in = f.storageIn(plan, in)
		f.storage, f.known = in, f.left+1
		if code := plan.Ops[f.open].Code; code == typecache.CodeArray || code == typecache.CodeSlice {
			f.known = atEach
		}
	}
	return in
}

// storageIn returns the storage that the memory of a block is in, given that of
// the block around it.
func (f *frame) storageIn(plan *typecache.Plan, outer *storage) *storage {
	op := &plan.Ops[f.open]
	elem := &plan.Elems[op.Aux]
	v := f.base.At(op.Off).Value(plan.Fields[op.Field].Type)
	switch op.Code {
	case typecache.CodeSlice:
		return sliceStorage(v)
	case typecache.CodePointer:
		return ownStorage(v.Elem())
	case typecache.CodeSubset:
		switch {
		case elem.Subset.Pointers:
			return ownStorage(f.present(elem).Value(elem.Type))
		case op.Flags&typecache.Slice != 0:
			return sliceStorage(v)
		}
	case typecache.CodeUnion:
		t := elem.Union.Types[f.chosen]
		if t.Kind() == reflect.Pointer {
			return ownStorage(f.elem.Value(t.Elem()))
		}
		return memberStorage(v, f.elem.Value(t), outer)
	case typecache.CodeMap:
		return entryStorage(v, f.elem.At(uintptr(f.total-f.left)*elem.Size).Value(elem.Type), outer)
	}
	return outer // part of the memory around them
}

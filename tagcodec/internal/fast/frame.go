//go:build !purego

package fast

import (
	"reflect"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// subject is the value that an encoder writes or a decoder reads. It is a struct
// of its own because escape analysis does not tell the fields of a struct apart:
// those of the subject escape, and those of the encoder or decoder, which points
// to it, must not. The frames thus stay on the goroutine's stack.
type subject struct {
	c    *core.Settings
	pl   *plan.Plan
	base memory.Pointer // base of the innermost block
	data []byte         // the message, if it is read
}

// frame is the state of a block that is being coded.
type frame struct {
	base   memory.Pointer // base of the enclosing block
	elem   memory.Pointer // the elements of a slice, map or subset, or the member of a union
	size   uintptr        // distance from one element to the next
	left   int            // unfinished elements
	total  int
	opener int32 // index of the op that opened the block
	each   int   // minimum bits of an element, or of its bit in a bitmap; 0 if not counted

	// For a union, chosen is the index of the member type. For a subset it
	// counts the elements that are still to come, mode is the form of the
	// indices, and start is the bit where the subset starts.
	chosen int

	// Storage caches the storage of the current element. It is valid if known
	// is left+1, where left is that of the current element, or atEach.
	storage *core.Storage
	known   int

	mode  compress.Subset
	start int
}

// These are the numbers of frames on the goroutine's stack. Each message clears
// all of its frames, so a plan with few blocks uses the smaller array. Deeper
// nesting allocates the frames.
const (
	fewFrames  = 2
	manyFrames = 8
)

// blocks is a stack with the frame of each block around an op, outermost first.
type blocks struct {
	frames []frame // only the first n are in use
	n      int
}

// FramesOnHeap reports whether the frames of a message may be on the heap. They point
// to the value, which must then be there too: the runtime moves a goroutine's stack
// without changing pointers to it that are on the heap.
func FramesOnHeap(pl *plan.Plan) bool { return pl.Nesting > manyFrames || pl.Recursive }

// newBlocks returns an empty stack with enough frames for pl: many, or new ones
// if the plan nests deeper. The stack of a recursive plan grows as needed.
func newBlocks(pl *plan.Plan, many []frame) blocks {
	if pl.Nesting > len(many) && !pl.Recursive {
		return blocks{frames: make([]frame, pl.Nesting)}
	}
	return blocks{frames: many}
}

// push adds a zero frame and returns it.
func (b *blocks) push() *frame {
	if b.n == len(b.frames) {
		b.grow()
	}
	f := &b.frames[b.n]
	*f = frame{}
	b.n++
	return f
}

// grow doubles the number of frames. It copies them because append would make
// the existing frames escape to the heap.
func (b *blocks) grow() {
	frames := make([]frame, 2*len(b.frames))
	copy(frames, b.frames)
	b.frames = frames
}

// top returns the frame of the innermost block.
func (b *blocks) top() *frame { return &b.frames[b.n-1] }

// all returns the frames of all blocks.
func (b *blocks) all() []frame { return b.frames[:b.n] }

// conditionHolds evaluates condition c of the block at base. It is false if the
// condition that encloses it is false.
func conditionHolds(pl *plan.Plan, c int32, base memory.Pointer) bool {
	cond := &pl.Conds[c]
	if cond.Guard < 0 {
		return conditionHoldsOnRead(pl, c, base)
	}
	v := pl.Value(&cond.Ref, func(r *plan.Ref) uint64 { return load(base.At(r.Off), r.Size, r.Signed) })
	return cond.Test.Compare(v, cond.Value)
}

// conditionHoldsOnRead is conditionHolds for a block that is being read. An
// absent field is already zero, so the conditions it depends on need no
// evaluation. The cost of a read therefore does not grow with a chain of
// conditions.
func conditionHoldsOnRead(pl *plan.Plan, c int32, base memory.Pointer) bool {
	cond := &pl.Conds[c]
	return cond.Test.Compare(load(base.At(cond.Off), cond.Size, cond.Signed), cond.Value)
}

// previous returns the integer that the relative integer at p is coded against.
func previous(pl *plan.Plan, r *plan.Relative, op *plan.Op, base, p memory.Pointer, stack []frame) int64 {
	switch {
	case r.Mode == plan.ToField:
		v := pl.Value(&r.To, func(r *plan.Ref) uint64 { return load(base.At(r.Off), r.Size, r.Signed) })
		if !r.To.Signed && int64(v) < 0 {
			return 1<<63 - 1 // no int64 is greater, just as none is greater than v
		}
		return int64(v)
	case r.Mode == plan.Chain:
		if f := &stack[len(stack)-1]; f.left < f.total {
			return int64(load(p.Back(r.Stride), op.Size, op.Flags&plan.FlagSigned != 0))
		}
	}
	return r.Base
}

// atEach marks a storage that holds all elements of a block.
const atEach = -1

// storageOf returns the storage that holds v, the value of op in the innermost
// block. Frames cache their storage while they stay at one element, so deeply
// nested links share the storages around them.
func storageOf(pl *plan.Plan, op *plan.Op, v reflect.Value, stack []frame) (in *core.Storage) {
	i := len(stack)
	for i > 0 && stack[i-1].known != stack[i-1].left+1 && stack[i-1].known != atEach {
		i--
	}
	switch {
	case i > 0:
		in = stack[i-1].storage
	case len(stack) > 0:
		in = core.OwnStorage(stack[0].base.Value(pl.Type))
	default:
		in = core.OwnStorage(memory.To(v.Addr()).Back(op.Off).Value(pl.Type))
	}
	for ; i < len(stack); i++ {
		f := &stack[i]
		in = f.storageIn(pl, in)
		f.storage, f.known = in, f.left+1
		if code := pl.Ops[f.opener].Code; code == plan.CodeArray || code == plan.CodeSlice {
			f.known = atEach
		}
	}
	return in
}

// storageIn returns the storage that holds the memory of the block, given the
// storage of the enclosing block.
func (f *frame) storageIn(pl *plan.Plan, outer *core.Storage) *core.Storage {
	op := &pl.Ops[f.opener]
	elem := &pl.Elems[op.Aux]
	v := f.base.At(op.Off).Value(pl.Fields[op.Field].Type)
	switch op.Code {
	case plan.CodeSlice:
		return core.SliceStorage(v)
	case plan.CodePointer:
		return core.OwnStorage(v.Elem())
	case plan.CodeSubset:
		switch {
		case elem.Subset.Pointers:
			return core.OwnStorage(f.present(elem).Value(elem.Type))
		case op.Flags&plan.FlagSlice != 0:
			return core.SliceStorage(v)
		}
	case plan.CodeUnion:
		t := elem.Union.Types[f.chosen]
		if t.Kind() == reflect.Pointer {
			return core.OwnStorage(f.elem.Value(t.Elem()))
		}
		return core.MemberStorage(v, f.elem.Value(t), outer)
	case plan.CodeMap:
		return core.EntryStorage(v, f.elem.At(uintptr(f.total-f.left)*elem.Size).Value(elem.Type), outer)
	}
	return outer // the block is part of the enclosing memory
}

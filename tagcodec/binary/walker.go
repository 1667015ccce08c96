package binary

import (
	"errors"
	mathbits "math/bits"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/tagcodec"
)

// walker finds the end of a message by following it through its plan, and reads
// it from its source on the way. It interprets only the values that determine
// how much follows, such as counts and presence bits, and leaves all other
// validation to the decoder.
type walker struct {
	source
	plan  *streamPlan
	depth int // nesting depth of recursive types and unions
	// reservedBits is the minimum number of bits after the current block, in all
	// enclosing blocks. The decoder requires them to be present before it
	// allocates memory.
	reservedBits int
	// exact reports whether the plan's minimum sizes hold for the current element.
	exact bool
}

// errRefused stops the walk through a message that the decoder will refuse.
var errRefused = errors.New("the decoder refuses the message")

// refuse stops the walk with errRefused.
func (x *walker) refuse() {
	if x.err == nil {
		x.err, x.available = errRefused, -1
	}
}

// elements reads n elements.
func (x *walker) elements(n int) {
	for left := n - 1; left >= 0 && x.err == nil; left-- {
		x.after, x.later = 0, saturate.Mul(left, x.plan.least)
		x.element()
	}
}

// element reads one element. An element that starts at a byte boundary takes at
// least the plan's minimum size. Elsewhere this is true only if the plan is
// phaseIndependent.
func (x *walker) element() {
	if x.exact = x.bit&7 == 0 || x.plan.phaseIndependent; x.exact {
		x.ensure(x.plan.MinBits)
	}
	x.ops(0, x.newBlock())
}

// follow records that at least rest bits and those reserved come after the values
// that are read next.
func (x *walker) follow(rest int32) {
	if x.exact {
		x.after = saturate.Add(x.reservedBits, int(rest))
	}
}

// ops reads the ops from op i to the end of their block.
func (x *walker) ops(i int, b *block) {
	for x.err == nil {
		if s := x.plan.stretches[i]; s.end > 0 {
			x.follow(x.plan.Ops[s.end-1].Rest)
			x.skip(1, s.bits)
			i = s.end
			continue
		}
		op := &x.plan.Ops[i]
		if op.Code == plan.CodeNext || op.Code == plan.CodeEnd {
			return
		}
		x.follow(op.Rest)
		i = x.op(i, op, b)
	}
}

// op reads the bits of op i and returns the index of the next op.
func (x *walker) op(i int, op *plan.Op, b *block) int {
	switch op.Code {
	case plan.CodeAlign:
		x.align()
	case plan.CodeBytes:
		x.align()
		x.skip(op.Count, 8)
	case plan.CodeCString, plan.CodeString:
		n := x.count(op)
		x.align()
		x.skip(n, 8)
	case plan.CodeWString:
		x.skip(x.count(op), 32)
	case plan.CodeVarint:
		for k := range op.Count {
			x.varint(op, b, k)
		}
	case plan.CodeRelative:
		for k := range op.Count {
			x.relative(op, b, k)
		}
	case plan.CodeBinary:
		x.binary(op, b)
	case plan.CodeIf:
		// The condition of the field that cond refers to need not be checked: if
		// that field is absent, its value has been set to zero.
		if cond := &x.plan.Conds[op.Aux]; !cond.Test.Compare(b.load(&cond.Ref), cond.Value) {
			b.zero(op)
			return int(op.End)
		}
	case plan.CodeOptional:
		if x.take(1) == 0 {
			b.zero(op)
			return int(op.End)
		}
	case plan.CodePresent:
	case plan.CodeCommon, plan.CodeHuffman:
		if x.listed(op, b) {
			return int(op.End)
		}
	case plan.CodeRunLength:
		x.runLength(op, &x.plan.Ops[i+1])
		return int(op.End)
	case plan.CodeScale:
		x.scale(i)
		return int(op.End)
	default:
		switch {
		case op.Code.Block():
			return x.block(i, op)
		case op.Code.PrefixCoded():
			for k := range op.Count {
				x.prefixCoded(op, b, k)
			}
		default:
			x.single(op, b)
		}
	}
	return i + 1
}

// block reads a block and returns the index of the op after it.
func (x *walker) block(i int, op *plan.Op) int {
	inner := x.newBlock()
	defer func(reserved int) { x.reservedBits = reserved }(x.reservedBits)
	x.reservedBits = saturate.Add(x.reservedBits, int(op.Rest))
	switch op.Code {
	case plan.CodePointer:
		if x.take(1) != 0 && x.ensureAll(1, x.plan.Elems[op.Aux].MinBits, x.reservedBits) {
			x.ops(i+1, inner)
		}
	case plan.CodeMatrix:
		x.ops(i+1, inner)
	case plan.CodeArray:
		x.repeat(i+1, op.Count, x.plan.Elems[op.Aux].MinBits, inner)
	case plan.CodeSlice, plan.CodeMap:
		n := x.count(op)
		each := x.plan.Elems[op.Aux].MinBits
		if x.ensureAll(n, each, x.reservedBits) {
			x.repeat(i+1, n, each, inner)
		}
	case plan.CodeSubset:
		x.subset(i, op, inner)
	case plan.CodeCall:
		x.nested(int(op.End), inner)
		return i + 1
	case plan.CodeUnion:
		index := x.take(int(op.Bits))
		u := x.plan.Elems[op.Aux].Union
		if index > uint64(len(u.Starts)) {
			x.refuse()
		} else if index > 0 && x.ensureAll(1, u.MinBits[index-1], x.reservedBits) {
			x.nested(int(u.Starts[index-1]), inner)
		}
		return i + 1
	}
	return int(op.End)
}

// repeat reads n elements of at least each bits.
func (x *walker) repeat(i, n, each int, b *block) {
	if s := x.plan.stretches[i]; s.end > 0 && x.plan.Ops[s.end].Code == plan.CodeNext {
		x.skip(n, s.bits)
		return
	}
	reserved := x.reservedBits
	for left := n - 1; left >= 0 && x.err == nil; left-- {
		x.reservedBits = saturate.MulAdd(left, each, reserved)
		x.ops(i, b)
		b.started = true
	}
	x.reservedBits = reserved
}

// nested reads a recursive value or the value of a union.
func (x *walker) nested(start int, b *block) {
	if x.depth++; x.depth > tagcodec.DefaultMaxDepth {
		x.refuse()
	}
	x.ops(start, b)
	x.depth--
}

// count reads a count or a length.
func (x *walker) count(op *plan.Op) int {
	n := x.take(int(op.Bits))
	if n > op.Span {
		x.refuse()
		return 0
	}
	return int(n + op.Bias)
}

// scale reads a scale. Its first bit is set if there is no scale. If the scale
// has several axes, a second bit is set if all of them are equal. Then follow
// one axis or all of them.
func (x *walker) scale(i int) {
	end := int(x.plan.Ops[i].End)
	if i++; x.take(1) != 0 {
		return
	}
	first := &x.plan.Ops[i]
	if (end > i+1 || first.Count > 1) && x.take(1) != 0 {
		x.skip(1, int(first.Bits))
		return
	}
	for ; i < end; i++ {
		x.skip(x.plan.Ops[i].Count, int(x.plan.Ops[i].Bits))
	}
}

// subset reads the elements that are present in a subset.
func (x *walker) subset(i int, op *plan.Op, b *block) {
	elem := &x.plan.Elems[op.Aux]
	total, mode, left := op.Count, elem.Subset.Mode, 0
	if op.Flags&plan.FlagSlice != 0 {
		total = x.count(op)
	}
	if total == 0 || x.err != nil {
		return
	}
	if elem.Subset.Auto {
		mode = compress.Subset(x.take(2))
	}
	if mode == compress.SubsetIndex {
		if left = int(x.take(mathbits.Len(uint(total)))); left > total {
			x.refuse()
		}
	}
	reserved, each := x.reservedBits, 0
	if op.Flags&plan.FlagSlice != 0 && mode == compress.SubsetBitmap && !elem.Subset.Auto {
		each = 1
		x.ensureAll(total, each, reserved)
	}
	for previous := -1; x.err == nil; {
		x.follow(0) // the block has set reservedBits
		index := x.index(mode, previous, total, &left)
		if index <= previous || index > total {
			x.refuse()
		}
		if index == total || x.err != nil {
			return
		}
		if !elem.Subset.Pointers {
			b.set(elem.Subset.By, 1)
		}
		x.reservedBits = saturate.MulAdd(total-1-index, each, reserved)
		if elem.Subset.Pointers {
			x.ensureAll(1, elem.MinBits, x.reservedBits)
		}
		x.ops(i+1, b)
		previous = index
	}
}

// index returns the index of the next element that is present, or total after
// the last one. For SubsetIndex, left counts the elements that remain.
func (x *walker) index(mode compress.Subset, previous, total int, left *int) int {
	index := previous + 1
	switch mode {
	case compress.SubsetBitmap:
		for index < total && x.take(1) == 0 && x.err == nil {
			index++
		}
	case compress.SubsetIndex:
		if *left == 0 {
			return total
		}
		*left--
		if index = int(x.take(mathbits.Len(uint(total - 1)))); index == total {
			x.refuse()
		}
	case compress.SubsetSentinel:
		index = int(x.take(mathbits.Len(uint(total))))
	case compress.SubsetRelative:
		x.takePrefixCode(func(word uint64) (n int) {
			index, n, _ = compress.DecodeIndex(word, previous, total)
			return n
		})
	}
	return index
}

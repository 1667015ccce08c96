package typecache

import (
	"strconv"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/saturate"
)

// Values without bits, such as an integer with min equal to max, are set when
// reading and checked when writing like any other. The size of a message does
// not limit that work and memory, so the type must limit it. A message may hold
// maxSparse bytes of such values, plus maxSparseEach bytes for each bit of the
// shortest message. Where a packet may repeat them (in elements of slices, maps
// and subsets, members of unions, and values of recursive types), the limit is
// maxSparseEach bytes for each bit of the shortest element.

// checkZeroBits returns an error if values without bits take more memory than
// these limits. root names the type of the plan. recursive has the smallest size
// in bits of each recursive type, by its first op.
func (b *builder) checkZeroBits(root name, recursive map[int32]int) (err error) {
	w := zeroBitWalk{b: b, err: &err}
	bytes, worst := w.block(0, len(b.plan.Ops))
	w.check(root, worst, bytes, saturate.Add(maxSparse, saturate.Mul(maxSparseEach, b.plan.MinBits)))
	checked := map[int32]bool{}
	for _, c := range b.calls {
		start := *c.start(b.plan)
		if checked[start] {
			continue
		}
		checked[start] = true
		bytes, worst = w.block(int(start), len(b.plan.Ops))
		least := max(1, recursive[start])
		w.check(name{owner: plan.MemberName(c.typ)}, worst, bytes, saturate.Mul(maxSparseEach, least))
	}
	return err
}

// zeroBitWalk adds up the memory of values without bits.
type zeroBitWalk struct {
	b   *builder
	err *error // the first error
}

// check sets *w.err if a block has more than most bytes of such values. worst is
// the op to blame.
func (w *zeroBitWalk) check(at name, worst *plan.Op, bytes, most int) {
	if bytes <= most || *w.err != nil {
		return
	}
	if f := &w.b.plan.Fields[worst.Field]; f.Path != "" {
		at = name{owner: at.String(), field: f.Path}
	}
	*w.err = at.wrap(fail(MistakeMemory, "", "widen their range, shorten the array, or leave it out with bp:\"-\"",
		"values without bits take %d bytes of memory here, and %d are allowed, because no message size limits them", bytes, most).with(strconv.Itoa(bytes)).within("", most))
}

// block returns the bytes of the values without bits in the ops [i, end) of a
// block, and the op with most of them. It checks the inner blocks that a packet
// may repeat.
func (w *zeroBitWalk) block(i, end int) (sum int, worst *plan.Op) {
	p, most := w.b.plan, -1
	for ; !p.Closes(i, end); i = p.After(i) {
		n := w.op(i)
		if n > most {
			most, worst = n, &p.Ops[i]
		}
		sum = saturate.Add(sum, n)
	}
	return sum, worst
}

// op returns the bytes of the values without bits in op i.
func (w *zeroBitWalk) op(i int) int {
	p := w.b.plan
	op := &p.Ops[i]
	switch op.Code {
	case plan.CodeIf, plan.CodeOptional, plan.CodePointer, plan.CodeMatrix:
		inner, _ := w.block(i+1, int(op.End))
		return inner
	case plan.CodeArray:
		inner, _ := w.block(i+1, int(op.End))
		if w.walked(i) {
			inner = max(1, int(p.Elems[op.Aux].Size))
		}
		return saturate.Mul(op.Count, inner)
	case plan.CodeSlice, plan.CodeMap, plan.CodeSubset:
		inner, worst := w.block(i+1, int(op.End))
		if w.walked(i) && op.Code == plan.CodeSlice { // a fixed count
			return saturate.Mul(int(op.Bias), max(1, int(p.Elems[op.Aux].Size)))
		}
		w.check(w.b.names[op.Aux], worst, inner, saturate.Mul(maxSparseEach, max(1, p.Elems[op.Aux].MinBits)))
	case plan.CodeCString, plan.CodeString, plan.CodeWString, plan.CodeBinary:
		if op.Bits == 0 && op.Bias == 0 {
			return int(p.Fields[op.Field].Type.Size())
		}
	default:
		if op.Bits == 0 && (op.Code.Single() || op.Code == plan.CodeWide) {
			return saturate.Mul(op.Count, int(op.Size))
		}
	}
	return 0
}

// walked reports whether an element of the block at op i may take no bits, so
// that a loop steps through the elements without reading any. A type's own
// Serialize is assumed to write at least one bit.
func (w *zeroBitWalk) walked(i int) bool {
	p := w.b.plan
	if p.Elems[p.Ops[i].Aux].MinBits > 0 {
		return false
	}
	for _, op := range p.Ops[i+1 : p.Ops[i].End] {
		if op.Code == plan.CodeCustom {
			return false
		}
	}
	return true
}

// checkElementBits returns an error if the elements of a slice or a map of variable
// length may take no bits. A packet of a few bits could then claim any number of
// them.
func (b *builder) checkElementBits() error {
	for i := range b.plan.Ops {
		op := &b.plan.Ops[i]
		if (op.Code == plan.CodeSlice || op.Code == plan.CodeMap) && op.Span > 0 && b.plan.Elems[op.Aux].MinBits == 0 {
			return b.names[op.Aux].wrap(fail(MistakeMemory, "", "give the element a range, or use an array",
				"an element of %v may take 0 bits, so a count alone could allocate any amount of memory", b.plan.Fields[op.Field].Type))
		}
	}
	return nil
}

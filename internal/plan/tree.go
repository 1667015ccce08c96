package plan

import (
	"reflect"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan/tree"
	"github.com/gobitpack/bitpack/internal/saturate"
	"github.com/gobitpack/bitpack/internal/typename"
)

// Tree returns the plan as a tree. It is not part of building the plan, because
// most programs never need it.
func (p *Plan) Tree() *tree.Tree { return p.measured(false) }

// Tagged returns the plan as a tree with sizes as far as tags determine them: unions
// and values with a Serialize method count as nothing.
func (p *Plan) Tagged() *tree.Tree { return p.measured(true) }

func (p *Plan) measured(tagged bool) *tree.Tree {
	t := p.unmeasured()
	m := measurer{plan: p, members: map[int32]sizeRange{}, tagged: tagged} // subs is nil, so the smallest size of a recursive type counts as 0
	for x := range t.All() {
		e := m.op(x.Op, unknownPhase)
		x.Start, x.MinBits, x.MaxBits = -1, e.min, e.max
	}
	at := sizeRange{}
	for _, x := range t.Parts[0].Nodes {
		e := m.op(x.Op, unknownPhase)
		if at.min == at.max {
			e = m.op(x.Op, at.phase)
			x.Start, x.MinBits, x.MaxBits = at.min, e.min, e.max
		}
		at = at.then(e)
	}
	if tagged {
		t.MaxBits = m.ops(0, 0).max
	}
	return t
}

// unmeasured returns the tree without the sizes of its nodes.
func (p *Plan) unmeasured() *tree.Tree {
	b := planter{p, make([]tree.Node, len(p.Ops)), make([]tree.Cond, len(p.Conds)), map[int32]*tree.Part{}}
	for i := range p.Conds {
		c := &p.Conds[i]
		b.conds[i] = tree.Cond{Ref: b.ref(&c.Ref), Test: c.Test, Value: c.Value, Within: b.cond(c.Within)}
	}
	t := &tree.Tree{Type: p.Type, MinBits: p.MinBits, MaxBits: p.MaxBits, Ops: len(p.Ops)}
	for i := 0; i < len(p.Ops); i = p.BlockEnd(i) + 1 {
		part := b.part(int32(i), p.Type)
		at := inside{path: part.Name, times: part.Times}
		if i == 0 {
			at = inside{times: 1}
		}
		part.Index, t.Parts = len(t.Parts), append(t.Parts, part)
		part.Nodes = b.nodes(i, -1, at)
	}
	return t
}

// planter makes the tree of a plan.
type planter struct {
	*Plan
	at    []tree.Node // by op
	conds []tree.Cond // by index in Conds
	parts map[int32]*tree.Part
}

// inside is what a node inherits from those that enclose it.
type inside struct {
	path         string
	depth, times int
	entry        bool // it is in the entry of a map
}

// part returns the part that starts at an op.
func (b *planter) part(start int32, t reflect.Type) *tree.Part {
	if b.parts[start] == nil {
		b.parts[start] = &tree.Part{Name: MemberName(t), Type: t}
	}
	return b.parts[start]
}

// nodes returns the nodes of the ops [i, end) or, if end is -1, of those from i to
// the end of their block.
func (b *planter) nodes(i, end int, at inside) (list []*tree.Node) {
	for ; !b.Closes(i, end); i = b.After(i) {
		if b.Ops[i].Code != CodePresent {
			list = append(list, b.node(i, at))
		}
	}
	return list
}

// node returns the node of op i.
func (b *planter) node(i int, at inside) *tree.Node {
	op, x := &b.Ops[i], &b.at[i]
	f := &b.Fields[op.Field]
	*x = tree.Node{
		Kind: kinds[op.Code], Field: f, Name: f.Path, Elem: b.elemType(op), Depth: at.depth, Times: at.times,
		Count: 1, Bits: int(op.Bits), Min: op.Bias, Span: op.Span,
		Signed: op.Flags&FlagSigned != 0, Full: op.Flags&FlagFullRange != 0,
		Rest: int(op.Rest), Op: i, End: b.After(i),
	}
	if x.Kind == "" {
		panic("plan: no kind of " + op.Code.String())
	}
	if op.Code.Values() {
		x.Count = op.Count
	}
	if at.entry {
		x.Name = f.EntryPath()
	}
	x.Path = typename.Join(at.path, x.Name)
	in := inside{at.path, at.depth + 1, at.times, at.entry}
	if op.Code.Block() && op.Code.Encloses() {
		x.Elem, x.Least = b.Elems[op.Aux].Type, b.Elems[op.Aux].MinBits
		in = inside{x.Path, at.depth + 1, saturate.Mul(at.times, op.Repeats()), op.Code == CodeMap}
		if in.path == "" || op.Code.Repeats() {
			in.path += "[]"
		}
	}
	switch op.Code {
	case CodeUint32, CodeUint64:
		if k := x.Elem.Kind(); k >= reflect.Float32 && k <= reflect.Complex128 {
			x.Kind = tree.KindFloat
		}
	case CodeFloat32:
		x.Float32 = &b.Float32s[op.Aux]
	case CodeFloat64:
		x.Float64 = &b.Float64s[op.Aux]
	case CodeAngle:
		x.Angle = &b.Angles[op.Aux]
	case CodeVector:
		v := &b.Vectors[op.Aux]
		x.Quat, x.QuatSign, x.Unit = v.Quat, v.Signs, v.Unit
		if v.Signs != nil {
			x.Kind = tree.KindQuatSign
		} else if v.Unit != nil {
			x.Kind = tree.KindUnit
		}
	case CodeWide:
		x.Wide = &b.Wides[op.Aux]
	case CodeVarint, CodeExpGolomb:
		x.Bits = WireBits(x.Elem)
	case CodeRelative:
		r := &b.Relatives[op.Aux]
		x.Relative = &tree.Relative{Mode: r.Mode, Base: r.Base, Min: r.Min, Max: r.Max}
		if r.Mode == ToField {
			x.Relative.To = b.ref(&r.To)
		}
	case CodeBytes, CodeArray:
		x.Min, x.Span, x.Array = uint64(op.Count), 0, true
	case CodeString:
		if op.Flags&FlagText != 0 {
			x.Kind = tree.KindString
		}
	case CodeIf:
		x.Cond = b.cond(op.Aux)
	case CodeOptional:
		x.NonZero = b.Ops[op.End-1].Code == CodePresent
	case CodeCommon, CodeScale:
		x.Values = b.Commons[op.Aux]
	case CodeHuffman:
		h := &b.Huffmans[op.Aux]
		x.Huffman, x.Values, x.Escape = h.Code, h.Values, h.Escape
	case CodeRunLength:
		b.setLengths(x, op)
		in.entry = at.entry && x.Array // the elements of a slice are a block
	case CodeMap:
		x.MaxLen = b.Elems[op.Aux].MaxLen
	case CodeSubset:
		sub := b.Elems[op.Aux].Subset
		if x.Subset = sub.Mode; sub.Auto {
			x.Subset = compress.SubsetAuto
		}
		if !sub.Pointers {
			x.By = b.Elems[op.Aux].PresentField()
		}
		b.setLengths(x, op)
	case CodeUnion:
		u := b.Elems[op.Aux].Union
		for k, start := range u.Starts {
			part := b.part(start, u.Types[k])
			part.Times, part.MinBits = max(part.Times, at.times), u.MinBits[k]
			x.Parts = append(x.Parts, part)
		}
	case CodeCall:
		part := b.part(op.End, f.Type)
		part.Times = Unbounded
		x.Parts = []*tree.Part{part}
	}
	if op.Code.Encloses() {
		end := int(op.End)
		if op.Code.Block() {
			end = -1
		}
		x.Children = b.nodes(i+1, end, in)
	}
	return x
}

// setLengths sets the number of elements of a CodeRunLength or a CodeSubset.
func (b *planter) setLengths(x *tree.Node, op *Op) {
	least, most := op.Lengths()
	x.Min, x.Span, x.Bits = uint64(least), uint64(most-least), op.countBits()
	x.Array = op.Flags&FlagSlice == 0
}

// ref returns the tree's form of r.
func (b *planter) ref(r *Ref) tree.Ref {
	to := tree.Ref{Signed: r.Signed, Guard: b.cond(r.Guard)}
	if r.Op >= 0 {
		to.Node = &b.at[r.Op]
	}
	return to
}

// cond returns the tree's form of condition i, or nil if i is -1.
func (b *planter) cond(i int32) *tree.Cond {
	if i < 0 {
		return nil
	}
	return &b.conds[i]
}

package tree

import "math"

// verdict says what is known about the condition of a KindIf.
type verdict uint8

const (
	undecided verdict = iota
	always            // it holds in every message
	never             // it holds in no message
	ifSet             // it holds if its field, which is 0 or 1, is 1
	ifClear           // it holds if its field, which is 0 or 1, is 0
)

// note is what the normalizer knows about a node.
type note struct {
	leaf    uint64 // the number of leaves before it in its block
	end     int    // the End of the innermost enclosing node that some messages omit, or of its block
	verdict verdict
	dead    bool // no message has it
	needed  bool // it has no bits, but a later node depends on its presence
}

// around is what a node inherits from the nodes that enclose it.
type around struct {
	end      int  // as in note
	dead     bool // as in note
	optional bool // it is part of the memory that a KindOptional compares with zero
}

// fold finds the conditions that have one result in all messages, and the
// values without bits that must stay in the text.
func (n *normalizer) fold(list []*Node, at around) {
	for _, x := range list {
		note := &n.notes[x.Op]
		note.end, note.dead = at.end, at.dead
		in := at
		in.end = x.End
		switch k := x.Kind; {
		case at.dead:
		case k == KindIf:
			note.verdict = n.judge(x)
			if note.verdict == always {
				in.end = at.end
			}
			in.dead = note.verdict == never
		case k == KindOptional:
			in.optional = true
		case k == KindRelative:
			if r := x.Relative; r.Mode == ToField {
				n.constant(&r.To, x)
			}
		case k == KindCall:
			n.zeroable = n.zeroable || at.optional
		case k.Block() && k != KindArray:
			in.optional = false
		}
		n.fold(x.Children, in)
	}
}

// judge returns what is known about the condition of a KindIf.
func (n *normalizer) judge(x *Node) verdict {
	c := x.Cond
	holds := func(v uint64) bool { return c.Test.Compare(v, c.Value) }
	if v, known := n.constant(&c.Ref, x); known {
		if holds(v) {
			return always
		}
		return never
	}
	of := carrier(c.Node)
	if !of.ranged() || of.Min != 0 || of.Span != 1 || of.Signed && of.Full {
		return undecided
	}
	switch zero, one := holds(0), holds(1); {
	case zero && one:
		return always
	case zero:
		return ifClear
	case one:
		return ifSet
	}
	return never
}

// constant returns the value of r at a node, if it is the same in every message that
// has the node. Otherwise the field stays in the text even if it has no bits.
func (n *normalizer) constant(r *Ref, at *Node) (v uint64, known bool) {
	if r.Node == nil { // a KindSubset sends only the elements whose bool is true
		return 1, true
	}
	if n.notes[r.Node.Op].dead {
		return 0, true
	}
	x := carrier(r.Node)
	if !x.ranged() || x.Bits > 0 {
		return 0, false
	}
	note := &n.notes[x.Op]
	if x == r.Node && at.Op < note.end {
		return x.Min, true
	}
	note.needed = true
	return 0, false
}

// ranged reports whether a node is a bool or an integer of up to 64 bits in a range.
func (x *Node) ranged() bool { return x.Kind == KindBool || x.Kind == KindInt }

// carrier returns the node that encodes the value of a field, whose first node is x.
func carrier(x *Node) *Node {
	for len(x.Children) > 0 { // KindOptional, KindCommon or KindHuffman
		x = x.Children[0]
	}
	return x
}

// previous returns the constant that a KindRelative with mode ToField is relative
// to, if the field is always the same.
func (n *normalizer) previous(x *Node) (base int64, known bool) {
	to := &x.Relative.To
	v, known := n.constant(to, x)
	if !to.Signed {
		v = min(v, math.MaxInt64)
	}
	return int64(v), known
}

package plan

import "math"

// verdict says what is known about the condition of a CodeIf.
type verdict uint8

const (
	undecided verdict = iota
	always            // it holds in every message
	never             // it holds in no message
	ifSet             // it holds if its field, which is 0 or 1, is 1
	ifClear           // it holds if its field, which is 0 or 1, is 0
)

// note is what the normalizer knows about an op.
type note struct {
	leaf    uint64 // the number of leaves before it in its block
	end     int32  // the end of the innermost enclosing op that some messages omit, or of its block
	verdict verdict
	dead    bool // no message has it
	needed  bool // it has no bits, but a later op depends on its presence
}

// around is what an op inherits from the ops that enclose it.
type around struct {
	end      int32 // as in note
	dead     bool  // as in note
	optional bool  // it is part of the memory that a CodeOptional compares with zero
}

// fold finds the conditions that have one result in all messages, and the
// values without bits that must stay in the text. It lists the parts of the plan
// in the order of their first use.
func (n *normalizer) fold(i, to int, at around) {
	for ; i < to; i = n.p.After(i) {
		op, note := &n.p.Ops[i], &n.notes[i]
		note.end, note.dead = at.end, at.dead
		in := at
		if op.Code.Encloses() {
			in.end = op.End
		}
		switch {
		case at.dead:
		case op.Code == CodeIf:
			note.verdict = n.judge(i)
			if note.verdict == always {
				in.end = at.end
			}
			in.dead = note.verdict == never
		case op.Code == CodeOptional:
			in.optional = true
		case op.Code == CodeRelative:
			if r := &n.p.Relatives[op.Aux]; r.Mode == ToField {
				n.constant(&r.To, i)
			}
		case op.Code == CodeCall:
			n.part(op.End, n.p.Fields[op.Field].Type)
			n.zeroable = n.zeroable || at.optional
		case op.Code == CodeUnion:
			u := n.p.Elems[op.Aux].Union
			for k, start := range u.Starts {
				n.part(start, u.Types[k])
			}
		case op.Code.Block() && op.Code != CodeArray:
			in.optional = false
		}
		if op.Code.Encloses() {
			n.fold(i+1, int(op.End), in)
		}
	}
}

// judge returns what is known about the condition of the CodeIf at op i.
func (n *normalizer) judge(i int) verdict {
	c := &n.p.Conds[n.p.Ops[i].Aux]
	holds := func(v uint64) bool { return c.Test.Compare(v, c.Value) }
	if v, known := n.constant(&c.Ref, i); known {
		if holds(v) {
			return always
		}
		return never
	}
	op := &n.p.Ops[n.carrier(int(c.Op))]
	if !op.Code.Integer() || op.Bias != 0 || op.Span != 1 || op.Flags&FlagSigned != 0 && op.Flags&FlagFullRange != 0 {
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

// constant returns the value of r at op i, if it is the same in every message that
// has op i. Otherwise the field stays in the text even if it has no bits.
func (n *normalizer) constant(r *Ref, i int) (v uint64, known bool) {
	if r.Op < 0 { // a CodeSubset sends only the elements whose bool is true
		return 1, true
	}
	if n.notes[r.Op].dead {
		return 0, true
	}
	c := n.carrier(int(r.Op))
	op := &n.p.Ops[c]
	if !op.Code.Integer() || op.Bits > 0 {
		return 0, false
	}
	if c == int(r.Op) && i < int(n.notes[c].end) {
		return op.Bias, true
	}
	n.notes[c].needed = true
	return 0, false
}

// carrier returns the op that encodes the value of a field whose first op is i.
func (n *normalizer) carrier(i int) int {
	for n.p.Ops[i].Code.Encloses() { // CodeOptional, CodeCommon or CodeHuffman
		i++
	}
	return i
}

// previous returns the constant that a CodeRelative at op i with mode ToField is
// relative to, if the field is always the same.
func (n *normalizer) previous(r *Relative, i int) (base int64, known bool) {
	v, known := n.constant(&r.To, i)
	if !r.To.Signed {
		v = min(v, math.MaxInt64)
	}
	return int64(v), known
}

package plan

import (
	"reflect"
	"strconv"
)

// normalizer turns the ops of a plan into the normal form that the plan's text
// describes. docs/WIRE.md defines it.
type normalizer struct {
	p     *Plan
	notes []note // for each op

	// The parts of the plan: the message itself, recursive types and members of
	// unions.
	starts  []int32         // the first op of each part
	types   []reflect.Type  // the type of each part
	index   map[int32]int32 // the part that starts at an op
	classes []int32         // for each part, the number of its class; equal parts share it
	alias   []int32         // for each part that is nothing but a call, the called part; otherwise itself

	paths []string // the path of each op, or nil if the text has no names
	next  []int32  // for each op, 1 plus the index of the op that follows it in a names

	// The place of the op that is being normalized.
	leaves   uint64 // the leaves so far in its block
	optional bool   // it is part of the memory that a CodeOptional compares with zero
	listed   bool   // it is the op of a CodeCommon or a CodeHuffman
	lone     bool   // its block has one element, so a chain is always relative to its base
	chained  bool   // an integer of its block is relative to the element before

	zeroable bool // a CodeOptional may compare a recursive type with zero
}

func newNormalizer(p *Plan) *normalizer {
	n := &normalizer{p: p, notes: make([]note, len(p.Ops)), index: map[int32]int32{}}
	n.part(0, p.Type)
	n.fold(0, len(p.Ops), around{end: int32(len(p.Ops))})
	n.classes = make([]int32, len(n.starts))
	return n
}

// part adds the part that starts at an op, unless it is known.
func (n *normalizer) part(start int32, t reflect.Type) {
	if _, known := n.index[start]; known {
		return
	}
	n.index[start] = int32(len(n.starts))
	n.alias = append(n.alias, int32(len(n.starts)))
	n.starts, n.types = append(n.starts, start), append(n.types, t)
}

// called returns the part that starts at an op or, if that is nothing but a call,
// the part that it calls.
func (n *normalizer) called(start int32) int32 { return n.resolve(n.index[start]) }

// resolve follows the aliases of a part. It gives up on parts that call each other
// in a circle, which have no finite value.
func (n *normalizer) resolve(part int32) int32 {
	for range n.alias {
		if n.alias[part] == part {
			break
		}
		part = n.alias[part]
	}
	return part
}

// form returns the normal form of a part.
func (n *normalizer) form(part int) []line {
	n.leaves, n.optional = 0, n.zeroable && part > 0
	return n.sequence(int(n.starts[part]))
}

// sequence returns the normal form of the ops from i to the end of their block.
func (n *normalizer) sequence(i int) []line { return n.until(nil, i, -1) }

// until appends the normal form of the ops [i, end) to list.
func (n *normalizer) until(list []line, i, end int) []line {
	for ; !n.p.Closes(i, end); i = n.p.After(i) {
		list = n.op(list, i)
	}
	return list
}

// classify finds the parts that encode the same and gives them one class. It
// starts with all parts in one class. Each round separates the parts whose forms
// differ, given the classes so far, until a round separates none. It returns the
// form of each part.
func (n *normalizer) classify() (forms [][]line) {
	forms = make([][]line, len(n.starts))
	for count := 0; ; {
		type key struct {
			class int32
			text  string
		}
		classes, known := make([]int32, len(n.starts)), map[key]int32{}
		for part := range n.starts {
			forms[part] = n.form(part)
			k := key{class: n.classes[part]}
			if len(n.starts) > 1 {
				s := printer{n: n, number: func(called int32) int { return int(n.classes[called]) }}
				s.print(forms[part], 0)
				k.text = s.String()
			}
			if _, ok := known[k]; !ok {
				known[k] = int32(len(known))
			}
			classes[part] = known[k]
		}
		n.classes = classes
		if len(known) == count || len(n.starts) == 1 {
			return forms
		}
		count = len(known)
	}
}

// findAliases sets the alias of each part that is nothing but a call.
func (n *normalizer) findAliases() {
	for part := range n.starts {
		if form := n.form(part); len(form) == 1 && form[0].n == 1 && form[0].head == headCall {
			n.alias[part] = form[0].calls[0]
		}
	}
}

// text returns the text of the plan.
func (n *normalizer) text() string {
	if len(n.starts) > 1 {
		n.findAliases()
	}
	forms := n.classify()
	root := n.resolve(0)
	// Parts are numbered in the order of the first call. One of each class is
	// printed.
	numbers := map[int32]int{n.classes[root]: 0}
	queue := []int32{root}
	s := printer{n: n, number: func(part int32) int {
		class := n.classes[part]
		if _, known := numbers[class]; !known {
			numbers[class] = len(numbers)
			queue = append(queue, part)
		}
		return numbers[class]
	}}
	s.Grow(16 * len(n.p.Ops))
	s.WriteString("bitpack 2\n")
	for i := 0; i < len(queue); i++ {
		part := queue[i]
		if i > 0 {
			s.WriteString("part " + strconv.Itoa(i))
			if n.paths != nil {
				s.WriteString("\t" + MemberName(n.types[part]))
			}
			s.WriteByte('\n')
		}
		s.print(forms[part], 0)
	}
	return s.String()
}

package tree

import "strconv"

// normalizer turns a tree into the normal form that its text describes.
// docs/WIRE.md defines it.
type normalizer struct {
	*Tree
	notes   []note  // by the first op of a node
	classes []int   // for each part, the number of its class; equal parts share it
	alias   []*Part // for each part that is nothing but a call, the called part; otherwise itself
	named   bool    // the text has names

	// The place of the node that is being normalized.
	leaves   uint64 // the leaves so far in its block
	optional bool   // it is part of the memory that a KindOptional compares with zero
	listed   bool   // it is the child of a KindCommon or a KindHuffman
	lone     bool   // its block has one element, so a chain is always relative to its base
	chained  bool   // an integer of its block is relative to the element before

	zeroable bool // a KindOptional may compare a recursive type with zero
}

// Text returns the normal form. Types with equal texts have the same wire format.
// If named is set, a line has the paths of the values that it describes, after a
// tab.
func (t *Tree) Text(named bool) string {
	n := normalizer{Tree: t, notes: make([]note, t.Ops), classes: make([]int, len(t.Parts)), named: named}
	for _, part := range t.Parts {
		n.fold(part.Nodes, around{end: t.Ops})
	}
	n.alias = append(n.alias, t.Parts...)
	return n.text()
}

// called returns a part or, if that is nothing but a call, the part that it calls.
// It gives up on parts that call each other in a circle, which have no finite
// value.
func (n *normalizer) called(part *Part) *Part {
	for range n.alias {
		if n.alias[part.Index] == part {
			break
		}
		part = n.alias[part.Index]
	}
	return part
}

// form returns the normal form of a part.
func (n *normalizer) form(part *Part) []line {
	n.leaves, n.optional = 0, n.zeroable && part.Index > 0
	return n.sequence(nil, part.Nodes)
}

// sequence appends the normal form of nodes to list.
func (n *normalizer) sequence(list []line, nodes []*Node) []line {
	for _, x := range nodes {
		list = n.node(list, x)
	}
	return list
}

// classify finds the parts that encode the same and gives them one class. It
// starts with all parts in one class. Each round separates the parts whose forms
// differ, given the classes so far, until a round separates none. It returns the
// form of each part.
func (n *normalizer) classify() (forms [][]line) {
	forms = make([][]line, len(n.Parts))
	for count := 0; ; {
		type key struct {
			class int
			text  string
		}
		classes, known := make([]int, len(n.Parts)), map[key]int{}
		for i, part := range n.Parts {
			forms[i] = n.form(part)
			k := key{class: n.classes[i]}
			if len(n.Parts) > 1 {
				s := printer{number: func(called *Part) int { return n.classes[called.Index] }}
				s.print(forms[i], 0)
				k.text = s.String()
			}
			if _, ok := known[k]; !ok {
				known[k] = len(known)
			}
			classes[i] = known[k]
		}
		n.classes = classes
		if len(known) == count || len(n.Parts) == 1 {
			return forms
		}
		count = len(known)
	}
}

// findAliases sets the alias of each part that is nothing but a call.
func (n *normalizer) findAliases() {
	for i, part := range n.Parts {
		if form := n.form(part); len(form) == 1 && form[0].n == 1 && form[0].head == headCall {
			n.alias[i] = form[0].calls[0]
		}
	}
}

// text returns the text of the tree.
func (n *normalizer) text() string {
	if len(n.Parts) > 1 {
		n.findAliases()
	}
	forms := n.classify()
	root := n.called(n.Parts[0])
	// Parts are numbered in the order of the first call. One of each class is
	// printed.
	numbers := map[int]int{n.classes[root.Index]: 0}
	queue := []*Part{root}
	s := printer{number: func(part *Part) int {
		class := n.classes[part.Index]
		if _, known := numbers[class]; !known {
			numbers[class] = len(numbers)
			queue = append(queue, part)
		}
		return numbers[class]
	}}
	s.Grow(16 * n.Ops)
	s.WriteString("bitpack 2\n")
	for i := 0; i < len(queue); i++ {
		if i > 0 {
			s.WriteString("part " + strconv.Itoa(i))
			if n.named {
				s.WriteString("\t" + queue[i].Name)
			}
			s.WriteByte('\n')
		}
		s.print(forms[queue[i].Index], 0)
	}
	return s.String()
}

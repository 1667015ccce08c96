package plan

import (
	"crypto/sha256"
	"reflect"
	"strconv"
)

// Hash returns the SHA-256 of [Plan.Text]. Types with equal hashes have the same
// wire format.
func (p *Plan) Hash() [32]byte {
	p.described.Do(p.describe)
	return p.hash
}

// Text returns a description of the wire format in a normal form. It contains
// everything that affects the bytes, and nothing else, so many types that have
// the same bytes have the same text: structs and arrays dissolve, equal
// neighbors are counted, a bool is an integer in 0..1, and values without bits
// disappear. docs/WIRE.md defines the form and lists what it does not equate.
// Only types that encode themselves are named, because nothing else identifies
// their format. The text is the same on every machine.
func (p *Plan) Text() string {
	p.described.Do(p.describe)
	return p.text
}

// TextWithPaths returns [Plan.Text] with paths for people. After a tab, a line
// has the paths of the values that it describes.
func (p *Plan) TextWithPaths() string {
	n := newNormalizer(p)
	n.paths, n.next = make([]string, len(p.Ops)), make([]int32, len(p.Ops))
	p.Walk(func(at Step) { n.paths[at.Op] = at.Path })
	return n.text()
}

// describe sets the text and the hash. It is not part of building the plan,
// because most programs never need them.
func (p *Plan) describe() {
	p.text = newNormalizer(p).text()
	p.hash = sha256.Sum256([]byte(p.text))
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

package generator

import (
	"strings"

	"github.com/gobitpack/bitpack/compress"
)

// subset returns the node of a subset.
func (b *builder) subset(n node) ([]node, bool) {
	t := n.typ.Elem()
	if n.By != "" {
		return b.elements(n, t)
	}
	if t.Name() != "" {
		return nil, false
	}
	return b.elements(n, t.Elem())
}

// presenceBits returns the number of bits that a reader requires for each element of
// a subset, present or not, before it makes a slice of them. An array is there
// already, and in modes other than bitmap an absent element takes no bits.
func (n *node) presenceBits() int {
	if !n.Array && n.Subset == compress.SubsetBitmap {
		return 1
	}
	return 0
}

// hasStart reports whether bits of a subset precede the first index: its mode, or
// the number of indices.
func (n *node) hasStart() bool {
	return n.Subset == compress.SubsetAuto || n.Subset == compress.SubsetIndex
}

// present returns the condition that an element of a subset is present.
func (p *printer) present(n *node, element string) string {
	if n.By == "" {
		return element + " != nil"
	}
	return element + "." + n.By
}

// newSubset prints the state of a subset, and returns the local variable that has
// it.
func (p *printer) newSubset(n *node, list string) string {
	name := n.Subset.String()
	s := p.newLocal("s")
	p.linef("// %s: the present elements", n.path)
	p.linef("%s := genrt.NewSubset(compress.Subset%s%s, len(%s))", s, strings.ToUpper(name[:1]), name[1:], list)
	return s
}

// countPresent prints the loop that tells subset s which elements are present.
func (p *printer) countPresent(n *node, s, list string) {
	i := p.newLocal("i")
	p.linef("for %s := range %s {", i, list)
	p.linef("if %s {\n%s.Count(%s)\n}\n}", p.present(n, list+"["+i+"]"), s, i)
}

// subset prints the present elements.
func (a *appender) subset(n *node) {
	list := indexed(n.value)
	if !n.Array {
		list = a.newLocal("s")
		a.linef("%s := %s", list, n.value)
		a.count(n, list)
	}
	a.segment()
	a.forget()
	s := a.newSubset(n, list)
	if n.hasStart() {
		a.countPresent(n, s, list)
		a.linef("buf, pos, w, n = %s.Start(buf, pos, w, n)", s)
	}
	i := a.newLocal("i")
	a.linef("for %s := range %s {", i, list)
	element := list + "[" + i + "]"
	if n.By != "" {
		element = "&" + element
	}
	a.linef("if %s := %s; %s {", n.elem, element, a.present(n, n.elem))
	a.linef("buf, pos, w, n = %s.Index(buf, pos, w, n, %s)", s, i)
	a.repeat(n.body)
	a.linef("}\n}")
	a.linef("buf, pos, w, n = %s.Index(buf, pos, w, n, len(%s))", s, list)
}

// subset prints the reading of the present elements, which clears the others.
func (r *reader) subset(n *node) {
	list := indexed(n.value)
	if !n.Array {
		count := r.count(n)
		if each := n.presenceBits(); each > 0 {
			r.covers(count, n, each, r.restAfter(n))
		}
		list = r.resize(n, count)
	} else {
		r.segment()
		r.forget()
	}
	s := r.newSubset(n, list)
	if n.hasStart() {
		r.refuse("bit = %s.ReadStart(data, bit, end); bit < 0", s)
	}
	i, first := r.newLocal("i"), r.newLocal("x")
	r.linef("for %s := 0; ; %s++ {", i, i)
	r.linef("%s := %s", first, i)
	r.refuse("%s, bit = %s.ReadIndex(data, bit, end); bit < 0", i, s)
	r.linef("clear(%s[%s:%s])", list, first, i)
	r.linef("if %s == len(%s) {\nbreak\n}", i, list)
	r.phase = unknown
	outer := r.enterBlock(n, i, "len("+list+")")
	if n.By == "" {
		r.covers("1", n, n.Least, r.rest)
		r.linef("%s := genrt.Target(&%s[%s])", n.elem, list, i)
	} else {
		r.linef("%s := &%s[%s]", n.elem, list, i)
		r.linef("%s = true", r.present(n, n.elem))
	}
	r.inside(n.body)
	r.rest = outer
	r.linef("}")
	if n.Subset == compress.SubsetAuto {
		r.countPresent(n, s, list)
		r.refuse("!%s.Shortest()", s)
	}
	r.phase = unknown
}

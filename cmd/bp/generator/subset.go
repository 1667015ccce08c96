package generator

import (
	"fmt"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan"
)

// subset returns the node of a subset.
func (b *builder) subset(n node) ([]node, bool) {
	n.kind = nodeSubset
	n.subset = b.pl.Elems[n.op.Aux].Subset
	t := n.typ.Elem()
	if !n.subset.Pointers {
		return b.elements(n, t)
	}
	if t.Name() != "" {
		return nil, false
	}
	return b.elements(n, t.Elem())
}

// present returns the condition that element i of a list is present.
func (p *printer) present(n *node, list, i string) string {
	if n.subset.Pointers {
		return fmt.Sprintf("%s[%s] != nil", list, i)
	}
	return fmt.Sprintf("%s[%s].%s", list, i, p.pl.Elems[n.op.Aux].PresentField())
}

// claims returns the number of bits that each element of a subset takes at least,
// present or not, if a reader allocates memory for it.
func (n *node) claims() int {
	if n.op.Flags&plan.FlagSlice != 0 && n.subset.Mode == compress.SubsetBitmap && !n.subset.Auto {
		return 1
	}
	return 0
}

// newSubset prints the state of a subset, which it returns.
func (p *printer) newSubset(n *node, list string) string {
	mode := map[compress.Subset]string{
		compress.SubsetBitmap: "Bitmap", compress.SubsetIndex: "Index", compress.SubsetSentinel: "Sentinel", compress.SubsetRelative: "Relative",
	}[n.subset.Mode]
	if n.subset.Auto {
		mode = "Auto"
	}
	s := p.newLocal("s")
	p.linef("// %s: the present elements", n.path)
	p.linef("%s := genrt.NewSubset(compress.Subset%s, len(%s))", s, mode, list)
	return s
}

// countPresent prints the loop that tells a subset which elements are present.
func (p *printer) countPresent(n *node, s, list string) {
	i := p.newLocal("i")
	p.linef("for %s := range %s {\nif %s {\n%s.Count(%s)\n}\n}", i, list, p.present(n, list, i), s, i)
}

// subset prints the present elements.
func (a *appender) subset(n *node) {
	list := indexed(n.value)
	if n.op.Flags&plan.FlagSlice != 0 {
		list = a.newLocal("s")
		a.linef("%s := %s", list, n.value)
		a.count(n, list)
	}
	a.segment()
	a.forget()
	s := a.newSubset(n, list)
	if n.subset.Auto || n.subset.Mode == compress.SubsetIndex {
		a.countPresent(n, s, list)
		a.linef("buf, pos, w, n = %s.Start(buf, pos, w, n)", s)
	}
	i := a.newLocal("i")
	a.linef("for %s := range %s {", i, list)
	a.linef("if !(%s) {\ncontinue\n}", a.present(n, list, i))
	a.linef("buf, pos, w, n = %s.Index(buf, pos, w, n, %s)", s, i)
	if n.subset.Pointers {
		a.linef("%s := %s[%s]", n.elem, list, i)
	} else {
		a.linef("%s := &%s[%s]", n.elem, list, i)
	}
	a.repeat(n.body)
	a.linef("}")
	a.linef("buf, pos, w, n = %s.Index(buf, pos, w, n, len(%s))", s, list)
}

// subset prints the reading of the present elements, which clears the others.
func (r *reader) subset(n *node) {
	list := indexed(n.value)
	if n.op.Flags&plan.FlagSlice != 0 {
		count := r.count(n)
		if each := n.claims(); each > 0 {
			r.covers(count, n.op, each, r.restAfter(n))
		}
		list = r.resize(n, count)
	} else {
		r.segment()
		r.forget()
	}
	s := r.newSubset(n, list)
	if n.subset.Auto || n.subset.Mode == compress.SubsetIndex {
		r.linef("if bit = %s.ReadStart(data, bit, end); bit < 0 {\n%s\n}", s, readFails)
	}
	i, first := r.newLocal("i"), r.newLocal("x")
	r.linef("for %s := 0; ; %s++ {", i, i)
	r.linef("%s := %s", first, i)
	r.linef("if %s, bit = %s.ReadIndex(data, bit, end); bit < 0 {\n%s\n}", i, s, readFails)
	r.linef("clear(%s[%s:%s])", list, first, i)
	r.linef("if %s == len(%s) {\nbreak\n}", i, list)
	r.phase = unknown
	r.deeper(n, i, fmt.Sprintf("len(%s)", list), func() {
		if n.subset.Pointers {
			r.covers("1", n.op, r.pl.Elems[n.op.Aux].MinBits, r.rest)
			r.linef("%s := genrt.Target(&%s[%s])", n.elem, list, i)
		} else {
			r.linef("%s := &%s[%s]", n.elem, list, i)
			r.linef("%s = true", r.present(n, list, i))
		}
		r.inside(n.body)
	})
	r.linef("}")
	if n.subset.Auto {
		r.countPresent(n, s, list)
		r.refuse("!%s.Shortest()", s)
	}
	r.phase = unknown
}

package generator

import (
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/internal/plan/tree"
)

// union returns the node of a union. Its body has a nodeMember for nil and for each
// member, in the order of their indices.
func (b *builder) union(n node) ([]node, bool) {
	n.body = []node{{kind: nodeMember, value: "nil"}}
	for _, part := range n.Parts {
		m, ok := b.member(part)
		if !ok {
			return nil, false
		}
		n.body = append(n.body, m)
	}
	return []node{n}, true
}

// member returns the node of a member of a union. It returns false if the package
// cannot name the type, if the member contains itself, or if a part of it is better
// left to the engine together with the union.
func (b *builder) member(p *tree.Part) (node, bool) {
	m := node{kind: nodeMember, typ: p.Type}
	target, star := p.Type, ""
	if m.isPointer() {
		target, star = target.Elem(), "*"
	}
	name, ok := b.names.typeName(target)
	switch {
	case !ok || m.isPointer() && p.Type.Name() != "":
		return m, false
	case target.PkgPath() == b.names.pkgPath && !slices.Contains(b.names.members, name):
		return m, false
	case slices.Contains(b.enclosing, p):
		return m, false
	}
	if n := len(p.Nodes); n > 0 {
		b.memberOps += p.Nodes[n-1].End - p.Nodes[0].Op
	}
	if b.memberOps > maxOps {
		return m, false
	}
	m.value, m.elem = star+name, b.newElem(star+name)
	parts := len(b.parts)
	b.enclosing = append(b.enclosing, p)
	m.body = b.block(p.Nodes, m.elem, target)
	b.enclosing = b.enclosing[:len(b.enclosing)-1]
	return m, !b.chained(parts) && !b.nested(parts)
}

// isPointer reports whether a nodeMember is for a pointer to a value.
func (n *node) isPointer() bool { return n.typ != nil && n.typ.Kind() == reflect.Pointer }

// nested reports whether the parts from one on have values that count a level
// against the depth limit. A part of a member would count from the level of the
// message.
func (b *builder) nested(from int) bool {
	for _, x := range slices.Concat(b.parts[from:]...) {
		for in := range x.All() {
			if len(in.Parts) > 0 {
				return true
			}
		}
	}
	return false
}

// levels returns the largest number of unions that the nodes have inside of one
// another.
func levels(list []node) (most int) {
	for i := range list {
		inside := levels(list[i].body)
		if list[i].kind == tree.KindUnion {
			inside++
		}
		most = max(most, inside)
	}
	return most
}

// addUnions adds the names of the members of each union of the nodes to unions, by
// the index of the union in the Elems of the plan.
func addUnions(unions map[int32][]string, list []node) {
	for i := range list {
		n := &list[i]
		addUnions(unions, n.body)
		if n.kind != tree.KindUnion {
			continue
		}
		var members []string
		for _, m := range n.body[1:] {
			members = append(members, m.value)
		}
		unions[n.op.Aux] = members
	}
}

// union prints the choice between the members.
func (a *appender) union(n *node) {
	a.segment()
	a.displace()
	a.forget()
	least, most := a.least, a.most // before each case
	leastAfter, mostAfter := 63, 0 // after any of them
	x := ""
	if slices.ContainsFunc(n.body, func(m node) bool { return m.isPointer() || hasValues(m.body) }) {
		x = a.newLocal("x")
		a.linef("switch %s := %s.(type) {", x, addressable(n.value))
	} else {
		a.linef("switch %s.(type) {", addressable(n.value))
	}
	for i := range n.body {
		m := &n.body[i]
		a.linef("case %s:", m.value)
		if m.isPointer() {
			a.refuse("%s == nil", x)
		}
		switch {
		case !hasValues(m.body):
		case m.isPointer():
			a.linef("%s := %s", m.elem, x)
		default:
			a.linef("%s := &%s", m.elem, x)
		}
		a.least, a.most = least, most
		c := a.newLocal("c")
		a.linef("%s := uint64(%d)", c, i)
		a.slots = append(a.slots, slot{c, n.Bits, n})
		a.nodes(m.body)
		a.segment()
		a.forget()
		a.displace()
		leastAfter, mostAfter = min(leastAfter, a.least), max(mostAfter, a.most)
	}
	a.linef("default:\n%s\n}", a.fails)
	a.least, a.most = leastAfter, mostAfter
}

// union prints the choice between the members. A member is stored once it is
// complete.
func (r *reader) union(n *node) {
	c := r.newLocal("c")
	r.slots = append(r.slots, slot{c, n.Bits, n})
	r.segment()
	r.forget()
	phase := r.phase
	r.linef("switch %s {\ncase 0:\n%s = nil", c, n.value)
	for i := range n.body[1:] {
		m := &n.body[1+i]
		r.linef("case %d: // %s", 1+i, m.value)
		r.phase = phase
		r.covers("1", n, n.Parts[i].MinBits, r.restAfter(n))
		stored := "*" + m.elem
		if m.isPointer() {
			stored = m.elem
			r.linef("%s, _ := %s.(%s)", m.elem, addressable(n.value), m.value)
			r.linef("if %s == nil {\n%s = new(%s)\n}", m.elem, m.elem, m.value[1:])
		} else {
			r.linef("%s := new(%s)", m.elem, m.value)
		}
		outer := r.enterBlock(n, "", "")
		r.inside(m.body)
		r.rest = outer
		r.linef("%s = %s", n.value, stored)
	}
	r.linef("default:\n%s\n}", r.fails)
	r.phase = unknown
}

package generator

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
)

// union returns the node of a union, whose body has a nodeMember for each member.
func (b *builder) union(n node) ([]node, bool) {
	n.kind = nodeUnion
	u := b.pl.Elems[n.op.Aux].Union
	nesting, parts, depth := b.nesting, len(b.parts), b.depth
	ok := true
	for i := 0; i < len(u.Types) && ok; i++ {
		var m node
		m, ok = b.member(u.Types[i], int(u.Starts[i]))
		m.op, m.path = n.op, n.path
		n.body = append(n.body, m)
	}
	if !ok {
		b.nesting, b.parts, b.depth = nesting, b.parts[:parts], depth
		return nil, false
	}
	list := make([]string, len(n.body))
	for i := range n.body {
		list[i] = n.body[i].value
	}
	b.unions[n.op.Aux] = list
	return []node{n}, true
}

// member returns the node of a member of a union, whose ops begin at start.
func (b *builder) member(t reflect.Type, start int) (node, bool) {
	m := node{kind: nodeMember, typ: t}
	target, star := t, ""
	if t.Kind() == reflect.Pointer {
		target, star = t.Elem(), "*"
	}
	name, ok := b.names.typeName(target)
	if ok = ok && (star == "" || t.Name() == "") && (target.PkgPath() != b.names.pkgPath || b.names.taken[name]); !ok { // taken lacks types inside functions
		return m, false
	}
	end := b.pl.BlockEnd(start)
	if b.inlined += end - start; slices.Contains(b.members, start) || b.inlined > maxOps {
		return m, false
	}
	b.depth++
	m.value, m.elem = star+name, elemName(b.depth)
	b.entries[m.elem] = false
	parts := len(b.parts)
	b.members = append(b.members, start)
	b.nesting = max(b.nesting, len(b.members))
	m.body = b.block(start, end, m.elem, target)
	b.members = b.members[:len(b.members)-1]
	return m, !b.chained(b.parts[parts:]) && !b.nests(b.parts[parts:])
}

// nests reports whether an op of the parts counts towards the nesting depth, which
// a part starts at that of the message.
func (b *builder) nests(parts [][2]int) bool {
	return slices.ContainsFunc(parts, func(part [2]int) bool {
		return slices.ContainsFunc(b.pl.Ops[part[0]:part[1]], func(op plan.Op) bool {
			return op.Code == plan.CodeUnion || op.Code == plan.CodeCall
		})
	})
}

// usesMember reports whether the code that writes a member uses its value.
func usesMember(m *node) bool { return m.typ.Kind() == reflect.Pointer || refers(m.body, m.elem) }

// union prints the choice between the members.
func (a *appender) union(n *node) {
	a.segment()
	a.displace()
	a.forget()
	x := ""
	if slices.ContainsFunc(n.body, func(m node) bool { return usesMember(&m) }) {
		x = a.newLocal("x")
		a.linef("switch %s := %s.(type) {", x, addressable(n.value))
	} else {
		a.linef("switch %s.(type) {", addressable(n.value))
	}
	least, most := a.least, a.most
	allLeast, allMost := 63, 0
	choice := func(i int, body func()) {
		a.least, a.most = least, most
		body()
		a.segment()
		a.forget()
		a.displace()
		allLeast, allMost = min(allLeast, a.least), max(allMost, a.most)
	}
	index := func(i int) slot { return slot{fmt.Sprintf("uint64(%d)", i), int(n.op.Bits), n} }
	a.linef("case nil:")
	choice(0, func() { a.slots = append(a.slots, index(0)) })
	for i := range n.body {
		m := &n.body[i]
		a.linef("case %s:", m.value)
		choice(i+1, func() {
			pointer := m.typ.Kind() == reflect.Pointer
			if pointer {
				a.refuse("%s == nil", x)
			}
			switch {
			case !refers(m.body, m.elem):
			case pointer:
				a.linef("%s := %s", m.elem, x)
			default:
				a.linef("%s := &%s", m.elem, x)
			}
			a.slots = append(a.slots, index(i+1))
			a.nodes(m.body)
		})
	}
	a.linef("default:\n%s\n}", a.fails)
	a.least, a.most = allLeast, allMost
}

// union prints the choice between the members. A member is stored once it is
// complete.
func (r *reader) union(n *node) {
	c := r.newLocal("c")
	r.slots = append(r.slots, slot{c, int(n.op.Bits), n})
	r.segment()
	r.forget()
	phase := r.phase
	u := r.pl.Elems[n.op.Aux].Union
	r.linef("switch %s {\ncase 0:\n%s = nil", c, n.value)
	for i := range n.body {
		m := &n.body[i]
		r.linef("case %d: // %s", i+1, m.value)
		r.phase = phase
		r.covers("1", n.op, u.MinBits[i], r.restAfter(n))
		if target := strings.TrimPrefix(m.value, "*"); target == m.value {
			r.linef("%s := new(%s)", m.elem, target)
		} else {
			r.linef("%s, _ := %s.(%s)", m.elem, addressable(n.value), m.value)
			r.linef("if %s == nil {\n%s = new(%s)\n}", m.elem, m.elem, target)
		}
		r.deeper(n, "", "", func() { r.inside(m.body) })
		if m.value[0] == '*' {
			r.linef("%s = %s", n.value, m.elem)
		} else {
			r.linef("%s = *%s", n.value, m.elem)
		}
	}
	r.linef("default:\n%s\n}", r.fails)
	r.phase = unknown
}

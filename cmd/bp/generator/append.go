package generator

import (
	"fmt"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan/tree"
)

// appender prints the function that appends the message of a value. While the
// number of bits in the incomplete word is known, it is in fill, and the local
// variable n is not up to date. Otherwise it is between least and most.
type appender struct {
	printer
	fill  int // bits in w, or unknown
	least int
	most  int
	slots []slot

	// A function that calls nothing which grows the buffer has an array of the size
	// of the longest message in place of buf. Then at is the number of bytes stored
	// in it while that is known, and pos is not up to date.
	direct bool
	at     int

	first int  // number of bytes that the function makes room for at its start
	begun bool // some bytes have been written
	roomy bool // there is room for all bits of the loop
}

// unknown is the fill after a condition or a loop.
const unknown = -1

// body prints the nodes of a function and the end of it.
func (a *appender) body(list []node) {
	a.direct = a.bounded() && a.pl.MaxBits > 0 && !growing(list) // a nil slice is a nil pointer to an array of no bytes
	if !a.direct {
		a.at = unknown
	}
	a.checkDepth(list)
	a.nodes(list)
	if a.fill != unknown {
		a.finish()
		return
	}
	a.segment()
	if a.direct {
		a.close()
		return
	}
	a.linef("return genrt.Close(buf, pos, w, n), -n & 7, true")
}

// nodes prints nodes.
func (a *appender) nodes(list []node) {
	for i := range list {
		a.node(&list[i])
	}
}

// branch prints a statement with the nodes of a body that may be left out. After it
// the fill is unknown.
func (a *appender) branch(statement string, list []node) {
	least, most := a.least, a.most
	if a.fill != unknown {
		least, most = a.fill, a.fill
	}
	at := a.at
	if bits, fixed := fixedBits(list); !fixed || most+bits >= 64 {
		a.place()
		at = unknown
	}
	a.update()
	a.linef("%s {", statement)
	a.nodes(list)
	a.segment()
	a.forget()
	if at == unknown {
		a.displace()
	}
	a.linef("}")
	a.least, a.most = min(a.least, least), max(a.most, most)
}

// repeat prints the nodes of a body that is repeated. Before and after it the
// fill is unknown.
func (a *appender) repeat(list []node) {
	a.least, a.most = 0, 63
	a.nodes(list)
	a.segment()
	a.forget()
	a.least, a.most = 0, 63
}

// update makes the local variables w and n up to date.
func (a *appender) update() {
	if a.fill == unknown {
		return
	}
	a.begun = true
	if a.fill == 0 {
		a.linef("w, n = 0, 0")
	} else {
		a.linef("n = %d", a.fill)
	}
}

// forget makes the fill unknown.
func (a *appender) forget() {
	a.update()
	if a.fill != unknown {
		a.least, a.most = a.fill, a.fill
		a.fill = unknown
	}
}

// known makes the local variables w and n up to date, for a call.
func (a *appender) known() string {
	if a.fill == unknown {
		return "w, n"
	}
	if a.fill == 0 {
		return "0, 0"
	}
	return fmt.Sprintf("w, %d", a.fill)
}

func (a *appender) node(n *node) {
	switch n.kind {
	case nodeField:
		if n.vector != nil {
			a.vector(n)
			return
		}
		a.slots = append(a.slots, slot{"", n.width(), n})
	case tree.KindIf:
		a.segment()
		a.branch("if "+n.cond.write, n.body)
	case tree.KindOptional:
		zero, _ := a.zero(n.body)
		a.bit(n, "!("+zero+")")
	case tree.KindPointer:
		a.linef("%s := %s", n.elem, n.value)
		a.bit(n, n.elem+" != nil")
	case tree.KindArray:
		a.segment()
		a.loop(n, n.value)
	case tree.KindSlice:
		s := a.newLocal("s")
		a.linef("%s := %s", s, n.value)
		a.count(n, s)
		a.segment()
		a.loop(n, s)
	case tree.KindString:
		a.segment()
		a.begun = true
		a.linef("// %s: %d bits of length, padding, the bytes", n.path, n.Bits)
		ok := a.newLocal("ok")
		a.linef("var %s bool", ok)
		a.refuse("buf, pos, %s = genrt.Text(buf, pos, %s, %s, %d, %d, %d, %t); !%s",
			ok, a.known(), convert("string", n), n.Min, n.Span, n.Bits, n.Kind == tree.KindString, ok)
		a.fill = 0
	case tree.KindBytes:
		a.refuse("genrt.Shares(dst, %s)", n.value)
		a.count(n, n.value)
		a.segment()
		a.begun = true
		a.linef("// %s: padding, the bytes", n.path)
		a.linef("buf, pos = genrt.Align(buf, pos, %s, len(%s))", a.known(), n.value)
		a.linef("pos += copy(buf[pos:], %s)", n.value)
		a.fill = 0
	case nodeRaw:
		a.segment()
		a.begun = true
		a.linef("// %s: padding, %d bytes", n.path, n.Min)
		a.align(int(n.Min))
		a.linef("*(*[%d]byte)(%s) = %s", n.Min, a.here(0), n.value)
		a.advance(int(n.Min))
		a.fill = 0
	case tree.KindAlign:
		a.segment()
		a.linef("// padding")
		a.begun = true
		a.linef("buf, pos = genrt.Align(buf, pos, %s, 0)", a.known())
		a.fill = 0
	case tree.KindVarint:
		a.segment()
		a.forget()
		a.linef("// %s: groups of 7 bits", n.path)
		a.linef("buf, pos, w, n = genrt.Varint(buf, pos, w, n, uint64(%s), %t)", n.value, n.Signed)
		a.least, a.most = 0, 63
	case tree.KindRelative:
		a.segment()
		a.forget()
		r := n.Relative
		ok := a.newLocal("ok")
		a.linef("// %s: the difference from the integer before it", n.path)
		before := a.previous(n)
		a.linef("var %s bool", ok)
		a.refuse("buf, pos, w, n, %s = genrt.Relative(buf, pos, w, n, %s, int64(%s), %d, %d); !%s", ok, before, n.value, r.Min, r.Max, ok)
		a.least, a.most = 0, 63
	case tree.KindCommon:
		a.common(n)
	case tree.KindSubset:
		a.subset(n)
	case tree.KindMap:
		a.mapping(n)
	case tree.KindUnion:
		a.union(n)
	case nodePart:
		a.segment()
		a.begun = true
		a.forget()
		ok := a.newLocal("ok")
		a.linef("var %s bool // %s", ok, a.partComment(n))
		a.refuse("buf, pos, w, n, %s = genrt.AppendPart(&%s, %d, c, %s, buf, start, pos, w, n); !%s", ok, a.variable, n.part, n.base, ok)
		a.least, a.most = 0, 63
	default:
		panic("generator: no way to write a node")
	}
}

// count adds the code of the length of a list.
func (a *appender) count(n *node, list string) {
	c := a.newLocal("c")
	a.linef("%s := %s", c, offset("uint64(len("+list+"))", -n.Min))
	a.refuse("%s > %d", c, n.Span)
	a.slots = append(a.slots, slot{c, n.Bits, n})
}

// vector adds the code of a rotation or a direction.
func (a *appender) vector(n *node) {
	c, ok := a.newLocal("c"), a.newLocal("ok")
	var list strings.Builder
	for _, x := range n.vector {
		fmt.Fprintf(&list, ", float64(%s)", x)
	}
	a.linef("%s, %s := %s.VectorCode(%d%s)", c, ok, a.variable, n.op.Aux, list.String())
	a.refuse("!%s", ok)
	a.slots = append(a.slots, slot{c, n.Bits, n})
}

// common prints the choice between the index of a listed value and the value.
func (a *appender) common(n *node) {
	a.segment()
	a.forget()
	field := &n.body[0]
	c, x, width := a.newLocal("c"), a.newLocal("x"), a.newLocal("n")
	a.linef("// %s: 1 bit, then %d bits of a listed value or %d bits", n.path, n.Bits, field.Bits)
	a.linef("%s := %s", c, a.code(field))
	a.writeCheck(field, c)
	a.linef("%s, %s := %s<<1, uint(%d)", x, width, c, 1+field.Bits)
	a.linef("switch %s {", c)
	values := n.Values
	for i := range values {
		a.linef("case %d:\n%s, %s = %d, %d", values[i].Code, x, width, 1|commonIndex(values, i)<<1, 1+n.Bits)
	}
	a.linef("}")
	a.linef("buf, pos, w, n = genrt.Put(buf, pos, w, n, %s, %s)", x, width)
	a.least, a.most = 0, 63
}

// bit writes a bit, and the body of a node if it is set.
func (a *appender) bit(n *node, cond string) {
	c := a.newLocal("c")
	a.linef("%s := genrt.Bit(%s)", c, cond)
	a.slots = append(a.slots, slot{c, 1, n})
	a.segment()
	a.branch("if "+c+" != 0", n.body)
}

// loop prints the loop over the elements of an array or a slice. If all elements
// have the same number of bits, there is room for all of them before the loop, and
// small ones share words.
func (a *appender) loop(n *node, list string) {
	bits, fixed := fixedBits(n.body)
	a.roomy = fixed
	a.begun = true
	if fixed && bits > 0 && !a.bounded() {
		a.update()
		a.linef("if need := int((uint64(n) + uint64(len(%s))*%d) >> 6 << 3); len(buf)-pos < need {", list, bits)
		a.linef("buf = genrt.Grow(buf, pos, need)\n}")
	}
	i := a.newLocal("i")
	a.displace()
	group := groupSize(n.body, bits, fixed)
	if group == 1 {
		a.forget()
		a.linef("for %s := range %s {", i, list)
	} else {
		list = indexed(list)
		words := group*bits%64 == 0 // then the fill is the same in each turn
		if !words {
			a.forget()
			a.least, a.most = 0, 63
		}
		a.linef("%s := 0", i)
		a.linef("for ; %s < len(%s)-%d; %s += %d {", i, list, group-1, i, group)
		for k := range group {
			a.nodes(a.elementAt(n, list+"["+offset(i, uint64(k))+"]"))
		}
		a.segment()
		a.linef("}")
		if words && group == 2 {
			a.branch(fmt.Sprintf("if %s < len(%s)", i, list), a.elementAt(n, list+"["+i+"]"))
			a.roomy = false
			return
		}
		a.forget()
		a.linef("for ; %s < len(%s); %s++ {", i, list, i)
	}
	a.linef("%s := &%s[%s]", n.elem, indexed(list), i)
	a.enter(n, indexed(list), i)
	a.repeat(n.body)
	a.linef("}")
	a.roomy = false
}

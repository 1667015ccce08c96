package generator

import (
	"fmt"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan/tree"
)

// reader prints the function that reads the message of a value. While the bit
// where it is is known, it is in at, and the local variable bit is not up to date.
type reader struct {
	printer
	at    int // the next bit, or unknown
	phase int // if at is unknown, the last three bits of bit, or unknown
	least int // smallest size of a message in bytes, and at least 8
	slots []slot
	first string // the arguments of genrt.SetTexts for a text that is not stored yet
	rest  string // the bits that the values after the innermost block need

	covered bool // the data has all bits of the loop

	// A segment of many bits that starts at an unknown one has a window of bytes,
	// in windowed, that all belong to it. It starts shift bits after the first, or at
	// the phase if that is known.
	window          int
	windowed, shift string
}

// body prints the nodes of a function and the end of it.
func (r *reader) body(list []node) {
	r.rest = "0"
	r.checkDepth(list)
	r.nodes(list)
	r.segment()
	if r.at != unknown {
		r.linef("return %d, true", r.at)
		return
	}
	r.linef("return bit, true")
}

func (r *reader) nodes(list []node) {
	for i := range list {
		r.node(&list[i])
	}
}

// inside prints the nodes of a body, which starts and ends at an unknown bit.
func (r *reader) inside(list []node) {
	r.nodes(list)
	r.segment()
	r.forget()
}

// forget makes the bit unknown.
func (r *reader) forget() {
	if r.at != unknown {
		r.linef("bit = %d", r.at)
		r.phase = r.at & 7
		r.at = unknown
	}
}

// skip makes bits up to date, after bits have been read.
func (r *reader) skip(bits int) {
	switch {
	case r.at != unknown:
		r.at += bits
	case bits > 0:
		r.linef("bit += %d", bits)
		r.shiftPhase(bits)
	}
}

func (r *reader) shiftPhase(bits int) {
	if r.phase != unknown {
		r.phase = (r.phase + bits) & 7
	}
}

// branch prints the nodes of a body that may be left out, without the braces.
func (r *reader) branch(body func()) {
	phase := r.phase
	body()
	if r.phase != phase {
		r.phase = unknown
	}
}

func (r *reader) node(n *node) {
	switch n.kind {
	case nodeField:
		r.slots = append(r.slots, slot{r.newLocal("c"), n.width(), n})
	case tree.KindIf:
		r.segment()
		r.forget()
		r.linef("if %s {", n.cond.read)
		r.branch(func() { r.inside(n.body) })
		r.linef("} else {")
		r.linef("%s", clearing(n))
		for i := range n.same {
			r.linef("%s", clearing(&n.same[i]))
		}
		r.linef("}")
	case tree.KindOptional:
		c := r.bit(n)
		zero, _ := r.zero(n.body)
		r.linef("if %s != 0 {", c)
		r.branch(func() { r.inside(n.body) })
		if n.NonZero {
			r.refuse("%s", zero)
		}
		r.linef("} else {\n%s\n}", clearing(n))
	case tree.KindPointer:
		c := r.bit(n)
		r.linef("if %s != 0 {", c)
		r.covers("1", n, n.Least, r.restAfter(n))
		r.linef("%s := genrt.Target(&%s)", n.elem, addressable(n.value))
		outer := r.enterBlock(n, "", "")
		r.branch(func() { r.inside(n.body) })
		r.rest = outer
		r.linef("} else {\n%s = nil\n}", n.value)
	case tree.KindArray:
		r.segment()
		r.forget()
		count := n.Count // of scalars
		if n.Kind == tree.KindArray {
			count = int(n.Min)
		}
		if bits, fixed := fixedBits(n.body); fixed && bits > 0 {
			r.refuse("end-bit < %d", bits*count)
		}
		r.loop(n, n.value, fmt.Sprint(count))
	case tree.KindSlice:
		count := r.count(n)
		r.covers(count, n, n.Least, r.restAfter(n))
		r.loop(n, r.resize(n, count), count)
	case tree.KindString:
		r.segment()
		r.forget()
		r.linef("// %s: %d bits of length, padding, the bytes", n.path, n.Bits)
		text := r.newLocal("t")
		r.linef("var %s []byte", text)
		r.refuse("%s, bit = genrt.ReadText(data, bit, end, %d, %d, %d, %t); bit < 0", text, n.Min, n.Span, n.Bits, n.Kind == tree.KindString)
		r.phase = 0
		r.setText(n, text)
	case tree.KindBytes:
		count := r.count(n)
		r.linef("// %s: padding, the bytes", n.path)
		r.align(0)
		r.refuse("(end-bit)>>3 < %s", count)
		r.linef("genrt.SetBytes(%s, data[bit>>3:][:%s], %d)", textPointer("[]byte", n), count, n.op.KeepCapacity)
		r.linef("bit += 8*%s", count)
	case nodeRaw:
		r.segment()
		r.forget()
		r.linef("// %s: padding, %d bytes", n.path, n.Min)
		r.align(8 * int(n.Min))
		r.linef("%s = [%d]byte(data[bit>>3:])", n.value, n.Min)
		r.skip(8 * int(n.Min))
	case tree.KindAlign:
		r.segment()
		r.forget()
		r.linef("// padding")
		r.align(0)
	case tree.KindVarint:
		r.segment()
		r.forget()
		x := r.newLocal("x")
		to, _ := r.names.typeName(n.typ)
		r.linef("// %s: groups of 7 bits", n.path)
		r.linef("var %s uint64", x)
		r.refuse("%s, bit = genrt.ReadVarint(data, bit, end, %t); bit < 0 || uint64(%s(%s)) != %s", x, n.Signed, to, x, x)
		r.linef("%s = %s(%s)", n.value, to, x)
	case tree.KindRelative:
		r.segment()
		r.forget()
		r.linef("// %s: the difference from the integer before it", n.path)
		before, x := r.previous(n), r.newLocal("x")
		to, _ := r.names.typeName(n.typ)
		rel := n.Relative
		r.linef("var %s int64", x)
		r.refuse("%s, bit = genrt.ReadRelative(data, bit, end, %s, %d, %d); bit < 0", x, before, rel.Min, rel.Max)
		r.linef("%s = %s(%s)", n.value, to, x)
		r.phase = unknown
	case tree.KindCommon:
		r.common(n)
		r.phase = unknown
	case tree.KindSubset:
		r.subset(n)
	case tree.KindMap:
		r.mapping(n)
	case tree.KindUnion:
		r.union(n)
	case nodePart:
		r.segment()
		r.forget()
		r.linef("// %s", r.partComment(n))
		r.refuse("bit = genrt.ReadPart(&%s, %d, c, %s, all, bit, %s); bit < 0", r.variable, n.part, n.base, r.rest)
		r.phase = unknown
	default:
		panic("generator: no way to read a node")
	}
}

// setText prints the statement that stores a text, unless the next text stores
// both.
func (r *reader) setText(n *node, text string) {
	value := textPointer("string", n) + ", " + text
	switch {
	case n.joined:
		r.first = value
	case r.first != "":
		r.linef("genrt.SetTexts(%s, %s)", r.first, value)
		r.first = ""
	default:
		r.linef("genrt.SetText(%s)", value)
	}
}

// count reads the length of a list, and returns the local variable that has it.
func (r *reader) count(n *node) string {
	c, count := r.newLocal("c"), r.newLocal("n")
	r.slots = append(r.slots, slot{c, n.Bits, n})
	r.segment()
	r.forget()
	r.linef("%s := int(%s)", count, offset(c, n.Min))
	return count
}

// resize prints the change of a slice's length, and returns the local variable that
// has the slice.
func (r *reader) resize(n *node, count string) string {
	list := r.newLocal("s")
	r.linef("%s := %s", list, n.value)
	r.linef("if len(%s) != %s || cap(%s) > %d {", list, count, list, n.op.KeepCapacity)
	r.linef("%s = genrt.Resize(%s, %s, %d)", list, list, count, n.op.KeepCapacity)
	r.linef("%s = %s\n}", n.value, list)
	return list
}

// align prints the check of the padding up to the next byte, and that the data has
// the bits after it.
func (r *reader) align(bits int) {
	switch r.phase {
	case unknown:
		check := ""
		if bits > 0 {
			check = fmt.Sprintf(" || end-bit < %d", bits)
		}
		r.refuse("bit = genrt.ReadAlign(data, bit); bit < 0%s", check)
		r.phase = 0
		return
	case 0:
		if bits > 0 {
			r.refuse("end-bit < %d", bits)
		}
	default:
		pad := 8 - r.phase
		r.refuse("end-bit < %d || data[bit>>3]>>%d != 0", pad+bits, r.phase)
		r.skip(pad)
	}
}

// bit reads a bit, and returns the local variable that has it.
func (r *reader) bit(n *node) string {
	c := r.newLocal("c")
	r.slots = append(r.slots, slot{c, 1, n})
	r.segment()
	r.forget()
	return c
}

// clearing returns the statement that clears the value of a node.
func clearing(n *node) string { return "genrt.Clear(&" + addressable(n.value) + ")" }

// addressable returns a value in parentheses if it is a dereferenced pointer.
func addressable(value string) string {
	if value[0] == '*' {
		return "(" + value + ")"
	}
	return value
}

// textPointer returns the pointer to the value of a node, as one to a value of a
// predeclared type.
func textPointer(to string, n *node) string {
	p := "&" + addressable(n.value)
	if n.value[0] == '*' {
		p = n.value[1:]
	}
	if n.typ.PkgPath() == "" {
		return p
	}
	return "(*" + to + ")(" + p + ")"
}

// vectors decodes the rotations and directions of the slots. It returns the local
// variables that have them, by those of their codes.
func (r *reader) vectors(slots []slot) map[string]string {
	vectors := map[string]string{}
	for _, s := range slots {
		if n := s.node; n.vector != nil {
			x, ok := r.newLocal("x"), r.newLocal("ok")
			r.linef("%s, %s := %s.Vector(%d, %s)", x, ok, r.variable, n.op.Aux, s.code)
			r.refuse("!%s", ok)
			vectors[s.code] = x
		}
	}
	return vectors
}

// common prints the choice between a listed value and the value itself.
func (r *reader) common(n *node) {
	r.segment()
	r.forget()
	field := &n.body[0]
	r.linef("// %s: 1 bit, then %d bits of a listed value or %d bits", n.path, n.Bits, field.Bits)
	x, c := r.newLocal("x"), r.newLocal("c")
	values := n.Values
	r.refuse("end-bit < 1")
	r.linef("if %s := genrt.Load(data, bit); %s&1 != 0 {", x, x)
	r.refuse("end-bit < %d", 1+n.Bits)
	r.linef("switch %s {", extract(x, 1, n.Bits, false))
	for i := range values {
		value, _ := listed(field, &values[i])
		r.linef("case %d:\n%s = %s", commonIndex(values, i), field.value, value)
	}
	r.linef("default:\n%s\n}", r.fails)
	r.linef("bit += %d", 1+n.Bits)
	r.linef("} else {")
	r.refuse("end-bit < %d", 1+field.Bits)
	r.linef("%s := %s", c, extract(x, 1, field.Bits, false))
	codes := make([]string, len(values))
	for i := range values {
		codes[i] = fmt.Sprint(values[i].Code)
	}
	r.linef("switch %s {\ncase %s:\n%s\n}", c, strings.Join(codes, ", "), r.fails)
	r.checkSpan(c, field.Span, field.Bits)
	r.linef("%s = %s", field.value, r.valueOf(field, c))
	r.linef("bit += %d\n}", 1+field.Bits)
}

package generator

import (
	"fmt"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
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
	usesN bool

	first int  // number of bytes that the function makes room for at its start
	begun bool // some bytes have been written
	roomy bool // there is room for all bits of the loop
}

// unknown is the fill after a condition or a loop.
const unknown = -1

const appendFails = "return nil, 0, false"

// body prints the nodes of a function and the end of it.
func (a *appender) body(list []node) {
	a.nodes(list)
	if a.fill != unknown {
		a.finish()
		return
	}
	a.segment()
	a.usesN = true
	a.linef("return genrt.Close(buf, pos, w, n), -n & 7, true")
}

// nodes prints nodes.
func (a *appender) nodes(list []node) {
	for i := range list {
		a.node(&list[i])
	}
}

// branch prints the nodes of a body that may be left out. After it the fill is
// unknown.
func (a *appender) branch(list []node) {
	least, most := a.least, a.most
	if a.fill != unknown {
		least, most = a.fill, a.fill
	}
	a.nodes(list)
	a.segment()
	a.forget()
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
	a.usesN, a.begun = true, true
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
	case nodeIf:
		a.segment()
		a.update()
		a.linef("if %s {", n.cond.write)
		a.branch(n.body)
		a.linef("}")
	case nodeOptional:
		zero, _ := a.zero(n.body)
		a.bit(n, "!("+zero+")")
		a.branch(n.body)
		a.linef("}")
	case nodePointer:
		a.linef("%s := %s", n.elem, n.value)
		a.bit(n, n.elem+" != nil")
		a.branch(n.body)
		a.linef("}")
	case nodeArray:
		a.segment()
		a.loop(n, n.value)
	case nodeSlice:
		s, c := a.newLocal("s"), a.newLocal("c")
		a.linef("%s := %s", s, n.value)
		a.linef("%s := %s", c, offset("uint64(len("+s+"))", -n.op.Bias))
		a.refuse("%s > %d", c, n.op.Span)
		a.slots = append(a.slots, slot{c, int(n.op.Bits), n})
		a.segment()
		a.loop(n, s)
	case nodeText:
		a.segment()
		a.begun = true
		a.linef("// %s: %d bits of length, padding, the bytes", n.path, n.op.Bits)
		ok := a.newLocal("ok")
		a.linef("var %s bool", ok)
		a.linef("if buf, pos, %s = genrt.Text(buf, pos, %s, %s, %d, %d, %d, %t); !%s {\n%s\n}",
			ok, a.known(), convert("string", n), n.op.Bias, n.op.Span, n.op.Bits, isText(n), ok, appendFails)
		a.fill = 0
	case nodeRaw:
		a.segment()
		a.begun = true
		a.linef("// %s: padding, %d bytes", n.path, n.op.Count)
		a.align(n.op.Count)
		a.linef("*(*[%d]byte)(buf[pos:]) = %s", n.op.Count, n.value)
		a.linef("pos += %d", n.op.Count)
		a.fill = 0
	case nodeAlign:
		a.segment()
		a.begun = true
		a.linef("buf, pos = genrt.Align(buf, pos, %s, 0)", a.known())
		a.fill = 0
	case nodeVarint:
		a.segment()
		a.forget()
		a.linef("buf, pos, w, n = genrt.Varint(buf, pos, w, n, uint64(%s), %t)", n.value, n.op.Flags&plan.FlagSigned != 0)
		a.least, a.most = 0, 63
	case nodeRelative:
		a.segment()
		a.forget()
		r := &a.pl.Relatives[n.op.Aux]
		ok := a.newLocal("ok")
		before := a.previous(n)
		a.linef("var %s bool", ok)
		a.linef("if buf, pos, w, n, %s = genrt.Relative(buf, pos, w, n, %s, int64(%s), %d, %d); !%s {\n%s\n}", ok, before, n.value, r.Min, r.Max, ok, appendFails)
		a.least, a.most = 0, 63
	case nodeCommon:
		a.common(n)
	case nodePart:
		a.segment()
		a.begun = true
		a.forget()
		ok := a.newLocal("ok")
		a.linef("var %s bool // %s", ok, a.partComment(n))
		a.linef("if buf, pos, w, n, %s = genrt.AppendPart(&%s, %d, c, %s, buf, start, pos, w, n); !%s {\n%s\n}", ok, a.variable, n.part, n.base, ok, appendFails)
		a.least, a.most = 0, 63
	default:
		panic("generator: no way to write a node")
	}
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
	a.slots = append(a.slots, slot{c, int(n.op.Bits), n})
}

// common prints the choice between the index of a listed value and the value.
func (a *appender) common(n *node) {
	a.segment()
	a.forget()
	field := &n.body[0]
	c, x, width := a.newLocal("c"), a.newLocal("x"), a.newLocal("n")
	a.linef("// %s: 1 bit, then %d bits of a listed value or %d bits", n.path, n.op.Bits, field.op.Bits)
	a.linef("%s := %s", c, a.code(field))
	a.writeCheck(field, c)
	a.linef("%s, %s := %s<<1, uint(%d)", x, width, c, 1+field.op.Bits)
	a.linef("switch %s {", c)
	values := a.pl.Commons[n.op.Aux]
	for i := range values {
		a.linef("case %d:\n%s, %s = %d, %d", values[i].Code, x, width, 1|commonIndex(values, i)<<1, 1+n.op.Bits)
	}
	a.linef("}")
	a.linef("buf, pos, w, n = genrt.Put(buf, pos, w, n, %s, %s)", x, width)
	a.least, a.most = 0, 63
}

// align prints the padding up to the next byte, and makes room for size bytes
// there. If they are at least 8, they overwrite the rest of the incomplete word.
func (a *appender) align(size int) {
	if size < 8 {
		a.linef("buf, pos = genrt.Align(buf, pos, %s, %d)", a.known(), size)
		return
	}
	bytes := "int(n+7) >> 3"
	if a.fill != unknown {
		bytes = fmt.Sprint((a.fill + 7) / 8)
	}
	if !a.bounded() {
		a.linef("if need := %s + %d; len(buf)-pos < need {\nbuf = genrt.Grow(buf, pos, need)\n}", bytes, size)
	}
	if a.fill != 0 {
		a.linef("binary.LittleEndian.PutUint64(buf[pos:], w)")
		a.linef("pos += %s", bytes)
	}
}

// bit writes a bit and opens the statement that tests it.
func (a *appender) bit(n *node, cond string) {
	c := a.newLocal("c")
	a.linef("%s := genrt.Bit(%s)", c, cond)
	a.slots = append(a.slots, slot{c, 1, n})
	a.segment()
	a.update()
	a.linef("if %s != 0 {", c)
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
		a.usesN = true
		a.linef("if need := int((uint64(n) + uint64(len(%s))*%d) >> 6 << 3); len(buf)-pos < need {", list, bits)
		a.linef("buf = genrt.Grow(buf, pos, need)\n}")
	}
	if group := groupSize(n.body, bits, fixed); group > 1 {
		rest := a.newLocal("s")
		a.linef("%s := %s[:]", rest, indexed(list))
		list = rest
		words := group*bits%64 == 0 // then the fill is the same in each turn
		if !words {
			a.forget()
			a.least, a.most = 0, 63
		}
		a.linef("for len(%s) >= %d {", rest, group)
		for k := range group {
			a.nodes(a.elementAt(n, fmt.Sprintf("%s[%d]", rest, k)))
		}
		a.segment()
		a.linef("%s = %s[%d:]", rest, rest, group)
		a.linef("}")
	}
	a.forget()
	i := a.newLocal("i")
	a.linef("for %s := range %s {", i, list)
	a.linef("%s := &%s[%s]", n.elem, indexed(list), i)
	a.enter(n, indexed(list), i)
	a.repeat(n.body)
	a.linef("}")
	a.roomy = false
}

// term returns the expression of a code that is moved by shift bits, to the left
// if it is positive.
func term(code string, shift int) string {
	switch {
	case shift > 0:
		return fmt.Sprintf("%s<<%d", code, shift)
	case shift < 0:
		return fmt.Sprintf("%s>>%d", code, -shift)
	}
	return code
}

// width returns the number of bits of the slots.
func (a *appender) width() (bits int) {
	for i := range a.slots {
		bits += a.slots[i].width
	}
	return bits
}

// pack prints the codes of the slots, which start at bit fill of a word. It calls
// store with the expression of each word that is full, and returns that of the
// last bits. If fill is not 0, w is the first term of the first word.
func (a *appender) pack(fill int, store func(i int, word string)) string {
	var terms []string
	if fill > 0 {
		terms = append(terms, "w")
	}
	at, full := fill, 0
	for _, s := range a.slots {
		if s.code == "" {
			s.code = a.newLocal("c")
			if code := s.node.op.Code; code == plan.CodeFloat32 || code == plan.CodeFloat64 {
				a.quantize(s.node, s.code)
			} else {
				a.linef("%s := %s", s.code, a.code(s.node))
				a.writeCheck(s.node, s.code)
			}
		}
		if s.width == 0 {
			continue
		}
		terms = append(terms, term(s.code, at))
		if at += s.width; at >= 64 {
			store(full, strings.Join(terms, " | "))
			full++
			at -= 64
			terms = nil
			if at > 0 {
				terms = append(terms, term(s.code, at-s.width))
			}
		}
	}
	a.slots = a.slots[:0]
	return strings.Join(terms, " | ")
}

// segment prints the slots.
func (a *appender) segment() {
	if len(a.slots) == 0 {
		return
	}
	a.linef("%s", describe(a.slots, "the next"))
	if a.fill == unknown {
		a.unknownSegment()
		return
	}
	bits := a.fill + a.width()
	var b string
	if full := bits / 64; full > 0 {
		b = a.array(full * 8)
	}
	rest := a.pack(a.fill, func(i int, word string) {
		a.linef("binary.LittleEndian.PutUint64(%s[%d:], %s)", b, 8*i, word)
	})
	if full := bits / 64; full > 0 {
		a.linef("pos += %d", 8*full)
	}
	if rest != "" {
		a.linef("w = %s", rest)
	}
	a.fill = bits % 64
}

// unknownSegment prints the slots after an unknown number of bits.
func (a *appender) unknownSegment() {
	a.usesN, a.begun = true, true
	bits := a.width()
	least, most := a.least+bits, a.most+bits
	if most >= 64 && !a.roomy && !a.bounded() {
		a.linef("if need := int(n+%d) >> 6 << 3; len(buf)-pos < need {\nbuf = genrt.Grow(buf, pos, need)\n}", bits)
	}
	full, b := bits/64, ""
	if full > 1 {
		b = a.newLocal("b")
		a.linef("%s := (*[%d]byte)(buf[pos:])", b, 8*full)
	}
	rest := a.pack(0, func(i int, word string) {
		code := a.named(word)
		if b != "" {
			a.linef("binary.LittleEndian.PutUint64(%s[%d:], w|%s<<(n&63))", b, 8*i, code)
		} else {
			a.linef("binary.LittleEndian.PutUint64(buf[pos:], w|%s<<(n&63))", code)
			a.linef("pos += 8")
		}
		a.linef("w = %s >> 1 >> (^n & 63)", code)
	})
	if b != "" {
		a.linef("pos += %d", 8*full)
	}
	if width := bits % 64; width > 0 {
		code := a.named(rest)
		a.linef("w |= %s << (n & 63)", code)
		if a.most+width < 64 {
			a.linef("n += %d", width)
		} else {
			a.linef("if n += %d; n >= 64 {", width)
			a.linef("binary.LittleEndian.PutUint64(buf[pos:], w)")
			a.linef("pos += 8")
			a.linef("n -= 64")
			a.linef("w = %s >> ((%d - n) & 63)", code, width)
			a.linef("}")
		}
	}
	if a.least, a.most = least%64, most%64; least/64 != most/64 {
		a.least, a.most = 0, 63
	}
}

// named returns a local variable with the value of an expression, or the
// expression if it is a variable.
func (a *appender) named(expr string) string {
	if !strings.Contains(expr, " ") && !strings.Contains(expr, "<") {
		return expr
	}
	x := a.newLocal("x")
	a.linef("%s := %s", x, expr)
	return x
}

// array makes a local variable with the next size bytes of the buffer, and
// returns its name.
func (a *appender) array(size int) string {
	if a.begun && (a.bounded() || a.roomy) {
		// there is room
	} else if a.begun {
		a.linef("if len(buf)-pos < %d {\nbuf = genrt.Grow(buf, pos, %d)\n}", size, size)
	} else {
		a.first, a.begun = size, true
	}
	b := a.newLocal("b")
	a.linef("%s := (*[%d]byte)(buf[pos:])", b, size)
	return b
}

// finish prints the last slots and the end of the function. The number of bits is
// known.
func (a *appender) finish() {
	if len(a.slots) > 0 {
		a.linef("%s", describe(a.slots, "the last"))
	}
	bits := a.fill + a.width()
	size := (bits + 7) / 8
	b := ""
	if size > 0 {
		b = a.array(size)
	}
	word := a.pack(a.fill, func(i int, word string) {
		a.linef("binary.LittleEndian.PutUint64(%s[%d:], %s)", b, 8*i, word)
	})
	if left := size % 8; bits%64 > 56 {
		a.linef("binary.LittleEndian.PutUint64(%s[%d:], %s)", b, size-8, word)
	} else if left > 0 {
		word = a.named(word)
		a.tail(b, size-left, left, word)
	}
	a.linef("return buf[:pos+%d], %d, true", size, 8*size-bits)
}

// tail prints the stores of the low bytes of a word.
func (a *appender) tail(b string, at, left int, word string) {
	shift := 0
	for _, part := range []struct {
		bytes int
		name  string
	}{{4, "Uint32"}, {2, "Uint16"}, {1, ""}} {
		if left < part.bytes {
			continue
		}
		x := word
		if shift > 0 {
			x = fmt.Sprintf("%s>>%d", word, shift)
		}
		if part.bytes == 1 {
			a.linef("%s[%d] = byte(%s)", b, at, x)
		} else {
			a.linef("binary.LittleEndian.Put%s(%s[%d:], u%s(%s))", part.name, b, at, part.name[1:], x)
		}
		left -= part.bytes
		at += part.bytes
		shift += 8 * part.bytes
	}
}

// maxReserved is the largest maximum of a message, in bytes, for which all room is
// made at the start. Most buffers have more.
const maxReserved = 512

// bounded reports whether there is room for the longest message from the start.
func (a *appender) bounded() bool { return a.pl.MaxBits <= 8*maxReserved }

package generator

import (
	"fmt"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
)

// reader prints the function that reads the message of a value. While the bit
// where it is is known, it is in at, and the local variable bit is not up to date.
type reader struct {
	printer
	at    int // the next bit, or unknown
	phase int // if at is unknown, the last three bits of bit, or unknown
	least int // smallest size of a message in bytes, and at least 8
	slots []slot
	rest  string // the bits that the values after the innermost block need

	covered bool // the data has all bits of the loop

	// A segment of many bits that starts at an unknown one has a window of bytes,
	// in windowed, that all belong to it. It starts shift bits after the first, or at
	// the phase if that is known.
	window          int
	windowed, shift string
}

const readFails = "return 0, false"

// body prints the nodes of a function and the end of it.
func (r *reader) body(list []node) {
	r.rest = "0"
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
	case nodeIf:
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
	case nodeOptional:
		c := r.bit(n)
		zero, _ := r.zero(n.body)
		r.linef("if %s != 0 {", c)
		r.branch(func() { r.inside(n.body) })
		if r.checksPresence(n) {
			r.refuse("%s", zero)
		}
		r.linef("} else {\n%s\n}", clearing(n))
	case nodePointer:
		c := r.bit(n)
		r.linef("if %s != 0 {", c)
		r.covers("1", n)
		r.linef("%s := genrt.Target(&%s)", n.elem, addressable(n.value))
		r.branch(func() { r.deeper(n, "", "") })
		r.linef("} else {\n%s = nil\n}", n.value)
	case nodeArray:
		r.segment()
		r.forget()
		if bits, fixed := fixedBits(n.body); fixed && bits > 0 {
			r.refuse("end-bit < %d", bits*n.op.Count)
		}
		r.loop(n, n.value, fmt.Sprint(n.op.Count))
	case nodeSlice:
		c := r.newLocal("c")
		r.slots = append(r.slots, slot{c, int(n.op.Bits), n})
		r.segment()
		r.forget()
		count := r.newLocal("n")
		r.linef("%s := int(%s)", count, offset(c, n.op.Bias))
		r.covers(count, n)
		list := r.newLocal("s")
		r.linef("%s := %s", list, n.value)
		r.linef("if len(%s) != %s || cap(%s) > %d {", list, count, list, n.op.KeepCapacity)
		r.linef("%s = genrt.Resize(%s, %s, %d)", list, list, count, n.op.KeepCapacity)
		r.linef("%s = %s\n}", n.value, list)
		r.loop(n, list, count)
	case nodeText:
		r.segment()
		r.forget()
		r.linef("// %s: %d bits of length, padding, the bytes", n.path, n.op.Bits)
		r.linef("if bit = genrt.ReadText(data, bit, end, %s, %d, %d, %d, %t); bit < 0 {\n%s\n}",
			stringPointer(n), n.op.Bias, n.op.Span, n.op.Bits, isText(n), readFails)
		r.phase = 0
	case nodeRaw:
		r.segment()
		r.forget()
		r.linef("// %s: padding, %d bytes", n.path, n.op.Count)
		r.align(8 * n.op.Count)
		r.linef("%s = [%d]byte(data[bit>>3:])", n.value, n.op.Count)
		r.skip(8 * n.op.Count)
	case nodeAlign:
		r.segment()
		r.forget()
		r.align(0)
	case nodeVarint:
		r.segment()
		r.forget()
		x := r.newLocal("x")
		to, _ := r.names.typeName(n.typ)
		r.linef("var %s uint64", x)
		r.linef("if %s, bit = genrt.ReadVarint(data, bit, end, %t); bit < 0 || uint64(%s(%s)) != %s {\n%s\n}", x, n.op.Flags&plan.FlagSigned != 0, to, x, x, readFails)
		r.linef("%s = %s(%s)", n.value, to, x)
	case nodeRelative:
		r.segment()
		r.forget()
		before, x := r.previous(n), r.newLocal("x")
		to, _ := r.names.typeName(n.typ)
		rel := &r.pl.Relatives[n.op.Aux]
		r.linef("var %s int64", x)
		r.linef("if %s, bit = genrt.ReadRelative(data, bit, end, %s, %d, %d); bit < 0 {\n%s\n}", x, before, rel.Min, rel.Max, readFails)
		r.linef("%s = %s(%s)", n.value, to, x)
		r.phase = unknown
	case nodeCommon:
		r.common(n)
		r.phase = unknown
	case nodePart:
		r.segment()
		r.forget()
		r.linef("// %s", r.partComment(n))
		r.linef("if bit = genrt.ReadPart(&%s, %d, c, %s, all, bit, %s); bit < 0 {\n%s\n}", r.variable, n.part, n.base, r.rest, readFails)
		r.phase = unknown
	default:
		panic("generator: no way to read a node")
	}
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
		r.linef("if bit = genrt.ReadAlign(data, bit); bit < 0%s {\n%s\n}", check, readFails)
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

// loop prints the loop over the elements of an array or a slice. If all elements
// have the same number of bits, the data has been checked to have them, and small
// ones share loads.
func (r *reader) loop(n *node, list, count string) {
	bits, fixed := fixedBits(n.body)
	r.covered = fixed
	if !fixed || bits%8 != 0 {
		r.phase = unknown
	}
	i := r.newLocal("i")
	if group := groupSize(n.body, bits, fixed); group > 1 {
		r.groups(n, indexed(list), i, group, bits)
		r.linef("for ; %s < len(%s); %s++ {", i, indexed(list), i)
	} else {
		r.linef("for %s := range %s {", i, list)
	}
	r.linef("%s := &%s[%s]", n.elem, indexed(list), i)
	r.enter(n, indexed(list), i)
	r.deeper(n, i, count)
	r.linef("}")
	r.covered = false
	if !fixed {
		r.phase = unknown
	}
}

// groups prints a loop that reads groups of elements as long as the data has the
// bytes that the loads of a group touch. i is the index of the first remaining
// element.
func (r *reader) groups(n *node, list, i string, group, bits int) {
	r.windowed = r.newLocal("b")
	size := group * bits
	r.linef("%s, %s := 0, data[min(bit>>3, len(data)):]", i, r.windowed)
	if r.phase != unknown {
		r.window = max(8, (r.phase+size+7)/8)
	} else {
		r.shift = r.newLocal("s")
		r.window = (size-1)/8 + 8
		r.linef("%s := uint(bit & 7)", r.shift)
	}
	r.linef("for ; %s < len(%s)-%d && len(%s) >= %d; %s += %d {", i, list, group-1, r.windowed, r.window, i, group)
	for k := range group {
		r.nodes(r.elementAt(n, list+"["+offset(i, uint64(k))+"]"))
	}
	r.segment()
	if size%8 == 0 {
		r.linef("%s = %s[%d:]", r.windowed, r.windowed, size/8)
	} else {
		r.linef("%s = %s[(%s+%d)>>3:]", r.windowed, r.windowed, r.shift, size)
		r.linef("%s = (%s + %d) & 7", r.shift, r.shift, size)
	}
	r.linef("}")
	r.window = 0
}

// bit reads a bit, and returns the local variable that has it.
func (r *reader) bit(n *node) string {
	c := r.newLocal("c")
	r.slots = append(r.slots, slot{c, 1, n})
	r.segment()
	r.forget()
	return c
}

// covers prints the check that the data has the smallest size of n elements and of
// all that follows them.
func (r *reader) covers(n string, of *node) {
	each := r.pl.Elems[of.op.Aux].MinBits
	left := "end-bit"
	if rest := r.restAfter(of); rest != "0" {
		left += "-(" + rest + ")"
	}
	switch most := of.op.Bias + of.op.Span; {
	case n == "1":
		r.refuse("%s < %d", left, each)
	case most < 1<<30 && uint64(each) < 1<<30/max(1, most): // the product fits in 32 bits
		r.refuse("%s < %d*%s", left, each, n)
	default:
		r.refuse("!genrt.Covers(%s, %s, %d)", left, n, each)
	}
}

// restAfter returns the expression of the bits that the values after a block
// need.
func (r *reader) restAfter(n *node) string {
	switch rest := int(n.op.Rest); {
	case rest == 0:
		return r.rest
	case r.rest == "0":
		return fmt.Sprint(rest)
	default:
		return fmt.Sprintf("%s+%d", r.rest, rest)
	}
}

// deeper prints the body of a block. i and count are the index of the element and
// the number of elements, or "" for a pointer.
func (r *reader) deeper(n *node, i, count string) {
	outer := r.rest
	if hasBlocks(n.body) {
		rest := r.restAfter(n)
		if i != "" {
			rest += fmt.Sprintf("+(%s-1-%s)*%d", count, i, r.pl.Elems[n.op.Aux].MinBits)
		}
		if r.rest = rest; strings.ContainsAny(rest, "*") {
			r.rest = r.newLocal("rest")
			r.linef("%s := %s", r.rest, rest)
		}
	}
	r.inside(n.body)
	r.rest = outer
}

// checksPresence reports whether an optional value that is zero must be absent.
func (r *reader) checksPresence(n *node) bool {
	return r.pl.Ops[n.op.End-1].Code == plan.CodePresent
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

// stringPointer returns the pointer to the string of a node.
func stringPointer(n *node) string {
	p := "&" + addressable(n.value)
	if n.value[0] == '*' {
		p = n.value[1:]
	}
	if n.typ.PkgPath() == "" {
		return p
	}
	return "(*string)(" + p + ")"
}

// segment prints the slots. The codes of each load are checked before their values
// are stored.
func (r *reader) segment() {
	if len(r.slots) == 0 {
		return
	}
	all, bits := r.slots, 0
	for _, s := range all {
		bits += s.width
	}
	r.linef("%s", describe(all, "the next"))
	if r.at == unknown {
		if bits > 0 && !r.covered {
			r.refuse("end-bit < %d", bits)
		}
		if r.window == 0 && (bits >= 16*8 || r.phase != unknown && r.phase+bits > 56) {
			r.windowed = r.newLocal("b")
			r.window = bits / 8
			if r.phase != unknown {
				r.window = (r.phase + bits + 7) / 8
			}
			r.linef("%s := (*[%d]byte)(data[bit>>3:])", r.windowed, r.window)
			if r.phase == unknown {
				r.shift = r.newLocal("s")
				r.linef("%s := uint(bit & 7)", r.shift)
			}
			defer func() { r.window = 0 }()
		}
	}
	r.loads()
	r.skip(bits)
	r.slots = nil
}

// store prints the checks of the codes of slots, and then the stores of their
// values.
func (r *reader) store(slots []slot) {
	for _, s := range slots {
		switch n := s.node; n.kind {
		case nodeField:
			r.readCheck(n, s.code)
		case nodeSlice:
			r.checkSpan(s.code, n.op.Span, s.width)
		}
	}
	vectors := r.vectors(slots)
	for _, s := range slots {
		if n := s.node; n.vector != nil {
			for i, x := range n.vector {
				to := "float32"
				if n.op.Size == 8 {
					to = "float64"
				}
				r.linef("%s = %s(%s[%d])", x, to, vectors[s.code], i)
			}
		} else if n.bytes {
			r.linef("binary.LittleEndian.PutUint64(%s, %s)", n.value, s.code)
		} else if n.kind == nodeField && n.op.Code != plan.CodeConst {
			r.linef("%s = %s", n.value, r.valueOf(n, s.code))
		}
	}
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
	r.linef("// %s: 1 bit, then %d bits of a listed value or %d bits", n.path, n.op.Bits, field.op.Bits)
	x, c := r.newLocal("x"), r.newLocal("c")
	values := r.pl.Commons[n.op.Aux]
	r.refuse("end-bit < 1")
	r.linef("if %s := genrt.Load(data, bit); %s&1 != 0 {", x, x)
	r.refuse("end-bit < %d", 1+n.op.Bits)
	r.linef("switch %s {", extract(x, 1, int(n.op.Bits), false))
	for i := range values {
		value, _ := listed(field, &values[i])
		r.linef("case %d:\n%s = %s", commonIndex(values, i), field.value, value)
	}
	r.linef("default:\n%s\n}", readFails)
	r.linef("bit += %d", 1+n.op.Bits)
	r.linef("} else {")
	r.refuse("end-bit < %d", 1+field.op.Bits)
	r.linef("%s := %s", c, extract(x, 1, int(field.op.Bits), false))
	codes := make([]string, len(values))
	for i := range values {
		codes[i] = fmt.Sprint(values[i].Code)
	}
	r.linef("switch %s {\ncase %s:\n%s\n}", c, strings.Join(codes, ", "), readFails)
	r.checkSpan(c, field.op.Span, int(field.op.Bits))
	r.linef("%s = %s", field.value, r.valueOf(field, c))
	r.linef("bit += %d\n}", 1+field.op.Bits)
}

// loads prints the loads of the slots' codes, and what is done with them.
func (r *reader) loads() {
	at := 0
	for i := 0; i < len(r.slots); {
		s := r.slots[i]
		if s.width == 0 {
			r.linef("%s := uint64(0)", s.code)
			r.store(r.slots[i : i+1])
			i++
			continue
		}
		word, from, size := r.load(at)
		if at+s.width > from+size { // a code that one load does not cover
			r.linef("%s := %s", s.code, extract(word, at-from, 32, false))
			high, from, size := r.load(at + 32)
			r.linef("%s |= %s << 32", s.code, extract(high, at+32-from, s.width-32, at+s.width == from+size))
			at += s.width
			r.store(r.slots[i : i+1])
			i++
			continue
		}
		x, first := r.newLocal("x"), i
		r.linef("%s := %s", x, word)
		for ; i < len(r.slots) && r.slots[i].width > 0 && at+r.slots[i].width <= from+size; i++ {
			s := r.slots[i]
			r.linef("%s := %s", s.code, extract(x, at-from, s.width, at-from+s.width == 64))
			at += s.width
		}
		r.store(r.slots[first:i])
	}
}

// load returns the expression of a word with the bits of the segment from at on.
// The word has size bits, of which the first is bit from of the segment.
func (r *reader) load(at int) (word string, from, size int) {
	if r.at == unknown && r.phase != unknown && r.window > 0 {
		first := min((r.phase+at)/8, r.window-8)
		return fmt.Sprintf("binary.LittleEndian.Uint64(%s[%d:])", r.windowed, first), 8*first - r.phase, 64
	}
	if r.at == unknown {
		if first := at / 8; first+8 <= r.window {
			word = fmt.Sprintf("binary.LittleEndian.Uint64(%s[%d:]) >> (%s & 63)", r.windowed, first, r.shift)
			if at%8 > 0 {
				word = fmt.Sprintf("binary.LittleEndian.Uint64(%s[%d:]) >> ((%s + %d) & 63)", r.windowed, first, r.shift, at%8)
			}
			return word, at, 57 - at%8
		}
		if at == 0 {
			return "genrt.Load(data, bit)", at, 57
		}
		return fmt.Sprintf("genrt.Load(data, bit+%d)", at), at, 57
	}
	first := min((r.at+at)/8, r.least-8)
	return fmt.Sprintf("binary.LittleEndian.Uint64(b[%d:])", first), 8*first - r.at, 64
}

// extract returns the expression of width bits of a word. last says that no
// further bits follow in the word.
func extract(word string, shift, width int, last bool) string {
	if shift > 0 {
		word = fmt.Sprintf("%s >> %d", word, shift)
	}
	if last || width == 64 {
		return word
	}
	return fmt.Sprintf("%s & %s", word, hex(1<<width-1))
}

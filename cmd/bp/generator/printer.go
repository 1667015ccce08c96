package generator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan/tree"
)

// printer prints a function. Its methods for both directions share the numbers of
// local variables.
type printer struct {
	*builder
	out   strings.Builder
	local int // number of the last local variable

	loops map[string]loop // by the variable that points to the element

	fails string // the statement that leaves the message to the engine
}

// loop is a loop over elements.
type loop struct{ list, index string }

// enter makes the loop over the elements of a node known.
func (p *printer) enter(n *node, list, index string) {
	if p.loops == nil {
		p.loops = map[string]loop{}
	}
	p.loops[n.elem] = loop{list, index}
}

// previous returns the expression of the previous integer of an int_relative.
func (p *printer) previous(n *node) string {
	if n.before != "" {
		return n.before
	}
	elem, field, _ := strings.Cut(strings.TrimPrefix(n.value, "*"), ".")
	if field != "" {
		field = "." + field
	}
	in := p.loops[elem]
	before := p.newLocal("x")
	p.linef("%s := int64(%d)", before, n.Relative.Base)
	if in.index != "" {
		p.linef("if %s > 0 {\n%s = int64(%s[%s-1]%s)\n}", in.index, before, in.list, in.index, field)
	}
	return before
}

// checkDepth prints the check that the depth limit allows all values of unions that
// the nodes have inside of one another.
func (p *printer) checkDepth(list []node) {
	if n := levels(list); n > 0 {
		p.refuse("!genrt.DepthAllows(c, %d)", n)
	}
}

// commonIndex returns the code of listed value i. With two values, that of the
// first is 1.
func commonIndex(values []tree.Value, i int) int {
	if len(values) == 2 {
		return 1 - i
	}
	return i
}

// linef prints a line.
func (p *printer) linef(format string, args ...any) {
	fmt.Fprintf(&p.out, format, args...)
	p.out.WriteByte('\n')
}

// newLocal returns the name of a new local variable. It must be reserved.
func (p *printer) newLocal(prefix string) string {
	p.local++
	name := fmt.Sprintf("%s%d", prefix, p.local)
	if !local.MatchString(name) {
		panic("generator: a package may declare " + name)
	}
	return name
}

// slot is a place for a code in a segment.
type slot struct {
	code  string // the local variable with the code, or "" if there is none yet
	width int
	node  *node // the field, or the node whose bit, count or index it is
}

// slotNames says what the slot of a node is that is no field, after the path.
var slotNames = map[tree.Kind]string{
	tree.KindOptional: "?", tree.KindPointer: "?",
	tree.KindSlice: " count", tree.KindMap: " count", tree.KindSubset: " count", tree.KindBytes: " count",
	tree.KindUnion: " type",
}

// maxNamed is the largest number of slots that a comment names.
const maxNamed = 8

// describe returns the comment for a segment.
func describe(slots []slot, from string) string {
	var list []string
	bits := 0
	for i := range slots {
		bits += slots[i].width
		n := slots[i].node
		switch {
		case len(list) > maxNamed:
		case len(list) == maxNamed:
			list = append(list, "...")
		case n.Kind == tree.KindConst:
			list = append(list, fmt.Sprintf("constant %d", slots[i].width))
		default:
			list = append(list, fmt.Sprintf("%s%s %d", n.path, slotNames[n.kind], slots[i].width))
		}
	}
	if bits == 1 {
		return fmt.Sprintf("// %s bit: %s", from, strings.Join(list, ", "))
	}
	return fmt.Sprintf("// %s %d bits: %s", from, bits, strings.Join(list, ", "))
}

// refuse prints the statement that leaves the message to the engine if a condition
// holds, which may follow an assignment. Each check is a branch of its own, because
// branches that are never taken cost less than collecting the results.
func (p *printer) refuse(format string, args ...any) {
	p.linef("if %s {\n%s\n}", fmt.Sprintf(format, args...), p.fails)
}

// quantize prints the code of a quantized float. Values out of range are rare, but
// they are clamped without a call, which would make the compiler keep all variables
// in memory.
func (p *printer) quantize(n *node, code string) {
	q := n.quantizer()
	x := p.newLocal("x")
	p.linef("%s := %s", x, q.scaled())
	p.linef("%s := uint64(int64(%s))", code, x)
	p.linef("if genrt.Outside%d(%s, %s) {", q.size, x, q.limit())
	p.linef("%s = genrt.Clamp%d(%s, %s, %d)", code, q.size, q.value, q.text(q.min), q.steps)
	p.refuse("%s == genrt.Wrong", code)
	p.linef("}")
}

// writeCheck prints the check of a field's value before it is written as code.
func (p *printer) writeCheck(n *node, code string) {
	if n.eight {
		p.checkBytes(n, code)
		return
	}
	switch n.Kind {
	case tree.KindConst, tree.KindBool, tree.KindHalf:
	case tree.KindFloat32, tree.KindFloat64, tree.KindAngle:
		p.refuse("%s == genrt.Wrong", code)
	default:
		if n.partial() {
			p.refuse("%s > %s", offset("uint64("+n.value+")", 1<<(n.Bits-1)), hex(1<<n.Bits-1))
			return
		}
		p.checkSpan(code, n.Span, 8*int(n.op.Size))
	}
}

// readCheck prints the check of a code that has been read.
func (p *printer) readCheck(n *node, code string) {
	if n.Kind == tree.KindConst {
		p.refuse("%s != %s", code, hex(n.Min))
		return
	}
	if n.eight {
		p.checkBytes(n, code)
		return
	}
	p.checkSpan(code, n.Span, n.Bits)
}

// checkBytes prints the check that each of 8 bytes is at most the span, which is
// at least 128. A greater byte has its high bit set, and adding 255-span to its low
// bits sets that bit too.
func (p *printer) checkBytes(n *node, code string) {
	const ones = 0x0101010101010101
	if span := n.Span; span < 255 {
		p.refuse("(%s&%#x+%#x)&%s&%#x != 0", code, uint64(0x7F*ones), (255-span)*ones, code, uint64(0x80*ones))
	}
}

// checkSpan prints the check that a code is at most span, unless no code of the
// given width is greater.
func (p *printer) checkSpan(code string, span uint64, width int) {
	if width > 0 && span != ^uint64(0)>>(64-width) {
		p.refuse("%s > %d", code, span)
	}
}

// fixedBits returns the number of bits of nodes that are all fields.
func fixedBits(list []node) (bits int, ok bool) {
	for i := range list {
		if list[i].kind != nodeField {
			return 0, false
		}
		bits += list[i].width()
	}
	return bits, true
}

// The largest group of elements that one turn of a loop handles, and the largest
// number of fields in it.
const (
	maxGroup  = 8
	maxFields = 16
)

// groupSize returns the number of elements that one turn of a loop handles
// together, so that they share words.
func groupSize(body []node, bits int, fixed bool) int {
	if !fixed || bits == 0 || bits > 32 {
		return 1
	}
	return min(64/bits, maxGroup, max(1, maxFields/len(body)))
}

// elementAt returns the body of a loop for the element with the given expression.
func (p *printer) elementAt(n *node, element string) []node {
	list := slices.Clone(n.body)
	for i := range list {
		field := &list[i]
		if field.value == "*"+n.elem {
			field.value = element
		} else {
			field.value = element + strings.TrimPrefix(field.value, n.elem)
		}
		field.vector = slices.Clone(field.vector)
		for k, x := range field.vector {
			field.vector[k] = element + strings.TrimPrefix(x, n.elem)
		}
	}
	return list
}

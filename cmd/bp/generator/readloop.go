package generator

import (
	"fmt"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan/tree"
)

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
	outer := r.enterBlock(n, i, count)
	r.inside(n.body)
	r.rest = outer
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
	r.linef("%s, %s := 0, genrt.From(data, bit)", i, r.windowed)
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

// covers prints the check that the data has count elements of the smallest size, at
// most as many as the node allows, and the bits of rest.
func (r *reader) covers(count string, n *node, each int, rest string) {
	left := "end-bit"
	switch {
	case strings.Contains(rest, "+"):
		left += "-(" + rest + ")"
	case rest != "0":
		left += "-" + rest
	}
	switch most := n.Min + n.Span; {
	case count == "1":
		r.refuse("%s < %d", left, each)
	case most < 1<<30 && uint64(each) < 1<<30/max(1, most): // the product fits in 32 bits
		r.refuse("%s < %d*%s", left, each, count)
	default:
		r.refuse("!genrt.Covers(%s, %s, %d)", left, count, each)
	}
}

// restAfter returns the expression of the bits that the values after a block
// need.
func (r *reader) restAfter(n *node) string {
	switch rest := n.Rest; {
	case rest == 0:
		return r.rest
	case r.rest == "0":
		return fmt.Sprint(rest)
	default:
		return fmt.Sprintf("%s+%d", r.rest, rest)
	}
}

// enterBlock sets rest for the body of a block, and returns the rest to set after
// it. i and count are the index of the element and the number of elements, or ""
// for a pointer or a member of a union.
func (r *reader) enterBlock(n *node, i, count string) (outer string) {
	outer = r.rest
	if !usesRest(n.body) && !(n.kind == tree.KindSubset && n.By == "") {
		return outer
	}
	r.rest = r.restAfter(n)
	each := n.Least
	if n.kind == tree.KindSubset {
		each = n.presenceBits()
	}
	if i != "" && each > 0 {
		rest := r.newLocal("rest")
		later := fmt.Sprintf("(%s-1-%s)*%d", count, i, each)
		if r.rest != "0" {
			later = r.rest + "+" + later
		}
		r.linef("%s := %s", rest, later)
		r.rest = rest
	}
	return outer
}

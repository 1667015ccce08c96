package tree

import (
	"fmt"
	"reflect"
	"strings"
)

// node appends the normal form of a node to list. The hash covers it.
func (n *normalizer) node(list []line, x *Node) []line {
	switch x.Kind {
	case KindBool, KindInt:
		return n.integer(list, x)
	case KindFloat, KindFloat32, KindFloat64, KindHalf, KindAngle, KindQuat, KindQuatSign, KindUnit,
		KindVarint, KindExpGolomb, KindConst, KindAlign, KindLink:
		return n.leaf(list, x, x.Text())
	case KindWide:
		return n.wide(list, x)
	case KindRelative:
		return n.relative(list, x)
	case KindBytes, KindString:
		return n.bytes(list, x)
	case KindWString:
		if x.Span == 0 && !n.listed {
			return list
		}
		return n.leaf(list, x, x.Text())
	case KindBinary, KindCustom:
		return n.custom(list, x)
	case KindIf:
		return n.conditional(list, x)
	case KindOptional:
		return n.unlessZero(list, x)
	case KindCommon, KindHuffman:
		n.listed = true
		body := n.sequence(nil, x.Children)
		n.listed = false
		return n.enclose(list, x, x.values(), body)
	case KindRunLength:
		return n.runLength(list, x)
	case KindScale:
		return n.enclose(list, x, "scale", n.sequence(nil, x.Children))
	case KindArray:
		return n.repeat(list, x)
	case KindSlice:
		if x.Span == 0 {
			return n.repeat(list, x)
		}
		return n.block(list, x, x.Text())
	case KindMap:
		return n.mapping(list, x)
	case KindSubset:
		if x.Min+x.Span == 0 {
			return list
		}
		return n.block(list, x, x.textSubset(x.Span == 0))
	case KindMatrix, KindPointer:
		return n.block(list, x, x.Text())
	case KindUnion:
		return n.calls(list, x, "union")
	case KindCall:
		return n.calls(list, x, headCall)
	}
	panic("tree: no normal form of kind " + string(x.Kind))
}

// line returns the line of a node that occurs count times.
func (n *normalizer) line(x *Node, count int, head string, body []line) line {
	l := line{n: uint64(count), head: head, body: body}
	if n.named {
		l.names = []*Node{x}
	}
	return l
}

// leaf appends the values of a node, each described by head.
func (n *normalizer) leaf(list []line, x *Node, head string) []line {
	n.notes[x.Op].leaf = n.leaves
	if head != headAlign {
		n.leaves += uint64(x.Count)
	}
	return n.add(list, n.line(x, x.Count, head, nil))
}

// enclose appends a node with a body whose leaves count in the same block.
func (n *normalizer) enclose(list []line, x *Node, head string, body []line) []line {
	return n.add(list, n.line(x, 1, head, body))
}

// integer appends bools and integers. A constant has no bits, and is dropped where
// nothing depends on it.
func (n *normalizer) integer(list []line, x *Node) []line {
	if x.Bits == 0 && n.drops(x, x.Min == 0) {
		return list
	}
	if x.Kind == KindBool || x.Full && !x.Signed {
		return n.leaf(list, x, fmt.Sprintf("int 0..%d", x.Span))
	}
	return n.leaf(list, x, x.Text())
}

func (n *normalizer) wide(list []line, x *Node) []line {
	w := x.Wide
	if x.Bits == 0 && n.drops(x, w.Min.Lo|w.Min.Hi == 0) {
		return list
	}
	if x.Full && !x.Signed {
		return n.leaf(list, x, fmt.Sprintf("int 0..%v", w.Span))
	}
	return n.leaf(list, x, x.Text())
}

// drops reports whether the value of a node, which has no bits, is left out.
func (n *normalizer) drops(x *Node, zero bool) bool {
	return !n.listed && !n.notes[x.Op].needed && (zero || !n.optional)
}

func (n *normalizer) relative(list []line, x *Node) []line {
	r := x.Relative
	base, to := r.Base, "to"
	switch r.Mode {
	case ToField:
		var known bool
		if base, known = n.previous(x); !known {
			return n.leaf(list, x, fmt.Sprintf("relative %d..%d to %s", r.Min, r.Max, n.back(&r.To)))
		}
	case Chain:
		if !n.lone {
			n.chained, to = true, "chained from"
		}
	default:
	}
	return n.leaf(list, x, fmt.Sprintf("relative %d..%d %s %d", r.Min, r.Max, to, base))
}

// back returns the place of an earlier field, counted back from the next leaf: "back
// 1" is the leaf before.
func (n *normalizer) back(r *Ref) string {
	return fmt.Sprintf("back %d", n.leaves-n.notes[carrier(r.Node).Op].leaf)
}

// bytes appends text and bytes that begin on a byte boundary. Bytes in an array may
// all be zero. Those of a string of a fixed length are never the zero value.
func (n *normalizer) bytes(list []line, x *Node) []line {
	switch {
	case x.Min+x.Span == 0:
		return n.leaf(list, x, headAlign)
	case x.Kind == KindBytes && x.Array && n.optional:
		return n.leaf(list, x, "array of bytes "+x.lengths())
	}
	return n.leaf(list, x, string(x.Kind)+" "+x.lengths())
}

// custom names the type, because nothing else identifies its bits. Readers refuse a
// size that is out of bounds, so the bounds of a Serialize method are part of the
// wire.
func (n *normalizer) custom(list []line, x *Node) []line {
	head := x.Text()
	if x.Kind == KindCustom {
		if x.Min > 0 {
			head += ", not empty"
		}
		if most := int(x.Min + x.Span); most != Unbounded {
			head += fmt.Sprintf(", at most %d bits", most)
		}
	}
	return n.leaf(list, x, head)
}

func (n *normalizer) conditional(list []line, x *Node) []line {
	c := x.Cond
	test, value := [...]string{"==", "!=", "&"}[c.Test], c.Value
	switch n.notes[x.Op].verdict {
	case always:
		return n.sequence(list, x.Children)
	case never:
		return list
	case ifSet:
		test, value = "!=", 0
	case ifClear:
		test, value = "==", 0
	}
	head := fmt.Sprintf("if %s %s %#x", n.back(&c.Ref), test, value)
	body := n.sequence(nil, x.Children)
	if len(body) == 0 {
		return list
	}
	return n.enclose(list, x, head, body)
}

func (n *normalizer) unlessZero(list []line, x *Node) []line {
	outer, head := n.optional, "unless zero"
	if !x.NonZero {
		head = "unless zero, or zero"
	}
	n.optional = true
	body := n.sequence(nil, x.Children)
	n.optional = outer
	return n.enclose(list, x, head, body)
}

// values lists the values of a KindCommon or a KindHuffman, with their Huffman codes
// if there are any. A float comes with its code on the wire.
func (x *Node) values() string {
	kind := x.Children[0].Elem.Kind()
	var list strings.Builder
	list.WriteString(string(x.Kind))
	for i, v := range x.Values {
		text := x.shownValue(i)
		switch {
		case text == "*":
		case kind == reflect.Bool:
			text = fmt.Sprint(v.Mem[0])
		case kind == reflect.Float32, kind == reflect.Float64:
			text = fmt.Sprintf("%#x=%s", v.Code, text)
		}
		if x.Huffman != nil {
			code, width := x.Huffman.Code(i)
			text += fmt.Sprintf("(%d:%#x)", width, code)
		}
		list.WriteString(" " + text)
	}
	return list.String()
}

// inside calls f to normalize the contents of a block. The count of leaves starts at
// zero there. It returns the number of leaves in the block, and whether its
// elements are chained.
func (n *normalizer) inside(optional, lone bool, f func()) (leaves uint64, chained bool) {
	outer := *n
	n.leaves, n.optional, n.lone, n.chained = 0, optional, lone, false
	f()
	leaves, chained = n.leaves, n.chained
	n.leaves, n.optional, n.lone, n.chained = outer.leaves, outer.optional, outer.lone, outer.chained
	return leaves, chained
}

// block appends the block of a node, which counts as one leaf.
func (n *normalizer) block(list []line, x *Node, head string) []line {
	l := n.line(x, 1, head, nil)
	n.inside(false, false, func() { l.body = n.sequence(nil, x.Children) })
	n.leaves++
	return n.add(list, l)
}

// repeat appends the block of an array, or of a slice of a fixed length.
func (n *normalizer) repeat(list []line, x *Node) []line {
	count := int(x.Min)
	if count == 0 {
		return list
	}
	l := n.line(x, count, "", nil)
	leaves, chained := n.inside(n.optional && x.Kind == KindArray, count == 1, func() { l.body = n.sequence(nil, x.Children) })
	if chained {
		l.n, l.head = 1, fmt.Sprintf("array %d", count)
		n.leaves++
	} else {
		n.leaves += uint64(count) * leaves
	}
	return n.add(list, l)
}

// runLength encloses one element.
func (n *normalizer) runLength(list []line, x *Node) []line {
	if x.Min+x.Span == 0 {
		return list
	}
	l := n.line(x, 1, x.Text(), nil)
	n.inside(n.optional, false, func() { l.body = n.sequence(nil, x.Children) })
	l.body[0].n = 1
	n.leaves++
	return n.add(list, l)
}

func (n *normalizer) mapping(list []line, x *Node) []line {
	key, value := line{n: 1, head: "key"}, line{n: 1, head: "value"}
	n.inside(false, false, func() {
		key.body = n.sequence(nil, x.Children[:1])
		value.body = n.sequence(nil, x.Children[1:])
	})
	if x.Bits == 0 && (x.Min == 0 || len(key.body)+len(value.body) == 0) {
		return list
	}
	n.leaves++
	return n.add(list, n.line(x, 1, x.Text(), []line{key, value}))
}

// calls appends a node that stands for other parts.
func (n *normalizer) calls(list []line, x *Node, head string) []line {
	l := n.line(x, 1, head, nil)
	for _, part := range x.Parts {
		l.calls = append(l.calls, n.called(part))
	}
	n.leaves++
	return n.add(list, l)
}

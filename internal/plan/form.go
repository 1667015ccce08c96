package plan

import (
	"fmt"
	"reflect"
	"strings"
)

// op appends the normal form of op i to list. The hash covers it.
func (n *normalizer) op(list []line, i int) []line {
	op := &n.p.Ops[i]
	switch op.Code {
	case CodeEnd, CodePresent, CodeNext: // they have no bits of their own
		return list
	case CodeBool, CodeUint8, CodeUint16, CodeUint32, CodeUint64, CodeInt8, CodeInt16, CodeInt32, CodeWord:
		return formInt(n, list, i)
	case CodeFloat32, CodeFloat64, CodeHalf, CodeAngle, CodeVector, CodeVarint, CodeExpGolomb, CodeConst, CodeAlign, CodeLink:
		return formLeaf(n, list, i)
	case CodeWide:
		return formWide(n, list, i)
	case CodeRelative:
		return formRelative(n, list, i)
	case CodeBytes, CodeCString, CodeString:
		return formBytes(n, list, i)
	case CodeWString:
		return formWString(n, list, i)
	case CodeBinary, CodeCustom:
		return formCustom(n, list, i)
	case CodeIf:
		return formIf(n, list, i)
	case CodeOptional:
		return formOptional(n, list, i)
	case CodeCommon, CodeHuffman:
		return formListed(n, list, i)
	case CodeRunLength:
		return formRunLength(n, list, i)
	case CodeScale:
		return formScale(n, list, i)
	case CodeArray:
		return formArray(n, list, i)
	case CodeSlice:
		return formSlice(n, list, i)
	case CodeMap:
		return formMap(n, list, i)
	case CodeSubset:
		return formSubset(n, list, i)
	case CodeMatrix, CodePointer:
		return formBlock(n, list, i)
	case CodeUnion:
		return formUnion(n, list, i)
	case CodeCall:
		return formCall(n, list, i)
	}
	panic("plan: no normal form of " + op.Code.String())
}

// leaf appends the values of op i, each described by head.
func (n *normalizer) leaf(list []line, i int, head string) []line {
	op, count := &n.p.Ops[i], uint64(1)
	if op.Code.Values() {
		count = uint64(op.Count)
	}
	n.notes[i].leaf = n.leaves
	if head != headAlign {
		n.leaves += count
	}
	return n.add(list, line{n: count, head: head, names: nameOf(i)})
}

// formLeaf is the form of a value whose line in the text is [Op.Text].
func formLeaf(n *normalizer, list []line, i int) []line {
	return n.leaf(list, i, n.p.Ops[i].Text(n.p))
}

// formInt is the form of bools, raw floats and integers. A constant has no bits,
// and is dropped where nothing depends on it.
func formInt(n *normalizer, list []line, i int) []line {
	op := &n.p.Ops[i]
	if op.Bits == 0 && n.drops(i, op.Bias == 0) {
		return list
	}
	head := fmt.Sprintf("int 0..%d", op.Span)
	switch k := n.p.elemType(op).Kind(); {
	case k == reflect.Bool:
	case k >= reflect.Float32 && k <= reflect.Complex128, op.Flags&FlagFullRange == 0, op.Flags&FlagSigned != 0:
		head = op.Text(n.p)
	}
	return n.leaf(list, i, head)
}

func formWide(n *normalizer, list []line, i int) []line {
	op := &n.p.Ops[i]
	w := n.p.Wides[op.Aux]
	if op.Bits == 0 && n.drops(i, w.Min.Lo|w.Min.Hi == 0) {
		return list
	}
	if op.Flags&(FlagFullRange|FlagSigned) == FlagFullRange {
		return n.leaf(list, i, fmt.Sprintf("int 0..%v", w.Span))
	}
	return formLeaf(n, list, i)
}

// drops reports whether the value of op i, which has no bits, is left out.
func (n *normalizer) drops(i int, zero bool) bool {
	return !n.listed && !n.notes[i].needed && (zero || !n.optional)
}

func formRelative(n *normalizer, list []line, i int) []line {
	r := &n.p.Relatives[n.p.Ops[i].Aux]
	base, to := r.Base, "to"
	switch r.Mode {
	case ToField:
		var known bool
		if base, known = n.previous(r, i); !known {
			return n.leaf(list, i, fmt.Sprintf("relative %d..%d to %s", r.Min, r.Max, n.back(&r.To)))
		}
	case Chain:
		if !n.lone {
			n.chained, to = true, "chained from"
		}
	}
	return n.leaf(list, i, fmt.Sprintf("relative %d..%d %s %d", r.Min, r.Max, to, base))
}

// back returns the place of an earlier field, counted back from the next leaf: "back
// 1" is the leaf before.
func (n *normalizer) back(r *Ref) string {
	return fmt.Sprintf("back %d", n.leaves-n.notes[n.carrier(int(r.Op))].leaf)
}

// formBytes is the form of text and bytes that begin on a byte boundary.
func formBytes(n *normalizer, list []line, i int) []line {
	op := &n.p.Ops[i]
	kind, least, most := "bytes", op.Bias, op.Bias+op.Span
	switch op.Code {
	case CodeBytes:
		least, most = uint64(op.Count), uint64(op.Count)
		if n.optional && op.Count > 0 {
			// Bytes in an array may all be zero. Those of a string of a fixed
			// length are never the zero value.
			kind = "array of bytes"
		}
	case CodeCString:
		kind = "string"
	case CodeString:
		if op.Flags&FlagText != 0 {
			kind = "string"
		}
	}
	if most == 0 {
		return n.leaf(list, i, headAlign)
	}
	return n.leaf(list, i, fmt.Sprintf("%s %d..%d", kind, least, most))
}

func formWString(n *normalizer, list []line, i int) []line {
	if n.p.Ops[i].Span == 0 && !n.listed {
		return list
	}
	return formLeaf(n, list, i)
}

// formCustom names the type, because nothing else identifies its bits. Readers
// refuse a size that is out of bounds, so the bounds of a Serialize method are
// part of the wire.
func formCustom(n *normalizer, list []line, i int) []line {
	op := &n.p.Ops[i]
	head := op.Text(n.p)
	if op.Code == CodeCustom {
		if op.Bias > 0 {
			head += ", not empty"
		}
		if most := int(op.Bias + op.Span); most != Unbounded {
			head += fmt.Sprintf(", at most %d bits", most)
		}
	}
	return n.leaf(list, i, head)
}

func formIf(n *normalizer, list []line, i int) []line {
	op := &n.p.Ops[i]
	c := &n.p.Conds[op.Aux]
	test, value := [...]string{"==", "!=", "&"}[c.Test], c.Value
	switch n.notes[i].verdict {
	case always:
		return n.until(list, i+1, int(op.End))
	case never:
		return list
	case ifSet:
		test, value = "!=", 0
	case ifClear:
		test, value = "==", 0
	}
	head := fmt.Sprintf("if %s %s %#x", n.back(&c.Ref), test, value)
	body := n.until(nil, i+1, int(op.End))
	if len(body) == 0 {
		return list
	}
	return n.add(list, line{n: 1, head: head, body: body, names: nameOf(i)})
}

func formOptional(n *normalizer, list []line, i int) []line {
	op, outer, head := &n.p.Ops[i], n.optional, "unless zero"
	if n.p.Ops[op.End-1].Code != CodePresent {
		head = "unless zero, or zero"
	}
	n.optional = true
	body := n.until(nil, i+1, int(op.End))
	n.optional = outer
	return n.add(list, line{n: 1, head: head, body: body, names: nameOf(i)})
}

func formScale(n *normalizer, list []line, i int) []line {
	body := n.until(nil, i+1, int(n.p.Ops[i].End))
	return n.add(list, line{n: 1, head: "scale", body: body, names: nameOf(i)})
}

// formListed is the form of a CodeCommon or a CodeHuffman.
func formListed(n *normalizer, list []line, i int) []line {
	op := &n.p.Ops[i]
	n.listed = true
	body := n.until(nil, i+1, int(op.End))
	n.listed = false
	return n.add(list, line{n: 1, head: n.p.formValues(op), body: body, names: nameOf(i)})
}

// formValues lists the values of a CodeCommon or a CodeHuffman, with their Huffman
// codes if there are any. A float comes with its code on the wire.
func (p *Plan) formValues(op *Op) string {
	kind := p.elemType(&p.Ops[op.End-1]).Kind()
	values, s := p.listedIn(op), "common"
	if op.Code == CodeHuffman {
		s = "huffman"
	}
	var list strings.Builder
	list.WriteString(s)
	for i := range values {
		text := p.shownValue(op, &values[i])
		switch kind {
		case reflect.Bool:
			text = fmt.Sprint(values[i].Mem[0])
		case reflect.Float32, reflect.Float64:
			text = fmt.Sprintf("%#x=%s", values[i].Code, text)
		}
		if op.Code == CodeHuffman {
			h := &p.Huffmans[op.Aux]
			if i == h.Escape {
				text = "*"
			}
			code, width := h.Code.Code(i)
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

// block appends the block of op i, which counts as one leaf.
func (n *normalizer) block(list []line, i int, head string) []line {
	x := line{n: 1, head: head, names: nameOf(i)}
	n.inside(false, false, func() { x.body = n.sequence(i + 1) })
	n.leaves++
	return n.add(list, x)
}

// formBlock is the form of a block whose line in the text is [Op.Text].
func formBlock(n *normalizer, list []line, i int) []line {
	return n.block(list, i, n.p.Ops[i].Text(n.p))
}

// repeat appends the block of op i count times.
func (n *normalizer) repeat(list []line, i int, count int) []line {
	if count == 0 {
		return list
	}
	x := line{n: uint64(count), names: nameOf(i)}
	array := n.p.Ops[i].Code == CodeArray
	leaves, chained := n.inside(n.optional && array, count == 1, func() { x.body = n.sequence(i + 1) })
	if chained {
		x.n, x.head = 1, fmt.Sprintf("array %d", count)
		n.leaves++
	} else {
		n.leaves += uint64(count) * leaves
	}
	return n.add(list, x)
}

func formArray(n *normalizer, list []line, i int) []line { return n.repeat(list, i, n.p.Ops[i].Count) }

func formSlice(n *normalizer, list []line, i int) []line {
	if op := &n.p.Ops[i]; op.Span == 0 {
		return n.repeat(list, i, int(op.Bias))
	}
	return formBlock(n, list, i)
}

func formMap(n *normalizer, list []line, i int) []line {
	op := &n.p.Ops[i]
	key, value := line{n: 1, head: "key"}, line{n: 1, head: "value"}
	n.inside(false, false, func() {
		k := n.p.After(i + 1) // a key is one op with what it encloses
		key.body = n.until(nil, i+1, k)
		value.body = n.sequence(k)
	})
	if op.Bits == 0 && (op.Bias == 0 || len(key.body)+len(value.body) == 0) {
		return list
	}
	n.leaves++
	return n.add(list, line{n: 1, head: op.Text(n.p), body: []line{key, value}, names: nameOf(i)})
}

func formSubset(n *normalizer, list []line, i int) []line {
	op := &n.p.Ops[i]
	if op.Repeats() == 0 {
		return list
	}
	head := op.Text(n.p)
	if op.Flags&FlagSlice != 0 && op.Span == 0 {
		head = fmt.Sprintf("%s of %d", n.p.subsetMode(op), op.Bias)
	}
	return n.block(list, i, head)
}

func formUnion(n *normalizer, list []line, i int) []line {
	x := line{n: 1, head: "union", names: nameOf(i)}
	for _, start := range n.p.Elems[n.p.Ops[i].Aux].Union.Starts {
		x.calls = append(x.calls, n.called(start))
	}
	n.leaves++
	return n.add(list, x)
}

func formCall(n *normalizer, list []line, i int) []line {
	n.leaves++
	return n.add(list, line{n: 1, head: headCall, calls: []int32{n.called(n.p.Ops[i].End)}, names: nameOf(i)})
}

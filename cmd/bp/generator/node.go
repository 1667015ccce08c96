package generator

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
)

// nodeKind says what a node stands for.
type nodeKind uint8

const (
	nodeField    nodeKind = iota // a value of fixed width
	nodeIf                       // body, if cond holds
	nodeOptional                 // 1 bit, then body if it is set
	nodePointer                  // 1 bit, then body for the target if it is set
	nodeArray                    // body for each element of an array
	nodeSlice                    // a count, then body for each element
	nodeText                     // a string
	nodeBytes                    // a []byte
	nodeRaw                      // an array of bytes
	nodeAlign
	nodeVarint
	nodeRelative // an int_relative
	nodeCommon   // 1 bit, then the index of a listed value or the only field of body
	nodeSubset   // body for each present element of an array or a slice, with indices
	nodeMap      // a count, then body for each entry
	nodeUnion    // the index in body of a nodeMember, the first of which is nil, then that member
	nodeMember   // body for a member of a nodeUnion, whose type value names; without body for nil
	nodePart     // ops that the engine runs
)

// node is a step of generated code.
type node struct {
	kind nodeKind
	op   *plan.Op
	pc   int

	value string       // the Go expression of the value
	typ   reflect.Type // its type; for a nodeField, of one value
	path  string       // for comments

	subset *plan.Subset // for a nodeSubset
	joined bool         // for a nodeText, the next text is close and stores both
	eight  bool         // value is a slice of 8 bytes of an array, in 8 bits each
	vector []string     // for a rotation or a direction, the Go expressions of its components
	before string       // for a nodeRelative, the expression of the previous integer, or "" for that of the preceding element

	cond condition // for a nodeIf
	same []node    // for a nodeIf, the nodes of neighbors with the same condition, whose bodies are in body
	body []node
	elem string // the variable that points to an element or a target
	part int    // index of a nodePart
	base string // for a nodePart, the pointer to the value that it belongs to
}

// builder makes the nodes of a plan.
type builder struct {
	pl    *plan.Plan
	names *names
	parts [][2]int
	depth int                // number of the last variable of an element
	elems map[string]element // by the name of the variable

	enclosing []int // the first op of each member of a union that encloses the current op
	memberOps int   // the number of ops of members so far

	variable string // with the code of the type
}

// element is what the variable of an element points to.
type element struct {
	path    string // for comments
	isEntry bool   // it is an entry of a map
}

// block returns the nodes of the ops [from, to) of one block. base is the
// variable that points to the value of the block, which has type t.
func (b *builder) block(from, to int, base string, t reflect.Type) []node {
	var list []node
	for pc := from; pc < to; {
		next := b.pl.After(pc)
		parts, depth := len(b.parts), b.depth
		nodes, ok := b.op(pc, base, t)
		if !ok {
			b.parts, b.depth = b.parts[:parts], depth
			nodes = []node{{kind: nodePart, pc: pc, part: len(b.parts), base: base}}
			if n := len(list); n > 0 && list[n-1].kind == nodePart {
				b.parts[list[n-1].part][1] = next
				nodes = nil
			} else {
				b.parts = append(b.parts, [2]int{pc, next})
			}
		}
		if n := len(list); n > 0 && len(nodes) == 1 && nodes[0].kind == nodeIf && list[n-1].kind == nodeIf && nodes[0].cond == list[n-1].cond {
			last := &list[n-1]
			last.same = append(last.same, nodes[0])
			last.body = append(slices.Clip(last.body), nodes[0].body...)
			nodes = nil
		}
		list = append(list, nodes...)
		pc = next
	}
	joinTexts(list)
	return list
}

// joinTexts joins pairs of texts that have only fields between them.
func joinTexts(list []node) {
	var first *node
	for i := range list {
		switch n := &list[i]; {
		case n.kind == nodeText && first != nil:
			first.joined, first = true, nil
		case n.kind == nodeText:
			first = n
		case n.kind != nodeField:
			first = nil
		}
	}
}

// inner returns the nodes of ops inside of another op. It returns false if any of
// them would be a part that is better left to the engine together with that op.
func (b *builder) inner(from, to int, base string, t reflect.Type) ([]node, bool) {
	parts := len(b.parts)
	list := b.block(from, to, base, t)
	return list, len(list) > 0 && (len(list) > 1 || list[0].kind != nodePart) && !b.chained(b.parts[parts:])
}

// chained reports whether an op of the parts refers to the preceding element,
// which a part does not know.
func (b *builder) chained(parts [][2]int) bool {
	for _, part := range parts {
		for pc := part[0]; pc < part[1]; pc = b.pl.After(pc) {
			if op := &b.pl.Ops[pc]; op.Code == plan.CodeRelative && b.pl.Relatives[op.Aux].Mode == plan.Chain {
				return true
			}
		}
	}
	return false
}

// maxUnrolled is the largest number of values of an array that become one field
// each.
const maxUnrolled = 16

// op returns the nodes of the op at pc, or false if the engine must run it.
func (b *builder) op(pc int, base string, t reflect.Type) ([]node, bool) {
	op := &b.pl.Ops[pc]
	n := node{op: op, pc: pc}
	switch op.Code {
	case plan.CodePresent:
		return nil, true
	case plan.CodeAlign:
		n.kind = nodeAlign
		return []node{n}, true
	case plan.CodeConst:
		if op.Bits == 0 {
			return nil, true
		}
		n.kind = nodeField
		return []node{n}, true
	}
	field := &b.pl.Fields[op.Field]
	value, ok := b.access(base, t, field)
	if !ok {
		return nil, false
	}
	n.value, n.typ, n.path = value, field.Type, b.path(base, field)
	switch op.Code {
	case plan.CodeIf:
		n.kind = nodeIf
		if n.cond, ok = b.condition(op.Aux, base, t, 0); !ok {
			return nil, false
		}
		n.body, ok = b.inner(pc+1, int(op.End), base, t)
		return []node{n}, ok
	case plan.CodeOptional:
		n.kind = nodeOptional
		n.body, ok = b.inner(pc+1, int(op.End), base, t)
		if ok {
			_, ok = b.zero(n.body)
		}
		return []node{n}, ok
	case plan.CodePointer:
		n.kind = nodePointer
		if field.Type.Name() != "" {
			return nil, false
		}
		return b.elements(n, field.Type.Elem())
	case plan.CodeArray:
		n.kind = nodeArray
		if least := b.pl.Elems[op.Aux].MinBits; least > 0 && op.Count > 1<<30/least {
			return nil, false
		}
		return b.elements(n, field.Type.Elem())
	case plan.CodeSlice:
		n.kind = nodeSlice
		if elem := &b.pl.Elems[op.Aux]; elem.Size == 0 || elem.Type.Kind() == reflect.Uint8 { // bytes could share memory with the message
			return nil, false
		}
		return b.elements(n, field.Type.Elem())
	case plan.CodeSubset:
		return b.subset(n)
	case plan.CodeMap:
		return b.mapping(n)
	case plan.CodeUnion:
		return b.union(n)
	case plan.CodeString:
		n.kind = nodeText
		if isBytes(field.Type) && !isText(&n) {
			n.kind = nodeBytes
			return []node{n}, true
		}
		return []node{n}, field.Type.Kind() == reflect.String
	case plan.CodeBytes:
		n.kind = nodeRaw
		return []node{n}, field.Type.Kind() == reflect.Array && field.Type.Elem() == reflect.TypeFor[byte]()
	case plan.CodeVector:
		n.kind = nodeField
		n.vector, ok = b.names.components(value, field.Type, &b.pl.Vectors[op.Aux])
		return []node{n}, ok && op.Count == 1
	case plan.CodeRelative:
		n.kind = nodeRelative
		n.before, ok = b.before(op, base, t)
		_, named := b.names.typeName(field.Type)
		return []node{n}, ok && named && op.Count == 1
	case plan.CodeCommon:
		n.kind = nodeCommon
		n.body, ok = b.op(pc+1, base, t)
		return []node{n}, ok && mayBeListed(n.body, b.pl.Commons[op.Aux])
	}
	return b.scalars(n)
}

// mayBeListed reports whether the body of a nodeCommon is a field whose listed values
// are constants, and whose code one load covers together with the bit before it.
func mayBeListed(body []node, values []plan.Value) bool {
	if len(body) != 1 {
		return false
	}
	n := &body[0]
	if n.kind != nodeField || n.vector != nil || n.eight || n.op.Bits > 56 {
		return false
	}
	return !slices.ContainsFunc(values, func(v plan.Value) bool {
		_, ok := listed(n, &v)
		return !ok
	})
}

// before returns the expression of the previous integer of an int_relative.
func (b *builder) before(op *plan.Op, base string, t reflect.Type) (string, bool) {
	r := &b.pl.Relatives[op.Aux]
	switch r.Mode {
	case plan.ToBase:
		return fmt.Sprint(r.Base), true
	case plan.Chain:
		return "", base != "v"
	}
	to := &b.pl.Ops[max(r.To.Op, 0)]
	field := &b.pl.Fields[to.Field]
	value, ok := b.access(base, t, field)
	kind := field.Type.Kind()
	ok = ok && r.To.Op >= 0 && r.To.Guard < 0 && to.Off == r.To.Off && to.Count == 1 && kind >= reflect.Int && kind <= reflect.Uintptr
	return "int64(" + value + ")", ok && (r.To.Signed || r.To.Size < 8)
}

// elements returns a node with the body of its elements or its target, which are
// of type t.
func (b *builder) elements(n node, t reflect.Type) ([]node, bool) {
	path := n.path
	if n.kind != nodePointer {
		path += "[]"
	}
	n.elem = b.newElem(element{path, n.kind == nodeMap})
	var ok bool
	n.body, ok = b.inner(n.pc+1, int(n.op.End)-1, n.elem, t)
	return []node{n}, ok && hasValues(n.body)
}

// newElem returns the name of a new variable that points to an element.
func (b *builder) newElem(e element) string {
	b.depth++
	name := fmt.Sprintf("e%d", b.depth)
	b.elems[name] = e
	return name
}

// hasValues reports whether the code of a body uses the value that the body is for,
// as constants and alignment do not.
func hasValues(body []node) bool {
	return slices.ContainsFunc(body, func(n node) bool { return n.value != "" || n.kind == nodePart })
}

// scalars returns a field for each value of an op.
func (b *builder) scalars(n node) ([]node, bool) {
	if n.kind = nodeField; n.op.Code == plan.CodeVarint {
		n.kind = nodeVarint
	}
	leaf, dims := n.typ, []int(nil)
	for leaf.Kind() == reflect.Array {
		dims = append(dims, leaf.Len())
		leaf = leaf.Elem()
	}
	total := 1
	for _, d := range dims {
		total *= d
	}
	if !b.names.codes(n.op, leaf) || total != n.op.Count {
		return nil, false
	}
	n.typ = leaf
	if len(dims) == 0 {
		return []node{n}, true
	}
	if len(dims) == 1 && leaf == reflect.TypeFor[byte]() && n.op.Bits == 8 && n.op.Bias == 0 && total%8 == 0 && total <= 8*maxUnrolled {
		list := make([]node, total/8)
		for i := range list {
			list[i] = n
			list[i].eight, list[i].value = true, fmt.Sprintf("%s[%d:%d]", indexed(n.value), 8*i, 8*i+8)
		}
		return list, true
	}
	if total > maxUnrolled {
		if len(dims) > 1 {
			return nil, false
		}
		one, loop := n, n
		one.path = n.path + "[]"
		loop.kind, loop.elem = nodeArray, b.newElem(element{path: one.path})
		one.value = "*" + loop.elem
		loop.body = []node{one}
		return []node{loop}, true
	}
	list := make([]node, total)
	for i := range list {
		list[i] = n
		for k, rest := len(dims)-1, i; k >= 0; k-- {
			list[i].path = fmt.Sprintf("[%d]", rest%dims[k]) + list[i].path[len(n.path):]
			list[i].path = n.path + list[i].path
			rest /= dims[k]
		}
		list[i].value = indexed(n.value) + list[i].path[len(n.path):]
	}
	return list, true
}

// indexed returns the expression of an array before its index.
func indexed(value string) string {
	if value[0] == '*' {
		return value[1:] // a pointer to an array is indexed like the array
	}
	return value
}

// usesRest reports whether the code that reads the nodes needs the number of bits
// that the values after them take at least. Code that allocates does.
func usesRest(list []node) bool {
	return slices.ContainsFunc(list, func(n node) bool {
		switch n.kind {
		case nodeSlice, nodeMap, nodePointer, nodeUnion, nodePart:
			return true
		case nodeSubset:
			return n.subset.Pointers || n.presenceBits() > 0 || usesRest(n.body)
		}
		return usesRest(n.body)
	})
}

// width returns the number of bits of a field.
func (n *node) width() int {
	if n.eight {
		return 64
	}
	return int(n.op.Bits)
}

// isBytes reports whether a type can be converted to []byte.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem() == reflect.TypeFor[byte]()
}

// isText reports whether the bytes of a string must be UTF-8 without NUL.
func isText(n *node) bool { return n.op.Flags&plan.FlagText != 0 }

// partComment names the fields of a part.
func (b *builder) partComment(n *node) string {
	var paths []string
	part := b.parts[n.part]
	for pc := part[0]; pc < part[1]; pc = b.pl.After(pc) {
		if path := b.path(n.base, &b.pl.Fields[b.pl.Ops[pc].Field]); len(paths) == 0 || paths[len(paths)-1] != path {
			paths = append(paths, path)
		}
	}
	return "the engine: " + strings.Join(paths, ", ")
}

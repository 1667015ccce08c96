package generator

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/plan/tree"
)

// A node has the kind of its value, or one of these.
const (
	nodeField  tree.Kind = "field"  // a value of fixed width
	nodeRaw    tree.Kind = "raw"    // an array of bytes
	nodeMember tree.Kind = "member" // body for a member of a union, whose type value names; without body for nil
	nodePart   tree.Kind = "part"   // values that the engine codes
)

// node is a step of generated code. It adds Go expressions to a node of the tree,
// or to one of the values of such a node.
type node struct {
	*tree.Node
	kind tree.Kind
	op   *plan.Op

	value string       // the Go expression of the value
	typ   reflect.Type // its type; for a nodeField, of one value
	path  string       // for comments

	joined bool     // for a text, the next text is close and stores both
	eight  bool     // value is a slice of 8 bytes of an array, in 8 bits each
	vector []string // for a rotation or a direction, the Go expressions of its components
	before string   // for a KindRelative, the expression of the previous integer, or "" for that of the preceding element

	cond condition // for a KindIf
	same []node    // for a KindIf, the nodes of neighbors with the same condition, whose bodies are in body
	body []node    // for a KindUnion, a nodeMember for nil and for each member
	elem string    // the variable that points to an element or a target
	part int       // index of a nodePart
	base string    // for a nodePart, the pointer to the value that it belongs to
}

// builder makes the nodes of a plan.
type builder struct {
	pl    *plan.Plan
	names *names
	parts [][]*tree.Node
	depth int               // number of the last variable of an element
	elems map[string]string // what a variable points to, for comments

	enclosing []*tree.Part // the members of unions that enclose the current node
	memberOps int          // the number of ops of members so far

	variable string // with the code of the type
}

// block returns the nodes of one block. base is the variable that points to the
// value of the block, which has type t.
func (b *builder) block(from []*tree.Node, base string, t reflect.Type) []node {
	var list []node
	for _, x := range from {
		parts, depth := len(b.parts), b.depth
		nodes, ok := b.node(x, base, t)
		if !ok {
			b.parts, b.depth = b.parts[:parts], depth
			nodes = []node{{kind: nodePart, part: len(b.parts), base: base}}
			if n := len(list); n > 0 && list[n-1].kind == nodePart {
				part := &b.parts[list[n-1].part]
				*part = append(*part, x)
				nodes = nil
			} else {
				b.parts = append(b.parts, []*tree.Node{x})
			}
		}
		if n := len(list); n > 0 && len(nodes) == 1 && nodes[0].kind == tree.KindIf && list[n-1].kind == tree.KindIf && nodes[0].cond == list[n-1].cond {
			last := &list[n-1]
			last.same = append(last.same, nodes[0])
			last.body = append(slices.Clip(last.body), nodes[0].body...)
			nodes = nil
		}
		list = append(list, nodes...)
	}
	joinTexts(list)
	return list
}

// joinTexts joins pairs of texts that have only fields between them.
func joinTexts(list []node) {
	var first *node
	for i := range list {
		switch n := &list[i]; {
		case n.kind == tree.KindString && first != nil:
			first.joined, first = true, nil
		case n.kind == tree.KindString:
			first = n
		case n.kind != nodeField:
			first = nil
		}
	}
}

// inner returns the nodes inside of another one. It returns false if any of them
// would be a part that is better left to the engine together with that node.
func (b *builder) inner(from []*tree.Node, base string, t reflect.Type) ([]node, bool) {
	parts := len(b.parts)
	list := b.block(from, base, t)
	return list, len(list) > 0 && (len(list) > 1 || list[0].kind != nodePart) && !b.chained(parts)
}

// chained reports whether a node of the parts from one on refers to the preceding
// element, which a part does not know.
func (b *builder) chained(from int) bool {
	return slices.ContainsFunc(slices.Concat(b.parts[from:]...), func(x *tree.Node) bool { return x.Relative != nil && x.Relative.Mode == tree.Chain })
}

// maxUnrolled is the largest number of values of an array that become one field
// each.
const maxUnrolled = 16

// node returns the nodes of a node of the tree, or false if the engine must code
// it.
func (b *builder) node(x *tree.Node, base string, t reflect.Type) ([]node, bool) {
	n := node{Node: x, kind: x.Kind, op: &b.pl.Ops[x.Op]}
	switch x.Kind {
	case tree.KindAlign:
		return []node{n}, true
	case tree.KindConst:
		if x.Bits == 0 {
			return nil, true
		}
		n.kind = nodeField
		return []node{n}, true
	default:
	}
	value, ok := b.access(base, t, x)
	if !ok {
		return nil, false
	}
	n.value, n.typ, n.path = value, x.Type, b.path(base, x)
	switch x.Kind {
	case tree.KindIf:
		if n.cond, ok = b.condition(x.Cond, base, t, 0); !ok {
			return nil, false
		}
		n.body, ok = b.inner(x.Children, base, t)
		return []node{n}, ok
	case tree.KindOptional:
		n.body, ok = b.inner(x.Children, base, t)
		if ok {
			_, ok = b.zero(n.body)
		}
		return []node{n}, ok
	case tree.KindPointer:
		if x.Type.Name() != "" {
			return nil, false
		}
		return b.elements(n, x.Type.Elem())
	case tree.KindArray:
		if x.Least > 0 && x.Min > uint64(1<<30/x.Least) {
			return nil, false
		}
		return b.elements(n, x.Type.Elem())
	case tree.KindSlice:
		if elem := x.Type.Elem(); elem.Size() == 0 || elem.Kind() == reflect.Uint8 { // bytes could share memory with the message
			return nil, false
		}
		return b.elements(n, x.Type.Elem())
	case tree.KindSubset:
		return b.subset(n)
	case tree.KindMap:
		return b.mapping(n)
	case tree.KindUnion:
		return b.union(n)
	case tree.KindBytes, tree.KindString:
		switch {
		case x.Kind == tree.KindBytes && x.Array:
			n.kind = nodeRaw
			return []node{n}, x.Type.Kind() == reflect.Array && x.Type.Elem() == reflect.TypeFor[byte]()
		case x.Kind == tree.KindBytes && isBytes(x.Type):
			return []node{n}, true
		}
		n.kind = tree.KindString
		return []node{n}, x.Type.Kind() == reflect.String
	case tree.KindQuat, tree.KindQuatSign, tree.KindUnit:
		n.kind = nodeField
		n.vector, ok = b.names.components(value, x.Type, &b.pl.Vectors[n.op.Aux])
		return []node{n}, ok && n.op.Count == 1
	case tree.KindRelative:
		n.before, ok = b.before(x.Relative, base, t)
		_, named := b.names.typeName(x.Type)
		return []node{n}, ok && named && x.Count == 1
	case tree.KindCommon:
		n.body, ok = b.node(x.Children[0], base, t)
		return []node{n}, ok && mayBeListed(n.body, x.Values)
	default:
		return b.scalars(n)
	}
}

// mayBeListed reports whether the body of a KindCommon is a field whose listed values
// are constants, and whose code one load covers together with the bit before it.
func mayBeListed(body []node, values []plan.Value) bool {
	if len(body) != 1 {
		return false
	}
	n := &body[0]
	if n.kind != nodeField || n.vector != nil || n.eight || n.Bits > 56 {
		return false
	}
	return !slices.ContainsFunc(values, func(v plan.Value) bool {
		_, ok := listed(n, &v)
		return !ok
	})
}

// before returns the expression of the previous integer of an int_relative.
func (b *builder) before(r *tree.Relative, base string, t reflect.Type) (string, bool) {
	switch r.Mode {
	case tree.ToBase:
		return fmt.Sprint(r.Base), true
	case tree.Chain:
		return "", base != "v"
	}
	to := r.To.Node
	if to == nil {
		return "", false
	}
	value, ok := b.access(base, t, to)
	kind := to.Type.Kind()
	ok = ok && r.To.Guard == nil && b.pl.Ops[to.Op].Count == 1 && kind >= reflect.Int && kind <= reflect.Uintptr
	return "int64(" + value + ")", ok && (r.To.Signed || to.Type.Size() < 8)
}

// elements returns a node with the body of its elements or its target, which are
// of type t.
func (b *builder) elements(n node, t reflect.Type) ([]node, bool) {
	path := n.path
	if n.kind != tree.KindPointer {
		path += "[]"
	}
	n.elem = b.newElem(path)
	var ok bool
	n.body, ok = b.inner(n.Children, n.elem, t)
	return []node{n}, ok && hasValues(n.body)
}

// newElem returns the name of a new variable that points to an element.
func (b *builder) newElem(path string) string {
	b.depth++
	name := fmt.Sprintf("e%d", b.depth)
	b.elems[name] = path
	return name
}

// hasValues reports whether the code of a body uses the value that the body is for,
// as constants and alignment do not.
func hasValues(body []node) bool {
	return slices.ContainsFunc(body, func(n node) bool { return n.value != "" || n.kind == nodePart })
}

// scalars returns a field for each value of an op.
func (b *builder) scalars(n node) ([]node, bool) {
	if n.Kind != tree.KindVarint {
		n.kind = nodeField
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
	if !b.names.codes(n.Node, leaf) || total != n.Count {
		return nil, false
	}
	n.typ = leaf
	if len(dims) == 0 {
		return []node{n}, true
	}
	if len(dims) == 1 && leaf == reflect.TypeFor[byte]() && n.kind == nodeField && n.Bits == 8 && n.Min == 0 && total%8 == 0 && total <= 8*maxUnrolled {
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
		loop.kind, loop.elem = tree.KindArray, b.newElem(one.path)
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
		case tree.KindSlice, tree.KindMap, tree.KindPointer, tree.KindUnion, nodePart:
			return true
		case tree.KindSubset:
			return n.By == "" || n.presenceBits() > 0 || usesRest(n.body)
		default:
			return usesRest(n.body)
		}
	})
}

// width returns the number of bits of a field.
func (n *node) width() int {
	if n.eight {
		return 64
	}
	return n.Bits
}

// isBytes reports whether a type can be converted to []byte.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem() == reflect.TypeFor[byte]()
}

// partComment names the fields of a part.
func (b *builder) partComment(n *node) string {
	var paths []string
	for _, x := range b.parts[n.part] {
		if path := b.path(n.base, x); len(paths) == 0 || paths[len(paths)-1] != path {
			paths = append(paths, path)
		}
	}
	return "the engine: " + strings.Join(paths, ", ")
}

// Package tree describes the wire format of a type as a tree, in terms of no
// programming language. [Tree.Text] is its normal form, whose SHA-256 is the hash
// of the type. Every printer of code or of descriptions reads the tree. The engines
// run the ops of package plan, which makes the tree when it is asked for.
//
// A tree is read-only.
package tree

import (
	"iter"
	"math"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/typename"
)

// Unbounded is the largest size of a message if there is no limit.
const Unbounded = math.MaxInt

// Tree is the wire format of a type.
type Tree struct {
	Type             reflect.Type
	MinBits, MaxBits int     // the smallest and the largest size of a message, or Unbounded
	Parts            []*Part // the message itself, then recursive types and members of unions
	Ops              int     // the number of ops of the plan
}

// Part is the message, a recursive type, or a member of a union.
type Part struct {
	Name    string // of the type
	Type    reflect.Type
	Index   int // in Tree.Parts
	Times   int // how many times it may occur in one message, as Node.Times
	MinBits int // for a member of a union, the smallest size
	Nodes   []*Node
}

// Node describes a value, or Count values that follow each other.
type Node struct {
	Kind
	*Field
	Name  string       // the path from the base of its block: "Position", or "value.Position" in an entry of a map
	Path  string       // the path from the root of the message, or from the type of the part: "Bodies[].Position"
	Elem  reflect.Type // the type of one value, or of an element of a block
	Depth int          // the number of nodes that enclose it
	Times int          // how many times it may occur in one message, or Unbounded; it may be too low in a part that several unions share

	Start            int // the bit where it starts, or -1 if that differs between messages
	MinBits, MaxBits int // the smallest and the largest size, with the nodes that it encloses
	Least, Rest      int // the smallest size of one element, and of the nodes after this one in its block

	Count     int    // the number of values
	Bits      int    // the bits of one value, or of the count or the index before it
	Min, Span uint64 // the smallest value, and the largest minus the smallest; for bytes, texts and elements, of their number; for a KindCustom, of the bits
	Signed    bool   // integers are signed
	Full      bool   // the integer is sent as it is, without bounds
	Array     bool   // the type fixes the number of bytes or elements
	NonZero   bool   // the value that follows the bit of a KindOptional must not be zero

	Float32  *compress.Float32
	Float64  *compress.Float64
	Angle    *compress.Angle
	Quat     *compress.Quat
	QuatSign *compress.QuatSign
	Unit     *compress.Unit
	Wide     *Wide
	Relative *Relative
	Cond     *Cond

	Values  []Value           // for a KindCommon or a KindHuffman
	Huffman *compress.Huffman // its symbols are indices of Values
	Escape  int               // the symbol before an unlisted value, or -1 if only listed values can be sent
	Subset  compress.Subset   // how the indices are sent
	By      string            // for a KindSubset, the field of an element that says whether it is present, or "" for elements that are present unless nil
	MaxLen  int               // for a KindMap, the maxlen of its tag, which sets Bits

	Children []*Node
	Parts    []*Part

	Op, End int // it stands for the ops [Op, End) of the plan
}

// Field describes a value to errors and tools.
type Field struct {
	Path  string       // from the base of its block: "Stats.Strength", or "" for the base itself
	Type  reflect.Type // the type of the whole value; an array if the op covers its elements
	Index []int        // the path for reflect.Value.FieldByIndex
	Tag   string       // the text of the bp tag, or "" without one
}

// EntryPath returns the path of a field in an entry of a map: "key", or "value" and
// the path from there.
func (f *Field) EntryPath() string {
	if f.Index[0] == 0 {
		return "key"
	}
	return typename.Join("value", f.Path)
}

// Wide is the range of a 128-bit integer: the smallest value, and the largest
// minus the smallest.
type Wide struct{ Min, Span bits.Uint128 }

// Value is a value listed in a tag.
type Value struct {
	Code uint64    // its code on the wire, if the op that encodes it is Single
	Mem  [2]uint64 // its bits in memory; the second word is for 128-bit integers
	Text string    // the value itself, if it is a string
}

// Ref refers to an earlier integer or bool in the same block.
type Ref struct {
	Node   *Node // nil for the bool of an element of a KindSubset, which is true
	Signed bool
	Guard  *Cond // the condition under which it is present, or nil; an absent value counts as 0
}

// Cond is a condition on an earlier field.
type Cond struct {
	Ref
	Test   Test
	Value  uint64
	Within *Cond // the enclosing condition, which must hold too, or nil
}

// Test is the comparison of a Cond.
type Test uint8

// The comparisons.
const (
	Equal    Test = iota // the field equals Value
	NotEqual             // the field differs from Value
	AnyOf                // the field and Value have a set bit in common
)

// Compare reports whether v passes the test against value.
func (t Test) Compare(v, value uint64) bool {
	switch t {
	case Equal:
		return v == value
	case NotEqual:
		return v != value
	}
	return v&value != 0
}

// Relative says which previous integer an int_relative is relative to.
type Relative struct {
	Mode     RelativeMode
	Base     int64 // for ToBase, the previous integer; for Chain, that of the first element
	To       Ref   // for ToField, the earlier field
	Min, Max int64 // the integers that the field can hold
}

// RelativeMode says where the previous integer comes from.
type RelativeMode uint8

// The sources of the previous integer.
const (
	ToBase  RelativeMode = iota // always Base
	ToField                     // the field To
	Chain                       // the same field of the preceding element
)

// All returns the nodes of all parts, each before those that it encloses.
func (t *Tree) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for _, part := range t.Parts {
			if !each(part.Nodes, yield) {
				return
			}
		}
	}
}

// All returns a node and those that it encloses.
func (x *Node) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) { each([]*Node{x}, yield) }
}

func each(list []*Node, yield func(*Node) bool) bool {
	for _, x := range list {
		if !yield(x) || !each(x.Children, yield) {
			return false
		}
	}
	return true
}

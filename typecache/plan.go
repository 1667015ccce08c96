package typecache

import (
	"math"
	"reflect"
	"sync"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
)

// Plan is what a type's tags say, flattened: a list of ops that a serialize
// loop runs from the first to the CodeEnd. It is immutable, and safe for
// concurrent use; nobody may change what its fields refer to, nor copy it.
//
// Structs and fixed arrays of scalars dissolve: their ops carry the offset of
// the value from the base of the block they stand in. The program starts with
// the value itself as base. An op that opens a block (an array, slice, map or
// pointer, or a call of a recursive type) sets a new base, and the CodeNext
// that closes the block goes on to its next element or back to the old base.
type Plan struct {
	Type   reflect.Type
	Ops    []Op
	Fields []Field // what an op's Field indexes

	// What an op's Aux indexes, by its code.
	Float32s  []compress.Float32
	Float64s  []compress.Float64
	Angles    []compress.Angle
	Wides     []Wide
	Relatives []Relative
	Vectors   []Vector
	Conds     []Cond
	Commons   [][]Value
	Huffmans  []Huffman
	Elems     []Elem

	// Runs are the sequences of ops that a loop may take together.
	Runs  []Run
	whole *Run // the one that is all of the plan, or nil

	// MinBits and MaxBits bound the size of a message. Where they are equal
	// every message has that size. MaxBits is [Unbounded] for recursive types
	// and for types that serialize themselves.
	MinBits, MaxBits int

	// Least is the least bits of a message that starts at any bit of a byte, as a
	// part of another does. MinBits is of one that starts at bit 0, and may be more.
	Least int

	// Nesting is the number of blocks that may be open at once, and Recursive
	// says that recursive types may open more.
	Nesting   int
	Recursive bool

	described sync.Once // sets the text and the hash
	text      string
	hash      [32]byte
}

// Frames returns the number of blocks that may be open at once, which is
// [Unbounded] for recursive types.
func (p *Plan) Frames() int {
	if p.Recursive {
		return Unbounded
	}
	return p.Nesting
}

// Unbounded is the size of what has no largest size.
const Unbounded = math.MaxInt

// Op is one step of a plan. For a scalar it stands for a run of Count equal
// values that lie Size apart in memory from Off on.
type Op struct {
	Code  Code
	Size  uint8 // bytes of one value in memory
	Bits  uint8 // bits of one value on the wire, or of the count before it
	Flags Flags
	Field int32 // index into Plan.Fields
	Aux   int32 // index into the table that belongs to the code
	End   int32 // for a block, the op after its CodeNext; for CodeIf, where the field ends; for CodeCall, where the type starts
	Run   int32 // the number of the run that starts here, which is Runs[Run-1], or 0
	Rest  int32 // the least bits of the ops that follow in its block
	Keep  int32 // of a slice or a map, the capacity in elements that a reader keeps, however few a message has
	Count int   // values of a run; elements of an array; bytes of a CodeBytes, a CodeCString, and of the field of a CodeIf or a CodeOptional
	Off   uintptr
	Bias  uint64 // the smallest value, subtracted on the wire
	Span  uint64 // the largest value less Bias
}

// Flags refine a Code.
type Flags uint8

// The flags of an Op.
const (
	Signed   Flags = 1 << iota // the integer in memory is signed
	Plain                      // the integer is written as it is, without bounds
	Text                       // the bytes must be UTF-8 without zeros
	Slice                      // the bytes are a []byte in memory, otherwise a string
	Pointers                   // the memory of the field holds pointers
	Reserved                   // the constant is zero bits that are reserved
	Paid                       // what serializes itself must take a bit at least
	Packed                     // a loop takes all values at once; of a block, the elements are one run, or the one op that follows without gaps in memory
)

// Field is what errors and tools know of the value of an op.
type Field struct {
	Path  string       // from the base of its block: "Stats.Strength", or "" for the base itself
	Type  reflect.Type // of the whole value, an array for a run
	Index []int        // the path for reflect.Value.FieldByIndex
	Tag   string       // the text of the bp tag, where it has one
}

// Wide is the range of a 128-bit integer: the smallest value and the largest
// less the smallest.
type Wide struct{ Min, Span bits.Uint128 }

// Elem is what a block repeats.
type Elem struct {
	Type    reflect.Type // of one element
	Size    uintptr      // bytes from one element to the next
	MinBits int          // bits that one element takes at least
	Value   uintptr      // in a map entry, the offset of the value
	MaxLen  int          // of a map, the maxlen that the width of its count is for
	Subset  *Subset      // what a CodeSubset has more
	Union   *Union       // what a CodeUnion has more
}

// Ref is an earlier integer or bool in the same block.
type Ref struct {
	Off    uintptr
	Size   uint8
	Signed bool
	Op     int32 // the op that carries it
	Guard  int32 // the condition on which it is there, or -1; without it the value counts as 0
}

// Cond is a condition on an earlier field.
type Cond struct {
	Ref
	Test   Test
	Value  uint64
	Within int32 // the condition that must hold too, or -1
}

// Test is the comparison of a Cond.
type Test uint8

// The comparisons.
const (
	Equal    Test = iota // the field is Value
	NotEqual             // the field is not Value
	AnyOf                // the field and Value have a bit in common
)

// Holds evaluates the condition c, given the current value of each Ref.
func (p *Plan) Holds(c int32, load func(*Ref) uint64) bool {
	cond := &p.Conds[c]
	if cond.Within >= 0 && !p.Holds(cond.Within, load) {
		return false
	}
	return cond.Test.Compare(p.Value(&cond.Ref, load), cond.Value)
}

// Value returns what load returns for r, or 0 where r is not there.
func (p *Plan) Value(r *Ref, load func(*Ref) uint64) uint64 {
	if r.Guard >= 0 && !p.Holds(r.Guard, load) {
		return 0
	}
	return load(r)
}

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

// Value is a value that a tag lists.
type Value struct {
	Code uint64    // its code on the wire, for a Single op
	Mem  [2]uint64 // its bits in memory, the second word for 128-bit integers
	Text string    // itself, for a string
}

// Huffman is a code over listed values.
type Huffman struct {
	Code   *compress.Huffman
	Values []Value // by symbol
	Escape int     // the symbol before a value that is not listed, or -1
}

// Vector is the code of a rotation or a direction. One of the codes is set.
type Vector struct {
	Offs  [4]uintptr // of x, y, z and w from the op's Off
	Quat  *compress.Quat
	Signs *compress.QuatSign
	Unit  *compress.Unit
}

// Subset says which elements of a CodeSubset are on the wire, and how the
// reader learns which.
type Subset struct {
	Mode     compress.Subset // how the indices are written
	Auto     bool            // 2 bits choose the shortest mode for each message
	By       uintptr         // the bool in an element that says it is present
	Pointers bool            // the elements are pointers, present unless nil
}

// Union is the types that an interface may hold.
type Union struct {
	Types   []reflect.Type // by index on the wire less one, which is 0 for nil
	Starts  []int32        // the op where the program of each starts
	MinBits []int          // the bits that each takes at least
}

// Relative is what an int_relative is coded against.
type Relative struct {
	Mode     RelativeMode
	Base     int64   // the constant; in a chain, for the first element
	To       Ref     // the earlier field
	Stride   uintptr // in a chain, the bytes back to the element before
	Min, Max int64   // the integers that the field can hold
}

// RelativeMode says where the previous integer comes from.
type RelativeMode uint8

// The ways to find the previous integer.
const (
	ToBase  RelativeMode = iota // always Base
	ToField                     // the field To
	Chain                       // the same field of the element before
)

// ProgramEnd returns the CodeNext or CodeEnd of the program that starts at op
// i.
func (p *Plan) ProgramEnd(i int) int {
	for !p.closes(i, -1) {
		i = p.after(i)
	}
	return i
}

package plan

import (
	"math"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan/tree"
	"github.com/gobitpack/bitpack/internal/typename"
)

// Plan is the compiled form of a type: a list of ops that a serialize loop runs
// from the first to the CodeEnd. It is immutable once it is built, and then safe
// for concurrent use. It must not be copied.
//
// A struct has no op of its own, and a fixed array of scalars is one op. Each op
// has the offset of its value from the base of its block. At the start the base
// is the value itself. An op that opens a block (an array, a slice, a map, a
// pointer or a call of a recursive type, for example) sets a new base. The
// CodeNext that ends the block moves the base to the next element. After the last
// element it restores the old base.
type Plan struct {
	Type   reflect.Type
	Ops    []Op
	Fields []Field // indexed by Op.Field

	// The tables that Op.Aux indexes. The code of the op selects the table.
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
	Hints     []Hint // for package delta; they do not affect the wire

	// Runs are the sequences of ops that a tight loop may execute together.
	Runs   []Run
	whole  *Run // the run that covers the whole plan, or nil
	copied bool // a message has the same bits as the memory of the type

	// MinBits and MaxBits are the smallest and the largest size of a message in
	// bits. MaxBits is [Unbounded] for recursive types and for types that
	// serialize themselves.
	MinBits, MaxBits int

	// Least is the smallest size in bits of a message that may start at any bit
	// of a byte, as part of another. It is at most MinBits, which is the smallest
	// size of a message that starts at bit 0.
	Least int

	// Nesting is the largest number of nested blocks, unless Recursive is set.
	// Recursive says that the plan has recursive types or unions, whose blocks may
	// nest deeper.
	Nesting   int
	Recursive bool

	// Start is the op at which the plan starts. It is 0, except for the parts of a
	// plan that generated code leaves to the engine.
	Start int

	view      View
	generated atomic.Pointer[Generated]

	described sync.Once // guards text and hash
	text      string
	hash      [32]byte
}

// Frames returns the largest number of nested blocks. It is [Unbounded] if the
// plan has recursive types or unions.
func (p *Plan) Frames() int {
	if p.Recursive {
		return Unbounded
	}
	return p.Nesting
}

// Unbounded is the largest size of a message if there is no limit.
const Unbounded = tree.Unbounded

// Op is one step of a plan. The op of a scalar covers Count values of one type
// and encoding, which follow each other in memory at intervals of Size bytes,
// starting at Off.
type Op struct {
	Code         Code
	Size         uint8 // bytes of one value in memory
	Bits         uint8 // bits of one value on the wire, or of the count before it
	Flags        Flags
	Field        int32   // index into Plan.Fields
	Aux          int32   // index into the table that belongs to the code
	End          int32   // for a block, the op after its CodeNext; for other enclosing ops such as CodeIf, the op after the last enclosed one; for CodeCall, the first op of the type
	Run          int32   // if a run starts here, it is Runs[Run-1]; otherwise 0
	Rest         int32   // the smallest size in bits of the ops after this one in its block
	KeepCapacity int32   // for a slice or a map, the capacity in elements that a reader always keeps when it reuses one
	Count        int     // number of values, or of elements of an array; bytes of a CodeBytes, of a CodeCString, or of the field of a CodeIf or a CodeOptional
	Off          uintptr // offset of the first value from the base of the block
	Bias         uint64  // the smallest value, subtracted on the wire
	Span         uint64  // the largest value minus Bias
}

// Flags refine a Code.
type Flags uint8

// The flags of an Op.
const (
	FlagSigned    Flags = 1 << iota // the integer in memory is signed
	FlagFullRange                   // the integer is written as it is, without bounds
	FlagText                        // the bytes must be UTF-8 without NUL
	FlagSlice                       // in memory the value is a slice; otherwise a string or an array
	FlagPointers                    // the memory of the field holds pointers
	FlagReserved                    // the constant is reserved bits, which are zero
	FlagWholeRun                    // a tight loop handles all values of the op; in a block, each element is one run, or one op whose values have no gaps in memory
	FlagVerbatim                    // all values of the op, or all elements of the array or slice together, have the same bits in memory and on the wire
)

// Types of the tree that the tables of a plan share.
type (
	Field        = tree.Field // indexed by Op.Field
	Wide         = tree.Wide
	Value        = tree.Value
	Test         = tree.Test
	RelativeMode = tree.RelativeMode
)

// The values of a Test and of a RelativeMode.
const (
	Equal    = tree.Equal
	NotEqual = tree.NotEqual
	AnyOf    = tree.AnyOf

	ToBase  = tree.ToBase
	ToField = tree.ToField
	Chain   = tree.Chain
)

// Elem describes the elements of a block.
type Elem struct {
	Type    reflect.Type // type of one element
	Size    uintptr      // bytes from one element to the next
	MinBits int          // smallest size of one element in bits
	Value   uintptr      // for a map, the offset of the value in an entry
	MaxLen  int          // for a map, the maxlen of its tag, which sets the width of the count
	Subset  *Subset      // for a CodeSubset only
	Union   *Union       // for a CodeUnion only

	// For a map, KeySize is the bytes of a key in memory, or 0 if it is a string.
	// KeySigned says that keys are signed integers.
	KeySize   uint8
	KeySigned bool
}

// PresentField returns the name of the bool field that says whether an element of
// a CodeSubset is present.
func (e *Elem) PresentField() string {
	for i := range e.Type.NumField() {
		if f := e.Type.Field(i); f.Offset == e.Subset.By && f.Type.Kind() == reflect.Bool {
			return f.Name
		}
	}
	panic("plan: a subset without its bool")
}

// Ref refers to an earlier integer or bool in the same block.
type Ref struct {
	Off    uintptr
	Size   uint8
	Signed bool
	Op     int32 // the op that encodes it, or -1 if the enclosing CodeSubset does
	Guard  int32 // the condition under which it is present, or -1; an absent value counts as 0
}

// Cond is a condition on an earlier field.
type Cond struct {
	Ref
	Test   Test
	Value  uint64
	Within int32 // the enclosing condition, which must hold too, or -1
}

// Holds reports whether condition c holds. load returns the current value of a
// Ref in memory.
func (p *Plan) Holds(c int32, load func(*Ref) uint64) bool {
	cond := &p.Conds[c]
	if cond.Within >= 0 && !p.Holds(cond.Within, load) {
		return false
	}
	return cond.Test.Compare(p.Value(&cond.Ref, load), cond.Value)
}

// Value returns load(r), or 0 if r is absent.
func (p *Plan) Value(r *Ref, load func(*Ref) uint64) uint64 {
	if r.Guard >= 0 && !p.Holds(r.Guard, load) {
		return 0
	}
	return load(r)
}

// Huffman is a Huffman code over listed values.
type Huffman struct {
	Code   *compress.Huffman
	Values []Value // indexed by symbol
	Escape int     // the symbol before an unlisted value, or -1 if only listed values can be sent
}

// Vector is the code of a rotation or a direction. Exactly one of Quat, Signs and
// Unit is set.
type Vector struct {
	Offs  [4]uintptr // offsets of x, y, z and w from the op's Off
	Quat  *compress.Quat
	Signs *compress.QuatSign
	Unit  *compress.Unit
}

// Subset says which elements of a CodeSubset are present, and how their indices
// are sent.
type Subset struct {
	Mode     compress.Subset // how the indices are written
	Auto     bool            // 2 bits choose the shortest mode for each message
	By       uintptr         // offset in an element of the bool that says whether the element is present
	Pointers bool            // the elements are pointers, present unless nil
}

// Union describes the types that an interface may hold.
type Union struct {
	Types   []reflect.Type // Types[i] has index i+1 on the wire; 0 is nil
	Starts  []int32        // the first op of each type
	MinBits []int          // the smallest size of each type in bits
}

// Relative says which previous integer an int_relative is relative to.
type Relative struct {
	Mode     RelativeMode
	Base     int64   // for ToBase, the previous integer; for Chain, that of the first element
	To       Ref     // for ToField, the earlier field
	Stride   uintptr // for Chain, the bytes back to the preceding element
	Min, Max int64   // the integers that the field can hold
}

// BlockEnd returns the index of the CodeNext or CodeEnd that ends the ops
// starting at op i.
func (p *Plan) BlockEnd(i int) int {
	for !p.Closes(i, -1) {
		i = p.After(i)
	}
	return i
}

// After returns the index of the op after op i and the ops that it encloses.
func (p *Plan) After(i int) int {
	if op := &p.Ops[i]; op.Code.Encloses() {
		return int(op.End)
	}
	return i + 1
}

// Closes reports whether i equals end, or op i is the CodeNext or CodeEnd of its
// block.
func (p *Plan) Closes(i, end int) bool {
	return i == end || p.Ops[i].Code.Ends()
}

// SameFloats reports whether two Single ops of floats have the same codes for the
// same values.
func (p *Plan) SameFloats(a, b *Op) bool {
	switch {
	case a.Code != b.Code || a.Bits != b.Bits:
		return false
	case a.Code == CodeFloat32:
		return p.Float32s[a.Aux] == p.Float32s[b.Aux]
	case a.Code == CodeFloat64:
		return p.Float64s[a.Aux] == p.Float64s[b.Aux]
	case a.Code == CodeAngle:
		return p.Angles[a.Aux] == p.Angles[b.Aux]
	}
	return true
}

// Repeats returns the largest number of elements in the block of an op. It is 1
// for an op whose code does not repeat.
func (op *Op) Repeats() int {
	switch {
	case !op.Code.Repeats():
		return 1
	case op.Code == CodeArray, op.Code == CodeSubset && op.Flags&FlagSlice == 0:
		return op.Count
	}
	return int(op.Bias + op.Span)
}

// MaxLen is the largest maxlen. A count takes at most 31 bits, as in the other
// implementations of the format, and fits an int on every machine.
const MaxLen = math.MaxInt32

// MemberName returns the name by which the types of a union are sorted.
func MemberName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return typename.Of(t)
}

// WireBits returns the width in bits of an integer type on the wire. It is the
// same on every machine: 64 for int, uint and uintptr.
func WireBits(t reflect.Type) int {
	switch t.Kind() {
	case reflect.Int, reflect.Uint, reflect.Uintptr:
		return 64
	}
	return t.Bits()
}

// The types of 128-bit integers.
var (
	Uint128Type = reflect.TypeFor[bits.Uint128]()
	Int128Type  = reflect.TypeFor[bits.Int128]()
)

// elemType returns the type of one value of op, which may cover an array.
func (p *Plan) elemType(op *Op) reflect.Type {
	t := p.Fields[op.Field].Type
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t
}

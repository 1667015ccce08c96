package tree

// Kind says how a value is encoded. A printer switches over the kinds without a
// default case, and TestKinds fails for a switch that lacks one.
type Kind string

// The kinds.
const (
	KindBool      Kind = "bool"
	KindInt       Kind = "int"       // the value minus Min, in Bits bits, and at most Span; a Full one is the low Bits bits of its two's complement
	KindFloat     Kind = "float"     // an IEEE 754 float of Bits bits
	KindFloat32   Kind = "float32"   // a number quantized by Float32
	KindFloat64   Kind = "float64"   // a number quantized by Float64
	KindHalf      Kind = "half"      // an IEEE 754 float of 16 bits
	KindAngle     Kind = "angle"     // an angle quantized by Angle
	KindQuat      Kind = "quat"      // a rotation encoded by Quat
	KindQuatSign  Kind = "quatsign"  // a rotation encoded by QuatSign
	KindUnit      Kind = "unit"      // a direction encoded by Unit
	KindWide      Kind = "wide"      // an integer of up to 128 bits, like a KindInt with the range Wide
	KindVarint    Kind = "varint"    // an integer of Bits bits in groups of 7 bits
	KindExpGolomb Kind = "expgolomb" // an integer of Bits bits in the Exp-Golomb code of order Min
	KindRelative  Kind = "relative"  // an integer near another one, as Relative says

	KindConst Kind = "const" // the constant Min in Bits bits
	KindAlign Kind = "align" // zero bits up to the next byte boundary

	KindBytes   Kind = "bytes"   // a count of Bits bits, padding to a byte boundary, then the bytes
	KindString  Kind = "string"  // as KindBytes, with bytes that are UTF-8 without NUL
	KindWString Kind = "wstring" // a count of Bits bits, then UTF-16 units in 32 bits each
	KindBinary  Kind = "binary"  // as KindBytes, with the bytes of the binary form that the type gives itself
	KindCustom  Kind = "custom"  // the bits that the type writes itself
	KindLink    Kind = "link"    // the id of an object in Bits bits

	KindIf        Kind = "if"        // Children, if Cond holds
	KindOptional  Kind = "optional"  // 1 bit, then Children if it is set; otherwise they are zero
	KindCommon    Kind = "common"    // 1 bit, then the index of one of Values if it is set; otherwise the only child
	KindHuffman   Kind = "huffman"   // the Huffman code of one of Values, or the escape code and the only child
	KindRunLength Kind = "runlength" // a count of Bits bits, then stretches of equal elements, whose encoding is that of the only child
	KindScale     Kind = "scale"     // 1 bit, set if the numbers in Children are 1, whose code is that of Values[0]; if it is clear and there are several, 1 more bit, set if they are equal; then the numbers, or the first if they are equal

	KindArray   Kind = "array"   // Children for each of Min elements
	KindSlice   Kind = "slice"   // a count of Bits bits, then Children for each element
	KindMap     Kind = "map"     // a count of Bits bits, then an entry for each key, in order: the first child is the key, the others are the value
	KindSubset  Kind = "subset"  // the number of elements as in a slice or an array, then the indices and Children of those that are present
	KindMatrix  Kind = "matrix"  // an affine matrix, decomposed into Children
	KindPointer Kind = "pointer" // 1 bit, then Children if it is set
	KindUnion   Kind = "union"   // the index of one of Parts in Bits bits, counted from 1, then that part; 0 is nil
	KindCall    Kind = "call"    // the only one of Parts, which a recursive type is
)

// Block reports whether the children of a node are one element of its value. Their
// names are paths from there.
func (k Kind) Block() bool {
	switch k {
	case KindArray, KindSlice, KindMap, KindSubset, KindMatrix, KindPointer:
		return true
	default:
		return false
	}
}

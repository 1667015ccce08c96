package plan

import "github.com/gobitpack/bitpack/internal/plan/tree"

// Code tells what an op does.
type Code uint8

// The codes. Those of integers name the size and sign in memory, because a loop
// handles each size separately.
const (
	CodeEnd Code = iota // the message ends

	CodeBool   // 1 bit
	CodeUint8  // value-Bias in Bits bits; it is at most Span
	CodeUint16 // as CodeUint8
	CodeUint32 // as CodeUint8
	CodeUint64 // as CodeUint8; also for 64-bit signed integers
	CodeInt8   // as CodeUint8, sign-extended before Bias is subtracted
	CodeInt16  // as CodeInt8
	CodeInt32  // as CodeInt8
	CodeWord   // the low Bits bits of an integer of any size; the integer must fit in them

	CodeFloat32 // a float32 quantized by Float32s[Aux]
	CodeFloat64 // a float64 quantized by Float64s[Aux]
	CodeHalf    // a float32 as binary16
	CodeAngle   // a float of Size bytes quantized by Angles[Aux]
	CodeVector  // a rotation or a direction, made of floats of Size bytes, encoded by Vectors[Aux]

	CodeWide      // a 128-bit integer over Wides[Aux]
	CodeVarint    // an integer in groups of 7 bits
	CodeExpGolomb // an integer in the Exp-Golomb code of order Bias, zigzag-encoded if it is signed; Span is the largest integer of the code
	CodeRelative  // int_relative over Relatives[Aux]

	CodeConst // the constant Bias in Bits bits; it has no value in memory
	CodeAlign // zero bits up to the next byte boundary

	CodeBytes   // padding to a byte boundary, then the Count raw bytes of an array
	CodeCString // as CodeString, for zero-terminated text in an array of Count bytes
	CodeString  // a count of Bits bits, padding to a byte boundary, then the bytes of a string or []byte
	CodeWString // a count of Bits bits, then UTF-16 units in 32 bits each
	CodeBinary  // as CodeString, for the bytes of the value's MarshalBinary or AppendBinary
	CodeCustom  // the bits that the value's own Serialize method writes: at least Bias, and at most Bias+Span, or any number if that is Unbounded
	CodeLink    // the id of an object in Bits bits

	CodeIf        // the ops up to End, if Conds[Aux] holds; otherwise the field is zero
	CodeOptional  // 1 bit, then the ops up to End if it is set; otherwise the field is zero
	CodePresent   // no bits: readers check that the field of the CodeOptional at Aux is not zero
	CodeCommon    // 1 bit, then the index of a value in Commons[Aux] if it is set; otherwise the one op up to End
	CodeHuffman   // the Huffman code of a value in Huffmans[Aux], or the escape code and the one op up to End
	CodeRunLength // an array or a slice of the one op up to End, whose equal neighbors are sent once, as runlength.go says
	CodeScale     // 1 bit, set if the scalars up to End are all 1; if it is clear and there are several, 1 more bit, set if they are equal; then the scalars, or only the first if they are equal

	CodeArray   // Count elements of Elems[Aux]
	CodeSlice   // a count of Bits bits, then elements of Elems[Aux]
	CodeMap     // a count of Bits bits, then entries of Elems[Aux], sorted by key
	CodeSubset  // the elements of Elems[Aux] that are present, as its Subset says
	CodeMatrix  // an affine matrix, decomposed into Elems[Aux]
	CodePointer // 1 bit, then the element Elems[Aux] if it is set
	CodeUnion   // an index of Bits bits into the Union of Elems[Aux], then the value of that type
	CodeCall    // the ops of a recursive type, which start at End
	CodeNext    // the end of an element, or of the ops of a called type

	NumCodes = int(iota) // the number of codes
)

// traits say what kind of op a code is for.
type traits uint16

const (
	traitSingle       traits = 1 << iota // each value is one read of Bits bits
	traitScalar                          // the values of the op are encoded one by one
	traitInteger                         // a value is sent as value-Bias, at most Span
	traitSignExtended                    // an integer that is sign-extended in memory
	traitBlock                           // opens a block
	traitEncloses                        // the ops up to End belong to it
	traitRepeats                         // its block may have more than one element
	traitPrefixCoded                     // each value is an integer in a code of prefixCodes
	traitAligns                          // it pads to a byte boundary, so its size depends on the bit where it starts
	traitEnds                            // ends a block or the message
)

// codeTraits has the traits of each code. It has room for every value of a Code
// so that a lookup needs no bounds check.
var codeTraits = [256]traits{
	CodeEnd:       traitEnds,
	CodeBool:      traitSingle | traitScalar | traitInteger,
	CodeUint8:     traitSingle | traitScalar | traitInteger,
	CodeUint16:    traitSingle | traitScalar | traitInteger,
	CodeUint32:    traitSingle | traitScalar | traitInteger,
	CodeUint64:    traitSingle | traitScalar | traitInteger,
	CodeInt8:      traitSingle | traitScalar | traitInteger | traitSignExtended,
	CodeInt16:     traitSingle | traitScalar | traitInteger | traitSignExtended,
	CodeInt32:     traitSingle | traitScalar | traitInteger | traitSignExtended,
	CodeWord:      traitSingle | traitScalar,
	CodeFloat32:   traitSingle | traitScalar,
	CodeFloat64:   traitSingle | traitScalar,
	CodeHalf:      traitSingle | traitScalar,
	CodeAngle:     traitSingle | traitScalar,
	CodeVector:    traitSingle,
	CodeWide:      traitScalar,
	CodeVarint:    traitScalar,
	CodeExpGolomb: traitScalar | traitPrefixCoded,
	CodeRelative:  traitScalar,
	CodeConst:     0,
	CodeAlign:     traitAligns,
	CodeBytes:     traitAligns,
	CodeCString:   traitAligns,
	CodeString:    traitAligns,
	CodeWString:   0,
	CodeBinary:    traitAligns,
	CodeCustom:    0,
	CodeLink:      0,
	CodeIf:        traitEncloses,
	CodeOptional:  traitEncloses,
	CodePresent:   0,
	CodeCommon:    traitEncloses,
	CodeHuffman:   traitEncloses,
	CodeRunLength: traitEncloses,
	CodeScale:     traitEncloses,
	CodeArray:     traitBlock | traitEncloses | traitRepeats,
	CodeSlice:     traitBlock | traitEncloses | traitRepeats,
	CodeMap:       traitBlock | traitEncloses | traitRepeats,
	CodeSubset:    traitBlock | traitEncloses | traitRepeats,
	CodeMatrix:    traitBlock | traitEncloses,
	CodePointer:   traitBlock | traitEncloses,
	CodeUnion:     traitBlock,
	CodeCall:      traitBlock,
	CodeNext:      traitEnds,
}

// codeNames has the name of each code without its prefix.
var codeNames = [NumCodes]string{
	CodeEnd:       "End",
	CodeBool:      "Bool",
	CodeUint8:     "Uint8",
	CodeUint16:    "Uint16",
	CodeUint32:    "Uint32",
	CodeUint64:    "Uint64",
	CodeInt8:      "Int8",
	CodeInt16:     "Int16",
	CodeInt32:     "Int32",
	CodeWord:      "Word",
	CodeFloat32:   "Float32",
	CodeFloat64:   "Float64",
	CodeHalf:      "Half",
	CodeAngle:     "Angle",
	CodeVector:    "Vector",
	CodeWide:      "Wide",
	CodeVarint:    "Varint",
	CodeExpGolomb: "ExpGolomb",
	CodeRelative:  "Relative",
	CodeConst:     "Const",
	CodeAlign:     "Align",
	CodeBytes:     "Bytes",
	CodeCString:   "CString",
	CodeString:    "String",
	CodeWString:   "WString",
	CodeBinary:    "Binary",
	CodeCustom:    "Custom",
	CodeLink:      "Link",
	CodeIf:        "If",
	CodeOptional:  "Optional",
	CodePresent:   "Present",
	CodeCommon:    "Common",
	CodeHuffman:   "Huffman",
	CodeRunLength: "RunLength",
	CodeScale:     "Scale",
	CodeArray:     "Array",
	CodeSlice:     "Slice",
	CodeMap:       "Map",
	CodeSubset:    "Subset",
	CodeMatrix:    "Matrix",
	CodePointer:   "Pointer",
	CodeUnion:     "Union",
	CodeCall:      "Call",
	CodeNext:      "Next",
}

// kinds has the kind of each code whose op is a node of the tree. Kinds that
// depend on more than the code are set by [planter.node].
var kinds = [NumCodes]tree.Kind{
	CodeBool: tree.KindBool, CodeUint8: tree.KindInt, CodeUint16: tree.KindInt, CodeUint32: tree.KindInt, CodeUint64: tree.KindInt,
	CodeInt8: tree.KindInt, CodeInt16: tree.KindInt, CodeInt32: tree.KindInt, CodeWord: tree.KindInt,
	CodeFloat32: tree.KindFloat32, CodeFloat64: tree.KindFloat64, CodeHalf: tree.KindHalf, CodeAngle: tree.KindAngle, CodeVector: tree.KindQuat,
	CodeWide: tree.KindWide, CodeVarint: tree.KindVarint, CodeExpGolomb: tree.KindExpGolomb, CodeRelative: tree.KindRelative,
	CodeConst: tree.KindConst, CodeAlign: tree.KindAlign,
	CodeBytes: tree.KindBytes, CodeCString: tree.KindString, CodeString: tree.KindBytes, CodeWString: tree.KindWString,
	CodeBinary: tree.KindBinary, CodeCustom: tree.KindCustom, CodeLink: tree.KindLink,
	CodeIf: tree.KindIf, CodeOptional: tree.KindOptional, CodeCommon: tree.KindCommon, CodeHuffman: tree.KindHuffman,
	CodeRunLength: tree.KindRunLength, CodeScale: tree.KindScale,
	CodeArray: tree.KindArray, CodeSlice: tree.KindSlice, CodeMap: tree.KindMap, CodeSubset: tree.KindSubset, CodeMatrix: tree.KindMatrix,
	CodePointer: tree.KindPointer, CodeUnion: tree.KindUnion, CodeCall: tree.KindCall,
}

// String returns the name of the code without its prefix.
func (c Code) String() string { return codeNames[c] }

// Single reports whether each value of an op of this code is one read of Bits
// bits, at most 64.
func (c Code) Single() bool { return codeTraits[c]&traitSingle != 0 }

// Scalar reports whether the Count values of an op of this code are encoded one by
// one. An error then names the path of one value.
func (c Code) Scalar() bool { return codeTraits[c]&traitScalar != 0 }

// Values reports whether an op of this code covers Count values.
func (c Code) Values() bool { return codeTraits[c]&(traitSingle|traitScalar) != 0 }

// Integer reports whether an op of this code sends an integer as its value minus
// Bias.
func (c Code) Integer() bool { return codeTraits[c]&traitInteger != 0 }

// Extended reports whether the integer in memory is sign-extended before Bias is
// subtracted.
func (c Code) Extended() bool { return codeTraits[c]&traitSignExtended != 0 }

// Block reports whether an op of this code opens a block.
func (c Code) Block() bool { return codeTraits[c]&traitBlock != 0 }

// Encloses reports whether the ops up to End belong to an op of this code.
func (c Code) Encloses() bool { return codeTraits[c]&traitEncloses != 0 }

// Repeats reports whether the block of an op of this code may have more than one
// element.
func (c Code) Repeats() bool { return codeTraits[c]&traitRepeats != 0 }

// PrefixCoded reports whether the values of an op of this code are integers of up
// to 64 bits in a code of variable length, which [Op.EncodeInteger] returns.
func (c Code) PrefixCoded() bool { return codeTraits[c]&traitPrefixCoded != 0 }

// Aligns reports whether an op of this code pads to a byte boundary, so that
// its size depends on the bit where it starts.
func (c Code) Aligns() bool { return codeTraits[c]&traitAligns != 0 }

// Ends reports whether an op of this code ends a block or the message.
func (c Code) Ends() bool { return codeTraits[c]&traitEnds != 0 }

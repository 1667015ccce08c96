package tree

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/bits"
)

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

// Text describes what one value of a node puts on the wire.
func (x *Node) Text() string {
	switch x.Kind {
	case KindBool, KindHalf, KindAlign, KindScale:
		return string(x.Kind)
	case KindInt:
		return x.textInt()
	case KindFloat:
		return fmt.Sprintf("float%d", x.Bits)
	case KindFloat32:
		q := x.Float32
		return fmt.Sprintf("float32 from %s over %s in %d steps", decimal(q.Min, 32), decimal(q.Delta, 32), q.Steps)
	case KindFloat64:
		q := x.Float64
		return fmt.Sprintf("float64 from %s over %s in %d steps", decimal(q.Min, 64), decimal(q.Delta, 64), q.Steps)
	case KindAngle:
		return fmt.Sprintf("angle %d bits of %s", x.Bits, decimal(x.Angle.Period, 64))
	case KindQuat:
		return fmt.Sprintf("quat smallest three, %d bits", x.Bits)
	case KindQuatSign:
		return fmt.Sprintf("quat with sign, %d bits", x.Bits)
	case KindUnit:
		return fmt.Sprintf("unit octahedral, %d bits", x.Bits)
	case KindWide:
		return x.textWide()
	case KindVarint:
		return "varint " + x.intName()
	case KindExpGolomb:
		return fmt.Sprintf("expgolomb %d %s", x.Min, x.intName())
	case KindRelative:
		return x.textRelative()
	case KindConst:
		return fmt.Sprintf("const %d bits %#x", x.Bits, x.Min)
	case KindBytes:
		if x.Array {
			return fmt.Sprintf("bytes %d", x.Min)
		}
		return "bytes " + x.lengths()
	case KindString, KindWString, KindSlice:
		return string(x.Kind) + " " + x.lengths()
	case KindBinary:
		return "binary " + x.lengths() + " " + x.Type.String()
	case KindCustom:
		return "custom " + x.Type.String()
	case KindLink:
		return fmt.Sprintf("link %d bits", x.Bits)
	case KindIf:
		return "if " + x.Cond.text()
	case KindOptional:
		return "unless zero"
	case KindCommon:
		return "common " + x.shownValues()
	case KindHuffman:
		return "huffman, value:bits " + x.shownValues()
	case KindRunLength:
		return "rle of " + x.number(x.Span == 0)
	case KindArray:
		return fmt.Sprintf("array %d", x.Min)
	case KindMap:
		return fmt.Sprintf("map %d..%d", x.Min, x.MaxLen)
	case KindSubset:
		return x.textSubset(x.Array)
	case KindMatrix:
		return "affine"
	case KindPointer:
		return "optional"
	case KindUnion:
		var list []string
		for _, part := range x.Parts {
			list = append(list, part.Name)
		}
		return "union " + strings.Join(list, "|")
	case KindCall:
		return "recursive"
	}
	panic("tree: no text of kind " + string(x.Kind))
}

func (x *Node) textInt() string {
	switch {
	case x.Full:
		return x.intName()
	case x.Signed:
		return fmt.Sprintf("int %d..%d", int64(x.Min), int64(x.Min+x.Span))
	}
	return "int " + x.lengths()
}

func (x *Node) textWide() string {
	w := x.Wide
	switch most := w.Min.Add(w.Span); {
	case x.Full:
		return x.intName()
	case x.Signed:
		return fmt.Sprintf("int %v..%v", w.Min.Signed(), most.Signed())
	default:
		return fmt.Sprintf("int %v..%v", w.Min, most)
	}
}

// intName returns the name of the type of an integer that is sent in full.
func (x *Node) intName() string {
	name := "uint"
	if x.Signed {
		name = "int"
	}
	return name + strconv.Itoa(x.Bits)
}

func (x *Node) lengths() string { return x.number(false) }

// number returns the bounds of the number of elements, or only one if it is fixed.
func (x *Node) number(fixed bool) string {
	if fixed {
		return strconv.FormatUint(x.Min, 10)
	}
	return fmt.Sprintf("%d..%d", x.Min, x.Min+x.Span)
}

func (x *Node) textSubset(fixed bool) string {
	return fmt.Sprintf("subset %v of %s", x.Subset, x.number(fixed))
}

// decimal formats v, a float of size bits, so that parsing it returns v exactly.
func decimal[T float32 | float64](v T, size int) string {
	return strconv.FormatFloat(float64(v), 'g', -1, size)
}

func (x *Node) textRelative() string {
	r := x.Relative
	s := fmt.Sprintf("relative %d..%d", r.Min, r.Max)
	switch r.Mode {
	case ToField:
		return s + " to " + r.To.text()
	case Chain:
		return fmt.Sprintf("%s chained from %d", s, r.Base)
	}
	return fmt.Sprintf("%s to %d", s, r.Base)
}

// shownValues lists the values of a KindCommon or a KindHuffman.
func (x *Node) shownValues() string {
	var list []string
	for i := range x.Values {
		text := x.shownValue(i)
		if x.Huffman != nil {
			_, n := x.Huffman.Code(i)
			text = fmt.Sprintf("%s:%d", text, n)
		}
		list = append(list, text)
	}
	return strings.Join(list, "|")
}

// text names the field that r refers to.
func (r *Ref) text() string {
	if r.Node == nil {
		return "#-1"
	}
	return r.Node.Field.Path
}

// text formats a condition as in a tag.
func (c *Cond) text() string {
	field := c.Ref.text()
	value := strconv.FormatUint(c.Value, 10)
	if c.Signed {
		value = strconv.FormatInt(int64(c.Value), 10)
	}
	switch {
	case c.Test == AnyOf:
		return field + "&" + value
	case c.Test == NotEqual && c.Value == 0:
		return field
	case c.Test == Equal && c.Value == 0:
		return "!" + field
	case c.Test == NotEqual:
		return field + "!=" + value
	}
	return field + "==" + value
}

// shownValue formats listed value i of a KindCommon or a KindHuffman as in a tag.
func (x *Node) shownValue(i int) string {
	t, v := x.Children[0].Elem, &x.Values[i]
	k, m := t.Kind(), v.Mem[0]
	switch {
	case x.Huffman != nil && i == x.Escape:
		return "*"
	case x.Children[0].Kind == KindWide && x.Children[0].Signed:
		return bits.Int128{Lo: m, Hi: int64(v.Mem[1])}.String()
	case x.Children[0].Kind == KindWide:
		return bits.Uint128{Lo: m, Hi: v.Mem[1]}.String()
	case k == reflect.Bool:
		return strconv.FormatBool(m != 0)
	case k == reflect.Float32:
		return decimal(math.Float32frombits(uint32(m)), 32)
	case k == reflect.Float64:
		return decimal(math.Float64frombits(m), 64)
	case k >= reflect.Int && k <= reflect.Int64:
		return strconv.FormatInt(int64(m), 10)
	case k == reflect.String:
		return strconv.Quote(v.Text)
	default:
		return strconv.FormatUint(m, 10)
	}
}

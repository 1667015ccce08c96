package tree

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/gobitpack/bitpack/bits"
)

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

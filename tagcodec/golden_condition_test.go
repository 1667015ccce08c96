package tagcodec_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
)

// A conditional field is written only if its condition is true. Otherwise it is
// decoded as zero.
func TestGoldenConditions(t *testing.T) {
	type (
		embeddedIf struct {
			gate
			B uint8 `bp:"if=Open"`
		}
		embedIf struct {
			A    bool
			gate `bp:"if=A"`
			B    uint8 `bp:"if=!Open"`
		}
		embedChained struct {
			A    bool
			gate `bp:"if=A"`
			B    uint8 `bp:"if=Level"`
		}
	)
	runRows(t, []goldenRow{
		{"if=A, true", of("", true, "if=A", uint8(5)), "1 5:8", nil, "the value"},
		{"if=A, false", of("", false, "if=A", uint8(5)), "0", values{false, uint8(0)}, "nothing, and zero on reading"},
		{"if=!A, true", of("", true, "if=!A", uint8(5), "", true), "1 1", values{true, uint8(0), true}, "nothing, and what follows comes at once"},
		{"if=!A, false", of("", false, "if=!A", uint8(5), "", true), "0 5:8 1", nil, "the value"},
		{"if of an integer, not 0", of("", int8(-1), "if=A", uint8(5)), "255:8 5:8", nil, "any value but 0"},
		{"if of an integer, 0", of("", int8(0), "if=A", uint8(5)), "0:8", values{int8(0), uint8(0)}, "0 is false"},
		{"if=! of an integer", of("", int8(0), "if=!A", uint8(5)), "0:8 5:8", nil, "0 alone"},
		{"if=A==K, equal", of("min=-3,max=3", int16(-2), "if=A==-2", true), "1:3 1", nil, "negative numbers too"},
		{"if=A==K, another", of("min=-3,max=3", int16(2), "if=A==-2", true), "5:3", values{int16(2), false}, "nothing"},
		{"if=A!=K, equal", of("enum,max=3", uint8(2), "if=A!=0x2", true), "2:2", values{uint8(2), false}, "nothing"},
		{"if=A!=K, another", of("enum,max=3", uint8(3), "if=A!=0x2", true), "3:2 1", nil, "the value"},
		{"if=A==false", of("", false, "if=A==false", true), "0 1", nil, "a bool compares with its words"},
		{"if=A&M, one bit", of("bits=3", uint8(4), "if=A&5", true, "if=A&2", true), "4:3 1", values{uint8(4), true, false}, "any bit of M, and none of the other"},
		{"if=A&M, no bit", of("bits=3", uint8(0), "if=A&5", true, "if=A&2", true), "0:3", values{uint8(0), false, false}, "nothing"},
		{"if=A&M, all bits", of("bits=3", uint8(7), "if=A&5", true, "if=A&2", true), "7:3 1 1", nil, "any bit"},
		{"if=A&M, the sign", of("", int8(-128), "if=A&0x80", true), "0x80:8 1", nil, "the bits of two's complement"},
		{"field between", of("", true, "", uint16(1), "if=A", uint8(2)), "1 1:16 2:8", nil, "the condition is not of the field before alone"},
		{"condition on what is there", of("", true, "if=A", true, "if=B", uint8(9)), "1 1 9:8", nil, "all three"},
		{"condition on what is not there", of("", false, "if=A", true, "if=B", uint8(9)), "0", values{false, false, uint8(0)}, "B counts as false, whatever it holds"},
		{"negated condition on what is not there", of("", false, "if=A", uint8(7), "if=!B", uint8(9)), "0 9:8", values{false, uint8(0), uint8(9)}, "B counts as 0"},
		{"struct, there", of("", true, "if=A", door{true, 2}, "", true), "1 1 2:2 1", nil, "all its fields"},
		{"struct, not there", of("", false, "if=A", door{true, 2}, "", true), "0 1", values{false, door{}, true}, "none of its fields"},
		{"condition in a conditional struct, both", of("", true, "if=A", gate{true, 3}), "1 1 3:2", nil, "inside of the struct it is its own field"},
		{"condition in a conditional struct, the outer", of("", true, "if=A", gate{false, 3}), "1 0", values{true, gate{}}, "only the inner one is not there"},
		{"condition in a conditional struct, neither", of("", false, "if=A", gate{true, 3}), "0", values{false, gate{}}, "nothing"},
		{"condition on a field of an embedded struct", embeddedIf{gate{true, 1}, 5}, "1 1:2 5:8", nil, "its fields are those of the struct"},
		{"condition on a field of an embedded struct that is not there", embedIf{false, gate{true, 1}, 5}, "0 5:8", embedIf{false, gate{}, 5}, "it counts as false"},
		{"condition on a conditional field of an embedded struct", embedChained{true, gate{true, 1}, 5}, "1 1 1:2 5:8", nil, "all three are there"},
		{"condition on one that is not there", embedChained{true, gate{false, 1}, 5}, "1 0", embedChained{true, gate{}, 0}, "it counts as 0"},
		{"condition on one in a struct that is not there", embedChained{false, gate{true, 1}, 5}, "0", embedChained{}, "it counts as 0, though Open would have it"},
		{"array, there", of("", true, "bits=2,if=A", [3]uint8{1, 2, 3}), "1 1:2 2:2 3:2", nil, "all of it"},
		{"array, not there", of("", false, "bits=2,if=A", [3]uint8{1, 2, 3}), "0", values{false, [3]uint8{}}, "nothing"},
		{"slice, there", of("", true, "uint,maxlen=3,if=A", []uint8{1}), "1 1:2 1:8", nil, "with its count"},
		{"slice, not there", of("", false, "uint,maxlen=3,if=A", []uint8{1}), "0", values{false, []uint8(nil)}, "not even its count"},
		{"string, not there", of("", true, "maxlen=3,if=!A", "hi", "", true), "1 1", values{true, "", true}, "no alignment either"},
		{"pointer, there and nil", of("", true, "if=A", (*uint8)(nil)), "1 0", nil, "it still has its bit"},
		{"pointer, not there", of("", false, "if=A", new(uint8)), "0", values{false, (*uint8)(nil)}, "not even its bit"},
		{"map, not there", of("", false, "maxlen=2,if=A", map[bool]bool{true: true}), "0", values{false, map[bool]bool(nil)}, "not even its count"},
		{"conditions in elements", of("maxlen=3", []gate{{true, 2}, {false, 2}, {true, 1}}), "3:2 1 2:2 0 1 1:2", []gate{{true, 2}, {}, {true, 1}}, "each element by its own field"},
		{"align, there", of("", true, "align,if=A", struct{}{}, "", true), "1 | 1", nil, "up to the next byte"},
		{"align, not there", of("", false, "align,if=A", struct{}{}, "", true), "0 1", nil, "nothing"},
		{"const, there", of("", true, "const,bits=4,value=9,if=A", struct{}{}), "1 9:4", nil, "the constant"},
		{"const, not there", of("", false, "const,bits=4,value=9,if=A", struct{}{}), "0", nil, "nothing"},
	})
}

// If a condition refers to an absent field, it uses the value 0 that the reader
// has. The memory of the writer does not matter, and neither does the previous
// content of the reader's variable.
func TestConditionsOnConditions(t *testing.T) {
	type bools struct {
		A bool
		B bool `bp:"if=A"`
		C bool `bp:"if=!B"`
		D bool `bp:"if=C"`
		E bool `bp:"if=!D"`
	}
	type numbers struct {
		A uint16 `bp:"int,min=0,max=1"`
		B int64  `bp:"int,min=0,max=1,if=A"`
		C int32  `bp:"int,min=0,max=1,if=B==0"`
		D uint8  `bp:"int,min=0,max=1,if=C&1"`
		E int16  `bp:"int,min=0,max=1,if=D!=1"`
	}
	type apart struct { // fields separated by nil pointers
		A bool
		P *bool
		B bool `bp:"if=A"`
		Q *bool
		C bool `bp:"if=!B"`
		R *bool
		D bool `bp:"if=C"`
		S *bool
		E bool `bp:"if=!D"`
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[bools](), reflect.TypeFor[numbers](), reflect.TypeFor[apart]()} {
		// memory returns a value whose fields are the bits of m.
		memory := func(m uint) reflect.Value {
			v := reflect.New(typ).Elem()
			for i, name := range []string{"A", "B", "C", "D", "E"} {
				switch f := v.FieldByName(name); {
				case f.Kind() == reflect.Bool:
					f.SetBool(m>>i&1 != 0)
				case f.CanInt():
					f.SetInt(int64(m >> i & 1))
				default:
					f.SetUint(uint64(m >> i & 1))
				}
			}
			return v
		}
		for m := range uint(32) {
			a := m & 1
			b := m >> 1 & a // if A
			c := m >> 2 & (b ^ 1)
			d := m >> 3 & c
			e := m >> 4 & (d ^ 1)
			there := [...]bool{true, a == 1, b == 0, c == 1, d == 0}
			var layout strings.Builder
			for i, bit := range []uint{a, b, c, d, e} {
				if there[i] {
					fmt.Fprint(&layout, bit)
				}
				if typ == reflect.TypeFor[apart]() && i < 4 {
					layout.WriteByte('0')
				}
			}
			want, _ := wireOf(layout.String())
			got, err := tagcodec.Marshal(memory(m).Addr().Interface())
			require.NoError(t, err)
			require.Equal(t, want, got, "%v %05b", typ, m)
			read := memory(31)
			require.NoError(t, tagcodec.Unmarshal(want, read.Addr().Interface()))
			require.Equal(t, memory(a|b<<1|c<<2|d<<3|e<<4).Interface(), read.Interface(), "%v %05b", typ, m)
		}
	}
}

// A pointer is one bit that reports whether it is non-nil, then the value.
func TestGoldenPointers(t *testing.T) {
	type (
		embedded struct {
			*Position
			B bool
		}
		list struct{ Head *link }
		tree struct{ Root branch }
	)
	runRows(t, []goldenRow{
		{"pointer, nil", of("", (*uint8)(nil), "", true), "0 1", nil, "a bit"},
		{"pointer", of("", pointerTo[uint8](200), "", true), "1 200:8 1", nil, "a bit and the value"},
		{"pointer to a pointer, nil", of("", (**bool)(nil)), "0", nil, "a bit"},
		{"pointer to a nil pointer", of("", new(*bool)), "1 0", nil, "a bit each"},
		{"pointer to a pointer", of("", pointerTo(pointerTo(true))), "1 1 1", nil, "a bit each, then the value"},
		{"pointer with options", of("min=1,max=4", pointerTo[int32](4)), "1 3:2", nil, "they are the value's"},
		{"pointer to a struct", of("", &door{true, 3}), "1 1 3:2", nil, "a bit and the fields"},
		{"pointer to a slice", of("maxlen=3", &[]bool{true, false}), "1 2:2 1 0", nil, "a bit, the count, the elements"},
		{"pointer to a string", of("maxlen=3", pointerTo("a")), "1 1:2 | [61]", nil, "a bit, then as any string"},
		{"embedded pointer", embedded{&Position{7}, true}, "1 7:8 1", nil, "a bit before its fields"},
		{"embedded pointer, nil", embedded{nil, true}, "0 1", nil, "a bit"},
		{"array of pointers", of("", [3]*bool{nil, pointerTo(true), nil}), "0 1 1 0", nil, "a bit each"},
		{"list of two", list{&link{1, &link{2, nil}}}, "1 1:8 1 2:8 0", nil, "a bit says whether another follows"},
		{"list of none", list{nil}, "0", nil, "a bit"},
		{"tree", tree{branch{1, []branch{{2, nil}, {3, []branch{{4, nil}}}}}}, "1:8 2:2 2:8 0:2 3:8 1:2 4:8 0:2", nil, "the branches of one before the next"},
	})
}

type (
	gate struct {
		Open  bool
		Level uint8 `bp:"bits=2,if=Open"`
	}
	Position struct{ X uint8 }
	link     struct {
		Value uint8
		Next  *link
	}
	branch struct {
		Value uint8
		Kids  []branch `bp:"maxlen=3"`
	}
)

func pointerTo[T any](v T) *T { return &v }

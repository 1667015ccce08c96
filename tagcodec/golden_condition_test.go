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
		isSet struct {
			A bool
			B uint8 `bp:"if=A"`
		}
		isNot struct {
			A bool
			B uint8 `bp:"if=!A"`
			C bool
		}
		number struct {
			A int8
			B uint8 `bp:"if=A"`
		}
		notNumber struct {
			A int8
			B uint8 `bp:"if=!A"`
		}
		equal struct {
			A int16 `bp:"min=-3,max=3"`
			B bool  `bp:"if=A==-2"`
		}
		unequal struct {
			A uint8 `bp:"enum,max=3"`
			B bool  `bp:"if=A!=0x2"`
		}
		truth struct {
			A bool
			B bool `bp:"if=A==false"`
		}
		mask struct {
			A uint8 `bp:"bits=3"`
			B bool  `bp:"if=A&5"`
			C bool  `bp:"if=A&2"`
		}
		signMask struct {
			A int8
			B bool `bp:"if=A&0x80"`
		}
		late struct {
			A bool
			B uint16
			C uint8 `bp:"if=A"`
		}
		chained struct {
			A bool
			B bool  `bp:"if=A"`
			C uint8 `bp:"if=B"`
		}
		chainedNot struct {
			A bool
			B uint8 `bp:"if=A"`
			C uint8 `bp:"if=!B"`
		}
		structIf struct {
			A bool
			B door `bp:"if=A"`
			C bool
		}
		nestedIf struct {
			A bool
			B gate `bp:"if=A"`
		}
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
		arrayIf struct {
			A bool
			B [3]uint8 `bp:"bits=2,if=A"`
		}
		sliceIf struct {
			A bool
			B []uint8 `bp:"uint,maxlen=3,if=A"`
		}
		textIf struct {
			A bool
			B string `bp:"maxlen=3,if=!A"`
			C bool
		}
		pointerIf struct {
			A bool
			B *uint8 `bp:"if=A"`
		}
		mapIf struct {
			A bool
			B map[bool]bool `bp:"maxlen=2,if=A"`
		}
		elementIf struct {
			A []gate `bp:"maxlen=3"`
		}
		alignIf struct {
			A bool
			_ struct{} `bp:"align,if=A"`
			B bool
		}
		checkIf struct {
			A bool
			_ struct{} `bp:"const,bits=4,value=9,if=A"`
		}
	)
	runRows(t, []goldenRow{
		{"if=A, true", isSet{true, 5}, "1 5:8", "0b00", nil, "the value"},
		{"if=A, false", isSet{false, 5}, "0", "00", isSet{false, 0}, "nothing, and zero on reading"},
		{"if=!A, true", isNot{true, 5, true}, "1 1",
			"03", isNot{true, 0, true}, "nothing, and what follows comes at once"},
		{"if=!A, false", isNot{false, 5, true}, "0 5:8 1", "0a02", nil, "the value"},
		{"if of an integer, not 0", number{-1, 5}, "255:8 5:8", "ff05", nil, "any value but 0"},
		{"if of an integer, 0", number{0, 5}, "0:8", "00", number{0, 0}, "0 is false"},
		{"if=! of an integer", notNumber{0, 5}, "0:8 5:8", "0005", nil, "0 alone"},
		{"if=A==K, equal", equal{-2, true}, "1:3 1", "09", nil, "negative numbers too"},
		{"if=A==K, another", equal{2, true}, "5:3", "05", equal{2, false}, "nothing"},
		{"if=A!=K, equal", unequal{2, true}, "2:2", "02", unequal{2, false}, "nothing"},
		{"if=A!=K, another", unequal{3, true}, "3:2 1", "07", nil, "the value"},
		{"if=A==false", truth{false, true}, "0 1", "02", nil, "a bool compares with its words"},
		{"if=A&M, one bit", mask{4, true, true}, "4:3 1",
			"0c", mask{4, true, false}, "any bit of M, and none of the other"},
		{"if=A&M, no bit", mask{0, true, true}, "0:3", "00", mask{0, false, false}, "nothing"},
		{"if=A&M, all bits", mask{7, true, true}, "7:3 1 1", "1f", nil, "any bit"},
		{"if=A&M, the sign", signMask{-128, true}, "0x80:8 1", "8001", nil, "the bits of two's complement"},
		{"field between", late{true, 1, 2}, "1 1:16 2:8",
			"03000400", nil, "the condition is not of the field before alone"},
		{"condition on what is there", chained{true, true, 9}, "1 1 9:8", "2700", nil, "all three"},
		{"condition on what is not there", chained{false, true, 9}, "0",
			"00", chained{false, false, 0}, "B counts as false, whatever it holds"},
		{"negated condition on what is not there", chainedNot{false, 7, 9}, "0 9:8",
			"1200", chainedNot{false, 0, 9}, "B counts as 0"},
		{"struct, there", structIf{true, door{true, 2}, true}, "1 1 2:2 1", "1b", nil, "all its fields"},
		{"struct, not there", structIf{false, door{true, 2}, true}, "0 1",
			"02", structIf{false, door{}, true}, "none of its fields"},
		{"condition in a conditional struct, both", nestedIf{true, gate{true, 3}}, "1 1 3:2",
			"0f", nil, "inside of the struct it is its own field"},
		{"condition in a conditional struct, the outer", nestedIf{true, gate{false, 3}}, "1 0",
			"01", nestedIf{true, gate{}}, "only the inner one is not there"},
		{"condition in a conditional struct, neither", nestedIf{false, gate{true, 3}}, "0",
			"00", nestedIf{false, gate{}}, "nothing"},
		{"condition on a field of an embedded struct", embeddedIf{gate{true, 1}, 5}, "1 1:2 5:8",
			"2b00", nil, "its fields are those of the struct"},
		{"condition on a field of an embedded struct that is not there", embedIf{false, gate{true, 1}, 5}, "0 5:8",
			"0a00", embedIf{false, gate{}, 5}, "it counts as false"},
		{"condition on a conditional field of an embedded struct", embedChained{true, gate{true, 1}, 5}, "1 1 1:2 5:8",
			"5700", nil, "all three are there"},
		{"condition on one that is not there", embedChained{true, gate{false, 1}, 5}, "1 0",
			"01", embedChained{true, gate{}, 0}, "it counts as 0"},
		{"condition on one in a struct that is not there", embedChained{false, gate{true, 1}, 5}, "0",
			"00", embedChained{}, "it counts as 0, though Open would have it"},
		{"array, there", arrayIf{true, [3]uint8{1, 2, 3}}, "1 1:2 2:2 3:2", "73", nil, "all of it"},
		{"array, not there", arrayIf{false, [3]uint8{1, 2, 3}}, "0", "00", arrayIf{false, [3]uint8{}}, "nothing"},
		{"slice, there", sliceIf{true, []uint8{1}}, "1 1:2 1:8", "0b00", nil, "with its count"},
		{"slice, not there", sliceIf{false, []uint8{1}}, "0", "00", sliceIf{false, nil}, "not even its count"},
		{"string, not there", textIf{true, "hi", true}, "1 1", "03", textIf{true, "", true}, "no alignment either"},
		{"pointer, there and nil", pointerIf{true, nil}, "1 0", "01", nil, "it still has its bit"},
		{"pointer, not there", pointerIf{false, new(uint8)}, "0", "00", pointerIf{false, nil}, "not even its bit"},
		{"map, not there", mapIf{false, map[bool]bool{true: true}}, "0",
			"00", mapIf{false, nil}, "not even its count"},
		{"conditions in elements", elementIf{[]gate{{true, 2}, {false, 2}, {true, 1}}}, "3:2 1 2:2 0 1 1:2",
			"d700", elementIf{[]gate{{true, 2}, {}, {true, 1}}}, "each element by its own field"},
		{"align, there", alignIf{A: true, B: true}, "1 | 1", "0101", nil, "up to the next byte"},
		{"align, not there", alignIf{B: true}, "0 1", "02", nil, "nothing"},
		{"const, there", checkIf{A: true}, "1 9:4", "13", nil, "the constant"},
		{"const, not there", checkIf{}, "0", "00", nil, "nothing"},
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
		optional struct {
			A *uint8
			B bool
		}
		double struct{ A **bool }
		ranged struct {
			A *int32 `bp:"min=1,max=4"`
		}
		toStruct struct{ A *door }
		toSlice  struct {
			A *[]bool `bp:"maxlen=3"`
		}
		toText struct {
			A *string `bp:"maxlen=3"`
		}
		embedded struct {
			*Position
			B bool
		}
		array struct{ A [3]*bool }
		list  struct{ Head *link }
		tree  struct{ Root branch }
	)
	runRows(t, []goldenRow{
		{"pointer, nil", optional{nil, true}, "0 1", "02", nil, "a bit"},
		{"pointer", optional{pointerTo[uint8](200), true}, "1 200:8 1", "9103", nil, "a bit and the value"},
		{"pointer to a pointer, nil", double{nil}, "0", "00", nil, "a bit"},
		{"pointer to a nil pointer", double{new(*bool)}, "1 0", "01", nil, "a bit each"},
		{"pointer to a pointer", double{pointerTo(pointerTo(true))}, "1 1 1",
			"07", nil, "a bit each, then the value"},
		{"pointer with options", ranged{pointerTo[int32](4)}, "1 3:2", "07", nil, "they are the value's"},
		{"pointer to a struct", toStruct{&door{true, 3}}, "1 1 3:2", "0f", nil, "a bit and the fields"},
		{"pointer to a slice", toSlice{&[]bool{true, false}}, "1 2:2 1 0",
			"0d", nil, "a bit, the count, the elements"},
		{"pointer to a string", toText{pointerTo("a")}, "1 1:2 | [61]", "0361", nil, "a bit, then as any string"},
		{"embedded pointer", embedded{&Position{7}, true}, "1 7:8 1", "0f02", nil, "a bit before its fields"},
		{"embedded pointer, nil", embedded{nil, true}, "0 1", "02", nil, "a bit"},
		{"array of pointers", array{[3]*bool{nil, pointerTo(true), nil}}, "0 1 1 0", "06", nil, "a bit each"},
		{"list of two", list{&link{1, &link{2, nil}}}, "1 1:8 1 2:8 0",
			"030a00", nil, "a bit says whether another follows"},
		{"list of none", list{nil}, "0", "00", nil, "a bit"},
		{"tree", tree{branch{1, []branch{{2, nil}, {3, []branch{{4, nil}}}}}}, "1:8 2:2 2:8 0:2 3:8 1:2 4:8 0:2",
			"010a301001", nil, "the branches of one before the next"},
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

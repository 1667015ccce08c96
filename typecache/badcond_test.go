package typecache_test

import (
	"reflect"
	"testing"
)

// TestBadConditions has conditions on fields that cannot be used, and
// conditions that are always or never true.
func TestBadConditions(t *testing.T) {
	runBad(t, []bad{
		{"unknown field", reflect.TypeFor[struct {
			A bool
			B int8 `bp:"if=C"`
		}](),
			`struct.B: option "if" refers to "C", which is not an earlier field; known are A`},
		{"unknown field, and none before", reflect.TypeFor[struct {
			B int8 `bp:"if=C"`
		}](),
			`struct.B: option "if" refers to "C", which is not an earlier field: it must be an earlier bool or integer field of the same struct`},
		{"field with letters transposed", reflect.TypeFor[struct {
			Alive bool
			B     int8 `bp:"if=Alvie"`
		}](),
			`struct.B: option "if" refers to "Alvie", which is not an earlier field; did you mean "Alive"?`},
		{"field with a letter changed, negated", reflect.TypeFor[struct {
			AtRest bool
			B      int8 `bp:"if=!AtBest"`
		}](),
			`struct.B: option "if" refers to "AtBest", which is not an earlier field; did you mean "AtRest"?`},
		{"field with many capitals, in small letters", reflect.TypeFor[struct {
			HasID bool
			B     int8 `bp:"if=hasid"`
		}](),
			`struct.B: option "if" refers to "hasid", which is not an earlier field; did you mean "HasID"?`},
		{"two conditions", reflect.TypeFor[struct {
			On, Before bool
			B          int8 `bp:"if=On&&Before"`
		}](),
			`struct.B: option "if" takes one condition, not "On&&Before": join them in a bool field before this one`},
		{"one of two conditions", reflect.TypeFor[struct {
			On, Before bool
			B          int8 `bp:"if=On||Before"`
		}](),
			`struct.B: option "if" takes one condition, not "On||Before": join them in a bool field before this one`},
		{"later field", reflect.TypeFor[struct {
			B int8 `bp:"if=A"`
			A bool
		}](),
			`struct.B: option "if" refers to A, which must come before this field: move it up`},
		{"field itself", reflect.TypeFor[struct {
			B int8 `bp:"if=B"`
		}](),
			`struct.B: option "if" refers to B, which must come before this field: move it up`},
		{"field that is left out", reflect.TypeFor[struct {
			A bool `bp:"-"`
			B int8 `bp:"if=A"`
		}](),
			`struct.B: option "if" refers to A, which is left out: remove its bp:"-"`},
		{"unexported field", reflect.TypeFor[struct {
			a bool
			B int8 `bp:"if=a"`
		}](),
			`struct.B: option "if" refers to a, which is not exported: export it`},
		{"float", reflect.TypeFor[struct {
			A float32
			B int8 `bp:"if=A"`
		}](),
			`struct.B: option "if" refers to A, which is of type float32: refer to a bool or an integer`},
		{"string", reflect.TypeFor[struct {
			A string `bp:"maxlen=3"`
			B int8   `bp:"if=A"`
		}](),
			`struct.B: option "if" refers to A, which is of type string: refer to a bool or an integer`},
		{"pointer", reflect.TypeFor[struct {
			A *bool
			B int8 `bp:"if=A"`
		}](),
			`struct.B: option "if" refers to A, which is of type *bool: refer to a bool or an integer`},
		{"field of a field", reflect.TypeFor[struct {
			A Health
			B int8 `bp:"if=A.Alive"`
		}](),
			`struct.B: option "if" cannot be "A.Alive": write Field, !Field, Field==K, Field!=K or Field&M, without spaces`},
		{"field of the struct around", reflect.TypeFor[struct {
			A bool
			C struct {
				B int8 `bp:"if=A"`
			}
		}](),
			`struct.C.B: option "if" refers to "A", which is not an earlier field: it must be an earlier bool or integer field of the same struct`},
		{"field of an embedded pointer", reflect.TypeFor[struct {
			*Health
			C int8 `bp:"if=Alive"`
		}](),
			`struct.C: option "if" refers to Alive, which is behind a pointer: refer to a field of the struct itself`},
		{"embedded struct", reflect.TypeFor[struct {
			Health
			C int8 `bp:"if=Health"`
		}](),
			`struct.C: option "if" refers to Health, which is of type typecache_test.Health: refer to a bool or an integer`},
		{"field of two embedded structs", reflect.TypeFor[struct {
			Health
			Pulse
			C int8 `bp:"if=Alive"`
		}](),
			`struct.C: option "if" refers to "Alive", which is not an earlier field; known are Points`},
		{"bool compared with 2", reflect.TypeFor[struct {
			A bool
			B int8 `bp:"if=A==2"`
		}](),
			`struct.B: option "if" compares A with 2, which it can never be: it is in [0, 1]`},
		{"uint8 compared with 256", reflect.TypeFor[struct {
			A uint8
			B int8 `bp:"if=A==256"`
		}](),
			`struct.B: option "if" compares A with 256, which it can never be: it is in [0, 255]`},
		{"int8 compared with -129", reflect.TypeFor[struct {
			A int8
			B int8 `bp:"if=A!=-129"`
		}](),
			`struct.B: option "if" compares A with -129, which it can never be: it is in [-128, 127]`},
		{"enum compared with what it has not", reflect.TypeFor[struct {
			A uint8 `bp:"enum,max=3"`
			B int8  `bp:"if=A==4"`
		}](),
			`struct.B: option "if" compares A with 4, which it can never be: it is in [0, 3]`},
		{"range compared with what is below", reflect.TypeFor[struct {
			A int8 `bp:"int,min=2,max=3"`
			B int8 `bp:"if=A!=1"`
		}](),
			`struct.B: option "if" compares A with 1, which it can never be: it is in [2, 3]`},
		{"relative integer compared with what it cannot carry", reflect.TypeFor[struct {
			A int64 `bp:"relative,base=0"`
			B int8  `bp:"if=A==0x80000000"`
		}](),
			`struct.B: option "if" compares A with 2147483648, which it can never be: it is in [-2147483648, 2147483647]`},
		{"bits that the field does not have", reflect.TypeFor[struct {
			A uint8 `bp:"uint,bits=3"`
			B int8  `bp:"if=A&8"`
		}](),
			`struct.B: option "if" tests A for the bits 8, and never has one of them: it is in [0, 7]`},
		{"bits above the largest value", reflect.TypeFor[struct {
			A uint8 `bp:"enum,max=5"`
			B int8  `bp:"if=A&0x18"`
		}](),
			`struct.B: option "if" tests A for the bits 0x18, and never has one of them: it is in [0, 5]`},
		{"bits above the type", reflect.TypeFor[struct {
			A int8
			B int8 `bp:"if=A&0x180"`
		}](),
			`struct.B: option "if" tests A for the bits 0x180, but it has 8`},
		{"no bits", reflect.TypeFor[struct {
			A uint8
			B int8 `bp:"if=A&0"`
		}](),
			`struct.B: option "if" tests A for the bits 0, and never has one of them: it is in [0, 255]`},
		{"comparison with a name", reflect.TypeFor[struct {
			A uint8
			B int8 `bp:"if=A==x"`
		}](),
			`struct.B: option "if" compares with an integer, not "x"`},
		{"comparison of an int with true", reflect.TypeFor[struct {
			A uint8
			B int8 `bp:"if=A==true"`
		}](),
			`struct.B: option "if" compares with an integer, not "true"`},
		{"comparison with nothing", reflect.TypeFor[struct {
			A uint8
			B int8 `bp:"if=A=="`
		}](),
			`struct.B: option "if" lacks the integer after "=="`},
		{"single equals sign", reflect.TypeFor[struct {
			A uint8
			B int8 `bp:"if=A=5"`
		}](),
			`struct.B: option "if" cannot be "A=5": write Field, !Field, Field==K, Field!=K or Field&M, without spaces`},
		{"unknown comparison", reflect.TypeFor[struct {
			A uint8
			B int8 `bp:"if=A>5"`
		}](),
			`struct.B: option "if" cannot be "A>5": write Field, !Field, Field==K, Field!=K or Field&M, without spaces`},
		{"spaces", reflect.TypeFor[struct {
			A uint8
			B int8 `bp:"if=A == 5"`
		}](),
			`struct.B: option "if" cannot be "A == 5": write Field, !Field, Field==K, Field!=K or Field&M, without spaces`},
		{"negation of a comparison", reflect.TypeFor[struct {
			A uint8
			B int8 `bp:"if=!A==5"`
		}](),
			`struct.B: option "if" cannot be "!A==5": write Field, !Field, Field==K, Field!=K or Field&M, without spaces`},
	})
}

package typecache_test

import (
	"io"
	"reflect"
	"testing"
)

// TestBadStructs has types without an encoding, tags in places where no tag is
// allowed, and wrong struct{} fields.
func TestBadStructs(t *testing.T) {
	runBad(t, []bad{
		{"no type", nil,
			"nil: there is no type: pass a value or a pointer to one"},
		{"interface", reflect.TypeFor[struct{ A any }](),
			`struct.A: interface {} is an interface: tag it bp:"union" and register its types, bp:"link" if it refers to an object with an id, or leave it out with bp:"-"`},
		{"interface with a tag", reflect.TypeFor[struct {
			A io.Reader `bp:"maxlen=3"`
		}](),
			`struct.A: io.Reader is an interface: tag it bp:"union" and register its types, bp:"link" if it refers to an object with an id, or leave it out with bp:"-"`},
		{"channel", reflect.TypeFor[struct{ A chan int }](),
			`struct.A: chan int cannot be encoded: leave the field out with bp:"-"`},
		{"function", reflect.TypeFor[struct{ A func() }](),
			`struct.A: func() cannot be encoded: leave the field out with bp:"-"`},
		{"interface itself", reflect.TypeFor[io.Reader](),
			`Reader: io.Reader is an interface: tag it bp:"union" and register its types, bp:"link" if it refers to an object with an id, or leave it out with bp:"-"`},
		{"unexported field with a tag", reflect.TypeFor[struct {
			health int32 `bp:"int,min=0,max=9"`
		}](),
			"struct.health: the field is not exported: export it, or remove its tag"},
		{"blank field with a tag", reflect.TypeFor[struct {
			_ int32 `bp:"int"`
		}](),
			"struct._ (field 1): the field is not exported: export it, or remove its tag"},
		{"embedded pointer to an unexported type", reflect.TypeFor[struct{ *hidden }](),
			`struct.hidden: an embedded pointer to a type that is not exported cannot be set: embed typecache_test.hidden itself, or leave it out with bp:"-"`},
		{"type that holds itself without a struct", reflect.TypeFor[struct {
			A List `bp:"maxlen=4"`
		}](),
			"struct.A: typecache_test.List contains itself without a struct: a recursive type must go through one"},
		{"map that holds itself without a struct", reflect.TypeFor[struct {
			A Dict `bp:"maxlen=4,key.maxlen=4"`
		}](),
			"struct.A: typecache_test.Dict contains itself without a struct: a recursive type must go through one"},
		{"pointer to itself", reflect.TypeFor[struct{ A Ring }](),
			"struct.A: typecache_test.Ring contains itself without a struct: a recursive type must go through one"},
		{"pointer to itself with a binary form", reflect.TypeFor[struct {
			A Ring `bp:"binary,maxlen=4"`
		}](),
			"struct.A: typecache_test.Ring contains itself without a struct: a recursive type must go through one"},
		{"affine pointer to itself", reflect.TypeFor[struct {
			A Ring `bp:"affine"`
		}](),
			"struct.A: typecache_test.Ring contains itself without a struct: a recursive type must go through one"},
		{"options for a recursive struct", reflect.TypeFor[struct {
			A Tree `bp:"maxlen=4"`
		}](),
			"struct.A: options cannot be handed on to the fields of typecache_test.Tree, which is recursive: tag its own fields"},
		{"options for a struct that is recursive through a pointer", reflect.TypeFor[struct {
			A Chain `bp:"half"`
		}](),
			"struct.A: options cannot be handed on to the fields of typecache_test.Chain, which is recursive: tag its own fields"},
		{"options for a struct whose fields have their own", reflect.TypeFor[struct {
			A Tagged `bp:"half"`
		}](),
			"struct.A.X: the field has a tag of its own, so that no options can be handed on to it: remove one of them"},
		{"options that a field of the struct does not take", reflect.TypeFor[struct {
			A Mixed `bp:"half"`
		}](),
			`struct.A.On: kind "half" does not apply to bool, which takes 1 bit: remove it`},
		{"options that lack something for the fields", reflect.TypeFor[struct {
			A Vec3 `bp:"min=0,max=1"`
		}](),
			"struct.A.X: a quantized float needs res= or bits=: add one"},
		{"options that are wrong for the fields of elements", reflect.TypeFor[struct {
			A []Vec3 `bp:"min=0,max=1,res=0,maxlen=3"`
		}](),
			"struct.A.X: res must be a positive number, not 0"},
		{"options for an embedded struct that does not take them", reflect.TypeFor[struct {
			Health `bp:"half"`
		}](),
			`struct.Health.Alive: kind "half" does not apply to bool, which takes 1 bit: remove it`},
		{"options for a struct without fields", reflect.TypeFor[struct {
			A Marker `bp:"half"`
		}](),
			"struct.A: typecache_test.Marker has no fields that the options could apply to: remove them"},
		{"options for a type that serializes itself", reflect.TypeFor[struct {
			A own `bp:"maxlen=4"`
		}](),
			"struct.A: typecache_test.own serializes itself, so that no kind or option applies to it: remove them"},
		{"binary for a type that serializes itself", reflect.TypeFor[struct {
			A own `bp:"binary,maxlen=4"`
		}](),
			`struct.A: kind "binary" needs MarshalBinary or AppendBinary, and UnmarshalBinary on the pointer: give typecache_test.own these methods, or use another kind`},
		{"slice of what serializes itself, without a bound", reflect.TypeFor[struct{ A []own }](),
			"struct.A: []typecache_test.own needs a largest length: add maxlen="},
		{"fault in a recursive struct", reflect.TypeFor[Bush](),
			`Bush.Level: option "max" is missing: add max=`},
		{"fault in an anonymous struct that is recursive", reflect.TypeFor[Weed](),
			`Weed.Parts.Level: option "max" is missing: add max=`},
		{"fault two structs down", reflect.TypeFor[struct{ Squad Squad }](),
			"Soldier.Ammo: bits=12 is more than a uint8 holds: use 8 at most"},
		{"fault in an anonymous struct", reflect.TypeFor[struct {
			Stats struct {
				Level uint8 `bp:"enum"`
			}
		}](),
			`struct.Stats.Level: option "max" is missing: add max=`},
		{"align on a named type", reflect.TypeFor[struct {
			A Marker `bp:"align"`
		}](),
			"struct.A: kind \"align\" is for a field of type struct{}, not typecache_test.Marker: write _ struct{} `bp:\"align\"` before or after it"},
		{"align on an int", reflect.TypeFor[struct {
			A int32 `bp:"align"`
		}](),
			"struct.A: kind \"align\" is for a field of type struct{}, not int32: write _ struct{} `bp:\"align\"` before or after it"},
		{"const with its options on an int", reflect.TypeFor[struct {
			A uint8 `bp:"const,bits=2,value=1"`
		}](),
			"struct.A: kind \"const\" is for a field of type struct{}, not uint8: write _ struct{} `bp:\"const,bits=2,value=1\"` before or after it"},
		{"const on elements", reflect.TypeFor[struct {
			A []int16 `bp:"maxlen=3,elem.kind=const"`
		}](),
			"struct.A: kind \"const\" is for a field of type struct{}, not int16: write _ struct{} `bp:\"const\"` before or after it"},
		{"align on an array", reflect.TypeFor[struct {
			A [2]struct{} `bp:"align"`
		}](),
			"struct.A: kind \"align\" is for a field of type struct{}, not [2]struct {}: write _ struct{} `bp:\"align\"` before or after it"},
		{"int on a struct{}", reflect.TypeFor[struct {
			_ struct{} `bp:"int,min=0,max=4"`
		}](),
			`struct._ (field 1): a struct{} field holds no value: its kind is align, reserved, const or check, not "int"`},
		{"no kind on a struct{}", reflect.TypeFor[struct {
			A, B bool
			_    struct{} `bp:"bits=4"`
		}](),
			"struct._ (field 3): a struct{} field holds no value: name the kind, align, reserved, const or check"},
		{"align with bits", reflect.TypeFor[struct {
			_ struct{} `bp:"align,bits=4"`
		}](),
			`struct._ (field 1): option "bits" does not apply to align of struct {}: remove it`},
		{"reserved without bits", reflect.TypeFor[struct {
			_ struct{} `bp:"reserved"`
		}](),
			`struct._ (field 1): option "bits" is missing: add bits=`},
		{"reserved of 65 bits", reflect.TypeFor[struct {
			_ struct{} `bp:"reserved,bits=65"`
		}](),
			`struct._ (field 1): option "bits" must be in [1, 64], not 65`},
		{"const without a value", reflect.TypeFor[struct {
			_ struct{} `bp:"const,bits=4"`
		}](),
			`struct._ (field 1): option "value" is missing: add value=`},
		{"const without bits", reflect.TypeFor[struct {
			_ struct{} `bp:"const,value=4"`
		}](),
			`struct._ (field 1): option "bits" is missing: add bits=`},
		{"const above its bits", reflect.TypeFor[struct {
			_ struct{} `bp:"const,bits=4,value=16"`
		}](),
			"struct._ (field 1): value=16 does not fit bits=4: it must be in [0, 15]"},
		{"const below zero", reflect.TypeFor[struct {
			_ struct{} `bp:"const,bits=64,value=-1"`
		}](),
			"struct._ (field 1): value=-1 does not fit bits=64: it must be in [0, 18446744073709551615]"},
		{"check above 32 bits", reflect.TypeFor[struct {
			_ struct{} `bp:"check,value=0x100000000"`
		}](),
			"struct._ (field 1): value=4294967296 does not fit a check: it must be in [0, 4294967295]"},
		{"check with a value that is no integer", reflect.TypeFor[struct {
			_ struct{} `bp:"check,value=abc"`
		}](),
			`struct._ (field 1): option "value" must be an integer, not "abc"`},
		{"check with bits", reflect.TypeFor[struct {
			_ struct{} `bp:"check,bits=4"`
		}](),
			`struct._ (field 1): option "bits" does not apply to check of struct {}: remove it`},
	})
}

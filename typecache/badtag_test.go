package typecache_test

import (
	"reflect"
	"testing"
)

// TestBadTags has mistakes in a tag that do not depend on the type of its
// field.
func TestBadTags(t *testing.T) {
	runBad(t, []bad{
		{"kind with a letter changed", reflect.TypeFor[struct {
			A int32 `bp:"imt"`
		}](),
			`struct.A: kind "imt" is not known; did you mean "int"?`},
		{"kind with letters transposed", reflect.TypeFor[struct {
			A int32 `bp:"itn,min=0,max=1"`
		}](),
			`struct.A: kind "itn" is not known; did you mean "int"?`},
		{"kind with letters transposed, of a float", reflect.TypeFor[struct {
			A float32 `bp:"hlaf"`
		}](),
			`struct.A: kind "hlaf" is not known; did you mean "half"?`},
		{"kind with a capital", reflect.TypeFor[struct {
			A int32 `bp:"Int"`
		}](),
			`struct.A: kind "Int" is not known; did you mean "int"?`},
		{"kind with a letter too many", reflect.TypeFor[struct {
			A []byte `bp:"bytess,maxlen=4"`
		}](),
			`struct.A: kind "bytess" is not known; did you mean "bytes"?`},
		{"kind near to nothing", reflect.TypeFor[struct {
			A int32 `bp:"color"`
		}](),
			`struct.A: kind "color" is not known; known are int, uint, enum, fixed, varint, expgolomb, relative, float, half, angle, string, wstring, bytes, cstring, binary, align, reserved, const, check, quat, unit, affine, union, link`},
		{"kind that is a Go type", reflect.TypeFor[struct {
			A float32 `bp:"float32,min=0,max=1,res=0.1"`
		}](),
			`struct.A: kind "float32" is not known: leave it out, the field's Go type says it`},
		{"kind of the wire that is an option here", reflect.TypeFor[struct {
			A uint8 `bp:"bits,5"`
		}](),
			`struct.A: option "bits" needs a value: write it after bits=`},
		{"option with a letter missing", reflect.TypeFor[Player](),
			`Player.Health: option "mx" is not known; did you mean "max"?`},
		{"option with letters transposed", reflect.TypeFor[struct {
			A int32 `bp:"int,mni=0,max=1"`
		}](),
			`struct.A: option "mni" is not known; did you mean "min"?`},
		{"option in the place of the kind, misspelled", reflect.TypeFor[struct {
			A int32 `bp:"mx=1,min=0"`
		}](),
			`struct.A: option "mx" is not known; did you mean "max"?`},
		{"option near to nothing", reflect.TypeFor[struct {
			A int32 `bp:"int,min=0,max=1,colour=3"`
		}](),
			`struct.A: option "colour" is not known; known are min, max, res, bits, frac, k, unit, value, base, to, chain, minlen, maxlen, if, optional, common, huffman, subset, by, rle, mode, pred, key, step`},
		{"option after a space", reflect.TypeFor[struct {
			A int32 `bp:"int, min=0,max=1"`
		}](),
			`struct.A: option " min" is not known; did you mean "min"?`},
		{"option by another of its names", reflect.TypeFor[struct {
			A string `bp:"len=3"`
		}](),
			`struct.A: option "len" is not known; did you mean "maxlen"?`},
		{"option of elements by another of its names", reflect.TypeFor[struct {
			A []string `bp:"maxlen=3,elem.Size=3"`
		}](),
			`struct.A: option "elem.Size" is not known; did you mean "elem.maxlen"?`},
		{"option of values with a prefix that there is not", reflect.TypeFor[struct {
			A map[int8]int8 `bp:"maxlen=3,val.min=0"`
		}](),
			`struct.A: the prefix "val." of option "val.min" is not known: it is elem. for elements and the values of a map, and key. for its keys`},
		{"option of keys of elements with a prefix that there is not", reflect.TypeFor[struct {
			A []map[int8]int8 `bp:"maxlen=3,elem.keys.min=0"`
		}](),
			`struct.A: the prefix "keys." of option "elem.keys.min" is not known: it is elem. for elements and the values of a map, and key. for its keys`},
		{"kind as an option", reflect.TypeFor[struct {
			A any `bp:"kind=union,if=On"`
		}](),
			"struct.A: the kind comes first and by itself, while kind= is for elem. and key.: `bp:\"union,...\"`"},
		{"kind as an option after others", reflect.TypeFor[struct {
			A uint8 `bp:"max=3,kind=enum"`
		}](),
			"struct.A: the kind comes first and by itself, while kind= is for elem. and key.: `bp:\"enum,...\"`"},
		{"option of keys, misspelled", reflect.TypeFor[struct {
			A map[int8]int8 `bp:"maxlen=4,key.mx=3"`
		}](),
			`struct.A: option "key.mx" is not known; did you mean "key.max"?`},
		{"kind of keys, misspelled", reflect.TypeFor[struct {
			A map[int8]int8 `bp:"maxlen=4,key.kind=itn"`
		}](),
			`struct.A: kind "itn" is not known; did you mean "int"?`},
		{"kind of elements, misspelled", reflect.TypeFor[struct {
			A []int8 `bp:"maxlen=4,elem.kind=itn"`
		}](),
			`struct.A: kind "itn" is not known; did you mean "int"?`},
		{"kind of values, misspelled", reflect.TypeFor[struct {
			A map[int8]int8 `bp:"maxlen=4,elem.kind=itn"`
		}](),
			`struct.A: kind "itn" is not known; did you mean "int"?`},
		{"kind after an option", reflect.TypeFor[struct {
			A int32 `bp:"min=0,int,max=1"`
		}](),
			"struct.A: \"int\" is a kind and must come first: `bp:\"int,...\"`"},
		{"two kinds", reflect.TypeFor[struct {
			A int32 `bp:"int,varint"`
		}](),
			"struct.A: int and varint are both kinds: keep one"},
		{"comma at the end", reflect.TypeFor[struct {
			A int32 `bp:"int,min=0,max=1,"`
		}](),
			"struct.A: there is nothing between two commas, or after the last: remove one"},
		{"option without a value", reflect.TypeFor[struct {
			A int32 `bp:"int,min,max=1"`
		}](),
			`struct.A: option "min" needs a value: write it after min=`},
		{"option with an empty value", reflect.TypeFor[struct {
			A int32 `bp:"int,min=,max=1"`
		}](),
			`struct.A: option "min" needs a value: write it after min=`},
		{"if without a field", reflect.TypeFor[struct {
			A int32 `bp:",if="`
		}](),
			`struct.A: option "if" needs a value: write it after if=`},
		{"value on a flag", reflect.TypeFor[struct {
			A []struct {
				I int32 `bp:"relative,chain=1"`
			} `bp:"maxlen=3"`
		}](),
			`struct.A.I: option "chain" takes no value: write it alone`},
		{"option twice", reflect.TypeFor[struct {
			A int32 `bp:"int,min=0,max=1,min=0"`
		}](),
			`struct.A: option "min" is given twice: keep one`},
		{"option twice with the same value", reflect.TypeFor[struct {
			A string `bp:"maxlen=4,maxlen=4"`
		}](),
			`struct.A: option "maxlen" is given twice: keep one`},
		{"option of keys twice", reflect.TypeFor[struct {
			A map[int8]int8 `bp:"maxlen=1,key.min=0,key.min=0"`
		}](),
			`struct.A: option "key.min" is given twice: keep one`},
		{"options on a field that is left out", reflect.TypeFor[struct {
			A int32 `bp:"-,min=0"`
		}](),
			`struct.A: a field that is left out takes no options: write bp:"-"`},
		{"value that is no integer", reflect.TypeFor[struct {
			A int32 `bp:"int,min=a,max=4"`
		}](),
			`struct.A: option "min" must be an integer, not "a"`},
		{"value with a fraction", reflect.TypeFor[struct {
			A int32 `bp:"int,min=0.5,max=4"`
		}](),
			`struct.A: option "min" must be an integer, not "0.5"`},
		{"value that is no number", reflect.TypeFor[struct {
			A float32 `bp:"float,min=zero,max=1,res=1"`
		}](),
			`struct.A: option "min" must be a float32, not "zero"`},
	})
}

package typecache_test

import (
	"io"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/bits"
)

// TestBadPresence has wrong uses of the options that omit values or give them
// shorter codes.
func TestBadPresence(t *testing.T) {
	runBad(t, []bad{
		{"optional with a value", reflect.TypeFor[struct {
			A int32 `bp:"optional=1"`
		}](),
			`struct.A: option "optional" takes no value: write it alone`},
		{"optional of a pointer", reflect.TypeFor[struct {
			A *int32 `bp:"optional"`
		}](),
			`struct.A: option "optional" does not apply to *int32, which has a bit for nil already: remove it`},
		{"optional of a type that does not compare", reflect.TypeFor[struct {
			A Squadron `bp:"optional"`
		}](),
			`struct.A: option "optional" does not apply to typecache_test.Squadron, which does not compare with ==: remove it`},
		{"optional of an interface", reflect.TypeFor[struct {
			A io.Reader `bp:"union,optional"`
		}](),
			`struct.A: option "optional" does not apply to io.Reader, whose nil is already index 0 of the union: remove it`},
		{"optional of an interface without a kind", reflect.TypeFor[struct {
			A io.Reader `bp:"optional"`
		}](),
			`struct.A: option "optional" does not apply to io.Reader, whose nil is already index 0 of the union: remove it`},
		{"common without a value", reflect.TypeFor[struct {
			A int32 `bp:"common"`
		}](),
			`struct.A: option "common" needs a value: write it after common=`},
		{"common of what is no integer", reflect.TypeFor[struct {
			A int32 `bp:"common=1|x"`
		}](),
			`struct.A: option "common" lists "x": it is not an integer`},
		{"common above the type", reflect.TypeFor[struct {
			A uint8 `bp:"common=256"`
		}](),
			`struct.A: option "common" lists "256": it is outside [0, 255]`},
		{"common outside the range", reflect.TypeFor[struct {
			A int32 `bp:"min=0,max=9,common=10"`
		}](),
			`struct.A: option "common" lists "10": it is outside the range of the field`},
		{"common outside the bits", reflect.TypeFor[struct {
			A int16 `bp:"int,bits=5,common=16"`
		}](),
			`struct.A: option "common" lists "16": it does not fit 5 bits`},
		{"common of a 128-bit integer, outside the range", reflect.TypeFor[struct {
			A bits.Int128 `bp:"int,min=0,max=9,common=-1"`
		}](),
			`struct.A: option "common" lists "-1": it is outside [0, 9]`},
		{"common twice the same", reflect.TypeFor[struct {
			A int32 `bp:"common=5|0x5"`
		}](),
			`struct.A: option "common" lists "0x5", which is the same on the wire as a value before it: remove it`},
		{"common twice the same code", reflect.TypeFor[struct {
			A float32 `bp:"float,min=0,max=1,res=0.5,common=0.5|0.51"`
		}](),
			`struct.A: option "common" lists "0.51", which is the same on the wire as a value before it: remove it`},
		{"common of a float that is none", reflect.TypeFor[struct {
			A float32 `bp:"common=zero"`
		}](),
			`struct.A: option "common" lists "zero": it is not a float32`},
		{"common of a float outside the bounds", reflect.TypeFor[struct {
			A float32 `bp:"float,min=0,max=1,res=0.1,common=2"`
		}](),
			`struct.A: option "common" lists "2": it is outside the bounds of the field`},
		{"common of a bool that is none", reflect.TypeFor[struct {
			A bool `bp:"common=2"`
		}](),
			`struct.A: option "common" lists "2": it is neither true nor false`},
		{"common of text that is too long", reflect.TypeFor[struct {
			A string `bp:"maxlen=3,common=four"`
		}](),
			`struct.A: option "common" lists "four": it is longer than the field`},
		{"common of bytes", reflect.TypeFor[struct {
			A []byte `bp:"maxlen=3,common=a"`
		}](),
			`struct.A: option "common" lists "a": it is not an integer`},
		{"common of a complex", reflect.TypeFor[struct {
			A complex64 `bp:"common=1"`
		}](),
			"struct.A: complex numbers are two scalars, to which common and huffman do not apply: remove them"},
		{"common of a relative", reflect.TypeFor[struct {
			A int32 `bp:"relative,base=0,common=1"`
		}](),
			"struct.A: relative integers have no values to list: remove common and huffman"},
		{"common and huffman", reflect.TypeFor[struct {
			A int32 `bp:"common=1,huffman=1:2|2:3"`
		}](),
			"struct.A: common and huffman both list values: keep one"},
		{"huffman without weights", reflect.TypeFor[struct {
			A int32 `bp:"huffman=1|2"`
		}](),
			`struct.A: huffman lists values with their weights, as in huffman=0:90|1:7|*:3, and "1" has none`},
		{"huffman with a weight of nothing", reflect.TypeFor[struct {
			A int32 `bp:"huffman=1:0|2:3"`
		}](),
			`struct.A: a weight must be an integer from 1 to 2^32-1, not "0"`},
		{"huffman with a weight that is none", reflect.TypeFor[struct {
			A int32 `bp:"huffman=1:x|2:3"`
		}](),
			`struct.A: a weight must be an integer from 1 to 2^32-1, not "x"`},
		{"huffman with two escapes", reflect.TypeFor[struct {
			A int32 `bp:"huffman=1:2|*:1|*:3"`
		}](),
			"struct.A: huffman has two escapes: keep one"},
		{"huffman of what is no integer", reflect.TypeFor[struct {
			A int32 `bp:"huffman=a:2|2:3"`
		}](),
			`struct.A: option "huffman" lists "a": it is not an integer`},
		{"huffman of one value", reflect.TypeFor[struct {
			A int32 `bp:"huffman=1:2"`
		}](),
			"struct.A: a Huffman code needs 2 to 65536 weights, not 1"},
		{"subset of an unknown mode", reflect.TypeFor[struct {
			A [4]Health `bp:"subset=bitset,by=Alive"`
		}](),
			`struct.A: option "subset" must be bitmap, index, sentinel, relative or auto, not "bitset"`},
		{"subset without by", reflect.TypeFor[struct {
			A [4]Health `bp:"subset=bitmap"`
		}](),
			`struct.A: option "by" is missing: add by= with the bool field of typecache_test.Health that says which are present`},
		{"by without subset", reflect.TypeFor[struct {
			A [4]Health `bp:"by=Alive"`
		}](),
			`struct.A: option "by" names the field that says which elements of a subset are present: add subset=, or remove it`},
		{"by without subset, in a slice of arrays", reflect.TypeFor[struct {
			A [][4]Health `bp:"maxlen=3,elem.by=Alive"`
		}](),
			`struct.A: option "by" names the field that says which elements of a subset are present: add subset=, or remove it`},
		{"by with a small letter", reflect.TypeFor[struct {
			A [4]Health `bp:"subset=bitmap,by=alive"`
		}](),
			`struct.A: option "by" names alive, which is no exported bool field of typecache_test.Health; did you mean "Alive"?`},
		{"by of a struct without bools", reflect.TypeFor[struct {
			A [4]Vec3 `bp:"subset=bitmap,by=alive"`
		}](),
			`struct.A: option "by" names alive, which is no exported bool field of typecache_test.Vec3`},
		{"by of an unknown field", reflect.TypeFor[struct {
			A [4]Health `bp:"subset=bitmap,by=Alife"`
		}](),
			`struct.A: option "by" names Alife, which is no exported bool field of typecache_test.Health; did you mean "Alive"?`},
		{"by of a field that is no bool", reflect.TypeFor[struct {
			A [4]Health `bp:"subset=bitmap,by=Points"`
		}](),
			`struct.A: option "by" names Points, which is no exported bool field of typecache_test.Health; known are Alive`},
		{"by of pointers", reflect.TypeFor[struct {
			A [4]*Health `bp:"subset=bitmap,by=Alive"`
		}](),
			"struct.A: the elements are pointers, present unless nil: remove by=Alive"},
		{"by of integers", reflect.TypeFor[struct {
			A [4]int32 `bp:"subset=bitmap,by=Alive"`
		}](),
			`struct.A: option "by" needs elements that are structs, and not recursive, which int32 is not`},
		{"by of recursive structs", reflect.TypeFor[struct {
			A [4]Budding `bp:"subset=bitmap,by=On"`
		}](),
			`struct.A: option "by" needs elements that are structs, and not recursive, which typecache_test.Budding is not`},
		{"subset of a slice without a bound", reflect.TypeFor[struct {
			A []Health `bp:"subset=bitmap,by=Alive"`
		}](),
			"struct.A: []typecache_test.Health needs a largest length: add maxlen="},
		{"subset of a slice that claims too much", reflect.TypeFor[struct {
			A []Health `bp:"subset=index,by=Alive,maxlen=40000"`
		}](),
			"struct.A: maxlen=40000 elements of 2 bytes are 80000 bytes that a packet could claim without sending one: use an array, subset=bitmap, or 65536 bytes at most"},
		{"subset of a scalar", reflect.TypeFor[struct {
			A int32 `bp:"subset=bitmap,by=On"`
		}](),
			`struct.A: option "subset" does not apply to the plain form of int32: remove it`},
		{"subset of a map", reflect.TypeFor[struct {
			A map[int8]Health `bp:"subset=bitmap,by=Alive,maxlen=3"`
		}](),
			`struct.A.Alive: option "subset" does not apply to the plain form of bool: remove it`},
	})
}

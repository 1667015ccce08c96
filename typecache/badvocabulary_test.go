package typecache_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/typecache"
)

// fieldOf is a struct whose field A of type T has a tag.
func fieldOf[T any](tag string) reflect.Type {
	return reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[T](), Tag: reflect.StructTag(`bp:"` + tag + `"`)}})
}

// The types of the rows: elements of subsets, a type that holds itself, and an
// interface.
type (
	Slot struct {
		On     bool
		N      int
		hidden bool
	}
	Switch  struct{ On, Up bool }
	Deep    struct{ Slot Slot }
	Endless struct {
		On   bool
		Next *Endless
	}
	Signal any
)

var _ = Slot{}.hidden // a tag alone names it

func TestBadPresence(t *testing.T) {
	const noOptional = "struct.A: option \"optional\" does not apply to "
	const why = ": it is for values that compare with ==, and a pointer has its bit already"
	runBad(t, []bad{
		{"optional pointer", fieldOf[*int8]("optional"), noOptional + "*int8" + why},
		{"optional pointers in a slice", fieldOf[[]*int8]("optional,maxlen=3"), noOptional + "*int8" + why},
		{"optional array of slices", fieldOf[[2][]int8]("optional,maxlen=3"), noOptional + "[2][]int8" + why},
		{"optional func", fieldOf[func()]("optional"), noOptional + "func()" + why},
		{"optional union", fieldOf[Signal]("union,optional"), noOptional + "typecache_test.Signal" + why},
		{"optional bytes", fieldOf[[]byte]("optional,maxlen=3"), noOptional + "[]uint8, whose count says that there are none: remove it"},
		{"optional with a value", fieldOf[int8]("optional=1"), `struct.A: option "optional" takes no value: write it alone`},
		{"optional recursive type with options", fieldOf[Endless]("optional,min=1"),
			"struct.A: options cannot be handed on to the fields of typecache_test.Endless, which is recursive: tag its own fields"},
	})
}

func TestBadEntropy(t *testing.T) {
	runBad(t, []bad{
		{"common without a value", fieldOf[int8]("common"), `struct.A: option "common" needs a value: write it after common=`},
		{"common of text", fieldOf[int8]("common=x"), `struct.A: option "common" lists "x": it is not an integer`},
		{"common of a bool", fieldOf[bool]("common=yes"), `struct.A: option "common" lists "yes": it is not true or false`},
		{"common of a float", fieldOf[float32]("common=x"), `struct.A: option "common" lists "x": it is not a float32`},
		{"the second value", fieldOf[int8]("common=1|x"), `struct.A: option "common" lists "x": it is not an integer`},
		{"past the type", fieldOf[int8]("common=128"), `struct.A: option "common" lists "128": it is outside [-128, 127]`},
		{"past max", fieldOf[int8]("int,min=0,max=9,common=10"), `struct.A: option "common" lists "10": it is outside the range of the field`},
		{"below min", fieldOf[int8]("int,min=0,max=9,common=-1"), `struct.A: option "common" lists "-1": it is outside the range of the field`},
		{"more bits, signed", fieldOf[int8]("int,bits=3,common=4"), `struct.A: option "common" lists "4": it does not fit 3 bits`},
		{"more bits, unsigned", fieldOf[uint8]("uint,bits=3,common=8"), `struct.A: option "common" lists "8": it is outside the range of the field`},
		{"past the bounds of a float", fieldOf[float32]("float,min=0,max=1,res=0.5,common=2"), `struct.A: option "common" lists "2": it is outside the bounds of the field`},
		{"an infinite angle", fieldOf[float32]("angle,bits=4,common=inf"), `struct.A: option "common" lists "inf": it is outside the bounds of the field`},
		{"text that is too long", fieldOf[string]("maxlen=3,common=four"), `struct.A: option "common" lists "four": it is longer than the field`},
		{"wide text that is too long", fieldOf[string]("wstring,maxlen=1,common=éé"), `struct.A: option "common" lists "éé": it is longer than the field`},
		{"text that is too short", fieldOf[string]("bytes,maxlen=3,minlen=2,common=a"), `struct.A: option "common" lists "a": it is shorter than minlen=2`},
		{"no text", fieldOf[string](`maxlen=3,common=\xff`), `struct.A: option "common" lists "\xff": it is not UTF-8 without zeros`},
		{"text with a zero", fieldOf[string](`maxlen=3,common=a\x00`), `struct.A: option "common" lists "a\x00": it is not UTF-8 without zeros`},
		{"twice", fieldOf[int8]("common=1|0x1"), `struct.A: option "common" lists "0x1", which is the same on the wire as a value before it`},
		{"twice after rounding", fieldOf[float32]("float,min=0,max=1,res=0.5,common=0|0.1"), `struct.A: option "common" lists "0.1", which is the same on the wire as a value before it`},
		{"twice as text", fieldOf[string]("maxlen=3,common=a|a"), `struct.A: option "common" lists "a", which is the same on the wire as a value before it`},
		{"bytes of an array", fieldOf[[2]byte]("bytes,common=a"), `struct.A: option "common" does not apply to bytes of [2]uint8: remove it`},
		{"a binary form", fieldOf[time.Time]("binary,maxlen=15,common=1"), `struct.A: option "common" does not apply to binary of time.Time: remove it`},
		{"a complex number", fieldOf[complex64]("common=1"), "struct.A: complex numbers are two scalars: common and huffman do not apply"},
		{"a relative integer", fieldOf[int8]("relative,base=0,common=1"), "struct.A: relative integers have no values to list: remove common and huffman"},
		{"common and huffman", fieldOf[int8]("common=1,huffman=1:1|2:1"), "struct.A: common and huffman both list values: keep one"},

		{"no weight", fieldOf[int8]("huffman=1"), `struct.A: huffman lists values with their weights, as in huffman=0:90|1:7|*:3, and "1" has none`},
		{"one value", fieldOf[int8]("huffman=1:1"), "struct.A: a Huffman code takes 2 to 65536 weights, not 1"},
		{"an escape alone", fieldOf[int8]("huffman=*:1"), "struct.A: a Huffman code takes 2 to 65536 weights, not 1"},
		{"two escapes", fieldOf[int8]("huffman=*:1|*:2"), "struct.A: huffman has two escapes: keep one"},
		{"weight 0", fieldOf[int8]("huffman=1:0|2:1"), `struct.A: a weight must be an integer from 1 to 2^32-1, not "0"`},
		{"a weight below 0", fieldOf[int8]("huffman=1:-1|2:1"), `struct.A: a weight must be an integer from 1 to 2^32-1, not "-1"`},
		{"a weight of 33 bits", fieldOf[int8]("huffman=1:4294967296|2:1"), `struct.A: a weight must be an integer from 1 to 2^32-1, not "4294967296"`},
		{"a value with two codes", fieldOf[int8]("huffman=1:1|1:2"), `struct.A: option "huffman" lists "1", which is the same on the wire as a value before it`},
		{"no value of the type", fieldOf[int8]("huffman=x:1|1:2"), `struct.A: option "huffman" lists "x": it is not an integer`},
	})
}

func TestBadSubset(t *testing.T) {
	const claims = " that a packet could claim without sending one: use an array, subset=bitmap, or 65536 bytes at most"
	const by = `struct.A: option "by" names `
	runBad(t, []bad{
		{"no mode", fieldOf[[3]Slot]("subset"), `struct.A: option "subset" needs a value: write it after subset=`},
		{"another mode", fieldOf[[3]Slot]("subset=sparse,by=On"), `struct.A: option "subset" must be bitmap, index, sentinel, relative or auto, not "sparse"`},
		{"no by", fieldOf[[3]Slot]("subset=bitmap"), `struct.A: option "by" is missing: add by= with the bool field of typecache_test.Slot that says which are present`},
		{"by no field", fieldOf[[3]Slot]("subset=bitmap,by=Off"), by + "Off, which is no exported bool field of typecache_test.Slot"},
		{"by an integer", fieldOf[[3]Slot]("subset=bitmap,by=N"), by + "N, which is no exported bool field of typecache_test.Slot"},
		{"by a field that is not exported", fieldOf[[3]Slot]("subset=bitmap,by=hidden"), by + "hidden, which is no exported bool field of typecache_test.Slot"},
		{"by a field of a field", fieldOf[[3]Deep]("subset=bitmap,by=On"), by + "On, which is no exported bool field of typecache_test.Deep"},
		{"by for pointers", fieldOf[[3]*Slot]("subset=bitmap,by=On"), "struct.A: the elements are pointers, present unless nil: remove by=On"},
		{"by for bools", fieldOf[[3]bool]("subset=bitmap,by=On"), `struct.A: option "by" needs elements that are structs, and not recursive, which bool is not`},
		{"by for a recursive type", fieldOf[[3]Endless]("subset=bitmap,by=On"), `struct.A: option "by" needs elements that are structs, and not recursive, which typecache_test.Endless is not`},
		{"by alone", fieldOf[[3]Slot]("by=On"), `struct.A.On: option "by" does not apply to the plain form of bool: remove it`},
		{"a slice without maxlen", fieldOf[[]Slot]("subset=bitmap,by=On"), "struct.A: []typecache_test.Slot needs a largest length: add maxlen="},
		{"a slice that costs nothing", fieldOf[[]Switch]("subset=index,by=On,maxlen=32769"), "struct.A: maxlen=32769 elements of 2 bytes are 65538 bytes" + claims},
		{"whose mode the packet says", fieldOf[[]Switch]("subset=auto,by=On,maxlen=32769"), "struct.A: maxlen=32769 elements of 2 bytes are 65538 bytes" + claims},
		{"a struct", fieldOf[Slot]("subset=bitmap"), `struct.A.On: option "subset" does not apply to the plain form of bool: remove it`},
		{"a scalar", fieldOf[int8]("subset=bitmap"), `struct.A: option "subset" does not apply to the plain form of int8: remove it`},
		{"text", fieldOf[string]("subset=index,maxlen=3"), `struct.A: option "subset" does not apply to string of string: remove it`},
	})
}

// 64 KiB may be claimed, and more where a bitmap pays a bit for each element.
func TestSubsetClaimsThatAreFine(t *testing.T) {
	for _, typ := range []reflect.Type{
		fieldOf[[]Switch]("subset=auto,by=On,maxlen=32768"), fieldOf[[]Switch]("subset=bitmap,by=On,maxlen=2147483647"),
	} {
		_, err := typecache.Of(typ)
		require.NoError(t, err)
	}
}

func TestBadGeometry(t *testing.T) {
	const (
		quat   = `struct.A: kind "quat" is for 4 floats of one type, an array of them or a struct of X, Y, Z, W, not `
		quatOf = `: kind "quat" is for 4 floats of one type, an array of them or a struct of X, Y, Z, W, not float32`
		unit   = `struct.A: kind "unit" is for 3 floats of one type, an array of them or a struct of X, Y, Z, not `
		affine = `kind "affine" is for a struct of Translation, Rotation and Scale, a [16]float32 or a [4][4]float32, not `
	)
	type parts[S any] struct {
		Translation, Rotation bool
		Scale                 S
	}
	type TwoScales struct {
		Translation, Rotation bool
		Scale                 [2]float32
	}
	type IntScale struct {
		Translation, Rotation bool
		Scale                 int32
	}
	type ScaleFrom2 struct {
		Translation, Rotation bool
		Scale                 float32 `bp:"float,min=2,max=3,res=1"`
	}
	type CommonScale struct {
		Translation, Rotation bool
		Scale                 float32 `bp:"common=1"`
	}
	type NoScale struct{ Translation, Rotation bool }
	type mixedQuat struct {
		X, Y, Z float32
		W       float64
	}
	type mixedVec struct {
		V [3]float32
		W float64
	}
	runBad(t, []bad{
		{"quat without bits", fieldOf[[4]float32]("quat"), `struct.A: option "bits" is missing: add bits=`},
		{"quat of 1 bit", fieldOf[[4]float32]("quat,bits=1"), "struct.A: bits must be in [2, 20], not 1"},
		{"quat of 21 bits", fieldOf[[4]float32]("quat,bits=21"), "struct.A: bits must be in [2, 20], not 21"},
		{"quat of no number", fieldOf[[4]float32]("quat,bits=x"), `struct.A: option "bits" must be an integer, not "x"`},
		{"quat of another mode", fieldOf[[4]float32]("quat,bits=9,mode=largest"), `struct.A: mode must be sign, not "largest"; without it the code is smallest three`},
		{"quat with its sign of 21 bits", fieldOf[[4]float32]("quat,mode=sign,bits=21"), "struct.A: bits must be in [2, 20], not 21"},
		{"quat with bounds", fieldOf[[4]float32]("quat,bits=9,min=0"), `struct.A: option "min" does not apply to quat of [4]float32: remove it`},
		{"quat of three", fieldOf[[3]float32]("quat,bits=9"), quat + "float32"},
		{"quat of integers", fieldOf[[4]int32]("quat,bits=9"), quat + "int32"},
		{"quat of one", fieldOf[float32]("quat,bits=9"), quat + "float32"},
		{"quat of X, Y, Z, and a wider W", fieldOf[mixedQuat]("quat,bits=9"), "struct.A.X" + quatOf},
		{"quat of V and a wider W", fieldOf[mixedVec]("quat,bits=9"), "struct.A.V" + quatOf},
		{"unit of four", fieldOf[[4]float32]("unit,bits=8"), unit + "float32"},
		{"unit without bits", fieldOf[[3]float32]("unit"), `struct.A: option "bits" is missing: add bits=`},
		{"unit of 25 bits", fieldOf[[3]float32]("unit,bits=25"), "struct.A: bits must be in [2, 24], not 25"},
		{"unit of a mode", fieldOf[[3]float32]("unit,bits=8,mode=sign"), `struct.A: option "mode" does not apply to unit: remove it`},
		{"unit with common values", fieldOf[[3]float32]("unit,bits=8,common=1"), `struct.A: option "common" does not apply to unit of [3]float32: remove it`},

		{"affine without a scale", fieldOf[NoScale]("affine"),
			"struct.A: an affine struct has the fields Translation, Rotation and Scale, and typecache_test.NoScale lacks Scale"},
		{"affine of two scales", fieldOf[TwoScales]("affine"), "TwoScales.Scale: a scale is 1 float or 3, and [2]float32 has 2"},
		{"affine of an integer", fieldOf[IntScale]("affine"), "IntScale.Scale: a scale is a float or three of them, raw or quantized, not int32"},
		{"affine without 1", fieldOf[ScaleFrom2]("affine"), `ScaleFrom2.Scale: the bounds of a scale must hold 1: option "scale" lists "1": it is outside the bounds of the field`},
		{"affine of a common scale", fieldOf[CommonScale]("affine"), "CommonScale.Scale: a scale has a bit that says that it is 1: remove optional, common and huffman"},
		{"affine struct with options", fieldOf[parts[float32]]("affine,bits=3"),
			`struct.A: option "bits" does not apply to affine of typecache_test.parts[float32]: remove it`},
		{"affine of another struct", fieldOf[struct{ X float32 }]("affine"), "struct.A.X: " + affine + "float32"},
		{"affine of float64", fieldOf[[16]float64]("affine"), "struct.A: " + affine + "float64"},
		{"affine of 3 x 4", fieldOf[[12]float32]("affine"), "struct.A: " + affine + "float32"},
		{"affine rotation of 21 bits", fieldOf[[16]float32]("affine,bits=21"), "struct.A: bits must be in [2, 20], not 21"},
		{"affine translation without max", fieldOf[[16]float32]("affine,min=0"), `struct.A: option "max" is missing: add max=`},
		{"affine of a mode", fieldOf[[16]float32]("affine,mode=sign,bits=9"), `struct.A: option "mode" does not apply to the plain form of float32: remove it`},
	})
}

func TestBadReferences(t *testing.T) {
	const tagIt = "struct.A: typecache_test.Signal is an interface: tag it bp:\"union\" and register its types, " +
		"bp:\"link\" if it refers to an object with an id, or leave it out with bp:\"-\""
	const takes = ", which takes int, uint, enum, fixed, varint, relative or no kind"
	runBad(t, []bad{
		{"interface without a kind", fieldOf[Signal](""), tagIt},
		{"interface of another kind", fieldOf[Signal]("int"), tagIt},
		{"union without types", fieldOf[Signal]("union"), "struct.A: no types are registered for the union of typecache_test.Signal: " +
			"give them to the codec, or register them before the first use"},
		{"union of some bits", fieldOf[Signal]("union,bits=3"), `struct.A: option "bits" does not apply to union of typecache_test.Signal: remove it`},
		{"union of a scalar", fieldOf[int8]("union"), `struct.A: kind "union" does not apply to int8` + takes},
		{"link of a scalar", fieldOf[int8]("link"), `struct.A: kind "link" does not apply to int8` + takes},
		{"link of a struct", fieldOf[Slot]("link"), `struct.A.On: kind "link" does not apply to bool, which takes 1 bit: remove it`},
		{"link of no bits", fieldOf[*Slot]("link,bits=0"), `struct.A: option "bits" must be in [1, 64], not 0`},
		{"link of 65 bits", fieldOf[*Slot]("link,bits=65"), `struct.A: option "bits" must be in [1, 64], not 65`},
		{"link with a length", fieldOf[*Slot]("link,maxlen=3"), `struct.A: option "maxlen" does not apply to link of *typecache_test.Slot: remove it`},
		{"links without a length", fieldOf[[]*Slot]("link"), "struct.A: []*typecache_test.Slot needs a largest length: add maxlen="},
		{"option of a type that serializes itself", fieldOf[own]("common=1"),
			"struct.A: typecache_test.own serializes itself, so that no kind or option applies to it: remove them"},
		{"kind of its elements", fieldOf[[]own]("int,maxlen=2"),
			"struct.A: typecache_test.own serializes itself, so that no kind or option applies to it: remove them"},
	})
}

// A member of a union that has no plan is named where it is at fault.
func TestBadUnionMember(t *testing.T) {
	type Nameless struct{ Name string }
	registry := typecache.NewRegistry()
	registry.Register(reflect.TypeFor[Signal](), reflect.TypeFor[*Slot](), reflect.TypeFor[Nameless]())
	typ := fieldOf[Signal]("union")
	_, err := typecache.Build(typ, registry)
	require.EqualError(t, err, "typecache: Nameless.Name: string needs a largest length: add maxlen=")
	require.Equal(t, typ, err.(*typecache.Error).Type)
}

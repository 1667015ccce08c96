package typecache_test

import (
	"io"
	"reflect"
	"time"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
)

// Elements of subsets, a recursive type and an interface.
type (
	Slot struct {
		On     bool
		N      int
		hidden bool
	}
	Switch struct{ On, Up bool }
	Signal any
)

var _ = Slot{}.hidden // only a tag uses the field

// Structs that are nearly rotations or affine.
type (
	CommonScale struct {
		Translation, Rotation bool
		Scale                 float32 `bp:"common=1"`
	}
	mixedQuat struct {
		X, Y, Z float32
		W       float64
	}
	mixedVec struct {
		V [3]float32
		W float64
	}
	Axis     struct{ X float32 }
	promoted struct { // the offset of X in Axis is 0
		Y, Z, W float32
		Axis
	}
)

// Sparse slices, whose elements a few bits make a reader allocate.
type (
	eight struct {
		On bool
		V  [7]uint8
	}
	sparse struct {
		A []eight `bp:"subset=index,by=On,maxlen=33"`
	}
	linked struct {
		A    []eight `bp:"subset=index,by=On,maxlen=33"`
		Next *linked
	}
)

// Unions with a wrong member.
type (
	ofPurse  any
	ofName   any
	ofText   any
	Nameless struct{ Name string }
)

// badOptions returns options with the unions in the tables.
func badOptions() typecache.Options {
	return signals().
		WithUnion(reflect.TypeFor[ofPurse](), reflect.TypeFor[Purse]()).
		WithUnion(reflect.TypeFor[ofName](), reflect.TypeFor[*Slot](), reflect.TypeFor[Nameless]()).
		WithUnion(reflect.TypeFor[ofText](), reflect.TypeFor[int](), reflect.TypeFor[string]()).
		WithUnion(reflect.TypeFor[animal](), reflect.TypeFor[bulky]()).
		WithUnion(reflect.TypeFor[vehicle](), reflect.TypeFor[rarely]())
}

// badGeometry has wrong options and types for rotations, directions and matrices.
var badGeometry = []bad{
	{"quat without bits", fieldOf[[4]float32]("quat")},
	{"quat of too many bits", fieldOf[[4]float32]("quat,bits=40")},
	{"quat in an unknown mode", fieldOf[[4]float32]("quat,mode=euler,bits=10")},
	{"quat of three floats", fieldOf[[3]float32]("quat,bits=10")},
	{"quat of a struct without W", fieldOf[Vec3]("quat,bits=10")},
	{"unit with a mode", fieldOf[[3]float32]("unit,bits=10,mode=sign")},
	{"unit of four floats", fieldOf[[4]float32]("unit,bits=10")},
	{"affine of a struct without a scale", fieldOf[Posed]("affine")},
	{"affine with options on a struct", fieldOf[Placed]("affine,bits=10")},
	{"affine of float64", fieldOf[[16]float64]("affine")},
	{"affine with a scale that is no float", fieldOf[Grown]("affine")},
	{"affine with a scale of two", fieldOf[Stretched]("affine")},
	{"affine with a scale that cannot be 1", fieldOf[Tiny]("affine")},
	{"quat of X, Y, Z, and a wider W", fieldOf[mixedQuat]("quat,bits=9")},
	{"quat of V and a wider W", fieldOf[mixedVec]("quat,bits=9")},
	{"quat with the X of another struct", fieldOf[promoted]("quat,bits=9")},
	{"affine of a common scale", fieldOf[CommonScale]("affine")},
	{"affine of a mode without bits", fieldOf[[16]float32]("affine,mode=three")},
	{"affine of a mode", fieldOf[[16]float32]("affine,mode=sign,bits=9")},
}

// badReferences has wrong unions and links.
var badReferences = []bad{
	{"union of no types", fieldOf[io.Reader]("union")},
	{"union with bits", fieldOf[io.Reader]("union,bits=3")},
	{"union of a struct", fieldOf[Health]("union")},
	{"link of a value", fieldOf[Health]("link")},
	{"link of 65 bits", fieldOf[*Health]("link,bits=65")},
	{"member that hides its fields", fieldOf[ofPurse]("union")},
	{"member with a wrong field", fieldOf[ofName]("union")},
	{"member that is a text, which has no tag", fieldOf[ofText]("union")},
}

// badPresence has wrong uses of the options that omit values or give them shorter codes.
var badPresence = []bad{
	{"optional with a value", fieldOf[int32]("optional=1")},
	{"optional of a pointer", fieldOf[*int32]("optional")},
	{"optional of a type that does not compare", fieldOf[Squadron]("optional")},
	{"common without a value", fieldOf[int32]("common")},
	{"common of what is no integer", fieldOf[int32]("common=1|x")},
	{"common above the type", fieldOf[uint8]("common=256")},
	{"common outside the range", fieldOf[int32]("min=0,max=9,common=10")},
	{"common outside the bits", fieldOf[int16]("int,bits=5,common=16")},
	{"common of a 128-bit integer, outside the range", fieldOf[bits.Int128]("int,min=0,max=9,common=-1")},
	{"common twice the same", fieldOf[int32]("common=5|0x5")},
	{"common twice the same code", fieldOf[float32]("float,min=0,max=1,res=0.5,common=0.5|0.51")},
	{"common of a float that is none", fieldOf[float32]("common=zero")},
	{"common of a float outside the bounds", fieldOf[float32]("float,min=0,max=1,res=0.1,common=2")},
	{"common of a bool that is none", fieldOf[bool]("common=2")},
	{"common of text that is too long", fieldOf[string]("maxlen=3,common=four")},
	{"common of a complex", fieldOf[complex64]("common=1")},
	{"common of a relative", fieldOf[int32]("relative,base=0,common=1")},
	{"common and huffman", fieldOf[int32]("common=1,huffman=1:2|2:3")},
	{"huffman without weights", fieldOf[int32]("huffman=1|2")},
	{"huffman with a weight of nothing", fieldOf[int32]("huffman=1:0|2:3")},
	{"huffman with two escapes", fieldOf[int32]("huffman=1:2|*:1|*:3")},
	{"huffman of one value", fieldOf[int32]("huffman=1:2")},
	{"optional link", fieldOf[*Slot]("link,optional")},
	{"optional bytes", fieldOf[[]byte]("optional,maxlen=3")},
	{"text that is too short", fieldOf[string]("bytes,maxlen=3,minlen=2,common=a")},
	{"no text", fieldOf[string](`maxlen=3,common=\xff`)},
	{"a binary form", fieldOf[time.Time]("binary,maxlen=15,common=1")},
	{"a value with two codes", fieldOf[int8]("huffman=1:1|1:2")},
}

// badSubsets has subsets whose elements cannot be told apart, or claim too much memory.
var badSubsets = []bad{
	{"subset of an unknown mode", fieldOf[[4]Health]("subset=bitset,by=Alive")},
	{"subset without by", fieldOf[[4]Health]("subset=bitmap")},
	{"by without subset", fieldOf[[4]Health]("by=Alive")},
	{"by with a small letter", fieldOf[[4]Health]("subset=bitmap,by=alive")},
	{"by of a field that is no bool", fieldOf[[4]Health]("subset=bitmap,by=Points")},
	{"by of pointers", fieldOf[[4]*Health]("subset=bitmap,by=Alive")},
	{"by of integers", fieldOf[[4]int32]("subset=bitmap,by=Alive")},
	{"by of recursive structs", fieldOf[[4]Budding]("subset=bitmap,by=On")},
	{"subset of a map", fieldOf[map[int8]Health]("subset=bitmap,by=Alive,maxlen=3")},
	{"by a field that is not exported", fieldOf[[3]Slot]("subset=bitmap,by=hidden")},
	{"whose mode the packet says", fieldOf[[]Switch]("subset=auto,by=On,maxlen=32769")},
	{"sparse slices in a slice", fieldOf[[]sparse]("maxlen=2")},
	{"sparse slices behind pointers in a map", fieldOf[map[int8]*sparse]("maxlen=2")},
	{"sparse slices in a recursive type", reflect.TypeFor[linked]()},
}

package typecache_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/typecache"
)

// fieldOf returns a struct type with one field, A of type T, that has a bp tag.
func fieldOf[T any](tag string) reflect.Type {
	return reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[T](), Tag: reflect.StructTag(`bp:"` + tag + `"`)}})
}

// This file tests the rarer errors; the tables of each kind have the others. Its
// types are elements of subsets, a recursive type and an interface.
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

var _ = Slot{}.hidden // only a tag uses the field

func TestBadOptional(t *testing.T) {
	const noOptional = "struct.A: option \"optional\" does not apply to "
	const incomparable = ", which does not compare with ==: remove it"
	runBad(t, []bad{
		{"optional pointers in a slice", fieldOf[[]*int8]("optional,maxlen=3"), noOptional + "*int8, which has a bit for nil already: remove it"},
		{"optional array of slices", fieldOf[[2][]int8]("optional,maxlen=3"), noOptional + "[2][]int8" + incomparable},
		{"optional func", fieldOf[func()]("optional"), noOptional + "func()" + incomparable},
		{"optional link", fieldOf[*Slot]("link,optional"), noOptional + "*typecache_test.Slot, whose nil is already id 0: remove it"},
		{"optional bytes", fieldOf[[]byte]("optional,maxlen=3"), noOptional + "[]uint8, whose count of 0 already means empty: remove it"},
		{"optional recursive type with options", fieldOf[Endless]("optional,min=1"),
			"struct.A: options cannot be handed on to the fields of typecache_test.Endless, which is recursive: tag its own fields"},
	})
}

func TestBadEntropy(t *testing.T) {
	runBad(t, []bad{
		{"below min", fieldOf[int8]("int,min=0,max=9,common=-1"), `struct.A: option "common" lists "-1": it is outside the range of the field`},
		{"more bits, unsigned", fieldOf[uint8]("uint,bits=3,common=8"), `struct.A: option "common" lists "8": it is outside the range of the field`},
		{"an infinite angle", fieldOf[float32]("angle,bits=4,common=inf"), `struct.A: option "common" lists "inf": it is outside the bounds of the field`},
		{"wide text that is too long", fieldOf[string]("wstring,maxlen=1,common=éé"), `struct.A: option "common" lists "éé": it is longer than the field`},
		{"text that is too short", fieldOf[string]("bytes,maxlen=3,minlen=2,common=a"), `struct.A: option "common" lists "a": it is shorter than minlen=2`},
		{"no text", fieldOf[string](`maxlen=3,common=\xff`), `struct.A: option "common" lists "\xff": it is not UTF-8 without zeros`},
		{"text with a zero", fieldOf[string](`maxlen=3,common=a\x00`), `struct.A: option "common" lists "a\x00": it is not UTF-8 without zeros`},
		{"twice as text", fieldOf[string]("maxlen=3,common=a|a"), `struct.A: option "common" lists "a", which is the same on the wire as a value before it: remove it`},
		{"bytes of an array", fieldOf[[2]byte]("bytes,common=a"), `struct.A: option "common" does not apply to bytes of [2]uint8: remove it`},
		{"a binary form", fieldOf[time.Time]("binary,maxlen=15,common=1"), `struct.A: option "common" does not apply to binary of time.Time: remove it`},

		{"an escape alone", fieldOf[int8]("huffman=*:1"), "struct.A: a Huffman code needs 2 to 65536 weights, not 1"},
		{"a weight below 0", fieldOf[int8]("huffman=1:-1|2:1"), `struct.A: a weight must be an integer from 1 to 2^32-1, not "-1"`},
		{"a weight of 33 bits", fieldOf[int8]("huffman=1:4294967296|2:1"), `struct.A: a weight must be an integer from 1 to 2^32-1, not "4294967296"`},
		{"a value with two codes", fieldOf[int8]("huffman=1:1|1:2"), `struct.A: option "huffman" lists "1", which is the same on the wire as a value before it: remove it`},
	})
}

func TestBadSubset(t *testing.T) {
	const claims = " that a packet could claim without sending one: use an array, subset=bitmap, or 65536 bytes at most"
	const by = `struct.A: option "by" names `
	runBad(t, []bad{
		{"no mode", fieldOf[[3]Slot]("subset"), `struct.A: option "subset" needs a value: write it after subset=`},
		{"by a field that is not exported", fieldOf[[3]Slot]("subset=bitmap,by=hidden"), by + "hidden, which is no exported bool field of typecache_test.Slot; known are On"},
		{"by a field of a field", fieldOf[[3]Deep]("subset=bitmap,by=On"), by + "On, which is no exported bool field of typecache_test.Deep"},
		{"whose mode the packet says", fieldOf[[]Switch]("subset=auto,by=On,maxlen=32769"), "struct.A: maxlen=32769 elements of 2 bytes are 65538 bytes" + claims},
		{"elements of no kind", fieldOf[[3]*uint8]("subset=bitmap,elem.kind=itn"), `struct.A: kind "itn" is not known; did you mean "int"?`},
		{"a struct", fieldOf[Slot]("subset=bitmap"), `struct.A.On: option "subset" does not apply to the plain form of bool: remove it`},
		{"by without elements", fieldOf[Slot]("by=On"), `struct.A.On: option "by" does not apply to the plain form of bool: remove it`},
		{"text", fieldOf[string]("subset=index,maxlen=3"), `struct.A: option "subset" does not apply to kind "string": remove it`},
	})
}

// TestSubsetClaimsThatAreFine has subset slices whose count may allocate 64
// KiB, or more with a bitmap, which sends one bit for each element.
func TestSubsetClaimsThatAreFine(t *testing.T) {
	for _, typ := range []reflect.Type{
		fieldOf[[]Switch]("subset=auto,by=On,maxlen=32768"), fieldOf[[]Switch]("subset=bitmap,by=On,maxlen=2147483647"),
	} {
		_, err := typecache.Of(typ)
		require.NoError(t, err)
	}
}

// TestByOfInnerSubset checks that option by may belong to a subset in the
// elements.
func TestByOfInnerSubset(t *testing.T) {
	_, err := typecache.Of(fieldOf[[][2]Switch]("maxlen=3,by=On,elem.subset=bitmap"))
	require.NoError(t, err)
}

// TestLinksInElements checks that a kind for interfaces also applies to
// elements that are interfaces.
func TestLinksInElements(t *testing.T) {
	for _, typ := range []reflect.Type{fieldOf[[]Signal]("link,maxlen=3"), fieldOf[struct{ A, B Signal }]("link")} {
		_, err := typecache.Of(typ)
		require.NoError(t, err)
	}
}

func TestBadVectors(t *testing.T) {
	const (
		quat   = `: kind "quat" is for four floats in an array or in a struct of X, Y, Z, W or of V, W, not for `
		change = `: remove it, or change the type`
		affine = `kind "affine" is for a struct of Translation, Rotation and Scale, a [16]float32 or a [4][4]float32, not for `
	)
	type CommonScale struct {
		Translation, Rotation bool
		Scale                 float32 `bp:"common=1"`
	}
	type BareScale struct {
		Translation, Rotation bool
		Scale                 float32 `bp:"float,min=0,max=2"`
	}
	type mixedQuat struct {
		X, Y, Z float32
		W       float64
	}
	type mixedVec struct {
		V [3]float32
		W float64
	}
	type Axis struct{ X float32 }
	type promoted struct { // the offset of X in Axis is 0
		Y, Z, W float32
		Axis
	}
	runBad(t, []bad{
		{"quat of 1 bit", fieldOf[[4]float32]("quat,bits=1"), "struct.A: bits must be in [2, 20], not 1"},
		{"quat of no number", fieldOf[[4]float32]("quat,bits=x"), `struct.A: option "bits" must be an integer, not "x"`},
		{"quat with its sign of 21 bits", fieldOf[[4]float32]("quat,mode=sign,bits=21"), "struct.A: bits must be in [2, 20], not 21"},
		{"quat of X, Y, Z, and a wider W", fieldOf[mixedQuat]("quat,bits=9"), "struct.A" + quat + "typecache_test.mixedQuat" + change},
		{"quat of V and a wider W", fieldOf[mixedVec]("quat,bits=9"), "struct.A.V" + quat + "[3]float32" + change},
		{"quat with the X of another struct", fieldOf[promoted]("quat,bits=9"), "struct.A.Y" + quat + "float32" + change},
		{"quats that are none, in a slice", fieldOf[[]Vec3]("quat,bits=9,maxlen=3"), "struct.A" + quat + "typecache_test.Vec3" + change},
		{"quat of a struct that holds none", fieldOf[struct{ Q []Vec3 }]("quat,bits=9,maxlen=3"), "struct.A.Q" + quat + "typecache_test.Vec3" + change},
		{"quat of a struct without fields", fieldOf[Marker]("quat,bits=9"), "struct.A" + quat + "typecache_test.Marker" + change},
		{"unit with common values", fieldOf[[3]float32]("unit,bits=8,common=1"), `struct.A: option "common" does not apply to unit of [3]float32: remove it`},

		{"affine of a common scale", fieldOf[CommonScale]("affine"), "CommonScale.Scale: a scale has a bit that says that it is 1: remove optional, common and huffman"},
		{"affine of a scale without steps", fieldOf[BareScale]("affine"), `BareScale.Scale: a quantized float needs res= or bits=: add one`},
		{"affine of another struct", fieldOf[struct{ X float32 }]("affine"), "struct.A: " + affine + "struct { X float32 }" + change},
		{"affine of 3 x 4", fieldOf[[12]float32]("affine"), "struct.A: " + affine + "[12]float32" + change},
		{"affine rotation of 21 bits", fieldOf[[16]float32]("affine,bits=21"), "struct.A: bits must be in [2, 20], not 21"},
		{"affine translation without max", fieldOf[[16]float32]("affine,min=0"), `struct.A: option "max" is missing: add max=`},
		{"affine of a mode", fieldOf[[16]float32]("affine,mode=sign,bits=9"), `struct.A: option "mode" does not apply to the plain form of float32: remove it, or name the kind quat that takes it`},
	})
}

func TestBadReferences(t *testing.T) {
	runBad(t, []bad{
		{"link of no bits", fieldOf[*Slot]("link,bits=0"), `struct.A: option "bits" must be in [1, 64], not 0`},
		{"link with a length", fieldOf[*Slot]("link,maxlen=3"), `struct.A: option "maxlen" does not apply to link of *typecache_test.Slot: remove it`},
		{"links without a length", fieldOf[[]*Slot]("link"), "struct.A: []*typecache_test.Slot needs a largest length: add maxlen="},
		{"kind of its elements", fieldOf[[]own]("int,maxlen=2"),
			"struct.A: typecache_test.own serializes itself, so that no kind or option applies to it: remove them"},
	})
}

// TestBadUnionMember checks that the error for a wrong member of a union names
// the field of the member.
func TestBadUnionMember(t *testing.T) {
	type Nameless struct{ Name string }
	registry := typecache.NewRegistry()
	registry.Register(reflect.TypeFor[Signal](), reflect.TypeFor[*Slot](), reflect.TypeFor[Nameless]())
	typ := fieldOf[Signal]("union")
	_, err := typecache.Build(typ, registry)
	require.EqualError(t, err, "typecache: Nameless.Name: string needs a largest length: add maxlen=")
	require.Equal(t, typ, err.(*typecache.Error).Type)

	registry = typecache.NewRegistry()
	registry.Register(reflect.TypeFor[Signal](), reflect.TypeFor[int](), reflect.TypeFor[string]())
	_, err = typecache.Build(typ, registry)
	require.EqualError(t, err, "typecache: string: string needs a largest length, which only the tag of a field can give: "+
		"make it a field of a struct, with maxlen=", "there is no tag to add it to")
}

// TestSparseSlicesThatRepeat checks the limit of sparse slices, whose elements
// a few bits make a reader allocate. Where a packet may contain many such
// slices, their elements must be small.
func TestSparseSlicesThatRepeat(t *testing.T) {
	type eight struct {
		On bool
		V  [7]uint8
	}
	type sparse struct {
		A []eight `bp:"subset=index,by=On,maxlen=33"`
	}
	type linked struct {
		A    []eight `bp:"subset=index,by=On,maxlen=33"`
		Next *linked
	}
	const text = "maxlen=33 elements of 8 bytes are 264 bytes that a packet could claim without sending one: " +
		"use an array, subset=bitmap, or 256 bytes at most"
	for _, v := range []any{
		struct {
			S []sparse `bp:"maxlen=2"`
		}{},
		struct{ S [2]sparse }{},
		struct {
			S map[int8]*sparse `bp:"maxlen=2"`
		}{},
		linked{},
	} {
		_, err := typecache.Of(reflect.TypeOf(v))
		require.ErrorContains(t, err, text, "%T", v)
	}
	_, err := typecache.Of(reflect.TypeFor[struct{ S *sparse }]())
	require.NoError(t, err, "there is one")
}

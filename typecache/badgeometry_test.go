package typecache_test

import (
	"io"
	"reflect"
	"testing"
)

// TestBadGeometry has wrong options and types for rotations, directions,
// matrices, unions and links.
func TestBadGeometry(t *testing.T) {
	runBad(t, []bad{
		{"quat without bits", reflect.TypeFor[struct {
			A [4]float32 `bp:"quat"`
		}](),
			`struct.A: option "bits" is missing: add bits=`},
		{"quat of too many bits", reflect.TypeFor[struct {
			A [4]float32 `bp:"quat,bits=40"`
		}](),
			"struct.A: bits must be in [2, 20], not 40"},
		{"quat in an unknown mode", reflect.TypeFor[struct {
			A [4]float32 `bp:"quat,mode=euler,bits=10"`
		}](),
			`struct.A: mode must be sign, not "euler"; without it the code is smallest three`},
		{"quat with bounds", reflect.TypeFor[struct {
			A [4]float32 `bp:"quat,bits=10,min=-1,max=1"`
		}](),
			`struct.A: option "min" does not apply to quat of [4]float32: remove it`},
		{"quat of three floats", reflect.TypeFor[struct {
			A [3]float32 `bp:"quat,bits=10"`
		}](),
			`struct.A: kind "quat" is for four floats in an array or in a struct of X, Y, Z, W or of V, W, not for [3]float32: remove it, or change the type`},
		{"quat of integers", reflect.TypeFor[struct {
			A [4]int32 `bp:"quat,bits=10"`
		}](),
			`struct.A: kind "quat" is for four floats in an array or in a struct of X, Y, Z, W or of V, W, not for [4]int32: remove it, or change the type`},
		{"quat of a struct without W", reflect.TypeFor[struct {
			A Vec3 `bp:"quat,bits=10"`
		}](),
			`struct.A: kind "quat" is for four floats in an array or in a struct of X, Y, Z, W or of V, W, not for typecache_test.Vec3: remove it, or change the type`},
		{"quat of a float", reflect.TypeFor[struct {
			A float32 `bp:"quat,bits=10"`
		}](),
			`struct.A: kind "quat" is for four floats in an array or in a struct of X, Y, Z, W or of V, W, not for float32: remove it, or change the type`},
		{"unit without bits", reflect.TypeFor[struct {
			A [3]float32 `bp:"unit"`
		}](),
			`struct.A: option "bits" is missing: add bits=`},
		{"unit of too many bits", reflect.TypeFor[struct {
			A [3]float32 `bp:"unit,bits=40"`
		}](),
			"struct.A: bits must be in [2, 24], not 40"},
		{"unit with a mode", reflect.TypeFor[struct {
			A [3]float32 `bp:"unit,bits=10,mode=sign"`
		}](),
			`struct.A: option "mode" does not apply to unit: remove it`},
		{"unit of four floats", reflect.TypeFor[struct {
			A [4]float32 `bp:"unit,bits=10"`
		}](),
			`struct.A: kind "unit" is for three floats in an array or in a struct of X, Y, Z, not for [4]float32: remove it, or change the type`},
		{"unit of a string", reflect.TypeFor[struct {
			A string `bp:"unit,bits=10,maxlen=3"`
		}](),
			`struct.A: kind "unit" is for three floats in an array or in a struct of X, Y, Z, not for string: remove it, or change the type`},
		{"affine of a struct without a scale", reflect.TypeFor[struct {
			A Posed `bp:"affine"`
		}](),
			"struct.A: an affine struct has the fields Translation, Rotation and Scale, and typecache_test.Posed lacks Scale"},
		{"affine with options on a struct", reflect.TypeFor[struct {
			A Placed `bp:"affine,bits=10"`
		}](),
			`struct.A: option "bits" does not apply to affine of typecache_test.Placed: remove it`},
		{"affine of nine floats", reflect.TypeFor[struct {
			A [9]float32 `bp:"affine"`
		}](),
			`struct.A: kind "affine" is for a struct of Translation, Rotation and Scale, a [16]float32 or a [4][4]float32, not for [9]float32: remove it, or change the type`},
		{"affine of float64", reflect.TypeFor[struct {
			A [16]float64 `bp:"affine"`
		}](),
			`struct.A: kind "affine" is for a struct of Translation, Rotation and Scale, a [16]float32 or a [4][4]float32, not for [16]float64: remove it, or change the type`},
		{"affine with a scale that is no float", reflect.TypeFor[struct {
			A Grown `bp:"affine"`
		}](),
			"Grown.Scale: a scale is a float or three of them, raw or quantized, not int32"},
		{"affine with a scale of two", reflect.TypeFor[struct {
			A Stretched `bp:"affine"`
		}](),
			"Stretched.Scale: a scale is 1 float or 3, and [2]float32 has 2"},
		{"affine with a scale that cannot be 1", reflect.TypeFor[struct {
			A Tiny `bp:"affine"`
		}](),
			`Tiny.Scale: the bounds of a scale must hold 1: option "scale" lists "1": it is outside the bounds of the field`},
		{"interface without a kind", reflect.TypeFor[struct{ A io.Reader }](),
			`struct.A: io.Reader is an interface: tag it bp:"union" and register its types, bp:"link" if it refers to an object with an id, or leave it out with bp:"-"`},
		{"union of no types", reflect.TypeFor[struct {
			A io.Reader `bp:"union"`
		}](),
			"struct.A: no types are registered for the union of io.Reader: register them before the first use, or give them to the codec with tagcodec.WithUnion, as a package variable must, which is made before init runs"},
		{"union with bits", reflect.TypeFor[struct {
			A io.Reader `bp:"union,bits=3"`
		}](),
			`struct.A: option "bits" does not apply to union of io.Reader: remove it`},
		{"union of a struct", reflect.TypeFor[struct {
			A Health `bp:"union"`
		}](),
			`struct.A: kind "union" is for an interface, not for typecache_test.Health: remove it, or change the type`},
		{"link of a value", reflect.TypeFor[struct {
			A Health `bp:"link"`
		}](),
			`struct.A: kind "link" is for a pointer or an interface, not for typecache_test.Health: remove it, or change the type`},
		{"link of an int", reflect.TypeFor[struct {
			A int32 `bp:"link"`
		}](),
			`struct.A: kind "link" is for a pointer or an interface, not for int32: remove it, or change the type`},
		{"link of 65 bits", reflect.TypeFor[struct {
			A *Health `bp:"link,bits=65"`
		}](),
			`struct.A: option "bits" must be in [1, 64], not 65`},
		{"link with a range", reflect.TypeFor[struct {
			A *Health `bp:"link,min=0,max=3"`
		}](),
			`struct.A: option "min" does not apply to link of *typecache_test.Health: remove it`},
	})
}

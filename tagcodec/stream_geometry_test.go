package tagcodec_test

import (
	"errors"
	"math"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/tagcodec"
)

type (
	twinRotations struct {
		A [4]float32 `bp:"quat,bits=9"`
		B [4]float64 `bp:"quat,bits=20"`
		C [4]float32 `bp:"quat,mode=sign,bits=16"`
		D [4]float64 `bp:"quat,mode=sign,bits=5"`
	}
	twinDirections struct {
		A [3]float32 `bp:"unit,bits=10"`
		B [3]float64 `bp:"unit,bits=3"`
	}
	twinMatrices struct {
		A [16]float32   `bp:"affine,min=-100,max=100,res=0.01,bits=12"`
		B [4][4]float32 `bp:"affine"`
	}
	twinAffine struct {
		T twinTransform `bp:"affine"`
		U twinUniform   `bp:"affine"`
	}
	twinTransform struct {
		Translation [3]float32 `bp:"float,min=-1024,max=1024,res=0.01"`
		Rotation    [4]float32 `bp:"quat,mode=sign,bits=16"`
		Scale       [3]float32 `bp:"float,min=0,max=4,res=0.25"`
	}
	twinUniform struct {
		Translation [3]float32
		Rotation    [4]float32
		Scale       float64
	}
	twinStructure struct {
		A uint8    `bp:"uint,bits=3"`
		_ struct{} `bp:"align"`
		B bool
		_ struct{} `bp:"reserved,bits=3"`
		_ struct{} `bp:"const,bits=8,value=0x2a"`
		_ struct{} `bp:"check,value=0xfeedbeef"`
		C twinNode
	}
	twinLinks struct {
		Home  *homeBase `bp:"link,bits=10"`
		Any   any       `bp:"link,bits=3"`
		Whole *homeBase `bp:"link,bits=64"`
	}
)

var (
	twinQuat9  = made(compress.NewQuat(9))
	quat12     = made(compress.NewQuat(12))
	quat20     = made(compress.NewQuat(20))
	sign16     = made(compress.NewQuatSign(16))
	sign5      = made(compress.NewQuatSign(5))
	unit10     = made(compress.NewUnit(10))
	unit3      = made(compress.NewUnit(3))
	hundred    = made(compress.NewFloat32(-100, 100, 0.01))
	quarters   = made(compress.NewFloat32(0, 4, 0.25))
	matrixCode = compress.AffineCode{Translation: hundred.Serialize, Rotation: quat12.Serialize32}
	rawMatrix  compress.AffineCode
	affineCode = compress.AffineCode{Translation: range32.Serialize, Rotation: sign16.Serialize32, Scale: quarters.Serialize}
)

func geometryTwins() []twin {
	half, nan := float32(math.Sqrt(0.5)), float32(math.NaN())
	identity32, identity := [4]float32{3: 1}, [4]float64{3: 1}
	turned := compress.Affine{Translation: [3]float32{1, -2, 99.5}, Rotation: [4]float32{half, 0, 0, half}, Scale: [3]float32{2, 2, 2}}
	mirrored := compress.Affine{Rotation: [4]float32{0, 0.6, 0.8, 0}, Scale: [3]float32{-1, -2, -3}}
	square := func(a compress.Affine) (m [4][4]float32) {
		for i, x := range a.Matrix() {
			m[i/4][i%4] = x
		}
		return m
	}
	unmoved := compress.Affine{Rotation: identity32, Scale: [3]float32{1, 1, 1}}
	shear := unmoved.Matrix()
	shear[4] = 1
	raw := (*bits.Stream).Float32
	return []twin{
		twinOf("rotations", func(s *bits.Stream, v *twinRotations) {
			twinQuat9.Serialize32(s, &v.A)
			quat20.Serialize(s, &v.B)
			sign16.Serialize32(s, &v.C)
			sign5.Serialize(s, &v.D)
		}, twinRotations{identity32, identity, identity32, identity},
			twinRotations{[4]float32{half, 0, 0, -half}, [4]float64{0.5, -0.5, 0.5, -0.5}, [4]float32{1, 2, 3, 4}, [4]float64{-1, 0, 0, 0}},
			twinRotations{[4]float32{math.MaxFloat32, 1, 0, 0}, [4]float64{0, 1e-300, 0, 0}, [4]float32{0, 0, 1, -0.001}, [4]float64{3, 2, 1, -1}},
			twinRotations{}, twinRotations{identity32, identity, identity32, [4]float64{}},
			twinRotations{[4]float32{nan}, identity, identity32, identity},
			twinRotations{identity32, [4]float64{math.Inf(1)}, identity32, identity}),
		twinOf("directions", func(s *bits.Stream, v *twinDirections) {
			unit10.Serialize32(s, &v.A)
			unit3.Serialize(s, &v.B)
		}, twinDirections{[3]float32{2: 1}, [3]float64{0, 0, -1}}, twinDirections{[3]float32{1, -2, 3}, [3]float64{-1, -1, -1}},
			twinDirections{[3]float32{-1, 0, 0}, [3]float64{1e300, 1, 0}},
			twinDirections{}, twinDirections{A: [3]float32{nan}}, twinDirections{A: [3]float32{1}, B: [3]float64{math.Inf(1)}}),
		twinOf("matrices", func(s *bits.Stream, v *twinMatrices) {
			matrixCode.SerializeMatrix(s, &v.A)
			rawMatrix.SerializeMatrix4(s, &v.B)
		}, twinMatrices{unmoved.Matrix(), square(unmoved)}, twinMatrices{turned.Matrix(), square(turned)},
			twinMatrices{mirrored.Matrix(), square(mirrored)},
			twinMatrices{}, twinMatrices{shear, square(turned)}, twinMatrices{turned.Matrix(), [4][4]float32{{nan}}}),
		twinOf("transforms", func(s *bits.Stream, v *twinAffine) {
			affineCode.Serialize(s, (*compress.Affine)(&v.T))
			bits.Each(s, v.U.Translation[:], raw)
			bits.Each(s, v.U.Rotation[:], raw)
			compress.SerializeScale(s, (*bits.Stream).Float64, &v.U.Scale)
		}, twinAffine{twinTransform(unmoved), twinUniform{Scale: 1}},
			twinAffine{twinTransform(turned), twinUniform{[3]float32{1, 2, 3}, identity32, 0}},
			twinAffine{twinTransform{Rotation: identity32, Scale: [3]float32{1.01, 0.99, 1.1}}, twinUniform{Scale: math.NaN()}},
			twinAffine{twinTransform{Rotation: identity32, Scale: [3]float32{1, 2, 1}}, twinUniform{Scale: -1}},
			twinAffine{twinTransform{Rotation: identity32, Scale: [3]float32{9, 5, 4}}, twinUniform{Scale: 1}},
			twinAffine{T: twinTransform{Rotation: identity32, Scale: [3]float32{1, nan, 1}}}),
	}
}

func structureTwins() []twin {
	context, home, other := tagcodec.NewLinkingContext(), &homeBase{1}, &cat{}
	if err := errors.Join(context.Add(1000, home), context.Add(5, other)); err != nil {
		panic(err)
	}
	links := twinOf("links", func(s *bits.Stream, v *twinLinks) {
		tagcodec.Link(s, &v.Home, 10)
		tagcodec.Link(s, &v.Any, 3)
		tagcodec.Link(s, &v.Whole, 64)
	}, twinLinks{}, twinLinks{home, other, home}, twinLinks{Any: other}, twinLinks{Home: &homeBase{}}, twinLinks{Any: home})
	links.opts = []tagcodec.Option{tagcodec.WithLinker(context)}
	return []twin{
		links,
		twinOf("structure", func(s *bits.Stream, v *twinStructure) {
			bits.Bits(s, &v.A, 3)
			s.Align()
			s.Bool(&v.B)
			s.Reserved(3)
			s.Const(0x2a, 8)
			s.Check(0xfeedbeef)
			bits.Value(s, &v.C)
		}, twinStructure{}, twinStructure{A: 7, B: true, C: twinNode{1, &twinNode{2, nil}}}, twinStructure{A: 8}),
	}
}

package tagcodec_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
)

// pose has 15 bits of translation, 7 bits of rotation, and a 4-bit scale in
// quarters, in which 1 has the code 4.
type pose struct {
	Translation [3]float32 `bp:"float,min=-8,max=8,res=1"`
	Rotation    [4]float32 `bp:"quat,mode=sign,bits=2"`
	Scale       [3]float32 `bp:"float,min=0,max=3.75,res=0.25"`
}

// placed holds the bits of the translation (1, -8, 8) and the identity
// rotation.
var placed = low(9, 5) + low(0, 5) + low(16, 5) + "10 10 10 0"

func newPose(x, y, z float32) pose {
	return pose{[3]float32{1, -8, 8}, [4]float32{0, 0, 0, 1}, [3]float32{x, y, z}}
}

func TestGoldenAffine(t *testing.T) {
	type packet struct {
		P pose `bp:"affine"`
	}
	runGolden(t, []golden[packet]{
		{"unscaled", packet{newPose(1, 1, 1)}, placed + "1", nil},
		{"uniform", packet{newPose(2, 2, 2)}, placed + "0 1" + low(8, 4), nil},
		{"full", packet{newPose(1, 2, 3)}, placed + "0 0" + low(4, 4) + low(8, 4) + low(12, 4), nil},
		{"two are equal", packet{newPose(2, 2, 1)}, placed + "0 0" + low(8, 4) + low(8, 4) + low(4, 4), nil},
		{"nothing left", packet{newPose(0, 0, 0)}, placed + "0 1" + low(0, 4), nil},
		{"of the quantum of 1", packet{newPose(1.1, 1, .9)}, placed + "1", &packet{newPose(1, 1, 1)}},
		{"of one quantum", packet{newPose(2, 2.1, 1.9)}, placed + "0 1" + low(8, 4), &packet{newPose(2, 2, 2)}},
	})
	nan := newPose(1, float32(math.NaN()), 1)
	runRefused(t, []refused[packet]{
		{name: "a scale of 1", bits: placed + "0 1" + low(4, 4), err: tagcodec.ErrNotCanonical,
			text: "packet.P.Scale at bit 22: not the canonical encoding"},
		{name: "three that are one", bits: placed + "0 0" + low(8, 4) + low(8, 4) + low(8, 4), err: tagcodec.ErrNotCanonical,
			text: "packet.P.Scale at bit 22: not the canonical encoding"},
		{name: "three that are 1", bits: placed + "0 0" + low(4, 4) + low(4, 4) + low(4, 4), err: tagcodec.ErrNotCanonical,
			text: "packet.P.Scale at bit 22: not the canonical encoding"},
		{name: "NaN", value: packet{nan}, err: tagcodec.ErrRange, text: "packet.P.Scale at bit 22: value out of range: NaN"},
		{name: "no rotation at all", value: packet{}, err: tagcodec.ErrRange, text: "packet.P.Rotation at bit 15: value out of range: a quaternion of length 0 is no rotation: the identity is x=y=z=0, w=1"},
	})
}

// A scale may be a single float, and its floats may be untagged or in a struct.
func TestGoldenAffineScales(t *testing.T) {
	type (
		at  struct{ X, Y, Z int8 }
		one struct {
			Translation at
			Rotation    bool // any type and tag will do
			Scale       float64
		}
		three struct {
			Scale       struct{ X, Y, Z float32 } `bp:"half"`
			Translation struct{}
			Rotation    struct{}
		}
		packet struct {
			A one   `bp:"affine"`
			B three `bp:"affine"`
		}
	)
	b := func(x, y, z float32) (v three) { v.Scale.X, v.Scale.Y, v.Scale.Z = x, y, z; return v }
	runGolden(t, []golden[packet]{
		{"unscaled", packet{one{at{1, 2, 3}, true, 1}, b(1, 1, 1)}, low(1, 8) + low(2, 8) + low(3, 8) + "1 1 1", nil},
		{"one float has no bit that says it is uniform", packet{one{Scale: 2}, b(1, 1, 1)}, low(0, 25) + "0" + low(math.Float64bits(2), 64) + "1", nil},
		{"halves", packet{one{Scale: 1}, b(2, 2, 2)}, low(0, 25) + "1 0 1" + low(0x4000, 16), nil},
		{"three of them", packet{one{Scale: 1}, b(2, 1, -1)}, low(0, 25) + "1 0 0" + low(0x4000, 16) + low(0x3C00, 16) + low(0xBC00, 16), nil},
	})
	runRefused(t, []refused[packet]{
		{name: "1 in its own form", bits: low(0, 25) + "0" + low(math.Float64bits(1), 64), err: tagcodec.ErrNotCanonical,
			text: "packet.A.Scale at bit 25: not the canonical encoding"},
	})
}

// matrixOf returns a matrix without rotation.
func matrixOf(sx, sy, sz, x, y, z float32) [16]float32 {
	return [16]float32{0: sx, 5: sy, 10: sz, 12: x, 13: y, 14: z, 15: 1}
}

func raw(values ...float32) (bits string) {
	for _, v := range values {
		bits += low(uint64(math.Float32bits(v)), 32)
	}
	return bits
}

func TestGoldenMatrix(t *testing.T) {
	type packet struct {
		M [16]float32 `bp:"affine"`
	}
	none := raw(0, 0, 0, 1)
	turned := [16]float32{0: 0, 2: -1, 5: 1, 8: 1, 15: 1} // x maps to -z: a quarter turn about y
	r := float32(math.Sqrt(0.5))
	runGolden(t, []golden[packet]{
		{"the identity", packet{matrixOf(1, 1, 1, 0, 0, 0)}, raw(0, 0, 0) + none + "1", nil},
		{"moved and scaled", packet{matrixOf(2, 2, 2, 1, -2, 3)}, raw(1, -2, 3) + none + "0 1" + raw(2), nil},
		{"of three scales", packet{matrixOf(2, 3, 4, 0, 0, 0)}, raw(0, 0, 0) + none + "0 0" + raw(2, 3, 4), nil},
		{"the smallest and the largest scale", packet{matrixOf(0x1p-126, 0x1p127, 1, 0, 0, 0)}, raw(0, 0, 0) + none + "0 0" + raw(0x1p-126, 0x1p127, 1), nil},
		{"a mirror", packet{matrixOf(-1, -1, -1, 0, 0, 0)}, raw(0, 0, 0) + none + "0 1" + raw(-1), nil},
	})
	// A rotation is decoded with the precision of its quaternion.
	data, err := tagcodec.Marshal(packet{turned})
	require.NoError(t, err)
	require.Equal(t, lows(raw(0, 0, 0, 0, r, 0, r)+"1"), data)
	var v packet
	require.NoError(t, tagcodec.Unmarshal(data, &v))
	for i, want := range turned {
		require.InDelta(t, want, v.M[i], 1e-7, "element %d", i)
	}

	bad := func(i int, x float32) packet {
		m := matrixOf(1, 1, 1, 0, 0, 0)
		m[i] = x
		return packet{m}
	}
	const (
		parts  = "packet.M at bit 225: value out of range: the rotation %v does not have length 1"
		scales = "packet.M at bit 258: value out of range: the scale of axis 0 is %v; its magnitude must be in [2^-126, 2^127]"
	)
	inf := float32(math.Inf(1))
	runRefused(t, []refused[packet]{
		{name: "a shear", value: bad(4, .5), err: tagcodec.ErrRange,
			text: "packet.M at bit 0: value out of range: the matrix has a shear, which an Affine cannot represent"},
		{name: "a projection", value: bad(11, -1), err: tagcodec.ErrRange,
			text: "packet.M at bit 0: value out of range: matrix element 11 is -1; it must be 0 in an affine matrix"},
		{name: "zero, which is no matrix of this kind", value: packet{}, err: tagcodec.ErrRange,
			text: "packet.M at bit 0: value out of range: matrix element 15 is 0; it must be 1 in an affine matrix"},
		{name: "a rotation of no length", bits: raw(0, 0, 0) + raw(0, 0, 0, 0) + "1", err: tagcodec.ErrRange, text: fmt.Sprintf(parts, "[0 0 0 0]")},
		{name: "a rotation of another length", bits: raw(0, 0, 0) + raw(0, 0, 0, 1.001) + "1", err: tagcodec.ErrRange, text: fmt.Sprintf(parts, "[0 0 0 1.001]")},
		{name: "a rotation that is none", bits: raw(0, 0, 0) + raw(float32(math.NaN()), 0, 0, 1) + "1", err: tagcodec.ErrRange, text: fmt.Sprintf(parts, "[NaN 0 0 1]")},
		{name: "a scale of 0", bits: raw(0, 0, 0) + none + "0 1" + raw(0), err: tagcodec.ErrRange, text: fmt.Sprintf(scales, "0")},
		{name: "a scale that is not a number", bits: raw(0, 0, 0) + none + "0 1" + raw(float32(math.NaN())), err: tagcodec.ErrRange, text: fmt.Sprintf(scales, "NaN")},
		{name: "a scale below the normal numbers", bits: raw(0, 0, 0) + none + "0 1" + raw(0x1.fffffcp-127), err: tagcodec.ErrRange, text: fmt.Sprintf(scales, "1.1754942e-38")},
		{name: "a scale above 2^127", bits: raw(0, 0, 0) + none + "0 1" + raw(-0x1.000002p127), err: tagcodec.ErrRange, text: fmt.Sprintf(scales, "-1.701412e+38")},
		{name: "scales of both signs", bits: raw(0, 0, 0) + none + "0 0" + raw(1, 1, -1), err: tagcodec.ErrRange,
			text: "packet.M at bit 322: value out of range: the scales [1 1 -1] have different signs; all three must be positive or all three negative"},
		{name: "a scale without end", bits: raw(0, 0, 0) + none + "0 1" + raw(inf), err: tagcodec.ErrRange, text: fmt.Sprintf(scales, "+Inf")},
		{name: "a place without end", bits: raw(0, inf, 0) + none + "1", err: tagcodec.ErrRange,
			text: "packet.M at bit 225: value out of range: the translation along axis 1 is +Inf; it must be finite"},
		{name: "a scale of 1 in its own form", bits: raw(0, 0, 0) + none + "0 1" + raw(1), err: tagcodec.ErrNotCanonical,
			text: "packet.M.Scale at bit 224: not the canonical encoding"},
	})
}

package compress_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
)

func TestAffineRows(t *testing.T) {
	const r = float32(1 / math.Sqrt2)
	nearOne := float32(1 + 0x1p-19)
	rows := []struct {
		name   string
		matrix [16]float32
		want   compress.Affine
	}{
		{"identity", [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
			compress.Affine{[3]float32{0, 0, 0}, [4]float32{0, 0, 0, 1}, [3]float32{1, 1, 1}}},
		{"a quarter about z takes x to y", [16]float32{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
			compress.Affine{[3]float32{0, 0, 0}, [4]float32{0, 0, r, r}, [3]float32{1, 1, 1}}},
		{"scale along the axes before a quarter about z", [16]float32{0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 1},
			compress.Affine{[3]float32{0, 0, 0}, [4]float32{0, 0, r, r}, [3]float32{2, 3, 4}}},
		{"a mirror has negative scales", [16]float32{-2, 0, 0, 0, 0, -2, 0, 0, 0, 0, -2, 0, 0, 0, 0, 1},
			compress.Affine{[3]float32{0, 0, 0}, [4]float32{0, 0, 0, 1}, [3]float32{-2, -2, -2}}},
		{"a mirror of z alone is one of all and half a turn", [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1},
			compress.Affine{[3]float32{0, 0, 0}, [4]float32{0, 0, 1, 0}, [3]float32{-1, -1, -1}}},
		{"scales that are 1 but for rounding", [16]float32{nearOne, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, nearOne},
			compress.Affine{[3]float32{0, 0, 0}, [4]float32{0, 0, 0, 1}, [3]float32{1, 1, 1}}},
		{"the smallest scale and one just below", [16]float32{0x1p-126, 0, 0, 0, 0, 0x1.fffff8p-127, 0, 0, 0, 0, 0x1p-125, 0, 0, 0, 0, 1},
			compress.Affine{[3]float32{0, 0, 0}, [4]float32{0, 0, 0, 1}, [3]float32{0x1p-126, 0x1p-126, 0x1p-125}}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			a, err := compress.NewAffine(&row.matrix)
			require.NoError(t, err)
			require.Equal(t, row.want, a)
			for i, x := range a.Matrix() {
				require.InDelta(t, row.matrix[i], x, 1e-5, "element %d", i)
			}
		})
	}
}

func TestAffineErrors(t *testing.T) {
	identity := [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}
	rows := []struct {
		name    string
		element int
		v       float32
		want    string
	}{
		{"NaN", 13, float32(math.NaN()), "matrix element 13 is NaN; it must be finite"},
		{"a projection", 11, -1, "matrix element 11 is -1; it must be 0 in an affine matrix"},
		{"a homogeneous scale", 15, 2, "matrix element 15 is 2; it must be 1 in an affine matrix"},
		{"an axis without length", 5, 0, "axis 1 of the matrix has length 0, so the rotation is undefined"},
		{"a shear", 4, 0.001, "the matrix has a shear, which an Affine cannot represent"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			m := identity
			m[row.element] = row.v
			_, err := compress.NewAffine(&m)
			require.EqualError(t, err, "compress: "+row.want)
		})
	}
	huge := [16]float32{3e38, 3e38, 0, 0, -3e38, 3e38, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}
	_, err := compress.NewAffine(&huge)
	require.EqualError(t, err, "compress: the scale of axis 0 is 4.2426406948942856e+38; its magnitude must be in [2^-126, 2^127]")
	sheared := identity
	sheared[4] = 0.0002
	_, err = compress.NewAffine(&sheared)
	require.NoError(t, err, "a shear within the tolerance")
}

func TestAffineCheck(t *testing.T) {
	nan := float32(math.NaN())
	good := compress.Affine{Rotation: [4]float32{0, 0, 0, 1}, Scale: [3]float32{1, 2, 0x1p127}}
	require.NoError(t, good.Check())
	for _, row := range []struct {
		name   string
		change func(*compress.Affine)
		want   string
	}{
		{"no rotation", func(a *compress.Affine) { a.Rotation[3] = 0 }, "the rotation [0 0 0 0] does not have length 1"},
		{"a long rotation", func(a *compress.Affine) { a.Rotation[0] = 0.01 }, "the rotation [0.01 0 0 1] does not have length 1"},
		{"a translation of NaN", func(a *compress.Affine) { a.Translation[2] = nan }, "the translation along axis 2 is NaN; it must be finite"},
		{"a scale of zero", func(a *compress.Affine) { a.Scale[1] = 0 }, "the scale of axis 1 is 0; its magnitude must be in [2^-126, 2^127]"},
		{"a denormal scale", func(a *compress.Affine) { a.Scale[1] = -0x1p-127 }, "the scale of axis 1 is -5.877472e-39; its magnitude must be in [2^-126, 2^127]"},
		{"a huge scale", func(a *compress.Affine) { a.Scale[2] = 0x1.000002p127 }, "the scale of axis 2 is 1.701412e+38; its magnitude must be in [2^-126, 2^127]"},
		{"scales of both signs", func(a *compress.Affine) { a.Scale[2] = -1 }, "the scales [1 2 -1] have different signs; all three must be positive or all three negative"},
	} {
		t.Run(row.name, func(t *testing.T) {
			a := good
			row.change(&a)
			require.EqualError(t, a.Check(), "compress: "+row.want)
		})
	}
}

func TestAffineZeroRotation(t *testing.T) {
	a := compress.Affine{Scale: [3]float32{1, 2, 3}}
	require.Equal(t, [16]float32{1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1}, a.Matrix())
}

func ExampleNewAffine() {
	a, err := compress.NewAffine(&[16]float32{
		0, 2, 0, 0,
		-2, 0, 0, 0,
		0, 0, 2, 0,
		10, 20, 30, 1,
	})
	fmt.Println(a.Translation, a.Rotation, a.Scale, err)
	// Output:
	// [10 20 30] [0 0 0.70710677 0.70710677] [2 2 2] <nil>
}

package compress

import (
	"math"
)

// Affine is a transform: a scale along the axes, then a rotation, then a
// translation.
type Affine struct {
	Translation [3]float32
	Rotation    [4]float32 // unit quaternion x, y, z, w
	Scale       [3]float32
}

const (
	// scaleTolerance is the relative difference from the mean up to which
	// scales count as equal. It is also the absolute tolerance of the fourth
	// component of each matrix column. At 32 ulps of float32 it allows for
	// matrices that are products.
	scaleTolerance = 0x1p-18
	// shearTolerance is the largest cosine of the angle between two axes that
	// count as perpendicular. It allows 0.014 degrees.
	shearTolerance = 0x1p-12
	// minScale and maxScale bound the magnitude of a scale. Below minScale the
	// matrix elements, which are multiples of 2^-149, are too coarse to keep
	// the angles between the axes. Above maxScale a product may round to
	// infinity.
	minScale, maxScale = 0x1p-126, 0x1p127
	// lengthTolerance is the largest difference from 1 of a rotation's squared
	// length.
	lengthTolerance = 0x1p-20
)

// NewAffine decomposes a matrix. The images of the x, y and z axes are in
// elements 0-2, 4-6 and 8-10, and the translation is in elements 12-14:
//
//	[16]float32      m[4*column+row], column-major with column vectors
//	[4][4]float32    m[column][row]
//
// This is the layout of OpenGL, and also that of row-major matrices with row
// vectors, as in Direct3D. Elements 3, 7 and 11 must be 0 and element 15 must
// be 1, to within 2^-18.
//
// The Rotation has w >= 0. A mirroring matrix gives three negative scales.
// Scales within 2^-18 of their mean become equal, and become 1 if the mean is
// within 2^-18 of 1.
//
// It is an error if
//   - an element is a NaN or an infinity,
//   - an axis has length 0, which leaves no rotation,
//   - a scale is not in [2^-126, 2^127], or
//   - the cosine of the angle between two axes is above 2^-12, which is a
//     shear.
//
// A scale that exceeds one of these bounds by at most 2^-18 of the bound becomes
// the bound.
//
// The result passes [Affine.Check], and NewAffine accepts the matrix of any
// Affine that passes it. A program that relays a matrix can always send what it
// received.
//
// [Affine.Matrix] restores every element to within 2^-11 of the scale, or 2^-17
// if the axes are perpendicular to float32's precision.
func NewAffine(m *[16]float32) (Affine, error) {
	var a Affine
	for i, x := range m {
		if !Finite32(x) {
			return a, failed("matrix element %d is %v; it must be finite", i, x)
		}
	}
	for i, want := range [4]float32{0, 0, 0, 1} {
		if x := m[4*i+3]; math.Abs(float64(x-want)) > scaleTolerance {
			return a, failed("matrix element %d is %v; it must be %v in an affine matrix", 4*i+3, x, want)
		}
	}
	var axes [3][3]float64
	var scale [3]float64
	for i := range axes {
		axis := [3]float64{float64(m[4*i]), float64(m[4*i+1]), float64(m[4*i+2])}
		scale[i] = math.Sqrt(dot3(&axis, &axis))
		if !unit3(&axis) {
			return a, failed("axis %d of the matrix has length 0, so the rotation is undefined", i)
		}
		if !(scale[i] >= minScale*(1-scaleTolerance) && scale[i] <= maxScale*(1+scaleTolerance)) {
			return a, scaleError(i, scale[i])
		}
		scale[i] = min(max(scale[i], minScale), maxScale)
		axes[i] = axis
	}
	x, y, z := &axes[0], &axes[1], &axes[2]
	if max(math.Abs(dot3(x, y)), math.Abs(dot3(y, z)), math.Abs(dot3(z, x))) > shearTolerance {
		return a, failed("the matrix has a shear, which an Affine cannot represent")
	}
	cross := [3]float64{
		float64(x[1]*y[2]) - float64(x[2]*y[1]),
		float64(x[2]*y[0]) - float64(x[0]*y[2]),
		float64(x[0]*y[1]) - float64(x[1]*y[0]),
	}
	if dot3(&cross, z) < 0 {
		for i := range axes {
			scale[i] = -scale[i]
			axes[i] = [3]float64{-axes[i][0], -axes[i][1], -axes[i][2]}
		}
	}
	a.Translation = [3]float32{m[12], m[13], m[14]}
	a.Rotation = rotationOf(&axes)
	a.Scale = evenScale(scale)
	return a, nil
}

func scaleError(axis int, scale any) error {
	return failed("the scale of axis %d is %v; its magnitude must be in [2^-126, 2^127]", axis, scale)
}

// Check returns an error unless [NewAffine] could have returned a: the
// translation is finite, the squared length of the rotation is within 2^-20 of
// 1, and the scales have the same sign and magnitudes in [2^-126, 2^127].
func (a *Affine) Check() error {
	length := 0.0
	for _, x := range a.Rotation {
		length += float64(float64(x) * float64(x))
	}
	if !(math.Abs(length-1) <= lengthTolerance) {
		return failed("the rotation %v does not have length 1", a.Rotation)
	}
	for i, x := range a.Translation {
		if !Finite32(x) {
			return failed("the translation along axis %d is %v; it must be finite", i, x)
		}
	}
	for i, x := range a.Scale {
		if magnitude := math.Abs(float64(x)); !(magnitude >= minScale && magnitude <= maxScale) {
			return scaleError(i, x)
		}
		if math.Signbit(float64(x)) != math.Signbit(float64(a.Scale[0])) {
			return failed("the scales %v have different signs; all three must be positive or all three negative", a.Scale)
		}
	}
	return nil
}

func dot3(a, b *[3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

// rotationOf returns the rotation that turns the x, y and z axes into the given
// ones. It divides by the largest of the four components, which is at least 1/2
// (Shepperd, "Quaternion from Rotation Matrix", 1978).
func rotationOf(axes *[3][3]float64) [4]float32 {
	m00, m11, m22 := axes[0][0], axes[1][1], axes[2][2]
	squares := [4]float64{1 + m00 - m11 - m22, 1 - m00 + m11 - m22, 1 - m00 - m11 + m22, 1 + m00 + m11 + m22}
	x := axes[1][2] - axes[2][1]
	y := axes[2][0] - axes[0][2]
	z := axes[0][1] - axes[1][0]
	xy := axes[1][0] + axes[0][1]
	xz := axes[2][0] + axes[0][2]
	yz := axes[2][1] + axes[1][2]
	// Each row is the quaternion multiplied by 4 times one of its components.
	rows := [4][4]float64{
		{squares[0], xy, xz, x},
		{xy, squares[1], yz, y},
		{xz, yz, squares[2], z},
		{x, y, z, squares[3]},
	}
	largest := 3
	for i, s := range squares {
		if s > squares[largest] {
			largest = i
		}
	}
	q := rows[largest]
	unit4(&q)
	if q[3] < 0 {
		q = [4]float64{-q[0], -q[1], -q[2], -q[3]}
	}
	return narrow4(q)
}

// evenScale makes scales equal if they differ only by rounding.
func evenScale(s [3]float64) [3]float32 {
	mean := (s[0] + s[1] + s[2]) / 3
	even := true
	for _, x := range s {
		even = even && math.Abs(x-mean) <= math.Abs(mean)*scaleTolerance
	}
	switch {
	case !even:
		return [3]float32{float32(s[0]), float32(s[1]), float32(s[2])}
	case math.Abs(mean-1) <= scaleTolerance:
		mean = 1
	}
	return [3]float32{float32(mean), float32(mean), float32(mean)}
}

// Matrix returns the matrix of the transform, in the layout of [NewAffine]. The
// Rotation need not have length 1. A zero Rotation is the identity.
func (a *Affine) Matrix() [16]float32 {
	q := widen4(a.Rotation)
	if !unit4(&q) {
		q = [4]float64{0, 0, 0, 1}
	}
	x, y, z, w := q[0], q[1], q[2], q[3]
	xx, yy, zz := float64(x*x), float64(y*y), float64(z*z)
	xy, xz, yz := float64(x*y), float64(x*z), float64(y*z)
	wx, wy, wz := float64(w*x), float64(w*y), float64(w*z)
	axes := [3][3]float64{
		{1 - float64(2*(yy+zz)), 2 * (xy + wz), 2 * (xz - wy)},
		{2 * (xy - wz), 1 - float64(2*(xx+zz)), 2 * (yz + wx)},
		{2 * (xz + wy), 2 * (yz - wx), 1 - float64(2*(xx+yy))},
	}
	var m [16]float32
	for i := range axes {
		for j, v := range axes[i] {
			m[4*i+j] = float32(v * float64(a.Scale[i]))
		}
		m[12+i] = a.Translation[i]
	}
	m[15] = 1
	return m
}

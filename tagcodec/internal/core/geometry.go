package core

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
)

// PartsOf decomposes a matrix. It fails with bits.ErrRange if the matrix is not
// the product of a translation, a rotation and a scale.
func PartsOf(m *[16]float32) (compress.Affine, error) {
	parts, err := compress.NewAffine(m)
	if err != nil {
		err = &explained{bits.ErrRange, err}
	}
	return parts, err
}

// MatrixOf composes a matrix from its parts. It fails with bits.ErrRange for
// parts that PartsOf might not recover, so every decoded matrix can be encoded.
func MatrixOf(parts *compress.Affine) (m [16]float32, err error) {
	if err := parts.Check(); err != nil {
		return m, &explained{bits.ErrRange, err}
	}
	return parts.Matrix(), nil
}

// Uncoded describes the components of a vector without a code, for use in
// errors. It singles out the zero vector, the zero value of a field.
func Uncoded(components any) any {
	switch components {
	case [4]float64{}:
		return "a quaternion of length 0 is no rotation: the identity is x=y=z=0, w=1"
	case [3]float64{}:
		return "a vector of length 0 has no direction"
	}
	return components
}

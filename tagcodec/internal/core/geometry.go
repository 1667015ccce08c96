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

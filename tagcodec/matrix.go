package tagcodec

import (
	"fmt"

	"github.com/gobitpack/bitpack/compress"
)

// partsOf takes a matrix apart.
func partsOf(m *[16]float32) (compress.Affine, error) {
	parts, err := compress.NewAffine(m)
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrRange, err)
	}
	return parts, err
}

// matrixOf puts a matrix together from its parts. It refuses parts from which
// partsOf might not get a matrix back, so that what is read can be written.
func matrixOf(parts *compress.Affine) (m [16]float32, err error) {
	if err := parts.Check(); err != nil {
		return m, fmt.Errorf("%w: %w", ErrRange, err)
	}
	return parts.Matrix(), nil
}

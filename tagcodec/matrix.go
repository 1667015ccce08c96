package tagcodec

import (
	"fmt"
	"math"

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

// matrixOf puts a matrix together from its parts. It fails where these are none
// that a matrix has, or too large for a product of them to be a number.
func matrixOf(parts *compress.Affine) (m [16]float32, err error) {
	if !ofMatrix(parts) {
		return m, fmt.Errorf("%w: no matrix has these parts", ErrRange)
	}
	m = parts.Matrix()
	for _, x := range m {
		if !compress.Finite32(x) {
			return m, refusal(ErrRange, x, nil, nil)
		}
	}
	return m, nil
}

// ofMatrix reports whether compress.NewAffine can have made these parts: the
// rotation has the length of 1, but for rounding, and the scales have one sign,
// and none is 0.
func ofMatrix(a *compress.Affine) bool {
	length := 0.0
	for _, x := range a.Rotation {
		length += float64(float64(x) * float64(x))
	}
	s := &a.Scale
	negative := s[0] < 0 && s[1] < 0 && s[2] < 0
	positive := s[0] > 0 && s[1] > 0 && s[2] > 0
	return math.Abs(length-1) <= 0x1p-20 && (negative || positive)
}

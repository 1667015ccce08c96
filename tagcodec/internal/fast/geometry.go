//go:build !purego

package fast

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/values"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/tagcodec/internal/memory"
)

// loadVector returns the components of a vector of floats of the given size in
// bytes.
func loadVector(v *plan.Vector, size uint8, p memory.Pointer) (x [4]float64) {
	for i, off := range v.Offs {
		if i == 3 && v.Unit != nil {
			break
		}
		if size == 4 {
			x[i] = float64(*p.At(off).F32())
		} else {
			x[i] = *p.At(off).F64()
		}
	}
	return x
}

// codeOfVector returns the code of a rotation or direction. It returns false if
// the value has no code.
func codeOfVector(v *plan.Vector, size uint8, p memory.Pointer) (code uint64, ok bool) {
	x := loadVector(v, size, p)
	switch {
	case v.Quat != nil:
		return v.Quat.Encode(x)
	case v.Signs != nil:
		return v.Signs.Encode(x)
	}
	return v.Unit.Encode([3]float64(x[:3]))
}

// encodeVector returns the code of a rotation or direction, or an error if it
// has none.
func encodeVector(v *plan.Vector, op *plan.Op, p memory.Pointer) (uint64, error) {
	code, ok := codeOfVector(v, op.Size, p)
	if ok {
		return code, nil
	}
	x := loadVector(v, op.Size, p)
	if v.Unit != nil {
		return 0, core.NewRefusal(bits.ErrRange, values.Uncoded([3]float64(x[:3])), nil, nil)
	}
	return 0, core.NewRefusal(bits.ErrRange, values.Uncoded(x), nil, nil)
}

// setVector stores the rotation or direction with the given code. It returns
// false if the code is not valid.
func setVector(v *plan.Vector, size uint8, p memory.Pointer, word uint64) (ok bool) {
	var x [4]float64
	n := 4
	switch {
	case v.Quat != nil:
		x, ok = v.Quat.Decode(word)
	case v.Signs != nil:
		x, ok = v.Signs.Decode(word)
	default:
		var u [3]float64
		u, ok = v.Unit.Decode(word)
		n = copy(x[:], u[:])
	}
	if !ok {
		return false
	}
	for i, off := range v.Offs[:n] {
		if size == 4 {
			*p.At(off).F32() = float32(x[i])
		} else {
			*p.At(off).F64() = x[i]
		}
	}
	return true
}

// newMatrix allocates the components of a matrix.
func newMatrix() memory.Pointer { return memory.Of(new(compress.Affine)) }

// encodeMatrix decomposes the matrix at p.
func encodeMatrix(p memory.Pointer) (memory.Pointer, error) {
	parts, err := core.PartsOf(memory.As[[16]float32](p))
	if err != nil {
		return memory.Pointer{}, err
	}
	return memory.Of(&parts), nil
}

// decodeMatrix composes the matrix at p from its components at base.
func decodeMatrix(p, base memory.Pointer) error {
	m, err := core.MatrixOf(memory.As[compress.Affine](base))
	if err == nil {
		*memory.As[[16]float32](p) = m
	}
	return err
}

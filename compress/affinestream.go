package compress

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/access"
	"github.com/gobitpack/bitpack/internal/errtext"
)

// AffineCode codes transforms: the translation, the rotation, and the scale as
// [SerializeScale] does. Its fields serialize the parts, and a part whose field is
// nil is raw floats. Any function fits, such as the Serialize method of a Float32
// for the first and the third, and the Serialize32 method of a Quat or QuatSign
// for the rotation.
type AffineCode struct {
	Translation func(s *bits.Stream, v *float32) // each component
	Rotation    func(s *bits.Stream, v *[4]float32)
	Scale       func(s *bits.Stream, v *float32) // each axis
}

// Serialize serializes *v.
func (c *AffineCode) Serialize(s *bits.Stream, v *Affine) {
	raw := (*bits.Stream).Float32
	translation, scale := c.Translation, c.Scale
	if translation == nil {
		translation = raw
	}
	if scale == nil {
		scale = raw
	}
	bits.Each(s, v.Translation[:], translation)
	if c.Rotation != nil {
		c.Rotation(s, &v.Rotation)
	} else {
		bits.Each(s, v.Rotation[:], raw)
	}
	SerializeScale(s, scale, &v.Scale[0], &v.Scale[1], &v.Scale[2])
}

// SerializeMatrix serializes a matrix in the layout of [NewAffine], by its parts.
// It fails with bits.ErrRange if NewAffine refuses the matrix to write, or if
// [Affine.Check] refuses the parts read. After an error the matrix read is the
// identity.
func (c *AffineCode) SerializeMatrix(s *bits.Stream, m *[16]float32) {
	var parts Affine
	var err error
	bit := s.Bit()
	if !s.Reading() {
		if parts, err = NewAffine(m); err != nil {
			access.Refuse(s, bit, bits.ErrRange, errtext.Bare(err), nil, nil)
			return
		}
	}
	c.Serialize(s, &parts)
	if !s.Reading() {
		return
	}
	if s.Err() == nil {
		if err = parts.Check(); err != nil {
			access.Refuse(s, bit, bits.ErrRange, errtext.Bare(err), nil, nil)
		}
	}
	if s.Err() != nil {
		parts = Affine{Rotation: [4]float32{3: 1}, Scale: [3]float32{1, 1, 1}}
	}
	*m = parts.Matrix()
}

// SerializeMatrix4 is SerializeMatrix for the other layout.
func (c *AffineCode) SerializeMatrix4(s *bits.Stream, m *[4][4]float32) {
	var flat [16]float32
	for i := range m {
		copy(flat[4*i:], m[i][:])
	}
	c.SerializeMatrix(s, &flat)
	for i := range m {
		copy(m[i][:], flat[4*i:])
	}
}

// SerializeScale serializes the scale along one axis or several, each with f:
//
//	1            all are 1
//	0, 1, scale  all are equal
//	0, 0, ...    each scale
//
// The second bit is left out if there is one axis. Scales are equal if f gives
// them the same encoding. Reading fails with bits.ErrNotCanonical if a longer
// form than necessary was sent.
func SerializeScale[T float32 | float64](s *bits.Stream, f func(s *bits.Stream, v *T), axes ...*T) {
	start, one := s.Bit(), T(1)
	unscaled, err := encodingOf(f, &one, 0)
	if err != nil {
		failAt(s, err)
		return
	}
	none, same := false, false
	if !s.Reading() {
		var first encoding
		same = true
		for i, v := range axes {
			e, err := encodingOf(f, v, 0)
			if err != nil {
				failAt(s, err)
				return
			}
			if i == 0 {
				first = e
			}
			same = same && e == first
		}
		none = same && first == unscaled
	}
	if s.Bool(&none); none {
		for _, v := range axes {
			if s.Reading() {
				*v = 1
			}
		}
		return
	}
	if len(axes) > 1 {
		s.Bool(&same)
	} else {
		same = false
	}
	longer, first := true, encoding{}
	for i, v := range axes {
		if same && i > 0 {
			if s.Reading() {
				*v = *axes[0]
			}
			continue
		}
		bit := s.Bit()
		f(s, v)
		if s.Reading() && s.Err() == nil {
			e := sentFrom(s, bit)
			if i == 0 {
				first = e
			}
			longer = longer && e == first
		}
	}
	if s.Reading() && s.Err() == nil && longer && (first == unscaled || len(axes) > 1 && !same) {
		access.Refuse(s, start, bits.ErrNotCanonical, nil, nil, nil)
	}
}

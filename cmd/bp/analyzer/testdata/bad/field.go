package bad

import (
	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

// Unified gives its parts to Field.
type Unified struct {
	A float32
	B []uint8
	C uint32
}

const fineTag = "float,min=0,max=1,bits=8"

// Serialize has wrong tags.
func (v *Unified) Serialize(s *bits.Stream) error {
	tagcodec.Field(s, &v.A, fineTag)
	tagcodec.Field(s, &v.A, "flaot,min=0,max=1,bits=8") // want: struct.Field: kind "flaot" is not known; did you mean "float"?
	tagcodec.Field(s, &v.B, "uint,bits=3")              // want: struct.Field: option "maxlen" is missing: add maxlen= with the largest length of []uint8
	tagcodec.Field(s, &v.C, "if=A")                     // want: struct.Field: option "if" refers to "A", which is not an earlier field: it must be an earlier bool or integer field of the same struct
	return s.Err()
}

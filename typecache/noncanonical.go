package typecache

import (
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
)

// Noncanonical is a set of features of a plan that let two different messages decode to
// the same value. A plan without any is canonical: decoding an accepted message
// and encoding the value again gives the same bytes, whoever made the message.
// Everything else in a plan has one valid form. Readers refuse nonzero padding,
// overlong varints, listed values written in full, optional values that are
// zero, unsorted keys, and a subset in any mode but the shortest.
type Noncanonical uint16

// The features that are not canonical.
const (
	// NoncanonicalRelative: the last form of int_relative can hold any integer, even one
	// that has a shorter form. This is part of the format.
	NoncanonicalRelative Noncanonical = 1 << iota
	// NoncanonicalFloat: the steps of a quantized float are so fine that two of them are
	// the same float, or that rounding turns one step into the next. This happens
	// where a step is about as narrow as the spacing of floats at the bound
	// farther from zero. For a float32 the test is exact: see
	// [compress.Float32.Canonical]. For a float64 of more than 2^23 steps,
	// NoncanonicalFloat means only that rounding might do so. This is part of the format.
	NoncanonicalFloat
	// NoncanonicalHalf: a signaling NaN of binary16 decodes to the quiet NaN.
	NoncanonicalHalf
	// NoncanonicalAngle: the steps of an angle of more than 23 bits are finer than its
	// float32.
	NoncanonicalAngle
	// NoncanonicalQuat: two codes of a rotation with more than 11 bits for each component
	// may decode to the same float32 values.
	NoncanonicalQuat
	// NoncanonicalMatrix: writing a matrix of kind affine decomposes it, and reading
	// multiplies the parts with rounding. A matrix that was read can be written,
	// but the last bits of its numbers may change each time.
	NoncanonicalMatrix
	// NoncanonicalLink: an unknown object id decodes to nil. An optional value that
	// contains links may therefore decode to zero.
	NoncanonicalLink
	// NoncanonicalOwn: a type with its own Serialize or UnmarshalBinary may accept bytes
	// that it would not write. An optional value of such a type may decode to
	// zero.
	NoncanonicalOwn
)

var noncanonicalNames = [...]string{"relative", "float", "half", "angle", "quat", "matrix", "link", "own"}

// String returns the names of the features, joined by "|". It is empty for a
// canonical plan.
func (o Noncanonical) String() string {
	var names []string
	for i, name := range noncanonicalNames {
		if o>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}

// Noncanonical returns the features of the plan that are not canonical.
func (p *Plan) Noncanonical() (all Noncanonical) {
	data := p.data()
	for i := range data.Ops {
		all |= noncanonicalOf(data, &data.Ops[i])
	}
	return all
}

// noncanonicalOf returns the features of an op.
func noncanonicalOf(p *plan.Plan, op *plan.Op) Noncanonical {
	float32InMemory := op.Size == 4 // single precision in memory
	switch op.Code {
	case plan.CodeRelative:
		return NoncanonicalRelative
	case plan.CodeFloat32:
		q := &p.Float32s[op.Aux]
		if !q.Canonical() {
			return NoncanonicalFloat
		}
	case plan.CodeFloat64:
		q := &p.Float64s[op.Aux]
		if !q.Canonical() {
			return NoncanonicalFloat
		}
	case plan.CodeHalf:
		return NoncanonicalHalf
	case plan.CodeAngle:
		if float32InMemory && op.Bits > 23 {
			return NoncanonicalAngle
		}
	case plan.CodeVector:
		if float32InMemory && p.Vectors[op.Aux].Quat != nil && op.Bits > 2+3*11 {
			return NoncanonicalQuat
		}
	case plan.CodeMatrix:
		return NoncanonicalMatrix
	case plan.CodeLink:
		return NoncanonicalLink
	case plan.CodeCustom, plan.CodeBinary:
		return NoncanonicalOwn
	}
	return 0
}

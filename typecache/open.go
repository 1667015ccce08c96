package typecache

import (
	"strings"

	"github.com/gobitpack/bitpack/internal/plan"
)

// Open is a set of features of a plan that let two different messages decode to
// the same value. A plan without any is canonical: decoding an accepted message
// and encoding the value again gives the same bytes, whoever made the message.
// Everything else in a plan has one valid form. Readers refuse nonzero padding,
// overlong varints, listed values written in full, optional values that are
// zero, unsorted keys, and a subset in any mode but the shortest.
type Open uint16

// The features that are not canonical.
const (
	// OpenRelative: the last form of int_relative can hold any integer, even one
	// that has a shorter form. This is part of the format.
	OpenRelative Open = 1 << iota
	// OpenFloat: the steps of a quantized float are so fine that two of them are
	// the same float, or that rounding turns one step into the next. This happens
	// where a step is about as narrow as the spacing of floats at the bound
	// farther from zero. For a float32 the test is exact: see
	// [compress.Float32.Canonical]. For a float64 of more than 2^23 steps,
	// OpenFloat means only that rounding might do so. This is part of the format.
	OpenFloat
	// OpenHalf: a signaling NaN of binary16 decodes to the quiet NaN.
	OpenHalf
	// OpenAngle: the steps of an angle of more than 23 bits are finer than its
	// float32.
	OpenAngle
	// OpenQuat: two codes of a rotation with more than 11 bits for each component
	// may decode to the same float32 values.
	OpenQuat
	// OpenMatrix: writing a matrix of kind affine decomposes it, and reading
	// multiplies the parts with rounding. A matrix that was read can be written,
	// but the last bits of its numbers may change each time.
	OpenMatrix
	// OpenLink: an unknown object id decodes to nil. An optional value that
	// contains links may therefore decode to zero.
	OpenLink
	// OpenOwn: a type with its own Serialize or UnmarshalBinary may accept bytes
	// that it would not write. An optional value of such a type may decode to
	// zero.
	OpenOwn
)

var openNames = [...]string{"relative", "float", "half", "angle", "quat", "matrix", "link", "own"}

// String returns the names of the features, joined by "|". It is empty for a
// canonical plan.
func (o Open) String() string {
	var names []string
	for i, name := range openNames {
		if o>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}

// Open returns the features of the plan that are not canonical.
func (p *Plan) Open() (open Open) {
	data := p.data()
	for i := range data.Ops {
		open |= openOf(data, &data.Ops[i])
	}
	return open
}

// openOf returns the features of an op.
func openOf(p *plan.Plan, op *plan.Op) Open {
	float32InMemory := op.Size == 4 // single precision in memory
	switch op.Code {
	case plan.CodeRelative:
		return OpenRelative
	case plan.CodeFloat32:
		q := &p.Float32s[op.Aux]
		if !q.Canonical() {
			return OpenFloat
		}
	case plan.CodeFloat64:
		q := &p.Float64s[op.Aux]
		if !q.Canonical() {
			return OpenFloat
		}
	case plan.CodeHalf:
		return OpenHalf
	case plan.CodeAngle:
		if float32InMemory && op.Bits > 23 {
			return OpenAngle
		}
	case plan.CodeVector:
		if float32InMemory && p.Vectors[op.Aux].Quat != nil && op.Bits > 2+3*11 {
			return OpenQuat
		}
	case plan.CodeMatrix:
		return OpenMatrix
	case plan.CodeLink:
		return OpenLink
	case plan.CodeCustom, plan.CodeBinary:
		return OpenOwn
	}
	return 0
}

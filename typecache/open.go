package typecache

import "strings"

// Open is what the wire of a plan leaves open: where two messages may read as
// the same value. A plan that leaves nothing open is canonical: a message that
// is read and written again has the same bytes, whoever made it. All else that
// could be sent in two ways is refused on reading in any but one: padding,
// overlong varints, listed values in full, optional zeros, unsorted keys, a
// subset in another mode than the shortest.
type Open uint16

// What may be open.
const (
	// OpenRelative: the last form of int_relative holds any integer, also those
	// that have a shorter one. The format has it so.
	OpenRelative Open = 1 << iota
	// OpenFloat: the steps of a quantized float are so fine that two of them are
	// the same float or that rounding leads from one to the next. They are where
	// a step is about as narrow as the spacing of floats at the bound farther
	// from zero: see [compress.Float32.Canonical], which is exact. Of a float64
	// of more than 2^23 steps it means that rounding might. The format has it so.
	OpenFloat
	// OpenHalf: a signaling NaN of binary16 reads as the quiet one.
	OpenHalf
	// OpenAngle: the steps of an angle of more than 23 bits are finer than its
	// float32.
	OpenAngle
	// OpenQuat: two codes of a rotation with more than 11 bits may be the same
	// float32 values.
	OpenQuat
	// OpenMatrix: a matrix of kind affine is taken apart into numbers that are
	// rounded when they are multiplied again. What is read can be written, but each
	// time the last bits of the numbers may differ.
	OpenMatrix
	// OpenLink: the id of an object that nobody knows reads as nil, and so may
	// all that an optional value holds.
	OpenLink
	// OpenOwn: a type with methods of its own, Serialize or UnmarshalBinary, may
	// read what it would not write, and zero in an optional value.
	OpenOwn
)

var openNames = [...]string{"relative", "float", "half", "angle", "quat", "matrix", "link", "own"}

// String lists what is open, joined by "|". It is empty for what is canonical.
func (o Open) String() string {
	var names []string
	for i, name := range openNames {
		if o>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}

// Open returns what the wire of the plan leaves open.
func (p *Plan) Open() (open Open) {
	for i := range p.Ops {
		open |= p.open(&p.Ops[i])
	}
	return open
}

func (p *Plan) open(op *Op) Open {
	single := op.Size == 4 // precision, in memory
	switch op.Code {
	case CodeRelative:
		return OpenRelative
	case CodeFloat32:
		q := &p.Float32s[op.Aux]
		if !q.Canonical() {
			return OpenFloat
		}
	case CodeFloat64:
		q := &p.Float64s[op.Aux]
		if !q.Canonical() {
			return OpenFloat
		}
	case CodeHalf:
		return OpenHalf
	case CodeAngle:
		if single && op.Bits > 23 {
			return OpenAngle
		}
	case CodeVector:
		if single && p.Vectors[op.Aux].Quat != nil && op.Bits > 2+3*11 {
			return OpenQuat
		}
	case CodeMatrix:
		return OpenMatrix
	case CodeLink:
		return OpenLink
	case CodeCustom, CodeBinary:
		return OpenOwn
	}
	return 0
}

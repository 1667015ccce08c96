package typecache

import (
	"math"
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/compress"
	"github.com/gobitpack/bitpack/internal/plan"
)

// axes are the names of the floats in a struct that the kind quat applies to. The
// kind unit applies to one without W. Both also apply to an array of that many floats.
var axes = [...]string{"X", "Y", "Z", "W"}

// components returns the offsets of the floats of a quaternion or a vector of
// type t, x first, and their type. The type is nil if t does not have the shape
// that the kind needs.
func components(t reflect.Type, kind string) (offs [4]uintptr, float reflect.Type) {
	names := axes[:]
	if kind == "unit" {
		names = axes[:3]
	}
	switch t.Kind() {
	case reflect.Array:
		if t.Len() != len(names) || !isFloat(t.Elem()) {
			return offs, nil
		}
		for i := range names {
			offs[i] = uintptr(i) * t.Elem().Size()
		}
		return offs, t.Elem()
	case reflect.Struct:
		if kind == "quat" && t.NumField() == 2 {
			// W and a vector V of x, y and z, in either order.
			v, w := ownField(t, "V"), ownField(t, "W")
			if v == nil || w == nil {
				return offs, nil
			}
			offs, float = components(v.Type, "unit")
			if float != w.Type {
				return offs, nil
			}
			for i := range 3 {
				offs[i] += v.Offset
			}
			offs[3] = w.Offset
			return offs, float
		}
		if t.NumField() != len(names) {
			return offs, nil
		}
		for i, name := range names {
			f := ownField(t, name)
			if f == nil || !isFloat(f.Type) || float != nil && f.Type != float {
				return offs, nil
			}
			offs[i], float = f.Offset, f.Type
		}
	}
	return offs, float
}

// ownField is [fieldNamed] without the fields of embedded structs, whose offsets are
// not those from t.
func ownField(t reflect.Type, name string) *reflect.StructField {
	if f := fieldNamed(t, name); f != nil && len(f.Index) == 1 {
		return f
	}
	return nil
}

// modeThree is the mode of a rotation without one. A tag that has it says that
// smallest three is meant, and bp vet does not warn of it.
const modeThree = "three"

// vector plans a rotation or a direction.
func (b *builder) vector(t, float reflect.Type, offs [4]uintptr, at *place, o *options) error {
	v := plan.Vector{Offs: offs}
	mode, hasMode := o.take("mode")
	most := int64(20)
	if o.kind == "unit" {
		most = 24
	}
	n, ok, err := o.takeSmall("bits", 2, most)
	width := 0
	switch {
	case err != nil:
	case !ok:
		err = orMissing(nil, "bits")
	case o.kind == "unit":
		var u compress.Unit
		u, err = compress.NewUnit(int(n))
		v.Unit, width = &u, u.Bits()
	case mode == "sign":
		var q compress.QuatSign
		q, err = compress.NewQuatSign(int(n))
		v.Signs, width = &q, q.Bits()
	case hasMode && mode != modeThree:
		err = badValue("mode", mode, "must be sign or three", "without it the code is smallest three")
	default:
		var q compress.Quat
		q, err = compress.NewQuat(int(n))
		v.Quat, width = &q, q.Bits()
	}
	if err == nil && hasMode && o.kind == "unit" {
		err = fail(MistakeInapplicable, "mode", "remove it", "does not apply to unit")
	}
	if err == nil {
		err = o.rest(t)
	}
	if err != nil {
		return err
	}
	b.emit(&plan.Op{Code: plan.CodeVector, Bits: uint8(width), Span: math.MaxUint64 >> (64 - width), Size: uint8(float.Size()), Aux: int32(len(b.plan.Vectors))}, t, at)
	b.plan.Vectors = append(b.plan.Vectors, v)
	return nil
}

var affineType = reflect.TypeFor[compress.Affine]()

// isAffine reports whether kind affine applies to t itself rather than to the
// values in it. It does if t is a matrix or has any field of an affine struct.
func isAffine(t reflect.Type) bool {
	return isMatrix(t) || t.Kind() == reflect.Struct && slices.ContainsFunc(affineParts, func(name string) bool { return fieldNamed(t, name) != nil })
}

var affineParts = []string{"Translation", "Rotation", "Scale"}

// affine plans a struct of a translation, a rotation and a scale by the tags of
// its fields. It plans a matrix as such a struct.
func (b *builder) affine(t reflect.Type, at *place, o *options) error {
	if isMatrix(t) {
		var in place
		i := b.open(&plan.Op{Code: plan.CodeMatrix}, t, at, &plan.Elem{Type: affineType, Size: affineType.Size()}, &in)
		return b.close(i, &in, b.matrix(&in, o))
	}
	for _, name := range affineParts {
		if fieldNamed(t, name) == nil {
			return fail(MistakeInapplicable, "kind", "", "needs a struct with the fields Translation, Rotation and Scale, and %v lacks %s", t, name).with("affine")
		}
	}
	if err := o.rest(t); err != nil {
		return err
	}
	in := *at
	in.affine = true
	return b.value(t, &in, &options{})
}

// isMatrix reports whether t is a [16]float32 or a [4][4]float32. The types may
// have names.
func isMatrix(t reflect.Type) bool {
	n := 1
	for ; t.Kind() == reflect.Array && (t.Len() == 4 || t.Len() == 16); t = t.Elem() {
		n *= t.Len()
	}
	return n == 16 && t.Kind() == reflect.Float32
}

// matrix plans the parts of a matrix. The option bits applies to the rotation, and
// all other options apply to the translation. The scale, and a part without
// options, are sent as raw floats.
func (b *builder) matrix(at *place, o *options) error {
	rotation := options{}
	if n, ok := o.take("bits"); ok {
		rotation = options{kind: "quat", list: []option{{"bits", n}}}
		if mode, ok := o.take("mode"); ok && mode != modeThree {
			return badValue("mode", mode, "must be three in a matrix", "use a struct whose Rotation has quat and mode")
		}
	}
	o.kind = ""
	for i, tags := range []*options{o, &rotation, {}} {
		f := affineType.Field(i)
		in := *at
		in.off, in.path, in.index = f.Offset, f.Name, []int{i}
		var err error
		if f.Name == "Scale" {
			err = b.scale(f.Type, &in, tags)
		} else {
			err = b.value(f.Type, &in, tags)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scale plans the scale of an affine value: one float, or one for each axis. Most
// scales are 1, and most of the others are equal on all axes.
func (b *builder) scale(t reflect.Type, at *place, o *options) error {
	i := b.emit(&plan.Op{Code: plan.CodeScale, Bits: 1, Aux: int32(len(b.plan.Commons))}, t, at)
	b.plan.Commons = append(b.plan.Commons, nil)
	if err := b.value(t, at, o); err != nil {
		return err
	}
	scalars, float := 0, t
	for float.Kind() == reflect.Array {
		float = float.Elem()
	}
	if float.Kind() == reflect.Struct && float.NumField() > 0 {
		float = float.Field(0).Type
	}
	for _, op := range b.plan.Ops[i+1:] {
		if op.Code.Encloses() {
			return fail(MistakeConflict, "", "remove optional, common and huffman", "a scale has a bit that says that it is 1")
		}
		if !op.Code.Single() || !isFloat(float) || op.Size != uint8(float.Size()) {
			return fail(MistakeInapplicable, "", "", "a scale is a float or three of them, raw or quantized, not %v", t)
		}
		if first := &b.plan.Ops[i+1]; !b.plan.SameFloats(&op, first) {
			return fail(MistakeConflict, "", "give those of "+t.String()+" the same tag", "the scales of all axes are one where they are equal")
		}
		scalars += op.Count
	}
	if scalars != 1 && scalars != 3 {
		return fail(MistakeInapplicable, "", "", "a scale is 1 float or 3, and %v has %d", t, scalars)
	}
	one, err := b.listedValues("scale", float, []string{"1"})
	if err != nil {
		return fail(MistakeRange, "", "", "the bounds of a scale must hold 1").with("1")
	}
	b.plan.Commons[b.plan.Ops[i].Aux] = one
	b.plan.Ops[i].End = int32(len(b.plan.Ops))
	return nil
}

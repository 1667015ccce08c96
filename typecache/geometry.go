package typecache

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/gobitpack/bitpack/compress"
)

// vectorShapes are the fields of structs that a quaternion or a vector may be,
// besides arrays of four or three floats.
var vectorShapes = map[string][]string{"quat": {"X", "Y", "Z", "W"}, "unit": {"X", "Y", "Z"}}

// components finds the floats of a quaternion or a vector, x first, in memory
// of type t. It returns no type if t is not the shape of one.
func components(t reflect.Type, kind string) (offs [4]uintptr, float reflect.Type) {
	names := vectorShapes[kind]
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
			// W and a vector V of the others, in either order.
			v, okV := t.FieldByName("V")
			w, okW := t.FieldByName("W")
			if !okV || !okW {
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
			f, ok := t.FieldByName(name)
			if !ok || !isFloat(f.Type) || float != nil && f.Type != float {
				return offs, nil
			}
			offs[i], float = f.Offset, f.Type
		}
	}
	return offs, float
}

func isFloat(t reflect.Type) bool {
	return t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64
}

// vector writes a rotation or a direction.
func (b *builder) vector(t, float reflect.Type, offs [4]uintptr, at place, o options) error {
	v := Vector{Offs: offs}
	mode, hasMode := o.take("mode")
	n, ok, err := o.takeSmall("bits", 1, 64)
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
	case hasMode:
		err = fmt.Errorf("mode must be sign, not %q; without it the code is smallest three", mode)
	default:
		var q compress.Quat
		q, err = compress.NewQuat(int(n))
		v.Quat, width = &q, q.Bits()
	}
	if err == nil && hasMode && o.kind == "unit" {
		err = fmt.Errorf("option \"mode\" does not apply to unit: remove it")
	}
	if err == nil {
		err = o.rest(t)
	}
	if err != nil {
		return at.wrap(err)
	}
	b.emit(Op{Code: CodeVector, Bits: uint8(width), Span: math.MaxUint64 >> (64 - width), Size: uint8(float.Size()), Aux: int32(len(b.plan.Vectors))}, t, at)
	b.plan.Vectors = append(b.plan.Vectors, v)
	return nil
}

var affineType = reflect.TypeFor[compress.Affine]()

// isAffine reports whether kind affine is for t itself, and not for values that
// t holds.
func isAffine(t reflect.Type) bool {
	return isMatrix(t) || t.Kind() == reflect.Struct && slices.ContainsFunc(affineParts, func(name string) bool {
		_, ok := t.FieldByName(name)
		return ok
	})
}

var affineParts = []string{"Translation", "Rotation", "Scale"}

// affine writes a struct of a translation, a rotation and a scale by the tags
// of its fields, or a matrix as such a struct.
func (b *builder) affine(t reflect.Type, at place, o options) error {
	if isMatrix(t) {
		return b.block(Op{Code: CodeMatrix}, t, at, Elem{Type: affineType, Size: affineType.Size()}, func(in place) error {
			return b.matrix(t, in, o)
		})
	}
	for _, name := range affineParts {
		if _, ok := t.FieldByName(name); !ok {
			return at.errorf("an affine struct has the fields Translation, Rotation and Scale, and %v lacks %s", t, name)
		}
	}
	if err := o.rest(t); err != nil {
		return at.wrap(err)
	}
	at.affine = true
	return b.value(t, at, options{})
}

// isMatrix reports whether t is a [16]float32 or a [4][4]float32, by whatever
// names.
func isMatrix(t reflect.Type) bool {
	n := 1
	for ; t.Kind() == reflect.Array && (t.Len() == 4 || t.Len() == 16); t = t.Elem() {
		n *= t.Len()
	}
	return n == 16 && t.Kind() == reflect.Float32
}

// matrix writes the parts of a matrix. The bounds and the steps of the tag are
// those of the translation, the bits those of the rotation; without them each
// is raw floats, as the scale is.
func (b *builder) matrix(t reflect.Type, at place, o options) error {
	rotation := options{}
	if n, ok := o.take("bits"); ok {
		rotation = options{kind: "quat", list: []option{{"bits", n}}}
	}
	o.kind = ""
	for i, tags := range []options{o, rotation, {}} {
		f := affineType.Field(i)
		in := at
		in.off, in.path, in.index = f.Offset, f.Name, []int{i}
		var err error
		if f.Name == "Scale" {
			err = b.scale(f.Type, in, tags)
		} else {
			err = b.value(f.Type, in, tags)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scale writes the scale of an affine value, a float or three of them: most
// are 1, and of the others most have the same for every axis.
func (b *builder) scale(t reflect.Type, at place, o options) error {
	i := b.emit(Op{Code: CodeScale, Bits: 1, Aux: int32(len(b.plan.Commons))}, t, at)
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
			return at.errorf("a scale has a bit that says that it is 1: remove optional, common and huffman")
		}
		if !op.Code.Single() || !isFloat(float) || op.Size != uint8(float.Size()) {
			return at.errorf("a scale is a float or three of them, raw or quantized, not %v", t)
		}
		if first := &b.plan.Ops[i+1]; op.text(b.plan) != first.text(b.plan) {
			return at.errorf("the scales of all axes are one where they are equal: give those of %v the same tag", t)
		}
		scalars += op.Count
	}
	if scalars != 1 && scalars != 3 {
		return at.errorf("a scale is 1 float or 3, and %v has %d", t, scalars)
	}
	one, err := b.listedValues("scale", float, []string{"1"})
	if err != nil {
		return at.errorf("the bounds of a scale must hold 1: %v", err)
	}
	b.plan.Commons[b.plan.Ops[i].Aux] = one
	b.plan.Ops[i].End = int32(len(b.plan.Ops))
	return nil
}

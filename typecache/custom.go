package typecache

import (
	"fmt"
	"reflect"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
)

// implements reports whether values of type t, if they are variables, have the
// methods of an interface type.
//
//go:noinline
func implements(t, iface reflect.Type) bool { return reflect.PointerTo(t).Implements(iface) }

// isCustom reports whether values of type t serialize themselves. An unnamed type
// can do so only if it is a struct, by a method of an embedded field. For other
// unnamed types isCustom does not call reflect.PointerTo, which might create a
// pointer type that is never freed.
func isCustom(t reflect.Type) bool {
	if t.PkgPath() == "" && t.Kind() != reflect.Struct { // unnamed or predeclared
		return false
	}
	return t.Kind() != reflect.Interface && implements(t, serializerType)
}

// almostSerializers are interfaces with a method Serialize that has a Stream but a
// wrong signature, which nothing would call. reflect.Type.MethodByName would find
// every signature, but for it the linker keeps all methods with this name, those of
// the codecs among them. bp vet finds every signature.
var almostSerializers = []struct {
	iface     reflect.Type
	signature string
}{
	{reflect.TypeFor[interface{ Serialize(*bits.Stream) }](), "(*bits.Stream)"},
	{reflect.TypeFor[interface{ Serialize(*bits.Stream) bool }](), "(*bits.Stream) bool"},
	{reflect.TypeFor[interface{ Serialize(*bits.Stream) int }](), "(*bits.Stream) int"},
	{reflect.TypeFor[interface {
		Serialize(*bits.Stream) (int, error)
	}](), "(*bits.Stream) (int, error)"},
	{reflect.TypeFor[interface {
		Serialize(*bits.Stream) (bool, error)
	}](), "(*bits.Stream) (bool, error)"},
	{reflect.TypeFor[interface {
		Serialize(*bits.Stream) *bits.Stream
	}](), "(*bits.Stream) *bits.Stream"},
	{reflect.TypeFor[interface{ Serialize(bits.Stream) }](), "(bits.Stream)"},
	{reflect.TypeFor[interface{ Serialize(bits.Stream) error }](), "(bits.Stream) error"},
}

// almostCustom returns an error if struct type t has a method of
// almostSerializers.
func almostCustom(t reflect.Type) error {
	if reflect.PointerTo(t).NumMethod() == 0 {
		return nil
	}
	for _, almost := range almostSerializers {
		if implements(t, almost.iface) {
			return fail(MistakeMethod, "", "make it Serialize(*bits.Stream) error, or rename it", "%v has a method Serialize%s, which is not called", t, almost.signature).with(almost.signature)
		}
	}
	return nil
}

// custom plans a value that its type's own Serialize method encodes.
func (b *builder) custom(t reflect.Type, at *place, o *options) error {
	if !o.empty() {
		return fail(MistakeInapplicable, "", "remove them", "%v serializes itself, so that no kind or option applies to it", t)
	}
	if err := b.promoted(t, "the method Serialize", serializerType); err != nil {
		return err
	}
	if err := b.ownTags(t, at); err != nil {
		return err
	}
	least := 0
	if at.counted {
		least = 1
	}
	most, err := declaredBits(t)
	if err == nil {
		err = strayBound(t)
	}
	if err == nil && most < least {
		err = fail(MistakeMethod, "", "", "MaxBits of %v is %d, and must be at least %d", t, most, least)
	}
	if err != nil {
		return err
	}
	b.emit(&plan.Op{Code: plan.CodeCustom, Bias: uint64(least), Span: uint64(most - least)}, t, at)
	return nil
}

// declaredBits returns what the MaxBits method of a zero t returns, or
// [Unbounded] if there is no such method.
func declaredBits(t reflect.Type) (most int, err error) {
	if !implements(t, boundedType) {
		return Unbounded, nil
	}
	defer func() {
		if r := recover(); r != nil { // t may embed a nil pointer with the method
			err = fail(MistakeMethod, "", fmt.Sprint(r), "MaxBits of a zero %v panics", t)
		}
	}()
	return reflect.New(t).Interface().(interface{ MaxBits() int }).MaxBits(), nil
}

// binary plans a count and the bytes that the type's own MarshalBinary or
// AppendBinary returns.
func (b *builder) binary(t reflect.Type, at *place, o *options) error {
	if !marshalsItself(t) {
		return fail(MistakeInapplicable, "kind", "give "+t.String()+" these methods, or use another kind", "needs MarshalBinary or AppendBinary, and UnmarshalBinary on the pointer").with("binary")
	}
	op := plan.Op{Code: plan.CodeBinary}
	err := at.count(&op, t, o, false)
	if err == nil {
		err = o.rest(t)
	}
	if err == nil {
		err = b.promoted(t, "the binary form", unmarshalerType, appenderType, marshalerType)
	}
	if err == nil {
		err = b.ownTags(t, at)
	}
	if err != nil {
		return err
	}
	b.emit(&op, t, at)
	return nil
}

// marshalsItself reports whether values of type t have the methods that kind
// binary needs.
func marshalsItself(t reflect.Type) bool {
	return t.Kind() != reflect.Pointer && implements(t, unmarshalerType) &&
		(implements(t, marshalerType) || implements(t, appenderType))
}

// ownTags checks the tags of a struct type t that has an encoding of its own, by
// a method Serialize or by kind binary. Such a method may pass the value on to
// tagcodec.Serialize as a type without methods, which would report a wrong tag
// only at the first message. Fields without a tag may be of any type.
func (b *builder) ownTags(t reflect.Type, at *place) error {
	if t.Kind() != reflect.Struct || b.checked[t] {
		return nil
	}
	if b.checked == nil {
		b.checked = map[reflect.Type]bool{}
	}
	b.checked[t] = true
	tagged := false
	for i := range t.NumField() {
		_, _, ok, err := parseTag(t.Field(i).Tag, t.Field(i).Type, &b.room)
		tagged = tagged || ok || err != nil
	}
	if !tagged {
		return nil
	}
	var checker builder
	checker.init(t, b.with)
	checker.checked, checker.lenient, checker.recursion = b.checked, true, true
	if err := checker.fields(t, &place{name: at.name, cond: -1}, &options{}); err != nil {
		return err
	}
	return checker.planCalled() // the recursive types that t holds
}

// overlooks reports whether an error in field f is to be ignored: the builder is
// lenient, and no tag caused the error.
func (b *builder) overlooks(f *reflect.StructField, inherited *options) bool {
	if !b.lenient || b.wrong {
		return false
	}
	_, _, tagged, err := parseTag(f.Tag, f.Type, &b.room)
	b.wrong = tagged || err != nil || !inherited.empty()
	return !b.wrong
}

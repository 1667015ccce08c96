package typecache

import (
	"reflect"
)

// A struct that embeds a type has its methods. If one of them says how values are
// encoded, it encodes the embedded field alone, and the other fields of the struct
// would be lost without an error. Package reflect does not tell such a method from
// one that the struct declares, except through Type.Method, for which the linker
// would keep all methods in every program. A struct type without a name cannot
// declare methods, so for those the answer is certain. bp vet finds the others.

// promoted returns an error if the methods of interfaces that struct type t has are
// certainly those of an embedded field, and other fields would be sent without them.
// what names the methods.
func (b *builder) promoted(t reflect.Type, what string, ifaces ...reflect.Type) error {
	if t.Kind() != reflect.Struct || t.Name() != "" {
		return nil
	}
	from := provider(t, ifaces[0])
	if from < 0 {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		lost := i != from && b.sends(&f)
		for _, iface := range ifaces {
			lost = lost || i != from && f.Anonymous && provides(f.Type, iface)
		}
		if lost {
			name := t.Field(from).Name
			return fail(MistakeMethod, "", "give the embedded field a name, as in A "+t.Field(from).Type.String()+", or leave "+f.Name+" out with bp:\"-\"",
				"%s of %v is that of its embedded field %s, so that %s would not be sent", what, t, name, f.Name)
		}
	}
	return nil
}

// provider returns the first embedded field of struct type t that has the methods of
// an interface, or -1.
func provider(t, iface reflect.Type) int {
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && provides(f.Type, iface) {
			return i
		}
	}
	return -1
}

// provides reports whether a variable of type t has the methods of an interface.
func provides(t, iface reflect.Type) bool {
	return t.Implements(iface) || t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && implements(t, iface)
}

// sends reports whether the plan of a struct would have field f, if the struct did
// not encode itself. A field that no plan can have counts only if it has a tag.
func (b *builder) sends(f *reflect.StructField) bool {
	o, _, tagged, err := parseTag(f.Tag, f.Type, &b.room)
	if tagged || err != nil {
		return o.kind != "-"
	}
	t := f.Type
	if !f.IsExported() && !(f.Anonymous && t.Kind() == reflect.Struct) {
		return false
	}
	for range 100 { // a type may contain itself without a struct
		if !isContainer(t) {
			break
		}
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Interface:
		return false
	case reflect.Struct:
		return hasExported(t) || implements(t, marshalerType)
	}
	return true
}

// strayBound returns an error if MaxBits of struct type t is certainly that of an
// embedded field that does not have t's method Serialize.
func strayBound(t reflect.Type) error {
	if t.Kind() != reflect.Struct || t.Name() != "" || !implements(t, boundedType) {
		return nil
	}
	from := provider(t, serializerType)
	if from < 0 || provides(t.Field(from).Type, boundedType) {
		return nil
	}
	bound := t.Field(provider(t, boundedType)).Name
	return fail(MistakeMethod, "", "give one of the fields a name", "MaxBits of %v is that of its embedded field %s, and Serialize that of %s", t, bound, t.Field(from).Name)
}

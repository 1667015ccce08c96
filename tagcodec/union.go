package tagcodec

import (
	"reflect"

	"github.com/gobitpack/bitpack/tagcodec/internal/core"
	"github.com/gobitpack/bitpack/typecache"
)

// RegisterUnion makes the types of values, each a T or a *T, members of the
// union of interface I for all codecs. It must be called during program start,
// before any use of a type with such a field:
//
//	func init() { tagcodec.RegisterUnion[Event](Hit{}, &Chat{}) }
//
// Go initializes package variables before it calls init functions. A codec in a
// package variable therefore needs [WithUnion] instead.
//
// The wire identifies a member by its index in the list of type names (without
// package) in ascending order. Two programs that register the same types agree,
// whatever the order of the calls. RegisterUnion panics if two types have the
// same name, or if a plan that uses the union already exists.
func RegisterUnion[I any](values ...I) {
	typecache.Register(reflect.TypeFor[I](), typesOf(values)...)
}

// WithUnion gives a codec its own members of the union of interface I, in place
// of those set by [RegisterUnion].
func WithUnion[I any](values ...I) WireOption {
	return core.SetPlans(func(o typecache.Options) typecache.Options {
		return o.WithUnion(reflect.TypeFor[I](), typesOf(values)...)
	})
}

// typesOf returns the dynamic types of values.
func typesOf[I any](values []I) []reflect.Type {
	types := make([]reflect.Type, len(values))
	for i, v := range values {
		types[i] = reflect.TypeOf(v)
	}
	return types
}

package tagcodec

import (
	"fmt"
	"reflect"
	"slices"

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
// whatever the order of the calls. RegisterUnion panics if two types have the same name,
// or if a plan that uses the union already exists.
func RegisterUnion[I any](values ...I) {
	typecache.Register(reflect.TypeFor[I](), typesOf(values)...)
}

// WithUnion gives a codec its own members of the union of interface I, in place
// of those set by [RegisterUnion].
func WithUnion[I any](values ...I) Option {
	return func(c *config) {
		if c.registry == nil {
			c.registry = typecache.NewRegistry()
		}
		c.registry.Register(reflect.TypeFor[I](), typesOf(values)...)
	}
}

func typesOf[I any](values []I) []reflect.Type {
	types := make([]reflect.Type, len(values))
	for i, v := range values {
		types[i] = reflect.TypeOf(v)
	}
	return types
}

// member returns the index of the value in an interface and a pointer to the
// value. The index of nil is 0.
func member(u *typecache.Union, v reflect.Value) (index int, held reflect.Value, err error) {
	if v.IsNil() {
		return 0, held, nil
	}
	v = v.Elem()
	index = slices.Index(u.Types, v.Type())
	switch {
	case index < 0:
		return 0, held, refusal(ErrUnion, stranger(u, v.Type()), nil, nil)
	case v.Kind() != reflect.Pointer:
		held = reflect.New(v.Type())
		held.Elem().Set(v)
		return index + 1, held, nil
	case v.IsNil():
		return 0, held, refusal(ErrUnion, "nil "+v.Type().String(), nil, nil)
	}
	return index + 1, v, nil
}

// stranger names a type that is not a member of a union. If its element type or
// the pointer to it is a member, stranger says how to use that.
func stranger(u *typecache.Union, t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Pointer && slices.Contains(u.Types, t.Elem()):
		return fmt.Sprintf("%v, where %v is one: use the value in place of a pointer to it", t, t.Elem())
	case slices.Contains(u.Types, reflect.PointerTo(t)):
		return fmt.Sprintf("%v, where %v is one: use a pointer to the value", t, reflect.PointerTo(t))
	}
	return t.String()
}

// newMember returns a pointer to memory for a member of type t. If the
// interface v already holds a non-nil pointer of type t, newMember returns that
// pointer.
func newMember(t reflect.Type, v reflect.Value) reflect.Value {
	if t.Kind() != reflect.Pointer {
		return reflect.New(t)
	}
	if held := v.Elem(); held.IsValid() && held.Type() == t && !held.IsNil() {
		return held
	}
	return reflect.New(t.Elem())
}

// setMember stores the member of type t that p points to in the interface v.
func setMember(v, p reflect.Value, t reflect.Type) {
	if t.Kind() != reflect.Pointer {
		p = p.Elem()
	}
	v.Set(p)
}

// Linker maps objects to network ids and back. A codec with [WithLinker] calls
// it for each field of kind link.
type Linker interface {
	// ID returns the id of an object, which is a pointer or the value in an
	// interface. The id 0 sends nil in place of the object: the receiver sets its
	// field to nil, and asks its Linker for nothing. If ok is false, the object
	// cannot be sent, and encoding fails with [ErrLink].
	ID(object any) (id uint64, ok bool)
	// Object returns the object with the given id.
	Object(id uint64) (object any, ok bool)
	// Unresolved is called after a message has been accepted, once for each field
	// whose object is not known. The field is nil until [Patch.Set] sets it.
	Unresolved(p Patch)
}

// WithLinker sets the Linker that resolves the links of a codec.
func WithLinker(l Linker) Option { return func(c *config) { c.linker = l } }

// assign sets a pointer or interface to the object with the given id.
func assign(field reflect.Value, id uint64, object any) error {
	v := reflect.ValueOf(object)
	if !v.IsValid() || !v.Type().AssignableTo(field.Type()) {
		return explain(ErrLink, "object %d is a %T, not a %v", id, object, field.Type())
	}
	field.Set(v)
	return nil
}

// encodeLink returns the id of the object that a field refers to.
func encodeLink(l Linker, op *typecache.Op, v reflect.Value) (uint64, error) {
	if v.IsNil() {
		return 0, nil
	}
	if l == nil {
		return 0, explain(ErrLink, "give the codec a Linker")
	}
	id, ok := l.ID(v.Interface())
	switch {
	case !ok:
		return 0, explain(ErrLink, "the Linker has no id for the %v", v.Type())
	case op.Bits < 64 && id>>op.Bits != 0:
		return 0, refusal(ErrRange, id, uint64(1), uint64(1)<<op.Bits-1)
	}
	return id, nil
}

// resolve sets a field to the object with the given id. If the object is not
// known, resolve passes the patch to the Linker.
func resolve(l Linker, v reflect.Value, id uint64, patch func() Patch) error {
	v.SetZero()
	if id == 0 {
		return nil
	}
	if l == nil {
		return explain(ErrLink, "give the codec a Linker")
	}
	object, ok := l.Object(id)
	if !ok {
		l.Unresolved(patch())
		return nil
	}
	return assign(v, id, object)
}

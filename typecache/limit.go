package typecache

import (
	"github.com/gobitpack/bitpack/internal/plan"
	"reflect"
)

// MaxOps is the largest number of ops in a plan. A type is planned again
// wherever it occurs, so a type graph without recursion can need exponentially
// many ops: one of n levels, each with two pointers to the next, needs 2^n. A
// type that needs more gives an [*Error] before time or memory is spent on the
// rest. A listed value, a member of a union, and a field that puts nothing on
// the wire count as one op each. A plan of this size takes about 10 MB, and
// refusing a larger one allocates about 50 MB.
const MaxOps = 1 << 16

// oversized returns an error if n more ops would make the plan larger than
// [MaxOps]. It is called before each value is planned.
func (b *builder) oversized(at *place, n int) error {
	if b.size+n <= MaxOps {
		return nil
	}
	whole := b.plan.Type.Name() // not String, which may be exponentially long for an unnamed type
	if whole == "" {
		whole = "the whole type"
	}
	return at.errorf("the plan of %s needs more than %d ops, because a type is planned again wherever it occurs: "+
		"hold values of one type in an array or a slice, which plans it once, or send parts as messages of their own", whole, MaxOps)
}

// pointerFlag returns [plan.FlagPointers] if memory of type t holds pointers, and so must
// be written with the garbage collector's write barriers.
func (b *builder) pointerFlag(t reflect.Type) plan.Flags {
	if b.hasPointers(t) {
		return plan.FlagPointers
	}
	return 0
}

// hasPointers reports whether memory of type t holds pointers. It examines each
// struct type once, however often it occurs.
func (b *builder) hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && b.hasPointers(t.Elem())
	case reflect.Struct:
		has, known := b.pointers[t]
		if known {
			return has
		}
		for i := 0; i < t.NumField() && !has; i++ {
			has = b.hasPointers(t.Field(i).Type)
		}
		b.pointers[t] = has
		return has
	}
	return t.Kind() == reflect.String || t.Kind() >= reflect.Chan && t.Kind() != reflect.Struct ||
		t.Kind() == reflect.UnsafePointer
}

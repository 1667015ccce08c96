package typecache

import (
	"fmt"
	mathbits "math/bits"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/gobitpack/bitpack/internal/plan"
)

// registered has the members of unions that [Register] has set.
var registered struct {
	sync.Mutex
	types map[reflect.Type][]reflect.Type
	used  map[reflect.Type]bool // the interfaces that a plan uses
}

// Register adds types to the union of an interface, for every plan whose [Options]
// have no members of it. A type's index on the wire is the position of its name,
// without the package, among the sorted names of all members, counted from 1. The
// order of registration does not matter.
//
// Register panics if iface is not an interface, if a type does not implement
// it, or if two types have the same name. It also panics if a plan already uses
// the union, because two plans of one type would differ.
func Register(iface reflect.Type, types ...reflect.Type) {
	register(iface, types)
	forgetErrors()
}

func register(iface reflect.Type, types []reflect.Type) {
	r := &registered
	r.Lock()
	defer r.Unlock()
	if r.used[iface] {
		panic(fmt.Sprintf("typecache: the union of %v is in use: register all of its types first", iface))
	}
	all := addMembers(r.types[iface], iface, types)
	if r.types == nil {
		r.types = map[reflect.Type][]reflect.Type{}
	}
	r.types[iface] = all
}

// addMembers returns the members of the union of an interface with more types.
func addMembers(members []reflect.Type, iface reflect.Type, types []reflect.Type) []reflect.Type {
	if iface.Kind() != reflect.Interface {
		panic(fmt.Sprintf("typecache: %v is not an interface", iface))
	}
	list := slices.Clone(members)
	for _, t := range types {
		if t == nil || !t.Implements(iface) {
			panic(fmt.Sprintf("typecache: %v does not implement %v", t, iface))
		}
		list = append(list, t)
	}
	slices.SortStableFunc(list, func(a, b reflect.Type) int { return strings.Compare(plan.MemberName(a), plan.MemberName(b)) })
	list = slices.Compact(list) // a type may be registered more than once
	for i := 1; i < len(list); i++ {
		if plan.MemberName(list[i-1]) == plan.MemberName(list[i]) {
			panic(fmt.Sprintf("typecache: %v and %v have the same name in the union of %v: rename one", list[i-1], list[i], iface))
		}
	}
	return list
}

// members returns the types of a union for a plan. If they are those that Register
// has set, members marks the union as used.
func (o *buildOptions) members(iface reflect.Type) []reflect.Type {
	if types := o.unions.of(iface); len(types) > 0 {
		return types
	}
	r := &registered
	r.Lock()
	defer r.Unlock()
	types := r.types[iface]
	if len(types) > 0 {
		if r.used == nil {
			r.used = map[reflect.Type]bool{}
		}
		r.used[iface] = true
	}
	return types
}

// union plans the index of the type that an interface holds, and its value.
func (b *builder) union(t reflect.Type, at *place, o *options) error {
	if o.kind != "union" {
		return fail(MistakeType, "", "tag it bp:\"union\" and register its types, bp:\"link\" if it refers to an object with an id, or leave it out with bp:\"-\"", "%v is an interface", t)
	}
	if err := o.rest(t); err != nil {
		return err
	}
	if b.lenient { // the codec that encodes the value may have other members; do not mark these as used
		return nil
	}
	types := b.with.members(t)
	if len(types) == 0 {
		return fail(MistakeUnion, "", "register them before the first use, or give them to the codec with tagcodec.WithUnion, as a package variable must, which is made before init runs",
			"no types are registered for the union of %v", t)
	}
	b.size += len(types)
	table := plan.Elem{Type: t, Size: t.Size(), Union: &plan.Union{Types: types, Starts: make([]int32, len(types)), MinBits: make([]int, len(types))}}
	op := plan.Op{Code: plan.CodeUnion, Bits: uint8(mathbits.Len(uint(len(types)))), Span: uint64(len(types)), Aux: b.table(&table, at)}
	i := b.emit(&op, t, at)
	for k, member := range types {
		if member.Kind() == reflect.Pointer {
			member = member.Elem()
		}
		b.called(call{op: i, member: k, typ: member}, at)
	}
	return nil
}

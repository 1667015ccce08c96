package typecache

import (
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/gobitpack/bitpack/internal/errtext"
	"github.com/gobitpack/bitpack/internal/plan"
)

// Registry holds what plans depend on besides their types: the member types of
// unions, by interface, and whether checks are sent. It is safe for concurrent
// use.
type Registry struct {
	parent    *Registry
	unchecked bool // plans leave out the kind check
	mu        sync.Mutex
	types     map[reflect.Type][]reflect.Type
	used      map[reflect.Type]bool // the interfaces that a plan uses
	plans     sync.Map              // the cache of Of: a *plan.Plan per reflect.Type
	tagged    taggedPlans
}

// global is the registry that [Register] and [Of] use.
var global = newRegistry(nil)

// NewRegistry returns a new registry. For an interface without types of its own
// it has the types registered with the function [Register].
func NewRegistry() *Registry { return newRegistry(global) }

func newRegistry(parent *Registry) *Registry {
	return &Registry{parent: parent, types: map[reflect.Type][]reflect.Type{}, used: map[reflect.Type]bool{}}
}

// Register adds types to the union of an interface, for every plan. See
// [Registry.Register].
func Register(iface reflect.Type, types ...reflect.Type) {
	global.Register(iface, types...)
	forgetErrors()
}

// Register adds types to the union of an interface. A type's index on the wire
// is the position of its name, without the package, among the sorted names of
// all members, counted from 1. The order of registration does not matter.
//
// Register panics if iface is not an interface, if a type does not implement
// it, or if two types have the same name. It also panics if a plan already uses
// the union, because two plans of one type would differ.
func (r *Registry) Register(iface reflect.Type, types ...reflect.Type) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if iface.Kind() != reflect.Interface {
		panic(fmt.Sprintf("typecache: %v is not an interface", iface))
	}
	if r.used[iface] {
		panic(fmt.Sprintf("typecache: the union of %v is in use: register all of its types first", iface))
	}
	list := slices.Clone(r.types[iface])
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
	r.types[iface] = list
}

// LeaveOutChecks leaves the fields of kind check out of every plan. It panics if
// r already has a plan, because two plans of one type would differ.
func (r *Registry) LeaveOutChecks() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unchecked {
		return
	}
	r.plans.Range(func(t, _ any) bool {
		panic(fmt.Sprintf("typecache: the plan of %v is in use: leave out checks before it is made", t))
	})
	r.unchecked = true
}

// members returns the types of a union for a plan, and marks the union as used.
func (r *Registry) members(iface reflect.Type) []reflect.Type {
	r.mu.Lock()
	list := r.types[iface]
	if len(list) > 0 {
		r.used[iface] = true
	}
	r.mu.Unlock()
	if len(list) == 0 && r.parent != nil {
		return r.parent.members(iface)
	}
	return list
}

// union plans the index of the type that an interface holds, and its value.
func (b *builder) union(t reflect.Type, at *place, o *options) error {
	if o.kind != "union" {
		return errtext.New("%v is an interface: tag it bp:\"union\" and register its types, bp:\"link\" if it refers to an object with an id, or leave it out with bp:\"-\"", t)
	}
	if err := o.rest(t); err != nil {
		return err
	}
	if b.lenient { // the codec that encodes the value may have other members; do not mark these as used
		return nil
	}
	types := b.registry.members(t)
	if len(types) == 0 {
		return errtext.New("no types are registered for the union of %v: register them before the first use, or give them to the codec with tagcodec.WithUnion, "+
			"as a package variable must, which is made before init runs", t)
	}
	b.size += len(types)
	table := plan.Elem{Type: t, Size: t.Size(), Union: &plan.Union{Types: types, Starts: make([]int32, len(types)), MinBits: make([]int, len(types))}}
	op := plan.Op{Code: plan.CodeUnion, Bits: uint8(bits.Len(uint(len(types)))), Span: uint64(len(types)), Aux: b.table(&table, at)}
	i := b.emit(&op, t, at)
	for k, member := range types {
		if member.Kind() == reflect.Pointer {
			member = member.Elem()
		}
		b.called(call{op: i, member: k, typ: member}, at)
	}
	return nil
}

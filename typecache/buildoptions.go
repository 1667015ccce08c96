package typecache

import (
	"reflect"
	"slices"
	"sync"
)

// Options are what the plan of a type depends on besides the type. The zero value
// is that of [Of]. Options are immutable and equal if they are made of equal
// options, whatever their order: compare them with ==.
type Options struct{ cache *cache }

// buildOptions has a field for each option that changes plans. It is comparable,
// because it is the key of the caches of plans. An option that changes the wire
// changes the ops of plans or their text, and with them the hash.
type buildOptions struct {
	unchecked bool    // plans leave out the kind check
	unions    *unions // or nil
}

// WithoutChecks returns options with which plans leave out the fields of kind
// check.
func (o Options) WithoutChecks() Options {
	return o.with(func(b *buildOptions) { b.unchecked = true })
}

// WithUnion returns options that have types as members of the union of an
// interface, in addition to those that o has, and in place of those set by
// [Register]. It panics like Register.
func (o Options) WithUnion(iface reflect.Type, types ...reflect.Type) Options {
	return o.with(func(b *buildOptions) { b.unions = b.unions.with(iface, types) })
}

// with returns o after a change.
func (o Options) with(change func(*buildOptions)) Options {
	options := o.plans().options
	change(&options)
	return Options{cacheOf(options)}
}

// Of returns the plan of a type that is built with the options. Like the function
// [Of] it caches plans and errors. Every error is an [*Error].
func (o Options) Of(t reflect.Type) (*Plan, error) { return o.plans().of(t) }

// Build returns a new plan of a type that is built with the options. It does not
// use the cache. Every error is an [*Error].
func Build(t reflect.Type, o Options) (*Plan, error) { return viewOf(build(t, &o.plans().options)) }

// plans returns the cache of the plans that are built with the options.
func (o Options) plans() *cache {
	if o.cache == nil {
		return &standard
	}
	return o.cache
}

// caches has the caches of all options but the zero value, and their unions. A
// program has finitely many options, because it has finitely many types.
var caches struct {
	sync.Mutex
	byOptions map[buildOptions]*cache
	unions    []*unions
}

// cacheOf returns the cache of the plans that are built with the options, or nil for
// those of the zero Options.
func cacheOf(o buildOptions) *cache {
	if o == (buildOptions{}) {
		return nil
	}
	caches.Lock()
	defer caches.Unlock()
	c := caches.byOptions[o]
	if c == nil {
		if c = (&cache{options: o}); caches.byOptions == nil {
			caches.byOptions = map[buildOptions]*cache{}
		}
		caches.byOptions[o] = c
	}
	return c
}

// unions are the members of several unions. Two of them with the same members are
// one, so that pointers to them can be compared.
type unions []members

// members are the types of the union of an interface, in the order of their indices.
type members struct {
	iface reflect.Type
	types []reflect.Type
}

// with returns unions that also have types in the union of an interface.
func (u *unions) with(iface reflect.Type, types []reflect.Type) *unions {
	next := unions{{iface, addMembers(u.of(iface), iface, types)}}
	if u != nil {
		for _, m := range *u {
			if m.iface != iface {
				next = append(next, m)
			}
		}
	}
	caches.Lock()
	defer caches.Unlock()
	for _, known := range caches.unions {
		if known.equal(next) {
			return known
		}
	}
	caches.unions = append(caches.unions, &next)
	return &next
}

// of returns the members of the union of an interface, or nil.
func (u *unions) of(iface reflect.Type) []reflect.Type {
	if u == nil {
		return nil
	}
	for _, m := range *u {
		if m.iface == iface {
			return m.types
		}
	}
	return nil
}

// equal reports whether u and v have the same members.
func (u *unions) equal(v unions) bool {
	return len(*u) == len(v) && !slices.ContainsFunc(v, func(m members) bool { return !slices.Equal(u.of(m.iface), m.types) })
}

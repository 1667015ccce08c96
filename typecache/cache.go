package typecache

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/gobitpack/bitpack/internal/plan"
)

// cache maps a reflect.Type to its *cacheEntry. A program has finitely many types,
// and decoding a packet never adds one. A program that creates types with
// package reflect may ask for any number of them, so the number of cached
// errors is limited to [maxRefused].
var cache sync.Map

// maxRefused is the largest number of cached errors. One more removes all of
// them. The limit is far above the number of wrongly tagged types in a program.
const maxRefused = 1024

// refused is the number of cached errors.
var refused atomic.Int64

// cacheEntry is the result of planning one type. Its method of plans the type
// when it is first called.
type cacheEntry struct {
	once sync.Once
	plan *plan.Plan
	err  error
}

// Of returns the plan of a type. A plan is built once, even if several
// goroutines ask for it at the same time. Errors are cached too, up to a limit.
// Every error is an [*Error].
func Of(t reflect.Type) (*Plan, error) { return viewOf(DataOf(t)) }

// DataOf is Of for the packages of this module. It allocates nothing if the plan
// is in the cache.
func DataOf(t reflect.Type) (*plan.Plan, error) {
	e, ok := cache.Load(t)
	if !ok {
		e, _ = cache.LoadOrStore(t, new(cacheEntry))
	}
	return e.(*cacheEntry).of(t)
}

// of returns the plan of t, which must be the type of the entry.
func (e *cacheEntry) of(t reflect.Type) (*plan.Plan, error) {
	full := false
	e.once.Do(func() {
		if e.plan, e.err = build(t, global); e.err == nil {
			e.plan.AttachGenerated(true)
		}
		full = e.err != nil && refused.Add(1) > maxRefused
	})
	if full { // not inside Do: forgetErrors waits for every entry, including this one
		forgetErrors()
	}
	return e.plan, e.err
}

// Build returns a new plan of a type whose unions have the members registered
// in r. It does not use the cache. Every error is an [*Error].
func Build(t reflect.Type, r *Registry) (*Plan, error) { return viewOf(build(t, r)) }

// Of returns the plan of a type whose unions have the members registered in r.
// It caches plans but not errors. Every error is an [*Error].
func (r *Registry) Of(t reflect.Type) (*Plan, error) { return viewOf(r.DataOf(t)) }

// DataOf is Of for the packages of this module. It allocates nothing if the plan
// is in the cache.
func (r *Registry) DataOf(t reflect.Type) (*plan.Plan, error) {
	if data, ok := r.plans.Load(t); ok {
		return data.(*plan.Plan), nil
	}
	data, err := build(t, r)
	if err != nil {
		return nil, err
	}
	data.AttachGenerated(false)
	cached, _ := r.plans.LoadOrStore(t, data)
	return cached.(*plan.Plan), nil
}

// forgetErrors removes the cached errors. It is called when there are too many
// of them, and when newly registered types may make a plan possible.
func forgetErrors() {
	cache.Range(func(t, e any) bool {
		typ, _ := t.(reflect.Type) // nil if Of was called with nil
		if _, err := e.(*cacheEntry).of(typ); err != nil && cache.CompareAndDelete(t, e) {
			refused.Add(-1)
		}
		return true
	})
}

package typecache

import (
	"reflect"
	"sync"
	"sync/atomic"
)

// cache holds an *entry per reflect.Type that was asked for. A program has
// finitely many types, and nothing that a packet holds makes new ones. One that
// makes types itself, with package reflect, may ask for ever more of them: of
// those without a plan the cache holds [maxRefused].
var cache sync.Map

// maxRefused is how many types without a plan the cache holds. The types of a
// program that are tagged wrong are few, and are mended.
const maxRefused = 1024

// refused is how many entries of the cache hold an error.
var refused atomic.Int64

type entry struct {
	once sync.Once
	plan *Plan
	err  error
}

// Of returns the plan of a type. It is built once, however many goroutines ask
// at the same time, and an error is kept like a plan, until there are more of
// them than a program has use for. Every error is an [*Error].
func Of(t reflect.Type) (*Plan, error) {
	e, ok := cache.Load(t)
	if !ok {
		e, _ = cache.LoadOrStore(t, new(entry))
	}
	return e.(*entry).of(t)
}

func (e *entry) of(t reflect.Type) (*Plan, error) {
	full := false
	e.once.Do(func() {
		e.plan, e.err = build(t, global)
		full = e.err != nil && refused.Add(1) > maxRefused
	})
	if full { // no entry is being made by this goroutine now, for which the next would wait
		forgetErrors()
	}
	return e.plan, e.err
}

// Build returns a plan of a type whose unions are those of r. It is not kept.
func Build(t reflect.Type, r *Registry) (*Plan, error) { return build(t, r) }

// Of returns the plan of a type whose unions are those of r, as [Build] does. It
// is built once.
func (r *Registry) Of(t reflect.Type) (*Plan, error) {
	if plan, ok := r.plans.Load(t); ok {
		return plan.(*Plan), nil
	}
	plan, err := build(t, r)
	if err != nil {
		return nil, err
	}
	kept, _ := r.plans.LoadOrStore(t, plan)
	return kept.(*Plan), nil
}

// forgetErrors lets types that could not be planned be tried again, now that
// more types are registered or there are too many of them.
func forgetErrors() {
	cache.Range(func(t, e any) bool {
		typ, _ := t.(reflect.Type) // or nil, which was asked for, too
		if _, err := e.(*entry).of(typ); err != nil && cache.CompareAndDelete(t, e) {
			refused.Add(-1)
		}
		return true
	})
}

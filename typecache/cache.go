package typecache

import (
	"reflect"
	"sync"
)

// cache holds an *entry per reflect.Type that was asked for. A program has
// finitely many types, and nothing that a packet holds makes new ones.
var cache sync.Map

type entry struct {
	once sync.Once
	plan *Plan
	err  error
}

// Of returns the plan of a type. It is built once, however many goroutines ask
// at the same time, and an error is kept like a plan. Every error is an
// [*Error].
func Of(t reflect.Type) (*Plan, error) {
	e, ok := cache.Load(t)
	if !ok {
		e, _ = cache.LoadOrStore(t, new(entry))
	}
	return e.(*entry).of(t)
}

func (e *entry) of(t reflect.Type) (*Plan, error) {
	e.once.Do(func() { e.plan, e.err = build(t, global) })
	return e.plan, e.err
}

// Build returns a plan of a type whose unions are those of r. It is not kept.
func Build(t reflect.Type, r *Registry) (*Plan, error) { return build(t, r) }

// forgetErrors lets types that could not be planned be tried again, now that
// more types are registered.
func forgetErrors() {
	cache.Range(func(t, e any) bool {
		if _, err := e.(*entry).of(t.(reflect.Type)); err != nil {
			cache.Delete(t)
		}
		return true
	})
}

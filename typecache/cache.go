package typecache

import (
	"reflect"
	"sync"

	"github.com/gobitpack/bitpack/internal/plan"
)

// cache maps a reflect.Type to its *plan.Plan. A program has finitely many types,
// and decoding a packet never adds one.
var cache sync.Map

// attempts has the types that were asked for lately. The first goroutine that asks
// for a type plans it, and others wait. An attempt keeps the error of a type without
// a plan. A program that creates types with package reflect may ask for any number
// of them, so there are at most [maxAttempts].
var attempts struct {
	sync.Mutex
	byType map[reflect.Type]*attempt
}

// maxAttempts is the largest number of attempts. One more removes all of them. The
// limit is far above the number of wrongly tagged types in a program.
const maxAttempts = 1024

// attempt is the result of planning one type. Its method of plans the type when it
// is first called.
type attempt struct {
	once sync.Once
	plan *plan.Plan
	err  error
}

// Of returns the plan of a type. A plan is built once, even if several
// goroutines ask for it at the same time. Errors are cached too, up to a limit.
// Every error is an [*Error].
//
// Of allocates nothing if the plan is in the cache.
func Of(t reflect.Type) (*Plan, error) {
	if data, ok := cache.Load(t); ok {
		return (*Plan)(data.(*plan.Plan).View()), nil
	}
	return viewOf(attemptOf(t).of(t))
}

// attemptOf returns the attempt to plan t.
func attemptOf(t reflect.Type) *attempt {
	attempts.Lock()
	defer attempts.Unlock()
	a := attempts.byType[t]
	if a == nil {
		if a = new(attempt); attempts.byType == nil || len(attempts.byType) == maxAttempts {
			attempts.byType = map[reflect.Type]*attempt{}
		}
		attempts.byType[t] = a
	}
	return a
}

// of returns the plan of t, which must be the type of the attempt.
func (a *attempt) of(t reflect.Type) (*plan.Plan, error) {
	a.once.Do(func() {
		if a.plan, a.err = build(t, global); a.err == nil {
			a.plan.AttachGenerated(true)
			cached, _ := cache.LoadOrStore(t, a.plan) // there may have been another attempt
			a.plan = cached.(*plan.Plan)
		}
	})
	return a.plan, a.err
}

// Build returns a new plan of a type whose unions have the members registered
// in r. It does not use the cache. Every error is an [*Error].
func Build(t reflect.Type, r *Registry) (*Plan, error) { return viewOf(build(t, r)) }

// Of returns the plan of a type whose unions have the members registered in r.
// It caches plans but not errors. Every error is an [*Error].
func (r *Registry) Of(t reflect.Type) (*Plan, error) { return viewOf(r.of(t)) }

func (r *Registry) of(t reflect.Type) (*plan.Plan, error) {
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

// forgetErrors removes the cached errors. It is called when newly registered types
// may make a plan possible.
func forgetErrors() {
	attempts.Lock()
	attempts.byType = nil
	attempts.Unlock()
}

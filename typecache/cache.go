package typecache

import (
	"reflect"
	"sync"

	"github.com/gobitpack/bitpack/internal/plan"
)

// cache has the plans of all types that were built with the same options. A program
// has finitely many types, and decoding a packet never adds one.
type cache struct {
	options buildOptions
	plans   sync.Map // a *plan.Plan by reflect.Type
	tagged  taggedPlans
}

// standard is the cache of the zero [Options].
var standard cache

// attempts has the types that were asked for lately. The first goroutine that asks
// for a type plans it, and others wait. An attempt keeps the error of a type without
// a plan. A program that creates types with package reflect may ask for any number
// of them, so there are at most [maxAttempts].
var attempts struct {
	sync.Mutex
	all map[request]*attempt
}

// request asks a cache for the plan of a type.
type request struct {
	cache *cache
	typ   reflect.Type
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
func Of(t reflect.Type) (*Plan, error) { return standard.of(t) }

func (c *cache) of(t reflect.Type) (*Plan, error) {
	if data, ok := c.plans.Load(t); ok {
		return (*Plan)(data.(*plan.Plan).View()), nil
	}
	r := request{c, t}
	return viewOf(attemptOf(r).of(r))
}

// attemptOf returns the attempt to answer r.
func attemptOf(r request) *attempt {
	attempts.Lock()
	defer attempts.Unlock()
	a := attempts.all[r]
	if a == nil {
		if a = new(attempt); attempts.all == nil || len(attempts.all) == maxAttempts {
			attempts.all = map[request]*attempt{}
		}
		attempts.all[r] = a
	}
	return a
}

// of returns the plan that r asks for. The attempt must be that of r.
func (a *attempt) of(r request) (*plan.Plan, error) {
	a.once.Do(func() {
		if a.plan, a.err = build(r.typ, &r.cache.options); a.err != nil {
			return
		}
		cached, there := r.cache.plans.LoadOrStore(r.typ, a.plan) // there may have been another attempt
		if a.plan = cached.(*plan.Plan); !there {
			a.plan.AttachGenerated()
		}
	})
	return a.plan, a.err
}

// forgetErrors removes the cached errors. It is called when newly registered types
// may make a plan possible.
func forgetErrors() {
	attempts.Lock()
	attempts.all = nil
	attempts.Unlock()
}

package typecache

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/stretchr/testify/require"
)

// Entries exports entries to package typecache_test.
var Entries = entries

// entries returns the number of types in the cache, and the number of those with
// an error.
func entries() (all, failed int) {
	standard.plans.Range(func(_, _ any) bool {
		all++
		return true
	})
	attempts.Lock()
	defer attempts.Unlock()
	for r, a := range attempts.all {
		if _, err := a.of(r); err != nil {
			failed++
		}
	}
	return all + failed, failed
}

// TestRefusedTypesDoNotGrowTheCache asks from several goroutines for the plans
// of ever more types that have none. The cache does not fill with their errors.
// An error that was removed from the cache is built again. A plan is never
// removed.
func TestRefusedTypesDoNotGrowTheCache(t *testing.T) {
	type kept struct{ A [3]uint8 }
	plan, err := Of(reflect.TypeFor[kept]())
	require.NoError(t, err)
	forgetErrors()
	before, failed := entries()
	require.Zero(t, failed)
	const goroutines, each = 8, 50
	types := effort.Rounds(t, 2*maxAttempts)
	most := 0
	without := reflect.TypeFor[[0]chan int]() // a type without a plan
	for asked := 0; asked < types; asked += goroutines * each {
		var group sync.WaitGroup
		for g := range goroutines {
			group.Go(func() {
				for i := range each {
					n := asked + g*each + i
					for _, n := range [...]int{n, n, n / 2} { // a new type, the same again, and an older one
						_, err := Of(reflect.ArrayOf(n, without))
						want := fmt.Sprintf(`typecache: [%d][0]chan int: chan int cannot be encoded: leave the field out with bp:"-"`, n)
						if err == nil || err.Error() != want {
							t.Errorf("%v, not %s", err, want)
						}
					}
					if again, err := Of(reflect.TypeFor[kept]()); again != plan || err != nil {
						t.Errorf("%p, not %p: %v", again, plan, err)
					}
				}
			})
		}
		group.Wait()
		all, failed := entries()
		require.LessOrEqual(t, failed, maxAttempts)
		require.Equal(t, before, all-failed, "types with a plan stay")
		if most = max(most, failed); t.Failed() {
			return
		}
	}
	require.Greater(t, most, maxAttempts/2, "errors are kept while there are few")
}

// TestOnePlanForEachType checks that two attempts to plan a type have one plan, of which
// the second starts after the errors are removed.
func TestOnePlanForEachType(t *testing.T) {
	r := request{&standard, reflect.TypeFor[struct{ A, B [3]int16 }]()}
	first := attemptOf(r)
	forgetErrors()
	second := attemptOf(r)
	require.NotSame(t, first, second)
	a, err := first.of(r)
	require.NoError(t, err)
	b, err := second.of(r)
	require.NoError(t, err)
	require.Same(t, a, b)
}

// TestRegisterForgetsErrors checks that a union that was refused has a plan after its
// types are registered.
func TestRegisterForgetsErrors(t *testing.T) {
	type late any
	type message struct {
		A late `bp:"union"`
	}
	typ := reflect.TypeFor[message]()
	_, err := Of(typ)
	require.ErrorIs(t, err, ErrTag)
	Register(reflect.TypeFor[late](), reflect.TypeFor[bool]())
	_, err = Of(typ)
	require.NoError(t, err)
}

// TestForgetNil checks that the error for the nil type is removed like the
// others.
func TestForgetNil(t *testing.T) {
	_, err := Of(nil)
	require.Error(t, err)
	require.NotPanics(t, forgetErrors)
	require.Empty(t, attempts.all)
}

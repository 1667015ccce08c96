package typecache

import (
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Entries is entries for the tests of the package as others use it.
var Entries = entries

// entries returns how many types the cache holds, and how many of them have no
// plan.
func entries() (all, failed int) {
	cache.Range(func(t, e any) bool {
		typ, _ := t.(reflect.Type)
		all++
		if _, err := e.(*entry).of(typ); err != nil {
			failed++
		}
		return true
	})
	return all, failed
}

// A program that makes types without an end and asks for plans that they cannot
// have, from several goroutines, does not fill the cache with their errors.
func TestRefusedTypesDoNotGrowTheCache(t *testing.T) {
	forgetErrors()
	before, failed := entries()
	require.Zero(t, failed)
	const goroutines, each = 8, 400
	without := reflect.TypeFor[struct{ F func() }]() // a plan
	var group sync.WaitGroup
	for g := range goroutines {
		group.Go(func() {
			for i := range each {
				n := 1 + g*each + i
				typ := reflect.ArrayOf(n, without)
				_, err := Of(typ)
				var again error
				if _, again = Of(typ); err == nil || again == nil || err.Error() != again.Error() {
					t.Errorf("%v: %v, then %v", typ, err, again)
				}
				if _, err := Of(reflect.TypeFor[[3]uint8]()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	all, failed := entries()
	require.LessOrEqual(t, failed, maxRefused)
	require.Equal(t, int64(failed), refused.Load(), "the count is that of the entries")
	require.Equal(t, before+1, all-failed, "types with a plan stay")
	require.NotZero(t, failed, "the errors of the last types are kept")
}

// A type that has a plan is never forgotten, whatever is asked for besides.
func TestPlansStay(t *testing.T) {
	type kept struct{ A [3]uint8 }
	plan, err := Of(reflect.TypeFor[kept]())
	require.NoError(t, err)
	for n := range 3 * maxRefused {
		_, err := Of(reflect.ArrayOf(n, reflect.TypeFor[chan int]()))
		if n > 0 {
			require.ErrorIs(t, err, ErrTag, fmt.Sprint(n))
		}
	}
	again, err := Of(reflect.TypeFor[kept]())
	require.NoError(t, err)
	require.Same(t, plan, again)
}

// What has no type is forgotten with the other errors.
func TestForgetNil(t *testing.T) {
	_, err := Of(nil)
	require.Error(t, err)
	require.NotPanics(t, forgetErrors)
	_, ok := cache.Load(reflect.Type(nil))
	require.False(t, ok)
}

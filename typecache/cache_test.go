package typecache_test

import (
	"reflect"
	"sync"
	"testing"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// TestOfIsConcurrent calls Of from many goroutines, as the first packets of a
// program may arrive at the same time. All of them get the same plan or the
// same error.
func TestOfIsConcurrent(t *testing.T) {
	type good struct {
		A [3]Character
		B map[int16]Tree `bp:"maxlen=5"`
	}
	type wrong struct {
		A [3]Character
		B map[float64]Tree `bp:"maxlen=5"`
	}
	const goroutines = 64
	for _, typ := range []reflect.Type{reflect.TypeFor[good](), reflect.TypeFor[wrong]()} {
		t.Run(typ.Name(), func(t *testing.T) {
			var plans [goroutines]*plan.Plan
			var errs [goroutines]error
			var group sync.WaitGroup
			start := make(chan struct{})
			for i := range goroutines {
				group.Go(func() {
					<-start
					plans[i], errs[i] = sealed.Plan(typecache.Of(typ))
				})
			}
			close(start)
			group.Wait()
			for i := range goroutines {
				require.Same(t, plans[0], plans[i])
				if errs[0] != nil {
					require.Same(t, errs[0], errs[i])
				} else {
					require.NoError(t, errs[i])
				}
			}
			require.NotEqual(t, plans[0] == nil, errs[0] == nil)
			view, err := typecache.Of(typ)
			require.Equal(t, errs[0], err)
			if err == nil {
				require.Same(t, plans[0], sealed.PlanOf(view))
			} else {
				require.Nil(t, view)
			}
		})
	}
}

// TestOfNil calls Of with the nil type that reflect.TypeOf returns for a nil
// interface.
func TestOfNil(t *testing.T) {
	plan, err := typecache.Of(reflect.TypeOf(nil))
	require.Nil(t, plan)
	require.ErrorIs(t, err, typecache.ErrTag)
	_, again := typecache.Of(nil)
	require.Same(t, err, again)
}

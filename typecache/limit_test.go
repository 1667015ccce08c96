package typecache_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// levels returns a type of n levels without recursion. Each level is a struct
// with two fields that hold the next level.
func levels(n int, last reflect.Type, tag string, field func(reflect.Type) reflect.Type) reflect.Type {
	for range n {
		in := field(last)
		last = structOf(2, func(int) (reflect.Type, string) { return in, tag })
	}
	return last
}

func itself(t reflect.Type) reflect.Type { return t }

// TestPlanIsBounded checks that a type whose plan would be too large is refused
// before the whole plan is built, so it costs little time and memory.
func TestPlanIsBounded(t *testing.T) {
	var weights strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&weights, "%d:1|", i)
	}
	rows := []struct {
		name string
		typ  reflect.Type
	}{
		{"two pointers each level", levels(16, reflect.TypeFor[uint8](), "", reflect.PointerTo)},
		{"two slices each level", levels(16, reflect.TypeFor[uint8](), "maxlen=1", reflect.SliceOf)},
		{"two maps each level", levels(15, reflect.TypeFor[uint16](), "maxlen=1", func(t reflect.Type) reflect.Type {
			return reflect.MapOf(reflect.TypeFor[bool](), t)
		})},
		{"two structs each level", levels(17, reflect.TypeFor[bool](), "", itself)},
		{"two optional structs each level", levels(15, reflect.TypeFor[bool](), "optional", itself)},
		{"structs without a value, which have no op", levels(18, reflect.TypeFor[Marker](), "", itself)},
		{"elements without a value", structOf(1, func(int) (reflect.Type, string) {
			return reflect.ArrayOf(3, levels(18, reflect.TypeFor[Marker](), "", itself)), ""
		})},
		{"lists of values", structOf(100, func(i int) (reflect.Type, string) {
			return reflect.TypeFor[uint32](), "huffman=" + weights.String() + "*:1"
		})},
		{"a field too many", structOf(typecache.MaxOps, func(int) (reflect.Type, string) { return reflect.TypeFor[bool](), "" })},
	}
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			var plan *typecache.Plan
			var err error
			size := allocated(func() { plan, err = typecache.Build(tt.typ, typecache.Options{}) })
			require.Nil(t, plan)
			require.ErrorIs(t, err, typecache.MistakeSize)
			require.ErrorContains(t, err, "needs more than 65536 ops")
			require.Less(t, size, 200<<20)
		})
	}

	t.Run("what the error proposes", func(t *testing.T) {
		typ := reflect.TypeFor[uint8]()
		for range 16 {
			in := reflect.ArrayOf(2, reflect.PointerTo(typ))
			typ = structOf(1, func(int) (reflect.Type, string) { return in, "" })
		}
		plan, err := typecache.Build(typ, typecache.Options{})
		require.NoError(t, err)
		require.Less(t, len(sealed.PlanOf(plan).Ops), 100)
	})
	t.Run("as many ops as may be", func(t *testing.T) {
		typ := structOf(typecache.MaxOps-1, func(int) (reflect.Type, string) { return reflect.TypeFor[bool](), "" })
		plan, err := typecache.Build(typ, typecache.Options{})
		require.NoError(t, err)
		require.Len(t, sealed.PlanOf(plan).Ops, typecache.MaxOps)
		require.Equal(t, typecache.MaxOps-1, plan.MinBits())
	})
}

package typecache_test

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// structOf returns a struct type with n fields A0, A1 and so on. f returns the
// type and the tag of each.
func structOf(n int, f func(i int) (typ reflect.Type, tag string)) reflect.Type {
	fields := make([]reflect.StructField, n)
	for i := range fields {
		typ, tag := f(i)
		fields[i] = reflect.StructField{Name: fmt.Sprint("A", i), Type: typ, Tag: reflect.StructTag(fmt.Sprintf("bp:%q", tag))}
		if tag == "" {
			fields[i].Tag = ""
		}
	}
	return reflect.StructOf(fields)
}

// allocated returns the bytes that f allocates.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// node is a member of a union, and holds two values of that union.
type node[T any] struct {
	Left, Right expr `bp:"union"`
	Value       T
}

type expr interface{ expr() }

func (node[T]) expr() {}

// TestPlansOfDeepTypes checks that each type is planned once, however types are
// nested. If each level or member were planned again for the enclosing one,
// building these plans would never finish.
func TestPlansOfDeepTypes(t *testing.T) {
	const depth = 64
	t.Run("slices in slices", func(t *testing.T) {
		typ := structOf(1, func(int) (reflect.Type, string) { return reflect.TypeFor[uint8](), "" })
		for range depth {
			inner := reflect.SliceOf(typ)
			typ = structOf(2, func(i int) (reflect.Type, string) {
				if i == 0 {
					return reflect.TypeFor[bool](), ""
				}
				return inner, "maxlen=1"
			})
		}
		plan, err := typecache.Build(typ, typecache.Options{})
		require.NoError(t, err)
		require.Equal(t, depth, sealed.PlanOf(plan).Nesting)
		require.Equal(t, 2, plan.MinBits())
		require.Equal(t, 2*depth+8, plan.MaxBits())
	})
	t.Run("conditions within conditions", func(t *testing.T) {
		// Each level has two bools. The first says whether the second is present,
		// and the second says whether the next level is present.
		typ := structOf(1, func(int) (reflect.Type, string) { return reflect.TypeFor[uint8](), "" })
		for range depth {
			inner := typ
			typ = structOf(3, func(i int) (reflect.Type, string) {
				switch i {
				case 0:
					return reflect.TypeFor[bool](), ""
				case 1:
					return reflect.TypeFor[bool](), "if=A0"
				}
				return inner, "if=A1"
			})
		}
		pl, err := typecache.Build(typ, typecache.Options{})
		require.NoError(t, err)
		require.Equal(t, 1, pl.MinBits())
		require.Equal(t, 2*depth+8, pl.MaxBits())
		for c := range sealed.PlanOf(pl).Conds {
			loads := 0
			require.True(t, sealed.PlanOf(pl).Holds(int32(c), func(*plan.Ref) uint64 { loads++; return 1 }))
			require.LessOrEqual(t, loads, 2*depth)
		}
		require.Less(t, len(pl.Text()), 3*depth*(2*depth+32), "a line an op, indented by its depth")
	})
	t.Run("a union of types that hold it", func(t *testing.T) {
		options := typecache.Options{}.WithUnion(reflect.TypeFor[expr](),
			reflect.TypeFor[node[bool]](), reflect.TypeFor[node[int8]](), reflect.TypeFor[node[int16]](),
			reflect.TypeFor[node[int32]](), reflect.TypeFor[node[int64]](), reflect.TypeFor[node[uint8]](),
			reflect.TypeFor[node[uint16]](), reflect.TypeFor[node[uint32]](), reflect.TypeFor[node[uint64]](),
			reflect.TypeFor[node[int]](), reflect.TypeFor[node[uint]](), reflect.TypeFor[node[float32]](),
			reflect.TypeFor[node[float64]](), reflect.TypeFor[node[complex64]](), reflect.TypeFor[node[complex128]](),
		)
		plan, err := typecache.Build(reflect.TypeFor[node[bool]](), options)
		require.NoError(t, err)
		require.Equal(t, 4+4+1, plan.MinBits(), "two are nil")
		require.Equal(t, typecache.Unbounded, plan.MaxBits())
	})
}

// TestBuildMemory checks that building the plan of 26 fields allocates less than 26 kB.
func TestBuildMemory(t *testing.T) {
	bytes := allocated(func() {
		for range 20 {
			_, err := typecache.Build(reflect.TypeFor[Scalars](), typecache.Options{})
			require.NoError(t, err)
		}
	})
	t.Log(bytes / 20)
	require.Less(t, bytes/20, 26_000)
}

package typecache_test

import (
	"reflect"
	"sync"
	"testing"

	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

type (
	optFirst  interface{ first() }
	optSecond interface{ second() }
	optA      struct{ A uint8 }
	optB      struct{ B uint16 }
)

func (optA) first()  {}
func (optB) first()  {}
func (optB) second() {}

// TestOptionsAreEqual has options that are made in different ways. They are equal, and
// types have the same plans, if the same options were given.
func TestOptionsAreEqual(t *testing.T) {
	type message struct {
		First  optFirst  `bp:"union"`
		Second optSecond `bp:"union"`
		_      struct{}  `bp:"check"`
	}
	first, second := reflect.TypeFor[optFirst](), reflect.TypeFor[optSecond]()
	a, b := reflect.TypeFor[optA](), reflect.TypeFor[optB]()
	none := typecache.Options{}
	full := none.WithUnion(first, a, b).WithUnion(second, b).WithoutChecks()
	for name, same := range map[string]typecache.Options{
		"another order":          none.WithoutChecks().WithUnion(second, b).WithUnion(first, b, a),
		"in steps":               none.WithUnion(first, b).WithUnion(second, b).WithUnion(first, a).WithoutChecks(),
		"given twice":            full.WithoutChecks().WithUnion(first, b).WithUnion(second),
		"made from others of it": full.WithUnion(first, a, b),
	} {
		require.True(t, full == same, name)
		require.Equal(t, 1, len(map[typecache.Options]bool{full: true, same: true}), name)
	}
	plan, err := full.Of(reflect.TypeFor[message]())
	require.NoError(t, err)
	seen := map[[32]byte]string{plan.Hash(): "full"}
	for name, other := range map[string]typecache.Options{
		"with checks":     none.WithUnion(first, a, b).WithUnion(second, b),
		"without optB":    none.WithUnion(first, a).WithUnion(second, b).WithoutChecks(),
		"another optB":    none.WithUnion(first, a, reflect.PointerTo(b)).WithUnion(second, b),
		"without a union": none.WithUnion(first, a, b).WithoutChecks(),
		"the other union": none.WithUnion(second, b).WithoutChecks(),
		"none":            none,
	} {
		require.False(t, full == other, name)
		p, err := other.Of(reflect.TypeFor[message]())
		if name == "none" || name == "without a union" || name == "the other union" {
			require.ErrorContains(t, err, "no types are registered for the union")
			_, again := other.Of(reflect.TypeFor[message]())
			require.Same(t, err, again)
			continue
		}
		require.NoError(t, err)
		require.NotSame(t, plan, p, name)
		if name != "another optB" { // a pointer in memory is no difference on the wire
			require.Empty(t, seen[p.Hash()], "%s has the hash of %s", name, seen[p.Hash()])
			seen[p.Hash()] = name
		}
	}
}

// TestOptionsShareAPlan asks from many goroutines for a plan with options that each
// of them makes. All of them get one plan, which is not that without options.
func TestOptionsShareAPlan(t *testing.T) {
	type message struct {
		First optFirst `bp:"union"`
		_     struct{} `bp:"check"`
	}
	typ := reflect.TypeFor[message]()
	options := func() typecache.Options {
		return typecache.Options{}.WithoutChecks().WithUnion(reflect.TypeFor[optFirst](), reflect.TypeFor[optA]())
	}
	var plans [32]*typecache.Plan
	var group sync.WaitGroup
	for i := range plans {
		group.Go(func() { plans[i], _ = options().Of(typ) })
	}
	group.Wait()
	require.NotNil(t, plans[0])
	for _, p := range plans {
		require.Same(t, plans[0], p)
	}
	o := options()
	require.Zero(t, testing.AllocsPerRun(100, func() { _, _ = o.Of(typ) }))
	built, err := typecache.Build(typ, o)
	require.NoError(t, err)
	require.NotSame(t, plans[0], built)
	require.Equal(t, plans[0].Hash(), built.Hash())
}

// TestOptionsOfOneHash checks that options have no effect on the hash of a type that
// has nothing that they are about.
func TestOptionsOfOneHash(t *testing.T) {
	plain, err := typecache.Of(reflect.TypeFor[optA]())
	require.NoError(t, err)
	with, err := typecache.Options{}.WithoutChecks().WithUnion(reflect.TypeFor[optFirst](), reflect.TypeFor[optB]()).Of(reflect.TypeFor[optA]())
	require.NoError(t, err)
	require.NotSame(t, plain, with)
	require.Equal(t, plain.Hash(), with.Hash())
}

package typecache_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/typecache"
)

type keepTree struct {
	Kids []keepTree `bp:"maxlen=9"`
}

// TestKeep checks that a reader keeps 64 KiB of capacity for all slices and
// maps that a value has once, and 64 bytes for each one that it may have
// several times.
func TestKeep(t *testing.T) {
	type inner struct {
		Words []uint32 `bp:"maxlen=9"`
		Text  string   `bp:"maxlen=9"`
	}
	type value struct {
		Bytes  []byte          `bp:"maxlen=9"`
		Map    map[uint8]uint8 `bp:"maxlen=9"`
		Sparse []*uint8        `bp:"maxlen=9,subset=bitmap"`
		Behind *inner          // its Words occur once
		Array  [2]inner        // from here on, Words occur several times
		Slice  []inner         `bp:"maxlen=9"`
		Rare   [9]*inner       `bp:"subset=index"`
		Text   string          `bp:"maxlen=9"`
		Runs   []uint16        `bp:"maxlen=9,rle"`
		Tree   keepTree
	}
	plan, err := typecache.Of(reflect.TypeFor[value]())
	require.NoError(t, err)
	const once = 1 << 16 / 6
	want := []int32{
		once, once / 2, once / int32(reflect.TypeFor[*uint8]().Size()), once / 4,
		64 / 4, once / int32(reflect.TypeFor[inner]().Size()), 64 / 4, 64 / 4, once / 2,
		64 / int32(reflect.TypeFor[keepTree]().Size()),
	}
	var got []int32
	for _, op := range sealed.PlanOf(plan).Ops {
		if op.KeepCapacity != 0 {
			got = append(got, op.KeepCapacity)
		}
	}
	require.Equal(t, want, got)

	type nothing struct {
		_ struct{} `bp:"reserved,bits=3"`
	}
	plan, err = typecache.Of(record(f[[]nothing]("List maxlen=9")))
	require.NoError(t, err)
	require.EqualValues(t, math.MaxInt32, sealed.PlanOf(plan).Ops[0].KeepCapacity, "elements that take no memory")
}

package typecache_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// shape is a union of the two types below.
type shape any

type (
	garbageLeaf struct{ X, Y int8 }
	garbageTree struct {
		Kids []garbageTree         `bp:"maxlen=3"`
		Map  map[int8]*garbageLeaf `bp:"maxlen=3"`
		Text map[string][]int      `bp:"maxlen=3,key.maxlen=2,elem.maxlen=2,bits=3"`
		Name string                `bp:"wstring,maxlen=2"`
	}
)

func init() {
	typecache.Register(reflect.TypeFor[shape](), reflect.TypeFor[garbageLeaf](), reflect.TypeFor[*garbageTree]())
}

// TestGarbageDoesNotGrowTheCache checks that messages from a peer never add
// types to the cache. After many random messages, most of them refused, the
// cache holds only the types that the test passes to Unmarshal. It has no
// entries for union members, map entries or pointers in them.
func TestGarbageDoesNotGrowTheCache(t *testing.T) {
	type scene struct {
		Shape shape `bp:"union"`
		Parts [4]struct {
			On bool
			At *garbageLeaf `bp:"if=On"`
		} `bp:"subset=auto,by=On"`
	}
	types := []reflect.Type{
		reflect.TypeFor[garbageLeaf](), reflect.TypeFor[garbageTree](), reflect.TypeFor[scene](),
		reflect.TypeFor[[2]scene](), reflect.TypeFor[*garbageTree](), reflect.TypeFor[struct{ F func() }](),
	}
	for _, typ := range types {
		_ = tagcodec.Unmarshal(nil, reflect.New(typ).Interface())
	}
	all, failed := typecache.Entries()
	random := rand.New(rand.NewPCG(1, 2))
	var values []any
	for _, typ := range types {
		values = append(values, reflect.New(typ).Interface())
	}
	var data [24]byte
	accepted := 0
	for i := range effort.Rounds(t, 50_000) {
		for k := range data {
			data[k] = byte(random.Uint64() >> (i % 8 * 8))
		}
		if tagcodec.Unmarshal(data[:i%len(data)], values[i%len(values)]) == nil {
			accepted++
		}
	}
	require.NotZero(t, accepted)
	nowAll, nowFailed := typecache.Entries()
	require.Equal(t, all, nowAll)
	require.Equal(t, failed, nowFailed)
}

package typecache_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/typecache"
)

// shape is a union of two of the types below.
type shape any

// What a peer sends makes no types: after any number of messages of garbage,
// most of them refused, the cache has the types that were asked for and no
// other, not even those that a union, a map or a pointer is read as.
func TestGarbageDoesNotGrowTheCache(t *testing.T) {
	type leaf struct{ X, Y int8 }
	type tree struct {
		Kids []tree           `bp:"maxlen=3"`
		Map  map[int8]*leaf   `bp:"maxlen=3"`
		Text map[string][]int `bp:"maxlen=3,key.maxlen=2,elem.maxlen=2,bits=3"`
		Name string           `bp:"wstring,maxlen=2"`
	}
	type scene struct {
		Shape shape `bp:"union"`
		Parts [4]struct {
			On bool
			At *leaf `bp:"if=On"`
		} `bp:"subset=auto,by=On"`
	}
	typecache.Register(reflect.TypeFor[shape](), reflect.TypeFor[leaf](), reflect.TypeFor[*tree]())
	types := []reflect.Type{
		reflect.TypeFor[leaf](), reflect.TypeFor[tree](), reflect.TypeFor[scene](),
		reflect.TypeFor[[2]scene](), reflect.TypeFor[*tree](), reflect.TypeFor[struct{ F func() }](),
	}
	for _, typ := range types {
		_ = tagcodec.Unmarshal(nil, reflect.New(typ).Interface())
	}
	all, failed := typecache.Entries()
	messages := 1_000_000
	if testing.Short() {
		messages /= 100
	}
	random := rand.New(rand.NewPCG(1, 2))
	var values []any
	for _, typ := range types {
		values = append(values, reflect.New(typ).Interface())
	}
	var data [24]byte
	accepted := 0
	for i := range messages {
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

package typecache_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

type (
	seven struct {
		V uint8 `bp:"int,min=7,max=7"`
	}
	never struct {
		K uint8 `bp:"int,min=1,max=1"`
		A uint8 `bp:"if=!K"`
	}
	aligned struct {
		_ struct{} `bp:"align"`
	}
	chunk struct {
		On bool
		A  [1 << 18]uint8 `bp:"if=On"`
	}
	looped struct {
		Z    [300]uint8 `bp:"int,min=7,max=7"`
		Next *looped
	}
	cell   struct{ N [1 << 10]byte }
	animal interface{ animal() }
	bulky  struct {
		Z [300]uint8 `bp:"int,min=7,max=7"`
	}
)

// padding has values without bits after a value with bits.
type padding[T, U any] struct {
	On T
	Z  U `bp:"min=7,max=7"`
}

func (bulky) animal() {}

func (c *cell) Serialize(s *bits.Stream) error { return s.Err() }

// TestElementsWithoutBitsAreDropped checks that array elements that put nothing
// on the wire have no ops in the plan, however many there are.
func TestElementsWithoutBitsAreDropped(t *testing.T) {
	one, err := typecache.Of(reflect.TypeFor[struct{ B uint8 }]())
	require.NoError(t, err)
	for _, typ := range []reflect.Type{
		record(f[[1 << 30]struct{}]("A"), f[uint8]("B")),
		record(f[[1 << 15][1 << 15]Marker]("A"), f[uint8]("B")),
		reflect.TypeFor[struct {
			A [1 << 20]struct {
				X int `bp:"-"`
				y int
			}
			B uint8
		}](),
		record(f[[1 << 20][0]int]("A"), f[uint8]("B")),
		record(f[[1 << 20]struct{ X, Y [1 << 4]Marker }]("A"), f[uint8]("B")),
	} {
		plan, err := typecache.Of(typ)
		require.NoError(t, err)
		require.Equal(t, one.Text(), plan.Text(), "%v", typ)
		require.Empty(t, sealed.PlanOf(plan).Elems, "%v", typ)
	}
	plan, err := typecache.Of(reflect.TypeFor[[1 << 30]struct{}]())
	require.NoError(t, err)
	require.Len(t, sealed.PlanOf(plan).Ops, 1)
}

// badZeroBits has values without bits whose memory is above the limit. The limit depends
// on the smallest size in bits of the message or, where a packet may repeat them, of the
// element.
var badZeroBits = []bad{
	{"a byte more", fieldOf[[1<<16 + 1]uint8]("min=7,max=7")},
	{"in two fields", record(f[[10]uint8]("A min=7,max=7"), f[[1 << 16]uint8]("B min=7,max=7"))},
	{"structs", reflect.TypeFor[struct{ A [1 << 20]seven }]()},
	{"elements under a condition that none fulfills", reflect.TypeFor[struct{ A [1 << 20]never }]()},
	{"elements without memory that align", reflect.TypeFor[struct{ A [1 << 30]aligned }]()},
	{"a slice of a fixed length", fieldOf[[]uint16]("min=7,max=7,minlen=40000,maxlen=40000")},
	{"optional", fieldOf[[1 << 20]uint8]("min=7,max=7,optional")},
	{"in elements", fieldOf[[]padding[bool, [257]uint8]]("maxlen=4")},
	{"in entries", fieldOf[map[bool][300]uint8]("maxlen=4,min=7,max=7")},
	{"in a recursive type", reflect.TypeFor[looped]()},
	{"in a member of a union", fieldOf[animal]("union")},
}

// TestWordsWithoutBits checks that the limit counts the memory of the machine.
func TestWordsWithoutBits(t *testing.T) {
	for _, tt := range []struct {
		typ  reflect.Type
		each uintptr
	}{
		{fieldOf[[1 << 20]string]("maxlen=0"), reflect.TypeFor[string]().Size()},
		{fieldOf[[1 << 20][]bool]("maxlen=0"), reflect.TypeFor[[]bool]().Size()},
	} {
		_, err := typecache.Of(tt.typ)
		require.ErrorIs(t, err, typecache.ErrTag)
		require.ErrorContains(t, err, fmt.Sprintf("struct.A: values without bits take %d bytes of memory", tt.each<<20))
	}
}

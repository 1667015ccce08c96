package typecache_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/bits"
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
		A  [1 << 20]uint8 `bp:"if=On"`
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

func (bulky) animal() {}

func (c *cell) Serialize(s *bits.Stream) error { return s.Err() }

// TestElementsWithoutBitsAreDropped checks that array elements that put nothing
// on the wire have no ops in the plan, however many there are.
func TestElementsWithoutBitsAreDropped(t *testing.T) {
	one, err := typecache.Of(reflect.TypeFor[struct{ B uint8 }]())
	require.NoError(t, err)
	for _, typ := range []reflect.Type{
		reflect.TypeFor[struct {
			A [1 << 30]struct{}
			B uint8
		}](),
		reflect.TypeFor[struct {
			A [1 << 15][1 << 15]Marker
			B uint8
		}](),
		reflect.TypeFor[struct {
			A [1 << 20]struct {
				X int `bp:"-"`
				y int
			}
			B uint8
		}](),
		reflect.TypeFor[struct {
			A [1 << 20][0]int
			B uint8
		}](),
		reflect.TypeFor[struct {
			A [1 << 20]struct{ X, Y [1 << 4]Marker }
			B uint8
		}](),
	} {
		plan, err := typecache.Of(typ)
		require.NoError(t, err)
		require.Equal(t, one.Text(), plan.Text(), "%v", typ)
		require.Empty(t, plan.Data().Elems, "%v", typ)
	}
	plan, err := typecache.Of(reflect.TypeFor[[1 << 30]struct{}]())
	require.NoError(t, err)
	require.Len(t, plan.Data().Ops, 1)
}

// TestValuesWithoutBits checks that the memory of values without bits is
// limited by the smallest size in bits of the message or, where a packet may
// repeat them, of the element.
func TestValuesWithoutBits(t *testing.T) {
	const end = " of memory here, and %d are allowed, because no message size limits them: " +
		"widen their range, shorten the array, or leave it out with bp:\"-\""
	text := func(path string, bytes, most int) string {
		return fmt.Sprintf(path+": values without bits take %d bytes"+end, bytes, most)
	}
	registry := typecache.NewRegistry()
	registry.Register(reflect.TypeFor[animal](), reflect.TypeFor[bulky]())
	for _, tt := range []struct {
		name string
		typ  reflect.Type
		text string // "" if there is no error
	}{
		{"as much as may be", fieldOf[[1 << 16]uint8]("min=7,max=7"), ""},
		{"a byte more", fieldOf[[1<<16 + 1]uint8]("min=7,max=7"), text("struct.A", 1<<16+1, 1<<16)},
		{"of larger integers", fieldOf[[1<<13 + 1]int64]("min=7,max=7"), text("struct.A", 1<<16+8, 1<<16)},
		{"of 128 bits", fieldOf[[1<<12 + 1]bits.Int128]("min=7,max=7"), text("struct.A", 1<<16+16, 1<<16)},
		{"in two fields", reflect.TypeFor[struct {
			A [10]uint8      `bp:"min=7,max=7"`
			B [1 << 16]uint8 `bp:"min=7,max=7"`
		}](), text("struct.B", 1<<16+10, 1<<16)},
		{"with bits around", reflect.TypeFor[struct {
			A [10]uint8      `bp:"min=7,max=7"`
			B [1 << 16]uint8 `bp:"min=7,max=7"`
			C bool
		}](), ""},
		{"structs", reflect.TypeFor[struct{ A [1 << 20]seven }](), text("struct.A", 1<<20, 1<<16)},
		{"of an array itself", reflect.TypeFor[[1 << 20]seven](), text("[1048576]typecache_test.seven", 1<<20, 1<<16)},
		{"elements under a condition that none fulfills", reflect.TypeFor[struct{ A [1 << 20]never }](), text("struct.A", 1<<21, 1<<16)},
		{"elements without memory that align", reflect.TypeFor[struct{ A [1 << 30]aligned }](), text("struct.A", 1<<30, 1<<16)},
		{"strings of no length", fieldOf[[1 << 20]string]("maxlen=0"), text("struct.A", int(reflect.TypeFor[string]().Size())<<20, 1<<16)},
		{"slices of no length", reflect.TypeFor[struct {
			A [1 << 20][]bool `bp:"maxlen=0"`
		}](), text("struct.A", int(reflect.TypeFor[[]bool]().Size())<<20, 1<<16)},
		{"a slice of a fixed length", fieldOf[[]uint16]("min=7,max=7,minlen=40000,maxlen=40000"), text("struct.A", 80000, 1<<16)},
		{"behind a pointer", fieldOf[*[1 << 20]uint8]("min=7,max=7"), text("struct.A", 1<<20, 1<<16+1<<8)},
		{"optional", fieldOf[[1 << 20]uint8]("min=7,max=7,optional"), text("struct.A", 1<<20, 1<<16+1<<8)},
		{"with a bit for each", reflect.TypeFor[struct {
			A [1 << 10]struct {
				On bool
				Z  [200]uint8 `bp:"min=7,max=7"`
			}
		}](), ""},
		{"in elements", reflect.TypeFor[struct {
			A []struct {
				On bool
				Z  [257]uint8 `bp:"min=7,max=7"`
			} `bp:"maxlen=4"`
		}](), text("struct.A.Z", 257, 256)},
		{"in elements, as much as may be", reflect.TypeFor[struct {
			A []struct {
				On bool
				Z  [256]uint8 `bp:"min=7,max=7"`
			} `bp:"maxlen=4"`
		}](), ""},
		{"in elements of two bits", reflect.TypeFor[struct {
			A []struct {
				On [2]bool
				Z  [512]uint8 `bp:"min=7,max=7"`
			} `bp:"maxlen=4"`
		}](), ""},
		{"in entries", reflect.TypeFor[struct {
			A map[bool][300]uint8 `bp:"maxlen=4,min=7,max=7"`
		}](), text("struct.A", 300, 256)},
		{"in a recursive type", reflect.TypeFor[looped](), text("looped.Z", 300, 256)},
		{"in a member of a union", fieldOf[animal]("union"), text("bulky.Z", 300, 256)},
		{"under a condition, which takes memory for a bit", reflect.TypeFor[struct {
			A []chunk `bp:"maxlen=4"`
		}](), ""},
		{"values that write themselves", reflect.TypeFor[struct{ A [1 << 10]cell }](), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan, err := typecache.Build(tt.typ, registry)
			if tt.text == "" {
				require.NoError(t, err)
				return
			}
			require.Nil(t, plan)
			require.ErrorIs(t, err, typecache.ErrTag)
			require.EqualError(t, err, "typecache: "+tt.text)
		})
	}
}

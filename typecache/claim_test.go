package typecache_test

import (
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

type (
	rarely struct {
		V [4096]uint16 `bp:"optional"`
	}
	conditional struct {
		On bool
		V  [4096]uint16 `bp:"if=On"`
	}
	sparseElements struct {
		V [64]*[400]uint64 `bp:"optional"`
	}
	slot struct {
		On bool
		V  uint64
	}
	subsets struct {
		V [512]slot `bp:"subset=relative,by=On"`
	}
	cached struct {
		On    bool
		Cache [8192]byte `bp:"-"`
	}
	chained struct {
		V    [4096]uint16 `bp:"optional"`
		Next *chained
	}
	nested struct {
		On   bool
		Rows [4][]rarely `bp:"maxlen=16,if=On"`
	}
	large   struct{ V [4096]uint16 }
	present struct {
		On bool
		V  [4096]uint16
	}
	vehicle interface{ vehicle() }
	paid    struct {
		V    []uint16 `bp:"maxlen=4096"`
		W    *[4096]uint16
		Next *paid
	}
)

func (rarely) vehicle() {}

// badClaims has types whose messages claim more memory than their bits pay for.
var badClaims = []bad{
	{"optional", fieldOf[[]rarely]("maxlen=9600")},
	{"a row more than is allowed", fieldOf[[]rarely]("maxlen=133")},
	{"if", fieldOf[[]conditional]("maxlen=9600")},
	{"optional elements of an array", fieldOf[[]struct{ A, B [64]sparseElements }]("maxlen=9600")},
	{"a subset", fieldOf[[]subsets]("maxlen=9600")},
	{"a field that is left out", fieldOf[[]cached]("maxlen=9600")},
	{"entries of a map", fieldOf[map[uint16]rarely]("maxlen=9600")},
	{"pointers in a slice", fieldOf[[]*rarely]("maxlen=9600")},
	{"pointers in a map", fieldOf[map[uint16]*rarely]("maxlen=9600")},
	{"pointers in an array", fieldOf[[200]*rarely]("")},
	{"pointers in a subset", fieldOf[[200]*rarely]("subset=index")},
	{"absent elements of a bitmap", fieldOf[[]present]("maxlen=9600,subset=bitmap,by=On")},
	{"slices in a slice", fieldOf[[]nested]("maxlen=9600")},
	{"small slices in a slice", fieldOf[[][]rarely]("maxlen=9600,elem.maxlen=100")},
	{"a list", reflect.TypeFor[chained]()},
	{"members of a union in a slice", fieldOf[[]vehicle]("union,maxlen=9600")},
}

// TestClaims checks the largest number of bytes that one bit of a message claims,
// at types that have a plan.
func TestClaims(t *testing.T) {
	for _, tt := range []struct {
		name string
		typ  reflect.Type
		want int
	}{
		{"nothing allocates", reflect.TypeFor[rarely](), 0},
		{"130 rows of 8192 bytes, 1 bit each, after a count of 8 bits", fieldOf[[]rarely]("maxlen=130"), 7718},
		{"one for each bit and the count", fieldOf[[]bool]("maxlen=1"), 1},
		{"words of 16 bits", fieldOf[[]uint16]("maxlen=65535"), 1},
		{"a pointer to what is there", fieldOf[*large](""), 1},
		{"a pointer to what may be absent", fieldOf[*rarely](""), 4096},
		{"rows of 24 bytes and 3 bits or more, after a count of 8 bits", fieldOf[[][]bool]("maxlen=240,elem.maxlen=7"), 8},
		{"a slice of a fixed length without bits", fieldOf[[]uint8]("min=7,max=7,minlen=4,maxlen=4"), typecache.Unbounded},
		{"stretches of 511 bytes in 18 bits, after a count of 9", fieldOf[[]bool]("rle,maxlen=511"), 19},
		{"nodes of 40 bytes and 15 bits or more", reflect.TypeFor[paid](), 3},
		{"a subset with a bitmap: 16 bytes for each bit", fieldOf[[]slot]("maxlen=1,subset=bitmap,by=On"), 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, planOf(t, tt.typ).BytesPerBit())
		})
	}
}

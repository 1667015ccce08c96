package typecache_test

import (
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// The smallest message has stretches as long as possible, and the largest
// stretches of one element.
func TestRunLengthSizes(t *testing.T) {
	runSized(t, []sized{
		{"array", fieldOf[[6]uint8]("bits=2,rle"), 5 + 2, 6 * 3, "6 elements have a length of 5 bits"},
		{"array of one", fieldOf[[1]bool]("rle"), 2, 2, "its length takes a bit"},
		{"array of arrays", fieldOf[[16][16]uint8]("rle"), 17 + 8, 256 * 9, "256 elements have a length of 17 bits"},
		{"the longest stretch", fieldOf[[511]uint8]("bits=2,rle"), 17 + 2, 511 * 3, "the same 17 bits"},
		{"more than the longest stretch", fieldOf[[1024]uint8]("bits=2,rle"), 2*(17+2) + 3 + 2, 1024 * 3, "511, 511 and 2"},
		{"none", record(f[[0][3]uint8]("A rle"), f[bool]("B")), 1, 1, "nothing is sent"},
		{"slice", fieldOf[[]uint8]("bits=2,rle,maxlen=7"), 3, 3 + 7*3, "a count, and nothing else if it is 0"},
		{"slice of at least 4", fieldOf[[]uint8]("bits=2,rle,minlen=4,maxlen=7"), 2 + 5 + 2, 2 + 7*3, "4 elements have a length of 5 bits"},
		{"slice without room", fieldOf[[]uint8]("rle,maxlen=0"), 0, 0, "no count and no elements"},
		{"align after one", record(f[[1]uint8]("A bits=2,rle"), f[struct{}]("_ align")), 8, 8, "3 lack 5"},
	})
}

// The bits of an element with rle are all accounted for, once.
func TestRunLengthCosts(t *testing.T) {
	p, err := typecache.Of(record(f[[6]uint8]("A bits=2,rle"), f[[]uint8]("B bits=2,rle,maxlen=7")))
	require.NoError(t, err)
	sum := map[string]int{}
	p.Data().Walk(func(at plan.Step) { sum[at.Path] += at.Times * p.Data().MostBits(at.Op) })
	require.Equal(t, map[string]int{"A": 18, "B": 24, "": 0}, sum)
}

// Types whose stretches are the same have one text.
func TestRunLengthText(t *testing.T) {
	text := func(typ reflect.Type) string {
		p, err := typecache.Of(typ)
		require.NoError(t, err)
		return p.Text()
	}
	array := text(fieldOf[[6]bool]("rle"))
	require.Equal(t, "bitpack 2\nrle of 6\n. int 0..1\n", array)
	require.Equal(t, array, text(reflect.TypeFor[struct {
		A struct {
			B [2][3]int64 `bp:"min=0,max=1,rle"`
			C [0]bool     `bp:"rle"`
		}
	}]()))
	require.Equal(t, array, text(fieldOf[[]uint8]("bits=1,rle,minlen=6,maxlen=6")))
	require.Equal(t, "bitpack 2\n2 x rle of 6\n. int 0..1\n", text(fieldOf[[2][]bool]("rle,minlen=6,maxlen=6")))
}

package typecache_test

import (
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// The option rle is for scalars of a fixed size, in an array or a slice.
func TestBadRunLength(t *testing.T) {
	runBad(t, []bad{
		{"a scalar", reflect.TypeFor[struct {
			A uint8 `bp:"rle"`
		}](),
			`struct.A: option "rle" does not apply to the plain form of uint8: remove it`},
		{"a value", reflect.TypeFor[struct {
			A [4]uint8 `bp:"rle=3"`
		}](),
			`struct.A: option "rle" takes no value: write it alone`},
		{"slice without a bound", reflect.TypeFor[struct {
			A []uint16 `bp:"rle"`
		}](),
			"struct.A: []uint16 needs a largest length: add maxlen="},
		{"array with a bound", reflect.TypeFor[struct {
			A [4]uint8 `bp:"rle,maxlen=3"`
		}](),
			`struct.A: option "maxlen" does not apply to the plain form of uint8: remove it`},
		{"varints", reflect.TypeFor[struct {
			A [4]uint8 `bp:"varint,rle"`
		}](),
			`struct.A: option "rle" needs values of a fixed size, which those of kind varint are not: remove it`},
		{"expgolombs", reflect.TypeFor[struct {
			A []uint8 `bp:"expgolomb,k=2,rle,maxlen=3"`
		}](),
			`struct.A: option "rle" needs values of a fixed size, which those of kind expgolomb are not: remove it`},
		{"integers of 128 bits", reflect.TypeFor[struct {
			A [4]bits.Uint128 `bp:"rle"`
		}](),
			`struct.A: option "rle" needs bools, floats or integers of up to 64 bits, and not bits.Uint128: remove it`},
		{"complex numbers", reflect.TypeFor[struct {
			A [4]complex64 `bp:"rle"`
		}](),
			`struct.A: option "rle" needs bools, floats or integers of up to 64 bits, and not complex64: remove it`},
		{"values without bits", reflect.TypeFor[struct {
			A [4]uint8 `bp:"min=3,max=3,rle"`
		}](),
			`struct.A: option "rle" needs values with bits, and each uint8 here has 0: remove it`},
		{"slices", reflect.TypeFor[struct {
			A [][]uint8 `bp:"rle,maxlen=3,elem.maxlen=4"`
		}](),
			`struct.A: option "rle" needs bools, floats or integers of up to 64 bits, and not []uint8: write elem.rle if it is for the elements of these, or remove it`},
		{"arrays in a slice", reflect.TypeFor[struct {
			A [][4]uint8 `bp:"rle,maxlen=3"`
		}](),
			`struct.A: option "rle" needs bools, floats or integers of up to 64 bits, and not [4]uint8: write elem.rle if it is for the elements of these, or remove it`},
		{"structs", reflect.TypeFor[struct {
			A []struct{ B uint8 } `bp:"rle,maxlen=3"`
		}](),
			`struct.A: option "rle" needs bools, floats or integers of up to 64 bits, and not struct { B uint8 }: remove it`},
		{"structs in an array", reflect.TypeFor[struct {
			A [3]struct{ B uint8 } `bp:"rle"`
		}](),
			`struct.A.B: option "rle" does not apply to the plain form of uint8: remove it`},
		{"listed values", reflect.TypeFor[struct {
			A [4]uint8 `bp:"rle,common=3"`
		}](),
			`struct.A: rle goes with none of common, huffman and optional, which make elements of different sizes: keep one`},
		{"optional elements", reflect.TypeFor[struct {
			A []uint16 `bp:"rle,optional,maxlen=4"`
		}](),
			`struct.A: rle goes with none of common, huffman and optional, which make elements of different sizes: keep one`},
		{"relative integers", reflect.TypeFor[struct {
			A []uint16 `bp:"relative,base=3,rle,maxlen=4"`
		}](),
			`struct.A: option "rle" needs values of a fixed size, which those of kind relative are not: remove it`},
		{"bytes", reflect.TypeFor[struct {
			A []uint8 `bp:"bytes,rle,maxlen=4"`
		}](),
			`struct.A: option "rle" does not apply to bytes of []uint8: remove it`},
		{"text", reflect.TypeFor[struct {
			A string `bp:"rle,maxlen=4"`
		}](),
			`struct.A: option "rle" does not apply to kind "string": remove it`},
	})
}

// The smallest message has stretches as long as possible, and the largest
// stretches of one element.
func TestRunLengthSizes(t *testing.T) {
	runSized(t, []sized{
		{"array", reflect.TypeFor[struct {
			A [6]uint8 `bp:"bits=2,rle"`
		}](), 5 + 2, 6 * 3, "6 elements have a length of 5 bits"},
		{"array of one", reflect.TypeFor[struct {
			A [1]bool `bp:"rle"`
		}](), 2, 2, "its length takes a bit"},
		{"array of arrays", reflect.TypeFor[struct {
			A [16][16]uint8 `bp:"rle"`
		}](), 17 + 8, 256 * 9, "256 elements have a length of 17 bits"},
		{"the longest stretch", reflect.TypeFor[struct {
			A [511]uint8 `bp:"bits=2,rle"`
		}](), 17 + 2, 511 * 3, "the same 17 bits"},
		{"more than the longest stretch", reflect.TypeFor[struct {
			A [1024]uint8 `bp:"bits=2,rle"`
		}](), 2*(17+2) + 3 + 2, 1024 * 3, "511, 511 and 2"},
		{"none", reflect.TypeFor[struct {
			A [0][3]uint8 `bp:"rle"`
			B bool
		}](), 1, 1, "nothing is sent"},
		{"slice", reflect.TypeFor[struct {
			A []uint8 `bp:"bits=2,rle,maxlen=7"`
		}](), 3, 3 + 7*3, "a count, and nothing else if it is 0"},
		{"slice of at least 4", reflect.TypeFor[struct {
			A []uint8 `bp:"bits=2,rle,minlen=4,maxlen=7"`
		}](), 2 + 5 + 2, 2 + 7*3, "4 elements have a length of 5 bits"},
		{"slice without room", reflect.TypeFor[struct {
			A []uint8 `bp:"rle,maxlen=0"`
		}](), 0, 0, "no count and no elements"},
		{"align after one", reflect.TypeFor[struct {
			A [1]uint8 `bp:"bits=2,rle"`
			_ struct{} `bp:"align"`
		}](), 8, 8, "3 lack 5"},
	})
}

// The bits of an element with rle are all accounted for, once.
func TestRunLengthCosts(t *testing.T) {
	p, err := typecache.Of(reflect.TypeFor[struct {
		A [6]uint8 `bp:"bits=2,rle"`
		B []uint8  `bp:"bits=2,rle,maxlen=7"`
	}]())
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
	array := text(reflect.TypeFor[struct {
		A [6]bool `bp:"rle"`
	}]())
	require.Equal(t, "bitpack 2\nrle of 6\n. int 0..1\n", array)
	require.Equal(t, array, text(reflect.TypeFor[struct {
		A struct {
			B [2][3]int64 `bp:"min=0,max=1,rle"`
			C [0]bool     `bp:"rle"`
		}
	}]()))
	require.Equal(t, array, text(reflect.TypeFor[struct {
		A []uint8 `bp:"bits=1,rle,minlen=6,maxlen=6"`
	}]()))
	require.Equal(t, "bitpack 2\n2 x rle of 6\n. int 0..1\n", text(reflect.TypeFor[struct {
		A [2][]bool `bp:"rle,minlen=6,maxlen=6"`
	}]()))
}

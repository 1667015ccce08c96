package typecache_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/typecache"
)

// Recursive types that send the same bytes, and one that does not.
type (
	ring  struct{ Next *ring }
	first struct {
		Next  *second
		Level uint8
	}
	second struct {
		Next  *first
		Depth uint8 `bp:"min=0,max=255"`
	}
	alone struct {
		Next  *alone
		Level int16 `bp:"enum,max=255"`
	}
	odd struct {
		Next  *even
		Level uint8
	}
	even struct {
		Next  *odd
		Level uint8 `bp:"bits=7"`
	}
	fixed struct {
		K    uint8 `bp:"min=5,max=5"`
		Next *fixed
	}
	wraps struct{ fixed }

	// toOdd and toEven differ only in what they call.
	toOdd struct {
		Next *toOdd
		To   *odd
	}
	toEven struct {
		Next *toEven
		To   *even
	}
	empty struct{}
)

// Members of unions whose names are in different orders.
type (
	fruit  interface{ fruit() }
	apple  struct{ A uint8 }
	pear   struct{ B bool }
	plant  interface{ plant() }
	zinnia struct {
		B int8 `bp:"min=0,max=1"`
	}
	aster struct{ A [1]uint8 }
)

func (apple) fruit()  {}
func (pear) fruit()   {}
func (zinnia) plant() {}
func (aster) plant()  {}

func formOptions() typecache.Options {
	return typecache.Options{}.
		WithUnion(reflect.TypeFor[fruit](), reflect.TypeFor[apple](), reflect.TypeFor[pear]()).
		WithUnion(reflect.TypeFor[plant](), reflect.TypeFor[zinnia](), reflect.TypeFor[*aster]())
}

// TestNormalForm has rows with the normal form of all their types.
func TestNormalForm(t *testing.T) {
	options := formOptions()
	for _, tt := range []struct {
		name  string
		text  string
		types []reflect.Type
	}{
		{"arrays and structs", "3 x float32", []reflect.Type{
			reflect.TypeFor[[3]float32](), reflect.TypeFor[Vec3](), reflect.TypeFor[struct{ X, Y, Z float32 }](),
			record(f[complex64]("A"), f[[1][1]float32]("B"))}},
		{"neighbors", "5 x int 0..255", []reflect.Type{
			reflect.TypeFor[[5]uint8](), record(f[uint8]("A"), f[uint8]("B"), f[[3]uint8]("C")), record(f[[2]struct{ X, Y uint8 }]("A"), f[uint16]("B bits=8"))}},
		{"blocks", "3 x slice 0..3;. int 0..1", []reflect.Type{
			fieldOf[[3][]bool]("maxlen=3"), reflect.TypeFor[struct {
				A, B []bool `bp:"maxlen=3"`
				C    []struct {
					X uint8 `bp:"bits=1"`
				} `bp:"maxlen=3"`
			}]()}},
		{"arrays of arrays of structs", "6 x;. int 0..1;. float32", []reflect.Type{
			reflect.TypeFor[[6]BitFloat](), reflect.TypeFor[[3][2]BitFloat](), record(f[[2]BitFloat]("A"), f[[1][4]BitFloat]("B"))}},
		{"an array that is not unrolled", "int 0..1;float32;2 x;. int 0..1;. float32", []reflect.Type{
			record(f[BitFloat]("A"), f[[2]BitFloat]("B"))}},
		{"bits", "4 x int 0..1", []reflect.Type{
			reflect.TypeFor[[4]bool](), fieldOf[[4]uint8]("bits=1"), fieldOf[[4]bits.Int128]("min=0,max=1"), fieldOf[[4]int16]("fixed,frac=0,min=0,max=1")}},
		{"full ranges", "int 0..18446744073709551615", []reflect.Type{
			reflect.TypeFor[uint64](), reflect.TypeFor[uint](), fieldOf[uint64]("min=0,max=0xFFFFFFFFFFFFFFFF"), fieldOf[bits.Uint128]("min=0,max=0xFFFFFFFFFFFFFFFF")}},
		{"128 bits", "int 0..340282366920938463463374607431768211455", []reflect.Type{
			reflect.TypeFor[bits.Uint128](), fieldOf[bits.Uint128]("min=0,max=0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF")}},
		{"two's complement is no range", "int8", []reflect.Type{reflect.TypeFor[int8](), fieldOf[int8]("bits=8"), fieldOf[int64]("bits=8")}},
		{"nor the same as one", "int -128..127", []reflect.Type{fieldOf[int8]("min=-128,max=127"), fieldOf[int64]("min=-128,max=127")}},
		{"no bits", "", []reflect.Type{
			reflect.TypeFor[struct{}](), fieldOf[int8]("min=-3,max=-3"), reflect.TypeFor[[9]empty](), reflect.TypeFor[[3]seven](), fieldOf[[3]uint16]("enum,max=0"),
			fieldOf[[]bool]("maxlen=0"), fieldOf[map[string]bool]("maxlen=0,key.maxlen=3"), fieldOf[string]("wstring,maxlen=0"),
			fieldOf[[0]*bool](""), fieldOf[[0]*bool]("subset=auto"), fieldOf[map[uint8]uint8]("maxlen=1,minlen=1,key.min=3,key.max=3,min=4,max=4"),
			fieldOf[bits.Int128]("min=-3,max=-3")}},
		{"neighbors of values without bits", "2 x int 0..1", []reflect.Type{
			record(f[bool]("A"), f[uint8]("K min=7,max=7"), f[bool]("B"))}},
		{"alignment", "align", []reflect.Type{
			fieldOf[string]("maxlen=0"), fieldOf[[0]byte]("bytes"), fieldOf[[1]byte]("cstring"), fieldOf[struct{}]("align"), fieldOf[[3]string]("maxlen=0"),
			record(f[struct{}]("_ align"), f[struct{}]("_ align"))}},
		{"a fixed number of bytes", "bytes 4..4", []reflect.Type{fieldOf[[4]byte]("bytes"), fieldOf[string]("bytes,minlen=4,maxlen=4"), fieldOf[[]byte]("bytes,minlen=4,maxlen=4")}},
		{"slices of a fixed length", "4 x int 0..3", []reflect.Type{fieldOf[[4]uint8]("bits=2"), fieldOf[[]uint8]("bits=2,minlen=4,maxlen=4"),
			fieldOf[[][]uint8]("bits=2,minlen=2,maxlen=2,elem.minlen=2,elem.maxlen=2")}},
		{"subsets of a fixed length", "subset bitmap of 4;. int 0..255", []reflect.Type{fieldOf[[4]*uint8]("subset=bitmap"), fieldOf[[]*uint8]("subset=bitmap,minlen=4,maxlen=4")}},
		{"a chain of one", "relative -128..127 to 4", []reflect.Type{
			fieldOf[int8]("relative,base=4"), fieldOf[[1]struct {
				X int8 `bp:"relative,chain,base=4"`
			}](""), fieldOf[[]int8]("relative,base=4,minlen=1,maxlen=1")}},
		{"chains do not join", "2 x array 3;. relative -128..127 chained from -1", []reflect.Type{
			fieldOf[[2][3]int8]("relative,chain"), record(f[[3]int8]("A relative,chain"), f[[3]int8]("B relative,chain")), fieldOf[[2][]int8]("relative,minlen=3,maxlen=3")}},
		{"stretches", "rle of 6;. int 0..1", []reflect.Type{fieldOf[[6]bool]("rle"), fieldOf[[]uint8]("bits=1,rle,minlen=6,maxlen=6"),
			record(f[[2][3]int64]("B min=0,max=1,rle"), f[[0]bool]("C rle"))}},
		{"several stretches", "2 x rle of 6;. int 0..1", []reflect.Type{fieldOf[[2][]bool]("rle,minlen=6,maxlen=6"), fieldOf[[2]struct{ A [6]bool }]("rle")}},
		{"listed values", "common 1;. int 0..1", []reflect.Type{fieldOf[bool]("common=true"), fieldOf[int64]("min=0,max=1,common=1"), fieldOf[bits.Int128]("min=0,max=1,common=1")}},
		{"maps", "map 0..1;. key;. . int 0..1;. value;. . int 0..255", []reflect.Type{
			fieldOf[map[bool]uint8]("maxlen=1"), fieldOf[map[int8]uint16]("maxlen=1,key.min=0,key.max=1,max=255,min=0")}},
		{"a recursive type and its content", "optional;. call 0", []reflect.Type{
			reflect.TypeFor[ring](), reflect.TypeFor[*ring](), reflect.TypeFor[struct{ R ring }](), reflect.TypeFor[struct{ A *struct{ B ring } }]()}},
		{"recursive types with the same content", "optional;. call 0;int 0..255", []reflect.Type{
			reflect.TypeFor[first](), reflect.TypeFor[second](), reflect.TypeFor[alone](), record(f[*second]("A"), f[uint8]("B"))}},
		{"calls of equal types", "2 x call 1;part 1;optional;. call 1;int 0..255", []reflect.Type{
			reflect.TypeFor[[2]alone](), record(f[first]("A"), f[second]("B")), record(f[alone]("A"), f[first]("B"))}},
		{"recursive types with other content", "optional;. call 1;int 0..255;part 1;optional;. call 0;int 0..127", []reflect.Type{reflect.TypeFor[odd]()}},
		{"recursive types that call others", "call 1;call 2;part 1;optional;. call 1;optional;. call 3;part 2;optional;. call 2;optional;. call 4;" +
			"part 3;optional;. call 4;int 0..255;part 4;optional;. call 3;int 0..127", []reflect.Type{record(f[toOdd]("A"), f[toEven]("B"))}},
		{"members of unions by index", "union 1 2;part 1;int 0..255;part 2;int 0..1", []reflect.Type{fieldOf[fruit]("union"), fieldOf[plant]("union")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := "bitpack 2\n"
			if tt.text != "" {
				want += strings.ReplaceAll(tt.text, ";", "\n") + "\n"
			}
			for _, typ := range tt.types {
				plan, err := typecache.Build(typ, options)
				require.NoError(t, err)
				require.Equal(t, want, plan.Text(), "%v", typ)
			}
		})
	}
}

type BitFloat struct {
	A bool
	B float32
}

// TestNormalFormOfReferences checks that references count leaves back, as if
// arrays were unrolled, and that the values of constants are used.
func TestNormalFormOfReferences(t *testing.T) {
	for _, tt := range []struct {
		name string
		text string
		typ  reflect.Type
	}{
		{"over an array of structs", "int 0..1;3 x;. int 0..1;. float32;if back 7 != 0x0;. int8", record(f[bool]("On"), f[[3]BitFloat]("A"), f[int8]("B if=On"))},
		{"over a block, which is one leaf", "int 0..1;slice 0..3;. 2 x int 0..1;if back 2 == 0x0;. int8", record(f[bool]("On"), f[[][2]bool]("A maxlen=3"), f[int8]("B if=!On"))},
		{"to one of several", "3 x int 0..255;relative 0..65535 to back 2", reflect.TypeFor[struct {
			A, B, C uint8
			D       uint16 `bp:"relative,to=B"`
		}]()},
		{"that repeat", "int 0..1;3 x if back 1 != 0x0;. int 0..1", reflect.TypeFor[struct {
			A bool
			B bool `bp:"if=A"`
			C bool `bp:"if=B"`
			D bool `bp:"if=C"`
		}]()},
		{"in an array of one", "2 x int 0..1;if back 1 != 0x0;. int8", reflect.TypeFor[struct {
			A bool
			B [1]struct {
				On bool
				C  int8 `bp:"if=On"`
			}
		}]()},
		{"tests of a bit", "int 0..1;if back 1 != 0x0;. int8;if back 2 != 0x0;. int16;if back 3 == 0x0;. int32", reflect.TypeFor[struct {
			A uint8 `bp:"bits=1"`
			B int8  `bp:"if=A&1"`
			C int16 `bp:"if=A!=0"`
			D int32 `bp:"if=A!=1"`
		}]()},
		{"to constants", "int8;int32;relative 0..255 to 5", reflect.TypeFor[struct {
			K uint8 `bp:"min=5,max=5"`
			A int8  `bp:"if=K"`
			B int16 `bp:"if=!K"`
			C int32 `bp:"if=K&4"`
			D uint8 `bp:"relative,to=K"`
		}]()},
		{"to a constant under the same condition", "int 0..1;if back 1 != 0x0;. int8", reflect.TypeFor[struct {
			On bool
			S  struct {
				K uint8 `bp:"min=5,max=5"`
				A int8  `bp:"if=K==5"`
			} `bp:"if=On"`
		}]()},
		{"to a constant under another condition, which stays", "int 0..1;if back 1 != 0x0;. int 5..5;if back 1 != 0x0;. int8", record(f[bool]("On"), f[uint8]("K min=5,max=5,if=On"), f[int8]("A if=K"))},
		{"to what is never sent", "int16", reflect.TypeFor[struct {
			K uint8 `bp:"min=1,max=1"`
			A bool  `bp:"if=!K"`
			B int8  `bp:"if=A"`
			C int16 `bp:"if=!A"`
		}]()},
		{"to the bool of a subset", "subset bitmap of 3;. int8", fieldOf[[3]struct {
			On bool
			A  int8  `bp:"if=On"`
			B  int16 `bp:"if=!On"`
		}]("subset=bitmap,by=On")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, "bitpack 2\n"+strings.ReplaceAll(tt.text, ";", "\n")+"\n", planOf(t, tt.typ).Text())
		})
	}
}

// TestNormalFormOfOptionalValues checks that a constant in an optional value
// stays in the text if the value cannot be zero because of it.
func TestNormalFormOfOptionalValues(t *testing.T) {
	type zero struct {
		K uint8 `bp:"min=0,max=0"`
		A bool
	}
	type five struct {
		K uint8 `bp:"min=5,max=5"`
		A bool
	}
	require.Equal(t, "bitpack 2\nunless zero\n. int 0..1\n", planOf(t, fieldOf[zero]("optional")).Text())
	require.Equal(t, "bitpack 2\nunless zero\n. int 5..5\n. int 0..1\n", planOf(t, fieldOf[five]("optional")).Text())
	require.Equal(t, "bitpack 2\nunless zero\n. optional\n. . int 0..1\n", planOf(t, fieldOf[struct{ P *five }]("optional")).Text())
	require.Equal(t, "bitpack 2\nunless zero\n. call 1\npart 1\nint 5..5\noptional\n. call 1\n", planOf(t, fieldOf[fixed]("optional")).Text())
	require.Equal(t, "bitpack 2\nunless zero\n. optional\n. . call 1\npart 1\noptional\n. call 1\n", planOf(t, fieldOf[struct{ P *fixed }]("optional")).Text())
	require.Equal(t, planOf(t, reflect.TypeFor[ring]()).Text(), planOf(t, reflect.TypeFor[wraps]()).Text())
	require.NotEqual(t, planOf(t, fieldOf[[2]byte]("bytes,optional")).Text(), planOf(t, fieldOf[string]("bytes,minlen=2,maxlen=2,optional")).Text(),
		"two zero bytes are refused only in an array")
}

// TestNormalFormOfHugeArrays checks that the text of arrays of arrays does not
// grow with their lengths, and that no count overflows.
func TestNormalFormOfHugeArrays(t *testing.T) {
	type bit struct {
		_ struct{} `bp:"const,bits=1,value=1"`
	}
	require.Equal(t, "bitpack 2\n1073741824 x const 1 bits 0x1\n", planOf(t, reflect.TypeFor[[1 << 20][1 << 10]bit]()).Text())
	require.Equal(t, "bitpack 2\n1073741824 x\n. 1152921504606846976 x const 1 bits 0x1\n", planOf(t, reflect.TypeFor[[1 << 30][1 << 30][1 << 30]bit]()).Text())
}

// TestTextWithPaths checks that the paths name everything that a line
// describes, and that the text does not contain them.
func TestTextWithPaths(t *testing.T) {
	plan := planOf(t, reflect.TypeFor[struct {
		On    bool
		Spots [3]struct{ X, Y float32 } `bp:"if=On"`
		Names [2]struct {
			S string `bp:"maxlen=3"`
			B bool
		}
		Ring *ring
	}]())
	require.Equal(t, "bitpack 2\nint 0..1\tOn\nif back 1 != 0x0\tSpots\n. 6 x float32\tSpots[].X, Spots[].Y\n2 x\tNames\n. string 0..3\tNames[].S\n. int 0..1\tNames[].B\n"+
		"optional\tRing\n. call 1\tRing\npart 1\tring\noptional\tring.Next\n. call 1\tring.Next\n", plan.TextWithPaths())
	var bare []string
	for line := range strings.Lines(plan.TextWithPaths()) {
		line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		bare = append(bare, line)
	}
	require.Equal(t, plan.Text(), strings.Join(bare, "\n")+"\n")
}

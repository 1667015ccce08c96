package typecache_test

import (
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/internal/sealed"
	"github.com/gobitpack/bitpack/typecache"
	"github.com/stretchr/testify/require"
)

// sized is a type and the sizes in bits of its shortest and longest messages.
type sized struct {
	name     string
	typ      reflect.Type
	min, max int
	reason   string
}

func runSized(t *testing.T, rows []sized) {
	t.Helper()
	for _, tt := range rows {
		t.Run(tt.name, func(t *testing.T) {
			plan, err := typecache.Of(tt.typ)
			require.NoError(t, err)
			require.Equal(t, tt.min, plan.MinBits(), tt.reason)
			require.Equal(t, tt.max, plan.MaxBits(), tt.reason)
		})
	}
}

// TestSizes compares sizes with those that follow from the layout of the message.
func TestSizes(t *testing.T) {
	type self struct {
		_ struct{} `bp:"reserved,bits=5"`
		C custom
	}
	runSized(t, []sized{
		{"nothing", reflect.TypeFor[struct{}](), 0, 0, "no field"},
		{"one value", fieldOf[int32]("min=7,max=7"), 0, 0, "a range of one value takes no bits"},
		{"a power of two as span", fieldOf[int32]("min=0,max=256"), 9, 9, "bit length of 256"},
		{"all of int64", fieldOf[int64]("min=-0x8000000000000000,max=0x7FFFFFFFFFFFFFFF"), 64, 64, "the span is 2^64-1"},
		{"int and uint", record(f[int]("A"), f[uint]("B")), 128, 128, "64 bits on every machine"},
		{"varint of 16 bits", fieldOf[uint16]("varint"), 8, 24, "3 groups of 7 bits"},
		{"expgolomb of 16 bits", fieldOf[uint16]("expgolomb"), 1, 33, "65535 has 16 zeros, a one and 16 bits"},
		{"expgolombs of order 3", fieldOf[[2]int16]("expgolomb,k=3"), 8, 60, "a one and 3 bits, or 13 zeros, a one and 16 bits"},
		{"pointer", reflect.TypeFor[struct{ A *int32 }](), 1, 33, "1 bit says whether it is there"},
		{"text in an array", fieldOf[[9]byte]("cstring"), 8, 72, "a length to 8 takes 4 bits, align, 8 bytes"},
		{"string without room", record(f[bool]("A"), f[string]("B maxlen=0")), 8, 8, "no length, and it aligns all the same"},
		{"minimal length", fieldOf[[]uint8]("bytes,minlen=2,maxlen=5"), 24, 48, "a length of 2 to 5 takes 2 bits, align, 2 to 5 bytes"},
		{"slice of a fixed length", fieldOf[[]uint16]("minlen=3,maxlen=3"), 48, 48, "no count"},
		{"map", fieldOf[map[uint8]string]("maxlen=3,elem.maxlen=1"), 2, 2 + 3*(8+1+7+8), "2 of count; an entry is 8 + 1 of length, alignment and a byte"},

		{"align at the start", record(f[struct{}]("_ align"), f[bool]("A")), 1, 1, "there is nothing to fill"},
		{"align after a fixed prefix", record(f[[3]uint8]("A uint,bits=3"), f[struct{}]("_ align")), 16, 16, "9 bits fill up to 16"},
		{"align after a prefix that moves by bytes", record(f[bool]("A"), f[uint32]("B varint"), f[struct{}]("_ align")), 16, 48, "1 + 8 to 40 always lack 7"},
		{"align after a pointer to bytes", record(f[*uint8]("A"), f[struct{}]("_ align")), 8, 16, "1 or 9 lack 7"},
		{"align after a variable prefix", record(f[bool]("A"), f[uint8]("B uint,bits=3,if=A"), f[struct{}]("_ align")), 1, 11, "1 or 4, then 0 to 7: the bounds hold, and are not met"},
		{"align after a relative", record(f[int32]("A relative,base=0"), f[struct{}]("_ align")), 1, 45, "1 to 38, then 0 to 7"},
		{"align again", reflect.TypeFor[struct {
			A int32    `bp:"relative,base=0"`
			_ struct{} `bp:"align"`
			B bool
			C [2]byte `bp:"bytes"`
		}](), 1 + 1 + 7 + 16, 45 + 1 + 7 + 16, "after an alignment the place is known again"},
		{"align in elements of whole bytes", reflect.TypeFor[struct {
			A []struct {
				B uint8    `bp:"uint,bits=5"`
				_ struct{} `bp:"align"`
			} `bp:"maxlen=7"`
			C [1]byte `bp:"bytes"`
		}](), 3 + 8, 3 + 7*(5+7) + 7 + 8,
			"the first element lacks 0 and the others 3, and without any C lacks 5: the bounds hold, and are not met"},
		{"align after elements of whole bytes", record(f[[]uint8]("A min=0,max=255,maxlen=7"), f[struct{}]("_ align")), 8, 64, "3 of count + 8 each lack 5"},
		{"align after elements of 3 bits", record(f[[]uint8]("A uint,bits=3,maxlen=3"), f[struct{}]("_ align")), 2, 2 + 9 + 7, "the count decides where it is"},
		{"align after 3 elements of 3 bits", record(f[[3]struct{ B Three }]("A uint,bits=3"), f[struct{}]("_ align")), 16, 16, "9 bits fill up to 16"},
		{"align under a condition", record(f[bool]("A"), f[struct{}]("_ align,if=A"), f[bool]("B")), 2, 9, "1 or 8, then 1"},

		{"rle: array", fieldOf[[6]uint8]("bits=2,rle"), 5 + 2, 6 * 3, "6 elements have a length of 5 bits"},
		{"rle: array of one", fieldOf[[1]bool]("rle"), 2, 2, "its length takes a bit"},
		{"rle: array of arrays", fieldOf[[16][16]uint8]("rle"), 17 + 8, 256 * 9, "256 elements have a length of 17 bits"},
		{"rle: the longest stretch", fieldOf[[511]uint8]("bits=2,rle"), 17 + 2, 511 * 3, "the same 17 bits"},
		{"rle: more than the longest stretch", fieldOf[[1024]uint8]("bits=2,rle"), 2*(17+2) + 3 + 2, 1024 * 3, "511, 511 and 2"},
		{"rle: none", record(f[[0][3]uint8]("A rle"), f[bool]("B")), 1, 1, "nothing is sent"},
		{"rle: slice", fieldOf[[]uint8]("bits=2,rle,maxlen=7"), 3, 3 + 7*3, "a count, and nothing else if it is 0"},
		{"rle: slice of at least 4", fieldOf[[]uint8]("bits=2,rle,minlen=4,maxlen=7"), 2 + 5 + 2, 2 + 7*3, "4 elements have a length of 5 bits"},
		{"rle: align after one", record(f[[1]uint8]("A bits=2,rle"), f[struct{}]("_ align")), 8, 8, "3 lack 5"},

		{"one array too long to count", fieldOf[[][][]uint64]("maxlen=2147483647,elem.maxlen=2147483647,elem.elem.maxlen=2147483647"), 31, typecache.Unbounded, "2^31 * 2^31 * 2^31 * 64 is more than an int holds"},
		{"a least length too long to count", record(f[uint64]("B"), f[[][][]uint64]("A minlen=2147483647,maxlen=2147483647,elem.minlen=2147483647,elem.maxlen=2147483647,elem.elem.minlen=2147483647,elem.elem.maxlen=2147483647")), typecache.Unbounded, typecache.Unbounded, "saturated, and not wrapped around"},
		{"recursive slice", reflect.TypeFor[Tree](), 3, typecache.Unbounded, "a leaf is a count of 0; there is no deepest tree"},
		{"recursive pointer", reflect.TypeFor[Chain](), 33, typecache.Unbounded, "32 and a bit"},
		{"recursive type as a field", record(f[bool]("A"), f[[2]Tree]("T"), f[bool]("B")), 8, typecache.Unbounded, "1 + 2*3 + 1"},
		{"recursive types in a ring", reflect.TypeFor[ringA](), 2 + 1, typecache.Unbounded,
			"A is B and a bit, B is C, C is D and a bit, D is a bit; the last is met first"},
		{"serializes itself", reflect.TypeFor[self](), 5, typecache.Unbounded, "it may write nothing, and has no bound"},
		{"serializes itself in a slice", fieldOf[[]custom]("minlen=2,maxlen=3"), 3, typecache.Unbounded, "1 of count, and an element of a counted list takes a bit at least"},
		{"no fields but a pointer to itself in a custom type", reflect.TypeFor[holdsCustom](), 8, typecache.Unbounded,
			"what a type that serializes itself holds is its own affair"},
	})
}

// TestRunLengthCosts checks that the bits of an element with rle are all accounted for, once.
func TestRunLengthCosts(t *testing.T) {
	p, err := typecache.Of(record(f[[6]uint8]("A bits=2,rle"), f[[]uint8]("B bits=2,rle,maxlen=7")))
	require.NoError(t, err)
	sum := map[string]int{}
	for x := range sealed.PlanOf(p).Tree().All() {
		sum[x.Path] += x.Times * sealed.PlanOf(p).MostBits(x.Op)
	}
	require.Equal(t, map[string]int{"A": 18, "B": 24}, sum)
}

// TestLargeSizes checks that sizes that fit an int on 64-bit machines only are
// exact there and saturated elsewhere.
func TestLargeSizes(t *testing.T) {
	saturated := func(n uint64) int { return int(min(n, typecache.Unbounded)) }
	const many, most = 1 << 28, 1<<31 - 1 // elements of the arrays, and of the longest slice
	type optional struct {
		On bool
		A  uint8
	}
	var rows []sized
	add := func(name string, typ reflect.Type, min, max uint64, reason string) {
		rows = append(rows, sized{name, typ, saturated(min), saturated(max), reason})
	}
	add("raw bytes", fieldOf[[many]byte]("bytes"), 8*many, 8*many, "8 bits each")
	add("a least length of bytes", fieldOf[[]byte]("bytes,minlen=1073741824,maxlen=2147483647"), 32+8<<30, 32+8*most, "30 bits of count align to 32")
	add("varints", fieldOf[[many]uint8]("varint"), 8*many, 2*8*many, "a group or two")
	add("relative integers", fieldOf[[many]uint8]("relative,base=-1"), many, 38*many, "1 to 38 bits")
	add("a bitmap", fieldOf[[many]optional]("subset=bitmap,by=On"), many, 9*many, "a bit and 8")
	add("indices", fieldOf[[many]optional]("subset=index,by=On"), 29, 29+(28+8)*many, "29 of count, 28 of each index")
	add("indices to a sentinel", fieldOf[[many]optional]("subset=sentinel,by=On"), 29, 29+(29+8)*many, "29 of each index and of the sentinel")
	add("relative indices", fieldOf[[many]optional]("subset=relative,by=On"), 1, 1+9*many, "a bit of each index and of the sentinel")
	add("relative indices of bits", fieldOf[[1 << 30]struct{ On bool }]("subset=relative,by=On"), 1, 2+2<<30, "2 bits a step")
	runSized(t, rows)
}

type Three uint8

// A ring of types. Each holds the next one, and the last holds a pointer to the
// first.
type (
	ringA struct {
		On bool
		B  ringB
	}
	ringB struct{ C ringC }
	ringC struct {
		On bool
		D  ringD
	}
	ringD struct{ A *ringA }
)

type custom struct{ n uint8 }

func (c *custom) Serialize(s *bits.Stream) error {
	bits.Bits(s, &c.n, 8)
	return s.Err()
}

type holdsCustom struct {
	A     uint8
	Owner owner
}

type owner struct{ Holder *holdsCustom }

func (o *owner) Serialize(s *bits.Stream) error { return s.Err() }

package typecache_test

import (
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobitpack/bitpack/bits"
)

// badStructs has types without an encoding, tags in places where no tag is allowed, and
// wrong struct{} fields.
var badStructs = []bad{
	{"no type", nil},
	{"interface", reflect.TypeFor[struct{ A any }]()},
	{"channel", reflect.TypeFor[struct{ A chan int }]()},
	{"function", reflect.TypeFor[struct{ A func() }]()},
	{"unexported field with a tag", record(f[int32]("health int,min=0,max=9"))},
	{"blank field with a tag", record(f[int32]("_ int"))},
	{"blank field with bits", record(f[uint8]("_ bits=3"))},
	{"blank bool with a tag", record(f[bool]("_ optional"))},
	{"blank struct with a tag", record(f[Health]("_ optional"))},
	{"embedded pointer to an unexported type", reflect.TypeFor[struct{ *hidden }]()},
	{"pointer to itself", reflect.TypeFor[struct{ A Ring }]()},
	{"pointer to itself with a binary form", fieldOf[Ring]("binary,maxlen=4")},
	{"options for a recursive struct", fieldOf[Tree]("maxlen=4")},
	{"options for a struct whose fields have their own", fieldOf[Tagged]("half")},
	{"options that a field of the struct does not take", fieldOf[Mixed]("half")},
	{"options that lack something for the fields", fieldOf[Vec3]("min=0,max=1")},
	{"options that are wrong for the fields of elements", fieldOf[[]Vec3]("min=0,max=1,res=0,maxlen=3")},
	{"options for a struct without fields", fieldOf[Marker]("half")},
	{"options for a type that serializes itself", fieldOf[own]("maxlen=4")},
	{"binary for a type that serializes itself", fieldOf[own]("binary,maxlen=4")},
	{"fault in a recursive struct", reflect.TypeFor[Bush]()},
	{"fault in an anonymous struct that is recursive", reflect.TypeFor[Weed]()},
	{"fault two structs down", reflect.TypeFor[struct{ Squad Squad }]()},
	{"align on a named type", fieldOf[Marker]("align")},
	{"align on an int", fieldOf[int32]("align")},
	{"const with its options on an int", fieldOf[uint8]("const,bits=2,value=1")},
	{"align on an array", fieldOf[[2]struct{}]("align")},
	{"int on a struct{}", record(f[struct{}]("_ int,min=0,max=4"))},
	{"no kind on a struct{}", record(f[bool]("A"), f[bool]("B"), f[struct{}]("_ bits=4"))},
	{"align with bits", record(f[struct{}]("_ align,bits=4"))},
	{"reserved without bits", record(f[struct{}]("_ reserved"))},
	{"reserved of 65 bits", record(f[struct{}]("_ reserved,bits=65"))},
	{"const without a value", record(f[struct{}]("_ const,bits=4"))},
	{"const above its bits", record(f[struct{}]("_ const,bits=4,value=16"))},
	{"const below zero", record(f[struct{}]("_ const,bits=64,value=-1"))},
	{"check above 32 bits", record(f[struct{}]("_ check,value=0x100000000"))},
	{"const without bits", record(f[struct{}]("_ const,value=4"))},
	{"check with a value that is no integer", record(f[struct{}]("_ check,value=abc"))},
}

// Types whose values would silently not be sent.
type (
	Purse   struct{ coins int32 }
	Pocket  struct{ Purse }
	Padded  struct{ _ [4]byte }
	Mark    struct{}
	Pinned  struct{ at [0]func() }
	LeftOut struct {
		coins int32
		Kills int32 `bp:"-"`
	}
	Guarded struct {
		mu    sync.Mutex
		Kills int32
	}
	Unlocked struct {
		sync.Mutex `bp:"-"`
		Kills      int32
	}
	Marked struct {
		coins int32
		_     struct{} `bp:"check"`
	}
	Built   struct{ hidden }
	Nothing struct{ leftOut }
	leftOut struct {
		A int32 `bp:"-"`
	}
)

var _ = []any{Purse{}.coins, LeftOut{}.coins, Marked{}.coins, &Guarded{mu: sync.Mutex{}}, Pinned{}.at}

// Structs with a method Serialize that does not implement bits.Serializer.
type (
	NoErr    struct{ N int32 }
	ByValue  struct{ N int32 }
	Counting struct{ N int32 }
	ToText   struct{ N int32 }
	Several  struct{ N int32 }
	lower    struct{ N int32 }
)

func (*NoErr) Serialize(*bits.Stream)                   {}
func (ByValue) Serialize(bits.Stream) error             { return nil }
func (*Counting) Serialize(*bits.Stream) (int, error)   { return 0, nil }
func (*ToText) Serialize(*strings.Builder)              {}
func (*Several) Serialize(*bits.Stream, ...int) error   { return nil }
func (*lower) serialize(*bits.Stream)                   {}
func (*Padded) Serialise(*bits.Stream)                  {}
func (*Mark) MarshalSerialize(*bits.Stream) (err error) { return nil }

var _ = (*lower).serialize

// badSilence has types with values that would not be sent, and methods Serialize that
// nothing would call.
var badSilence = []bad{
	{"hidden fields alone", reflect.TypeFor[struct{ A Purse }]()},
	{"of the library", reflect.TypeFor[struct{ Kills atomic.Int64 }]()},
	{"behind a pointer", reflect.TypeFor[struct{ A *big.Int }]()},
	{"in elements", fieldOf[[]strings.Builder]("maxlen=3")},
	{"embedded", reflect.TypeFor[Pocket]()},
	{"no error", reflect.TypeFor[struct{ A NoErr }]()},
	{"stream by value", reflect.TypeFor[ByValue]()},
	{"two results", reflect.TypeFor[struct{ A *Counting }]()},
}

// badSequences has text, bytes, slices, maps and binary forms that lack a bound or have an
// option that does not apply.
var badSequences = []bad{
	{"slice without a bound", reflect.TypeFor[struct{ A []int32 }]()},
	{"string without a bound", reflect.TypeFor[struct{ A string }]()},
	{"map without a bound", reflect.TypeFor[struct{ A map[int8]int32 }]()},
	{"keys without a bound", fieldOf[map[string]int32]("maxlen=4")},
	{"strings of a map without a bound", fieldOf[map[int32]string]("maxlen=4")},
	{"strings of an array without a bound", fieldOf[[2]string]("string")},
	{"slices three deep without the last bound", fieldOf[[][][]int32]("maxlen=4,elem.maxlen=4")},
	{"string in a struct of a slice", fieldOf[[]struct{ N string }]("maxlen=4")},
	{"slice that is no field", reflect.TypeFor[[]int32]()},
	{"string that is no field", reflect.TypeFor[string]()},
	{"slice in an array that is no field", reflect.TypeFor[[3][]int]()},
	{"negative bound", fieldOf[[]int32]("maxlen=-1")},
	{"bound above 31 bits", fieldOf[[]int32]("maxlen=2147483648")},
	{"minlen above maxlen", fieldOf[[]int32]("maxlen=4,minlen=5")},
	{"min of a string", fieldOf[string]("maxlen=4,min=1")},
	{"wstring of bytes", fieldOf[[]byte]("wstring,maxlen=4")},
	{"string of an array", fieldOf[[4]byte]("string,maxlen=4")},
	{"cstring without room for its zero", fieldOf[[0]byte]("cstring")},
	{"bytes of an array of int32", fieldOf[[4]int32]("bytes")},
	{"elements without bits", fieldOf[[]struct{}]("maxlen=4")},
	{"elements of one value", fieldOf[[]int8]("min=3,max=3,maxlen=4")},
	{"elements that a condition may leave out", fieldOf[[]Optional]("maxlen=4")},
	{"entries of a map without bits", fieldOf[map[int8][0]int8]("maxlen=4,key.min=0,key.max=0")},
	{"options of keys on a slice", fieldOf[[]float32]("half,maxlen=4,key.min=0")},
	{"options of elements on a scalar", fieldOf[int32]("elem.min=0,elem.max=3")},
	{"condition on each element", record(f[bool]("B"), f[[]int8]("A maxlen=3,elem.if=B"))},
	{"keys that are floats", fieldOf[map[float32]int8]("maxlen=4")},
	{"keys out of their type", fieldOf[map[int8]int8]("maxlen=4,key.min=0,key.max=300")},
	{"option that a key does not take", fieldOf[map[int8]int8]("maxlen=4,key.res=0")},
	{"type with a binary form and no tag", reflect.TypeFor[struct{ A time.Time }]()},
	{"binary without a bound", fieldOf[time.Time]("binary")},
	{"binary with a range", fieldOf[netip.Addr]("binary,maxlen=16,min=1")},
	{"binary of an int", fieldOf[int32]("binary,maxlen=16")},
	{"more than there are", fieldOf[map[bool]uint8]("maxlen=10,minlen=3")},
}

// badStretches has wrong uses of the option rle, which is for scalars of a fixed size, in
// an array or a slice.
var badStretches = []bad{
	{"a scalar", fieldOf[uint8]("rle")},
	{"a value", fieldOf[[4]uint8]("rle=3")},
	{"varints", fieldOf[[4]uint8]("varint,rle")},
	{"integers of 128 bits", fieldOf[[4]bits.Uint128]("rle")},
	{"values without bits", fieldOf[[4]uint8]("min=3,max=3,rle")},
	{"slices", fieldOf[[][]uint8]("rle,maxlen=3,elem.maxlen=4")},
	{"structs", fieldOf[[]struct{ B uint8 }]("rle,maxlen=3")},
	{"listed values", fieldOf[[4]uint8]("rle,common=3")},
	{"optional elements", fieldOf[[]uint16]("rle,optional,maxlen=4")},
	{"relative integers", fieldOf[[]uint16]("relative,base=3,rle,maxlen=4")},
	{"text", fieldOf[string]("rle,maxlen=4")},
	{"slice without a bound", fieldOf[[]uint16]("rle")},
	{"array of numbers with a bound", fieldOf[[4]uint8]("maxlen=3")},
	{"arrays of floats with a bound", fieldOf[[4][3]float32]("half,minlen=3")},
	{"cstring with a bound", fieldOf[[4]byte]("cstring,maxlen=3")},
	{"array with a bound", fieldOf[[4]uint8]("rle,maxlen=3")},
	{"array of structs with a bound", fieldOf[[32]struct{ X [2]uint8 }]("maxlen=32")},
	{"array with the field of its length", record(f[int]("NumElements min=0,max=32"), f[[32]struct{ X uint8 }]("Elements len=NumElements"))},
	{"array with the field of its length as a bound", record(f[int]("NumElements min=0,max=32"), f[[32]uint32]("Elements maxlen=NumElements"))},
}

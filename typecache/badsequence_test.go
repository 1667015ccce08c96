package typecache_test

import (
	"net/netip"
	"reflect"
	"testing"
	"time"
)

// TestBadSequences has text, bytes, slices, maps and binary forms that lack a
// bound or have an option that does not apply.
func TestBadSequences(t *testing.T) {
	runBad(t, []bad{
		{"slice without a bound", reflect.TypeFor[struct{ A []int32 }](),
			"struct.A: []int32 needs a largest length: add maxlen="},
		{"slice with a tag, but no bound", reflect.TypeFor[struct {
			A []int32 `bp:"min=0,max=3"`
		}](),
			"struct.A: []int32 needs a largest length: add maxlen="},
		{"bytes without a bound", reflect.TypeFor[struct{ A []byte }](),
			"struct.A: []uint8 needs a largest length: add maxlen="},
		{"string without a bound", reflect.TypeFor[struct{ A string }](),
			"struct.A: string needs a largest length: add maxlen="},
		{"string with a tag, but no bound", reflect.TypeFor[struct {
			A string `bp:"string"`
		}](),
			"struct.A: string needs a largest length: add maxlen="},
		{"map without a bound", reflect.TypeFor[struct{ A map[int8]int32 }](),
			"struct.A: map[int8]int32 needs a largest length: add maxlen="},
		{"keys without a bound", reflect.TypeFor[struct {
			A map[string]int32 `bp:"maxlen=4"`
		}](),
			"struct.A (key): string needs a largest length: add key.maxlen="},
		{"strings of a map without a bound", reflect.TypeFor[struct {
			A map[int32]string `bp:"maxlen=4"`
		}](),
			"struct.A: string needs a largest length: add elem.maxlen="},
		{"strings of a slice without a bound of their own", reflect.TypeFor[struct {
			A []string `bp:"string,maxlen=4"`
		}](),
			"struct.A: string needs a largest length: add elem.maxlen="},
		{"strings of an array without a bound", reflect.TypeFor[struct {
			A [2]string `bp:"string"`
		}](),
			"struct.A: string needs a largest length: add maxlen="},
		{"slices of a slice without a bound of their own", reflect.TypeFor[struct {
			A [][]int32 `bp:"maxlen=4"`
		}](),
			"struct.A: []int32 needs a largest length: add elem.maxlen="},
		{"slices three deep without the last bound", reflect.TypeFor[struct {
			A [][][]int32 `bp:"maxlen=4,elem.maxlen=4"`
		}](),
			"struct.A: []int32 needs a largest length: add elem.elem.maxlen="},
		{"string in a struct of a slice", reflect.TypeFor[struct {
			A []struct{ N string } `bp:"maxlen=4"`
		}](),
			"struct.A.N: string needs a largest length: add maxlen="},
		{"slice that is no field", reflect.TypeFor[[]int32](),
			"[]int32: []int32 needs a largest length, which only the tag of a field can give: make it a field of a struct, with maxlen="},
		{"string that is no field", reflect.TypeFor[string](),
			"string: string needs a largest length, which only the tag of a field can give: make it a field of a struct, with maxlen="},
		{"map that is no field", reflect.TypeFor[map[int]int](),
			"map[int]int: map[int]int needs a largest length, which only the tag of a field can give: make it a field of a struct, with maxlen="},
		{"slice in an array that is no field", reflect.TypeFor[[3][]int](),
			"[3][]int: []int needs a largest length, which only the tag of a field can give: make it a field of a struct, with maxlen="},
		{"negative bound", reflect.TypeFor[struct {
			A []int32 `bp:"maxlen=-1"`
		}](),
			`struct.A: option "maxlen" must be in [0, 2147483647], not -1`},
		{"bound above 31 bits", reflect.TypeFor[struct {
			A []int32 `bp:"maxlen=2147483648"`
		}](),
			`struct.A: option "maxlen" must be in [0, 2147483647], not 2147483648`},
		{"minlen above maxlen", reflect.TypeFor[struct {
			A []int32 `bp:"maxlen=4,minlen=5"`
		}](),
			`struct.A: option "minlen" must be in [0, 4], not 5`},
		{"minlen without maxlen", reflect.TypeFor[struct {
			A []int32 `bp:"minlen=5"`
		}](),
			"struct.A: []int32 needs a largest length: add maxlen="},
		{"minlen of a string", reflect.TypeFor[struct {
			A string `bp:"maxlen=4,minlen=1"`
		}](),
			`struct.A: option "minlen" does not apply to kind "string", whose count begins at 0: remove it, or name the kind bytes that takes it`},
		{"min of a string", reflect.TypeFor[struct {
			A string `bp:"maxlen=4,min=1"`
		}](),
			`struct.A: option "min" does not apply to kind "string": remove it`},
		{"cstring of a string", reflect.TypeFor[struct {
			A string `bp:"cstring,maxlen=4"`
		}](),
			`struct.A: kind "cstring" does not apply to string, which takes string, wstring, bytes or no kind`},
		{"int of a string", reflect.TypeFor[struct {
			A string `bp:"int,maxlen=4"`
		}](),
			`struct.A: kind "int" does not apply to string, which takes string, wstring, bytes or no kind`},
		{"wstring of bytes", reflect.TypeFor[struct {
			A []byte `bp:"wstring,maxlen=4"`
		}](),
			`struct.A: kind "wstring" does not apply to []uint8, which takes string, bytes or no kind`},
		{"string of an array", reflect.TypeFor[struct {
			A [4]byte `bp:"string,maxlen=4"`
		}](),
			`struct.A: kind "string" does not apply to [4]uint8: use cstring, or bytes`},
		{"maxlen of an array of bytes", reflect.TypeFor[struct {
			A [4]byte `bp:"bytes,maxlen=4"`
		}](),
			`struct.A: option "maxlen" does not apply to bytes of [4]uint8: remove it`},
		{"maxlen of a cstring", reflect.TypeFor[struct {
			A [4]byte `bp:"cstring,maxlen=4"`
		}](),
			`struct.A: option "maxlen" does not apply to cstring of [4]uint8: remove it`},
		{"cstring without room for its zero", reflect.TypeFor[struct {
			A [0]byte `bp:"cstring"`
		}](),
			"struct.A: a cstring needs room for its zero byte: use an array of 1 or more"},
		{"bytes of an array of int32", reflect.TypeFor[struct {
			A [4]int32 `bp:"bytes"`
		}](),
			`struct.A: kind "bytes" does not apply to int32, which takes int, uint, enum, fixed, varint, expgolomb, relative or no kind`},
		{"bytes of a slice of int32", reflect.TypeFor[struct {
			A []int32 `bp:"bytes,maxlen=4"`
		}](),
			`struct.A: kind "bytes" does not apply to int32, which takes int, uint, enum, fixed, varint, expgolomb, relative or no kind`},
		{"elements without bits", reflect.TypeFor[struct {
			A []struct{} `bp:"maxlen=4"`
		}](),
			"struct.A: an element of []struct {} may take 0 bits, so a count alone could allocate any amount of memory: give the element a range, or use an array"},
		{"elements of one value", reflect.TypeFor[struct {
			A []int8 `bp:"min=3,max=3,maxlen=4"`
		}](),
			"struct.A: an element of []int8 may take 0 bits, so a count alone could allocate any amount of memory: give the element a range, or use an array"},
		{"elements that a condition may leave out", reflect.TypeFor[struct {
			A []Optional `bp:"maxlen=4"`
		}](),
			"struct.A: an element of []typecache_test.Optional may take 0 bits, so a count alone could allocate any amount of memory: give the element a range, or use an array"},
		{"entries of a map without bits", reflect.TypeFor[struct {
			A map[int8][0]int8 `bp:"maxlen=4,key.min=0,key.max=0"`
		}](),
			"struct.A: an element of map[int8][0]int8 may take 0 bits, so a count alone could allocate any amount of memory: give the element a range, or use an array"},
		{"options of keys on a slice", reflect.TypeFor[struct {
			A []float32 `bp:"half,maxlen=4,key.min=0"`
		}](),
			`struct.A: option "key.min" does not apply to half of float32: remove it`},
		{"options of elements on a scalar", reflect.TypeFor[struct {
			A int32 `bp:"elem.min=0,elem.max=3"`
		}](),
			`struct.A: option "elem.min" does not apply to the plain form of int32: remove it`},
		{"condition on each element", reflect.TypeFor[struct {
			B bool
			A []int8 `bp:"maxlen=3,elem.if=B"`
		}](),
			`struct.A: option "if" does not apply to the plain form of int8: remove it`},
		{"keys that are floats", reflect.TypeFor[struct {
			A map[float32]int8 `bp:"maxlen=4"`
		}](),
			"struct.A: the keys of a map must be integers, bools or strings in their plain order, not float32: use a slice of pairs"},
		{"keys that are arrays", reflect.TypeFor[struct {
			A map[[2]int8]int8 `bp:"maxlen=4"`
		}](),
			"struct.A: the keys of a map must be integers, bools or strings in their plain order, not [2]int8: use a slice of pairs"},
		{"keys that are structs", reflect.TypeFor[struct {
			A map[Vec3]int8 `bp:"maxlen=4"`
		}](),
			"struct.A: the keys of a map must be integers, bools or strings in their plain order, not typecache_test.Vec3: use a slice of pairs"},
		{"keys out of their type", reflect.TypeFor[struct {
			A map[int8]int8 `bp:"maxlen=4,key.min=0,key.max=300"`
		}](),
			"struct.A (key): max=300 does not fit int8: use 127 at most, or another type"},
		{"option that a key does not take", reflect.TypeFor[struct {
			A map[int8]int8 `bp:"maxlen=4,key.res=0"`
		}](),
			`struct.A (key): option "res" does not apply to the plain form of int8: remove it`},
		{"type with a binary form and no tag", reflect.TypeFor[struct{ A time.Time }](),
			`struct.A: time.Time has no exported fields but a binary form: tag it bp:"binary,maxlen=N"`},
		{"binary without a bound", reflect.TypeFor[struct {
			A time.Time `bp:"binary"`
		}](),
			"struct.A: the binary form of time.Time needs a largest length: add maxlen="},
		{"binaries of a slice without a bound of their own", reflect.TypeFor[struct {
			A []time.Time `bp:"binary,maxlen=4"`
		}](),
			"struct.A: the binary form of time.Time needs a largest length: add elem.maxlen="},
		{"binary with a range", reflect.TypeFor[struct {
			A netip.Addr `bp:"binary,maxlen=16,min=1"`
		}](),
			`struct.A: option "min" does not apply to binary of netip.Addr: remove it`},
		{"binary of an int", reflect.TypeFor[struct {
			A int32 `bp:"binary,maxlen=16"`
		}](),
			`struct.A: kind "binary" needs MarshalBinary or AppendBinary, and UnmarshalBinary on the pointer: give int32 these methods, or use another kind`},
		{"binary of a struct without one", reflect.TypeFor[struct {
			A Vec3 `bp:"binary,maxlen=16"`
		}](),
			`struct.A: kind "binary" needs MarshalBinary or AppendBinary, and UnmarshalBinary on the pointer: give typecache_test.Vec3 these methods, or use another kind`},
	})
}

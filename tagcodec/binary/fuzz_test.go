package binary_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/internal/effort"
)

// leaves are the basic types of random types. Those of fixed size come first.
var leaves = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[uint8](), reflect.TypeFor[int16](),
	reflect.TypeFor[uint16](), reflect.TypeFor[int32](), reflect.TypeFor[uint32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](),
	reflect.TypeFor[complex128](), reflect.TypeFor[myBool](), reflect.TypeFor[myByte](), reflect.TypeFor[myInt32](),
	reflect.TypeFor[myFloat](), reflect.TypeFor[myComplex](), reflect.TypeFor[blanks](), reflect.TypeFor[embedsHidden](),
	reflect.TypeFor[plain](), reflect.TypeFor[struct{}](), reflect.TypeFor[unexported](), reflect.TypeFor[unexportedStruct](),

	reflect.TypeFor[int](), reflect.TypeFor[uint](), reflect.TypeFor[uintptr](), reflect.TypeFor[string](),
	reflect.TypeFor[[]int32](), reflect.TypeFor[*int32](), reflect.TypeFor[any](), reflect.TypeFor[map[int32]bool](),
}

const fixedLeaves = 24

// randomType returns a type made of leaves, arrays and structs. About one in
// twenty has no fixed size.
func randomType(r *rand.Rand, depth int) reflect.Type {
	switch k := r.IntN(10); {
	case depth == 0 || k < 3:
		if r.IntN(200) == 0 {
			return leaves[r.IntN(len(leaves))]
		}
		return leaves[r.IntN(fixedLeaves)]
	case k < 5:
		n := r.IntN(5)
		if r.IntN(8) == 0 {
			n = 5 + r.IntN(100)
		}
		elem := randomType(r, depth-1)
		if n*int(elem.Size()) > 1<<14 {
			n = 1
		}
		return reflect.ArrayOf(n, elem)
	}
	fields := make([]reflect.StructField, r.IntN(12))
	for i := range fields {
		fields[i] = reflect.StructField{Name: "F" + string(rune('A'+i)), Type: randomType(r, depth-1)}
		switch r.IntN(60) {
		case 0, 1, 2:
			fields[i].Name, fields[i].PkgPath = "_", "example.org/p"
		case 3:
			fields[i].Name, fields[i].PkgPath = "f"+string(rune('A'+i)), "example.org/p"
		}
		if r.IntN(10) == 0 {
			fields[i].Tag = `json:"name" xml:"bp:"`
		}
	}
	return reflect.StructOf(fields)
}

// fill sets everything in a value to random bits.
func fill(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i))
		}
	case reflect.Bool:
		setMemory(v, []byte{uint8(r.IntN(2))})
	case reflect.Int8, reflect.Uint8, reflect.Int16, reflect.Uint16, reflect.Int32, reflect.Uint32, reflect.Int64, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		mem := make([]byte, v.Type().Size())
		for i := range mem {
			mem[i] = byte(r.Uint32())
		}
		if r.IntN(4) == 0 && v.Type().Size()%4 == 0 { // a NaN or an infinity in one of the byte orders
			copy(mem, [][]byte{{0x7F, 0x80, 0, 1}, {1, 0, 0x80, 0x7F}, {0, 0, 0x80, 0xFF}, {0xFF, 0x80, 0, 0}}[r.IntN(4)])
		}
		setMemory(v, mem)
	}
}

// maxRandom is the maximum size in memory of a random argument. A fuzzer
// considers an input hung after ten seconds, even on a slow machine.
const maxRandom = 1 << 13

// randomArgument returns an argument for the calls of both packages, in one of
// the forms that they accept or refuse. The same seed gives the same argument.
func randomArgument(seed uint64) any {
	r := rand.New(rand.NewPCG(seed, 1))
	t := randomType(r, 3)
	for t.Size() > maxRandom {
		t = randomType(r, 3)
	}
	count := r.IntN(5)
	if r.IntN(10) == 0 {
		count = 50
	}
	count = min(count, maxRandom/max(int(t.Size()), 1))
	switch form := r.IntN(12); {
	case form < 4:
		v := reflect.New(t)
		fill(r, v.Elem())
		return v.Interface()
	case form < 6:
		v := reflect.New(t)
		fill(r, v.Elem())
		return v.Elem().Interface()
	case form < 10:
		v := reflect.MakeSlice(reflect.SliceOf(t), count, count+r.IntN(2))
		fill(r, v)
		return v.Interface()
	case form < 11:
		v := reflect.New(reflect.SliceOf(t))
		v.Elem().Set(reflect.MakeSlice(reflect.SliceOf(t), count, count))
		fill(r, v.Elem())
		return v.Interface()
	}
	return reflect.Zero([]reflect.Type{reflect.PointerTo(t), reflect.SliceOf(t), reflect.PointerTo(reflect.PointerTo(t))}[r.IntN(3)]).Interface()
}

// FuzzStandardLibrary compares all calls with those of the standard library, on
// random types and values.
func FuzzStandardLibrary(f *testing.F) {
	for seed := range uint64(effort.Rounds(f, 15)) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		compare(t, func() any { return randomArgument(seed) })
	})
}

package binary_test

import (
	std "encoding/binary"
	"io"
	"math"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec/binary"
	"github.com/stretchr/testify/require"
)

type (
	myBool    bool
	myByte    byte
	myInt32   int32
	myFloat   float32
	myFloats  []float32
	myBytes   []byte
	myComplex complex64
	myPointer *int32

	plain struct {
		A uint8
		B uint16
		C uint32
		D uint64
		E float32
		F float64
		G bool
		H complex64
		I complex128
		J [3]int16
	}
	blanks struct {
		A uint32
		_ int32
		B bool
		_ [4]int16
		_ struct{ f [8]float32 }
		C byte
		_ [0]int64
	}
	unexported struct {
		A int32
		b int16
	}
	unexportedStruct struct {
		A     int32
		inner plain
	}
	emptyUnexported struct {
		a [0]int32
		b struct{}
		C uint16
	}
	inner          struct{ X, Y int16 }
	innerHidden    struct{ x, y int16 }
	innerArray     [2]inner
	innerInt       int32
	Inner          struct{ Z float32 }
	embedsPlain    struct{ Inner }
	embedsHidden   struct{ inner }
	embedsClosed   struct{ innerHidden }
	embedsArray    struct{ innerArray }
	embedsInt      struct{ innerInt }
	embedsTwice    struct{ embedsHidden }
	embedsInClosed struct {
		A     int8
		outer embedsHidden
	}
	embedsPointer struct{ *Inner }
	grid          struct {
		Cells [20][3]struct {
			Kind  uint8
			Value float32
			Alive bool
			_     uint8
		}
		Tail uint16
	}
	wide struct {
		A [100]uint8
		B [100]bool
		C [100]int16
		D [100]float32
		E [100]uint64
		F [9]uint32
		G [9]complex64
	}
	person struct {
		Name string
		Age  uint8
	}
	holdsInt   struct{ A int }
	holdsBlank struct {
		A int32
		_ string
	}
	nothing struct{}
	onlyPad struct{ _ [5]byte }
)

// Fields that are used only through reflect.
var _ = []any{unexported{}.b, unexportedStruct{}.inner, emptyUnexported{}.a, emptyUnexported{}.b}

// Both packages do the same for every odd type or argument.
func TestOdd(t *testing.T) {
	signals := math.Float32frombits(0x7F800001) // a signaling NaN
	payload := math.Float64frombits(0x7FF0000000000001)
	seven := int32(7)
	for _, row := range []struct {
		name string // why this row exists
		data func() any
	}{
		{"bool", func() any { return true }},
		{"pointer to bool", func() any { return new(bool) }},
		{"slice of bool", func() any { return []bool{true, false, true, true, false, true, true, true, true, true} }},
		{"int8", func() any { return int8(-3) }},
		{"slice of int8", func() any { return []int8{-3, 4} }},
		{"byte", func() any { return byte(200) }},
		{"bytes, written without a copy", func() any { return []byte("bytes") }},
		{"no bytes", func() any { return []byte{} }},
		{"nil bytes", func() any { return []byte(nil) }},
		{"uint16", func() any { return uint16(0x1234) }},
		{"slice of uint16", func() any { return []uint16{1, 2, 3, 4, 5, 0xFF00, 7} }},
		{"int32", func() any { return int32(-2) }},
		{"pointer to int32", func() any { v := seven; return &v }},
		{"slice of int32", func() any { return []int32{1, -2, 3} }},
		{"empty slice of int32", func() any { return []int32{} }},
		{"pointer to a slice", func() any { return &[]int32{4, 5} }},
		{"pointer to an empty slice", func() any { return &[]int32{} }},
		{"pointer to a nil slice", func() any { return new([]int32) }},
		{"uint64", func() any { return uint64(math.MaxUint64 - 1) }},
		{"slice of uint64", func() any { return []uint64{1, 1 << 60} }},
		{"float32", func() any { return float32(1.5) }},
		{"float64", func() any { return 1.5 }},
		{"slice of float64", func() any { return []float64{1.5, payload} }},
		{"complex64", func() any { return complex(float32(1), signals) }},
		{"slice of complex64", func() any { return []complex64{1i, complex(signals, 2)} }},
		{"complex128", func() any { return complex(1, payload) }},

		{"a NaN that signals, without reflect", func() any { return signals }},
		{"a pointer to the same", func() any { v := signals; return &v }},
		{"the same in a slice", func() any { return []float32{1, signals} }},
		{"the same, through reflect: an array", func() any { return [2]float32{1, signals} }},
		{"the same, a named type", func() any { return myFloat(signals) }},
		{"the same, a slice of a named type", func() any { return []myFloat{myFloat(signals)} }},
		{"the same, a named slice", func() any { return myFloats{signals} }},
		{"the same, a pointer to a slice", func() any { return &[]float32{signals, 2} }},
		{"the same, in a struct", func() any { return &struct{ A, B float32 }{signals, -signals} }},
		{"the same, complex and named", func() any { return myComplex(complex(signals, 1)) }},

		{"named bool", func() any { return []myBool{true, false} }},
		{"named bytes", func() any { return myBytes("bytes") }},
		{"slice of a named byte", func() any { return []myByte("bytes") }},
		{"named int", func() any { v := myInt32(5); return &v }},
		{"named pointer", func() any { v := seven; return myPointer(&v) }},

		{"int has no fixed size", func() any { return 1 }},
		{"pointer to int", func() any { return new(int) }},
		{"uint", func() any { return []uint{1} }},
		{"uintptr", func() any { return uintptr(1) }},
		{"string", func() any { return "text" }},
		{"map", func() any { return map[int32]int32{1: 2} }},
		{"nil map", func() any { return map[int32]int32(nil) }},
		{"channel", func() any { return (chan int32)(nil) }},
		{"function", func() any { return (func())(nil) }},
		{"nil", func() any { return nil }},
		{"error", func() any { return io.EOF }},
		{"reflect.Value", func() any { return reflect.ValueOf }},
		{"pointer to a pointer", func() any { v := &seven; return &v }},
		{"slice of pointers", func() any { return []*int32{&seven} }},
		{"slice of slices", func() any { return [][]int32{{1}} }},
		{"array of slices", func() any { return [1][]int32{{1}} }},
		{"pointer to an interface", func() any { var v any = int32(1); return &v }},
		{"slice of interfaces", func() any { return []any{int32(1)} }},
		{"nil pointer", func() any { return (*int32)(nil) }},
		{"nil pointer to bool", func() any { return (*bool)(nil) }},
		{"nil pointer to a struct", func() any { return (*plain)(nil) }},
		{"nil pointer to a slice", func() any { return (*[]int32)(nil) }},
		{"nil pointer to an array", func() any { return (*[2]int32)(nil) }},

		{"struct", func() any { return plain{1, 2, 3, 4, 5, 6, true, 7, 8i, [3]int16{9, 10, 11}} }},
		{"pointer to a struct", func() any { return &plain{J: [3]int16{-1, -2, -3}, G: true} }},
		{"slice of structs", func() any { return []plain{{A: 1}, {B: 2}, {C: 3}} }},
		{"pointer to a slice of structs", func() any { return &[]plain{{A: 1}, {B: 2}} }},
		{"array of structs", func() any { return &[2]plain{{A: 1}, {B: 2}} }},
		{"no structs", func() any { return []plain{} }},
		{"blank fields", func() any { return &blanks{A: 1, B: true, C: 2} }},
		{"blank fields of a value", func() any { return blanks{A: 1, B: true, C: 2} }},
		{"slice of blank fields", func() any { return []blanks{{A: 1}, {B: true}} }},
		{"nothing but blanks", func() any { return &onlyPad{} }},
		{"unexported field", func() any { return &unexported{1, 2} }},
		{"unexported field of a value", func() any { return unexported{1, 2} }},
		{"slice of unexported fields", func() any { return []unexported{{1, 2}, {3, 4}} }},
		{"no elements with unexported fields", func() any { return []unexported{} }},
		{"array without elements of unexported fields", func() any { return new([0]unexported) }},
		{"unexported struct field", func() any { return &unexportedStruct{A: 1} }},
		{"unexported fields without values", func() any { return &emptyUnexported{C: 7} }},
		{"embedded struct", func() any { return &embedsPlain{Inner{1}} }},
		{"embedded struct that is not exported", func() any { return &embedsHidden{inner{1, 2}} }},
		{"embedded struct, nothing of it exported", func() any { return &embedsClosed{innerHidden{1, 2}} }},
		{"embedded array", func() any { return &embedsArray{innerArray{{1, 2}, {3, 4}}} }},
		{"embedded int", func() any { return &embedsInt{5} }},
		{"embedded twice", func() any { return &embedsTwice{embedsHidden{inner{1, 2}}} }},
		{"embedded inside an unexported field", func() any { return &embedsInClosed{1, embedsHidden{inner{1, 2}}} }},
		{"embedded pointer", func() any { return &embedsPointer{&Inner{1}} }},
		{"array of arrays of structs", func() any { g := &grid{Tail: 9}; g.Cells[19][2].Value = 4; return g }},
		{"slice of those", func() any { return []grid{{Tail: 1}, {Tail: 2}} }},
		{"long arrays", func() any { w := &wide{}; w.A[99], w.D[50], w.G[8] = 1, signals, 2i; return w }},
		{"empty struct", func() any { return &nothing{} }},
		{"value of an empty struct", func() any { return nothing{} }},
		{"slice of empty structs", func() any { return make([]nothing, 3) }},
		{"array without elements", func() any { return new([0]int32) }},
		{"array without elements of no fixed size", func() any { return new([0]int) }},
		{"array of no fixed size", func() any { return [1]int{1} }},
		{"struct with a string", func() any { return &person{"Eve", 30} }},
		{"struct with an int", func() any { return holdsInt{1} }},
		{"blank string", func() any { return &holdsBlank{A: 1} }},
		{"slice of structs with an int", func() any { return []holdsInt{} }},
		{"large slice", func() any { return make([]plain, 300) }},
	} {
		t.Run(row.name, func(t *testing.T) { compare(t, row.data) })
	}
}

// If source and destination overlap, values are copied one by one from the
// first. A slice copied onto itself, shifted by one byte, fills with its first
// byte.
func TestOverlap(t *testing.T) {
	fill := func() []byte { return []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12} }
	for _, shift := range []int{-1, 0, 1, 3} {
		from, to := max(0, -shift), max(0, shift)
		run := func(l library) [][]byte {
			var all [][]byte
			for _, source := range []func(b []byte) any{
				func(b []byte) any { return b[from : from+8] },
				func(b []byte) any { return myBytes(b[from : from+8]) },
				func(b []byte) any { return (*[8]byte)(b[from:]) },
				func(b []byte) any { b = b[from : from+8]; return &b },
			} {
				b := fill()
				_, err := l.encode(b[to:], std.LittleEndian, source(b))
				require.NoError(t, err)
				all = append(all, b)
				b = fill()
				_, err = l.append(b[:to], std.BigEndian, source(b))
				require.NoError(t, err)
				all = append(all, b)
				b = fill()
				_, err = l.decode(b[to:], std.LittleEndian, source(b))
				require.NoError(t, err)
				all = append(all, b)
			}
			return all
		}
		require.Equal(t, run(theirs), run(ours), "shift %d", shift)
	}
}

// The error of a buffer that is too small is a single variable, so that callers
// may compare it.
func TestTooSmallIsOneError(t *testing.T) {
	_, want := std.Decode(nil, std.LittleEndian, new(int32))
	for _, data := range []any{new(int32), &plain{}, []plain{{}}} {
		_, err := binary.Decode(nil, binary.LittleEndian, data)
		require.Same(t, want, err)
		_, err = binary.Encode(nil, binary.BigEndian, data)
		require.Same(t, want, err)
	}
}

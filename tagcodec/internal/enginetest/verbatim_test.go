package enginetest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
	"github.com/stretchr/testify/require"
)

// Types whose values have stretches of memory that are sent as they are, of many
// lengths.
type (
	copied2  struct{ A, B uint8 }
	copied3  struct{ A, B, C int8 }
	copied4  struct{ A, B uint16 }
	copied5  struct{ A [5]uint8 }
	copied6  struct{ A, B, C int16 }
	copied7  struct{ A [7]uint8 }
	copied8  struct{ A, B float32 }
	copied12 struct {
		A uint32
		B copied8
	}
	copied16  struct{ A bits.Int128 }
	copied24  struct{ A [2]copied12 }
	copied64  struct{ A [8]float64 }
	copied72  struct{ A [3]copied24 }
	copied100 struct{ A [25]float32 }

	partly struct {
		On  bool
		A   copied3
		B   uint16 `bp:"bits=11"`
		C   copied12
		D   copied7
		E   bool     `bp:"if=!On"`
		F   copied24 `bp:"if=E"`
		G   copied72
		Low int32 `bp:"bits=20"`
		H   copied2
		I   uint16
		J   [2]copied5
	}
)

// randomMemory fills a value of integers, floats, bools and structs of these
// with any bits that are valid.
func randomMemory(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if wide, ok := v.Addr().Interface().(*bits.Int128); ok {
			wide.Hi, wide.Lo = int64(r.Uint64()), r.Uint64()
			return
		}
		for i := range v.NumField() {
			randomMemory(r, v.Field(i))
			switch v.Type().Field(i).Tag.Get("bp") {
			case "bits=11":
				v.Field(i).SetUint(v.Field(i).Uint() & (1<<11 - 1))
			case "bits=20":
				v.Field(i).SetInt(v.Field(i).Int() >> 12)
			}
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			randomMemory(r, v.Index(i))
		}
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(r.NormFloat64())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64() >> (64 - v.Type().Bits()))
	default:
		v.SetInt(int64(r.Uint64()) >> (64 - v.Type().Bits()))
	}
}

// TestVerbatim compares values that are copied from and to memory with the
// reference interpreter: alone, as adjacent values, in slices and between other
// values, from every bit of a byte, and with messages that are cut short.
func TestVerbatim(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, elem := range []reflect.Type{
		reflect.TypeFor[uint8](), reflect.TypeFor[int16](), reflect.TypeFor[float32](), reflect.TypeFor[float64](),
		reflect.TypeFor[copied2](), reflect.TypeFor[copied3](), reflect.TypeFor[copied4](), reflect.TypeFor[copied5](),
		reflect.TypeFor[copied6](), reflect.TypeFor[copied7](), reflect.TypeFor[copied8](), reflect.TypeFor[copied12](),
		reflect.TypeFor[copied16](), reflect.TypeFor[copied24](), reflect.TypeFor[copied64](), reflect.TypeFor[copied72](),
		reflect.TypeFor[copied100](), reflect.TypeFor[partly](),
	} {
		for phase := range 8 {
			for n := range 5 {
				typ := reflect.StructOf([]reflect.StructField{
					{Name: "Phase", Type: reflect.ArrayOf(phase, reflect.TypeFor[bool]())},
					{Name: "Value", Type: elem},
					{Name: "On", Type: reflect.TypeFor[bool]()},
					{Name: "List", Type: reflect.SliceOf(elem), Tag: `bp:"maxlen=7"`},
					{Name: "Array", Type: reflect.ArrayOf(n, elem)},
				})
				t.Run(fmt.Sprintf("%d of %v after %d bits", n, elem, phase), func(t *testing.T) {
					v := reflect.New(typ).Elem()
					v.Field(3).Set(reflect.MakeSlice(reflect.SliceOf(elem), n, n))
					randomMemory(r, v)
					compareCopies(t, v)
				})
			}
		}
		t.Run(fmt.Sprintf("adjacent %v", elem), func(t *testing.T) {
			pl, err := engine.PlanOf(elem)
			require.NoError(t, err)
			list := reflect.MakeSlice(reflect.SliceOf(elem), 9, 9)
			randomMemory(r, list)
			for phase := range 8 {
				dst := []byte{1<<phase - 1}[:(phase+7)/8]
				want, at := slices.Clone(dst), phase
				for i := range list.Len() {
					want, at, err = engine.EncodeFrom(standard, pl, engine.VariableTo(list.Index(i).Addr()), want, 0, at)
					require.NoError(t, err)
				}
				got, end, _, err := engine.EncodeAll(standard, pl, engine.VariablesIn(list), dst, 0, phase)
				require.NoError(t, err)
				require.Equal(t, want, got)
				require.Equal(t, at, end)
				into := reflect.MakeSlice(list.Type(), 9, 9)
				end, _, err = engine.DecodeAll(standard, pl, engine.VariablesIn(into), got, phase)
				require.NoError(t, err)
				again := reflect.MakeSlice(list.Type(), 9, 9)
				at = phase
				for i := range again.Len() {
					at, err = reference.Decode(standard, pl, again.Index(i), got, at, nil)
					require.NoError(t, err)
				}
				require.Equal(t, at, end)
				require.Equal(t, again.Interface(), into.Interface())
				_, failed, err := engine.DecodeAll(standard, pl, engine.VariablesIn(into), got[:len(got)-1], phase)
				require.ErrorIs(t, err, tagcodec.ErrOverread)
				require.Equal(t, 8, failed)
			}
		})
	}
}

// compareCopies compares the message of v with that of the reference interpreter,
// and the values and errors that both read from it and from its beginnings.
func compareCopies(t *testing.T, v reflect.Value) {
	pl, err := engine.PlanOf(v.Type())
	require.NoError(t, err)
	want, err := reference.Encode(standard, pl, v, nil)
	require.NoError(t, err)
	for room := range 10 { // more room than the message needs, and less
		buf := make([]byte, max(0, len(want)-5+room))
		got, err := tagcodec.Append(buf[:0], v.Addr().Interface())
		require.NoError(t, err)
		require.Equal(t, want, got)
		for i := len(want); i < len(buf); i++ {
			require.Zero(t, buf[i], "spare capacity was overwritten")
		}
	}
	for _, n := range []int{len(want), len(want) - 1, len(want) - 8, len(want) / 2, 1, 0} {
		data := want[:max(0, n):max(0, n)]
		got, again := reflect.New(v.Type()), reflect.New(v.Type())
		wanted := referenceUnmarshal(standard, pl, again.Elem(), data)
		err := tagcodec.Unmarshal(data, got.Interface())
		require.Equal(t, wanted, err)
		require.Equal(t, again.Interface(), got.Interface())
	}
}

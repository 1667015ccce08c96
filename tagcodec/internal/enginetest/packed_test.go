package enginetest

import (
	"bytes"
	"fmt"
	mathbits "math/bits"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
)

// TestPackedFloats tests the loops over equal floats, at the widths where a
// load no longer holds two codes. It also makes each code of the message too
// large in turn.
func TestPackedFloats(t *testing.T) {
	for _, steps := range []int{1, 2, 1000, 1<<28 - 16, 1<<28 + 32, 1<<31 - 128} {
		width := mathbits.Len(uint(steps))
		for n := 12; n <= 15; n++ {
			t.Run(fmt.Sprintf("%d in %d steps", n, steps), func(t *testing.T) {
				tag := fmt.Sprintf(`bp:"float,min=0,max=%d,res=1,maxlen=15"`, steps)
				typ := reflect.StructOf([]reflect.StructField{
					{Name: "Phase", Type: reflect.TypeFor[uint8](), Tag: `bp:"uint,bits=3"`},
					{Name: "V", Type: reflect.TypeFor[[]float32](), Tag: reflect.StructTag(tag)},
				})
				w := bits.NewWriter(make([]byte, 80))
				w.WriteBits(0, 3)
				w.WriteCount(n, 0, 15)
				want := reflect.New(typ).Elem()
				values := make([]float32, n)
				for i := range n {
					code := steps - i%2
					w.WriteBits(uint64(code), width)
					values[i] = float32(code)
				}
				want.Field(1).Set(reflect.ValueOf(values))
				into := reflect.New(typ)
				require.NoError(t, tagcodec.Unmarshal(w.Bytes(), into.Interface()))
				plain := reflect.New(typ)
				plan, err := engine.PlanOf(typ)
				require.NoError(t, err)
				_, err = reference.Decode(standard, plan, plain.Elem(), w.Bytes(), 0, nil)
				require.NoError(t, err)
				require.Equal(t, plain.Interface(), into.Interface())
				if steps < 1<<24 { // float32 represents these integers exactly
					require.Equal(t, want.Interface(), into.Elem().Interface())
				}
				if steps+1 == 1<<width {
					return // no code is too large
				}
				for i := range n {
					bad := bytes.Clone(w.Bytes())
					for bit := range width {
						at := 7 + i*width + bit
						bad[at/8] |= 1 << (at % 8)
					}
					err := tagcodec.Unmarshal(bad, into.Interface())
					require.ErrorIs(t, err, tagcodec.ErrRange)
					require.ErrorContains(t, err, fmt.Sprintf(".V[%d] at bit %d: ", i, 7+i*width))
				}
			})
		}
	}
}

// setInt sets an integer. It returns false if the type cannot hold the value.
func setInt(v reflect.Value, n int64) (ok bool) {
	if v.CanInt() {
		if ok = !v.OverflowInt(n); ok {
			v.SetInt(n)
		}
		return ok
	}
	if ok = n >= 0 && !v.OverflowUint(uint64(n)); ok {
		v.SetUint(uint64(n))
	}
	return ok
}

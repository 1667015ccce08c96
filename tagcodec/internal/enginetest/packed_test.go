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

// TestPackedInts tests the loops over equal integers, at the widths and lengths
// where they switch from four codes at a time to one. It also sets each value
// out of range in turn. The bytes must equal those of the reference
// interpreter.
func TestPackedInts(t *testing.T) {
	const most = 21
	// ints returns a slice of n integers with the codes 1, 2, 3 and so on, in a
	// struct. span is the largest code.
	ints := func(elem reflect.Type, least, span int64, n int) reflect.Value {
		tag := fmt.Sprintf(`bp:"int,min=%d,max=%d,maxlen=%d"`, least, least+span, most)
		v := reflect.New(reflect.StructOf([]reflect.StructField{
			{Name: "Phase", Type: reflect.TypeFor[bool]()},
			{Name: "V", Type: reflect.SliceOf(elem), Tag: reflect.StructTag(tag)},
		}))
		values := reflect.MakeSlice(reflect.SliceOf(elem), n, n)
		for i := range n {
			setInt(values.Index(i), least+int64(i+1)%span)
		}
		v.Elem().Field(1).Set(values)
		return v
	}
	for _, row := range []struct {
		elem   reflect.Type
		least  int64
		widths []int
	}{
		{reflect.TypeFor[uint8](), 0, []int{2, 7}},
		{reflect.TypeFor[int8](), -128, []int{2, 7}},
		{reflect.TypeFor[uint16](), 3, []int{9, 14, 15}},
		{reflect.TypeFor[int16](), -9, []int{9, 14, 15}},
		{reflect.TypeFor[uint32](), 3, []int{14, 15, 16, 17, 31}},
		{reflect.TypeFor[int32](), -9, []int{14, 15, 16, 17, 30}},
		{reflect.TypeFor[uint64](), 3, []int{14, 15, 16, 17, 57, 58, 62}},
		{reflect.TypeFor[int64](), -9, []int{14, 15, 16, 17, 57, 58, 62}},
	} {
		for _, width := range row.widths {
			for _, n := range []int{12, 13, 14, 15, 16, most} {
				t.Run(fmt.Sprintf("%d of %v in %d bits", n, row.elem, width), func(t *testing.T) {
					all := int64(1)<<width - 1
					v, wide := ints(row.elem, row.least, all-1, n), ints(row.elem, row.least, all, n)
					data, err := tagcodec.Marshal(v.Interface())
					require.NoError(t, err)
					require.Len(t, data, (1+5+n*width+7)/8)
					plan, err := engine.PlanOf(v.Elem().Type())
					require.NoError(t, err)
					plain, err := reference.Encode(standard, plan, v.Elem(), nil)
					require.NoError(t, err)
					require.Equal(t, plain, data)
					into := reflect.New(v.Elem().Type())
					require.NoError(t, tagcodec.Unmarshal(data, into.Interface()))
					require.Equal(t, v.Interface(), into.Interface())

					for i := range n {
						require.NoError(t, tagcodec.Unmarshal(data, into.Interface()))
						for _, out := range []int64{row.least - 1, row.least + all} {
							elem, old := v.Elem().Field(1).Index(i), row.least+int64(i+1)%(all-1)
							if !setInt(elem, out) {
								continue
							}
							_, err = tagcodec.Marshal(v.Interface())
							setInt(elem, old)
							require.ErrorIs(t, err, tagcodec.ErrRange)
							require.ErrorContains(t, err, fmt.Sprintf(".V[%d] at bit %d: ", i, 1+5+i*width))
						}
						elem := wide.Elem().Field(1).Index(i)
						old := row.least + int64(i+1)%all
						setInt(elem, row.least+all)
						sent, err := tagcodec.Marshal(wide.Interface())
						setInt(elem, old)
						require.NoError(t, err)
						err = tagcodec.Unmarshal(sent, into.Interface())
						require.ErrorIs(t, err, tagcodec.ErrRange)
						require.ErrorContains(t, err, fmt.Sprintf(".V[%d] at bit %d: ", i, 1+5+i*width))
					}
				})
			}
		}
	}
}

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

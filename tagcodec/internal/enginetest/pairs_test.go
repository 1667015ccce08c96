package enginetest

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/gobitpack/bitpack/tagcodec/internal/engine"
	"github.com/gobitpack/bitpack/tagcodec/internal/reference"
	"github.com/stretchr/testify/require"
)

// intRange is a tag for integers, and the bounds that it sets.
type intRange struct {
	tag         string
	least, most int64
}

// rangesOf returns tags for t that send it in the given number of bits: one whose
// codes are all valid, and one that refuses the largest code.
func rangesOf(t reflect.Type, width int) []intRange {
	all := int64(1)<<width - 1
	if t.Kind() >= reflect.Uint {
		return []intRange{
			{fmt.Sprintf("uint,bits=%d", width), 0, all},
			{fmt.Sprintf("int,min=1,max=%d", all), 1, all},
		}
	}
	half := int64(1) << (width - 1)
	return []intRange{
		{fmt.Sprintf("int,bits=%d", width), -half, half - 1},
		{fmt.Sprintf("int,min=%d,max=%d", -half, half-2), -half, half - 2},
	}
}

// TestPairs compares neighboring integers of one type with the reference
// interpreter: with codes of many widths in two's complement and with bounds,
// from several bits of a byte, after a condition, in arrays, at and outside their
// bounds, and with every bit of the message inverted.
func TestPairs(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
		reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	} {
		// Four codes of at most 14 bits are read together, and four of 16 written.
		widths := slices.DeleteFunc([]int{2, 5, 7, 9, 14, 15, 16, 17, 29, 31, 57, 58, 62}, func(n int) bool { return n >= typ.Bits() })
		for i, one := range widths {
			for k := range effort.Factor() {
				other := widths[(i+k)%len(widths)]
				for form, a := range rangesOf(typ, one) {
					b := rangesOf(typ, other)[(form+k)%2]
					t.Run(fmt.Sprintf("%v %s and %s", typ, a.tag, b.tag), func(t *testing.T) {
						comparePairs(t, typ, a, b, (i+3*k)%8)
					})
				}
			}
		}
	}
}

// comparePairs is TestPairs for integers with the bounds of a and b, after some
// bits.
func comparePairs(t *testing.T, typ reflect.Type, a, b intRange, phase int) {
	tagged := func(name string, typ reflect.Type, tag string) reflect.StructField {
		return reflect.StructField{Name: name, Type: typ, Tag: reflect.StructTag(fmt.Sprintf("bp:%q", tag))}
	}
	v := reflect.New(reflect.StructOf([]reflect.StructField{
		{Name: "On", Type: reflect.TypeFor[bool]()},
		{Name: "Phase", Type: reflect.ArrayOf(phase, reflect.TypeFor[bool]())},
		tagged("A", typ, a.tag),
		tagged("B", typ, b.tag),
		tagged("C", typ, a.tag+",if=On"),
		tagged("D", typ, b.tag),
		tagged("Few", reflect.ArrayOf(3, typ), a.tag),
		tagged("Many", reflect.ArrayOf(13, typ), b.tag),
	})).Elem()
	type place struct {
		reflect.Value
		intRange
	}
	places := []place{
		{v.Field(2), a}, {v.Field(3), b}, {v.Field(4), a}, {v.Field(5), b},
		{v.Field(6).Index(0), a}, {v.Field(6).Index(2), a}, {v.Field(7).Index(0), b}, {v.Field(7).Index(12), b},
	}
	fill := func(p place, i int) {
		x := []int64{a.least, b.least, a.most, b.most, 1, -1}[i%6]
		require.True(t, setInt(p.Value, min(max(x, p.least), p.most)))
	}
	for _, on := range []bool{true, false} {
		v.Field(0).SetBool(on)
		for i := range 13 {
			fill(place{v.Field(6).Index(i % 3), a}, i)
			fill(place{v.Field(7).Index(i), b}, i)
			fill(places[i%4], i)
		}
		if !on {
			v.Field(4).SetZero()
		}
		compareCopies(t, v)
		compareFlipped(t, v)
		for _, at := range places {
			old := reflect.ValueOf(at.Interface())
			for _, x := range []int64{at.least - 1, at.most + 1} {
				if setInt(at.Value, x) {
					compareRefused(t, v)
				}
			}
			at.Set(old)
		}
	}
}

// compareRefused compares the errors for a value that may not be sent, or its
// bytes if it may, with those of the reference interpreter.
func compareRefused(t *testing.T, v reflect.Value) {
	pl, err := engine.PlanOf(v.Type())
	require.NoError(t, err)
	want, wanted := reference.Encode(standard, pl, v, nil)
	got, err := tagcodec.Append(nil, v.Addr().Interface())
	require.Equal(t, wanted, err)
	require.Equal(t, want, got)
}

// compareFlipped inverts each bit of the message of v in turn, and compares what is
// read with the reference interpreter.
func compareFlipped(t *testing.T, v reflect.Value) {
	pl, err := engine.PlanOf(v.Type())
	require.NoError(t, err)
	data, err := tagcodec.Append(nil, v.Addr().Interface())
	require.NoError(t, err)
	for i := range 8 * len(data) {
		data[i/8] ^= 1 << (i % 8)
		got, want := reflect.New(v.Type()), reflect.New(v.Type())
		wanted := referenceUnmarshal(standard, pl, want.Elem(), data)
		require.Equal(t, wanted, tagcodec.Unmarshal(data, got.Interface()), "bit %d", i)
		require.Equal(t, want.Interface(), got.Interface(), "bit %d", i)
		data[i/8] ^= 1 << (i % 8)
	}
}

package values

import (
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAllBitsZero(t *testing.T) {
	negative := math.Copysign(0, -1)
	for _, zero := range []any{0, "", false, 0.0, float32(0), 0i, [2]float64{}, struct{ A, B float64 }{}} {
		require.True(t, AllBitsZero(reflect.ValueOf(zero)), "%#v", zero)
	}
	for _, other := range []any{1, "a", true, negative, float32(negative), complex(0, negative), complex64(complex(negative, 0)),
		[2]float64{1: negative}, struct{ A, B float64 }{B: negative}} {
		require.False(t, AllBitsZero(reflect.ValueOf(other)), "%#v", other)
	}
}

func TestKey(t *testing.T) {
	for _, pair := range [][2]any{{-1, 1}, {int8(-128), int8(127)}, {uint64(1), uint64(math.MaxUint64)}, {"a", "b"}, {"", "\x00"}, {false, true}} {
		a, b := KeyOf(reflect.ValueOf(pair[0])), KeyOf(reflect.ValueOf(pair[1]))
		require.Equal(t, -1, a.Compare(b), "%#v", pair)
		require.Equal(t, 1, b.Compare(a), "%#v", pair)
		require.Zero(t, a.Compare(a), "%#v", pair)
		require.Zero(t, b.Compare(b), "%#v", pair)
	}
}

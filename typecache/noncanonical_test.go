package typecache_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/typecache"
)

// TestNoncanonical checks which types are canonical. That two messages of the others decode to the
// same value is a test of the engines.
func TestNoncanonical(t *testing.T) {
	for _, tt := range []struct {
		names string
		typ   reflect.Type
	}{
		{"", reflect.TypeFor[Character]()},
		{"relative", fieldOf[[]uint16]("relative,maxlen=3")},
		{"float", fieldOf[float32]("min=1000,max=1001,bits=16")},
		{"", fieldOf[float32]("min=1000,max=1001,bits=12")},
		{"float", fieldOf[float64]("min=1e9,max=1000000001,bits=40")},
		{"", fieldOf[float64]("min=0,max=1,bits=23")},
		{"half", fieldOf[complex64]("half")},
		{"angle", fieldOf[float32]("angle,bits=24")},
		{"", fieldOf[float32]("angle,bits=23")},
		{"", fieldOf[float64]("angle,bits=32")},
		{"quat", fieldOf[[4]float32]("quat,bits=12")},
		{"", fieldOf[[4]float32]("quat,bits=11")},
		{"", fieldOf[[4]float32]("quat,mode=sign,bits=20")},
		{"", fieldOf[[4]float64]("quat,bits=20")},
		{"", fieldOf[[3]float32]("unit,bits=24")},
		{"matrix", fieldOf[[16]float32]("affine")},
		{"link", fieldOf[*Slot]("link")},
		{"own", reflect.TypeFor[*own]()},
		{"own", fieldOf[time.Time]("binary,maxlen=20")},
		{"half|link", record(f[float32]("A half"), f[Signal]("B link"), f[bool]("C"))},
	} {
		plan, err := typecache.Of(tt.typ)
		require.NoError(t, err)
		require.Equal(t, tt.names, plan.Noncanonical().String(), "%v", tt.typ)
	}
}

package compress_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/compress"
)

func TestHalfRows(t *testing.T) {
	const (
		max      = 65504
		smallest = 0x1p-24 // the smallest subnormal
	)
	inf := float32(math.Inf(1))
	rows := []struct {
		name string
		v    float32
		code uint16
	}{
		{"zero", 0, 0x0000},
		{"negative zero keeps its sign", float32(math.Copysign(0, -1)), 0x8000},
		{"a third", 1.0 / 3, 0x3555},
		{"tie to the even code below", 1 + 0x1p-11, 0x3C00},
		{"negative tie", -1 - 3*0x1p-11, 0xBC02},
		{"tie whose carry reaches the exponent", 2 - 0x1p-11, 0x4000},
		{"2051 ties to 2052", 2051, 0x6802},
		{"largest", max, 0x7BFF},
		{"tie between the largest and 2^16 overflows", 65520, 0x7C00},
		{"infinity", inf, 0x7C00},
		{"tie between the subnormals and the normals", 0x1p-14 - smallest/2, 0x0400},
		{"negative smallest subnormal", -smallest, 0x8001},
		{"half of the smallest ties to zero", smallest / 2, 0x0000},
	}
	for _, row := range rows {
		require.Equal(t, row.code, compress.EncodeHalf(row.v), row.name)
	}
}

func TestHalfNaN(t *testing.T) {
	rows := []struct {
		name string
		bits uint32
		code uint16
	}{
		{"quiet", 0x7FC00000, 0x7E00},
		{"sign", 0xFFC00000, 0xFE00},
		{"high bits of the payload", 0x7FEAA000, 0x7F55},
		{"low bits are lost", 0x7FC01FFF, 0x7E00},
		{"signaling becomes quiet", 0x7FA00000, 0x7F00},
		{"a payload of low bits alone is no infinity", 0x7F800001, 0x7E00},
		{"all ones", 0xFFFFFFFF, 0xFFFF},
	}
	for _, row := range rows {
		require.Equal(t, row.code, compress.EncodeHalf(math.Float32frombits(row.bits)), row.name)
	}
	require.Equal(t, uint32(0xFFEAA000), math.Float32bits(compress.DecodeHalf(0xFF55)))
	require.Equal(t, uint32(0x7FC02000), math.Float32bits(compress.DecodeHalf(0x7C01)))
}

// halfValue decodes a half in float64, straight from the definition of the
// format.
func halfValue(h uint16) float64 {
	exponent, fraction := int(h>>10&31), float64(h&1023)
	var v float64
	switch exponent {
	case 0:
		v = math.Ldexp(fraction, -24)
	case 31:
		v = math.Inf(1)
		if fraction != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(1024+fraction, exponent-25)
	}
	return math.Copysign(v, float64(1-int(h>>15)*2))
}

func TestHalfEveryCode(t *testing.T) {
	for h := range 1 << 16 {
		h := uint16(h)
		v, want := compress.DecodeHalf(h), halfValue(h)
		code := compress.EncodeHalf(v)
		if math.IsNaN(want) {
			if v == v || code != h|0x200 {
				require.Failf(t, "NaN", "%#04x decodes to %v and encodes to %#04x", h, v, code)
			}
			continue
		}
		if math.Float64bits(float64(v)) != math.Float64bits(want) || code != h {
			require.Failf(t, "not exact", "%#04x decodes to %v and encodes to %#04x, want %v", h, v, code, want)
		}
	}
}

func ExampleEncodeHalf() {
	code := compress.EncodeHalf(3.14159)
	fmt.Printf("%#04x %v\n", code, compress.DecodeHalf(code))
	// Output:
	// 0x4248 3.140625
}

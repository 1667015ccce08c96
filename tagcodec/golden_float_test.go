package tagcodec_test

import (
	"math"
	"testing"

	"github.com/gobitpack/bitpack/tagcodec"
	"github.com/stretchr/testify/require"
)

// In compressed_float each operation rounds to float32. Values halfway between
// two steps reveal an implementation that does not.
func TestGoldenFloat32(t *testing.T) {
	runRows(t, []goldenRow{
		{"half a step", of("float,min=0,max=10,res=0.01", float32(0.005)), "1:10", float32(0.010000001), "of 1000 steps; in float64 it would be 0"},
		{"two steps and a half", of("float,min=0,max=10,res=0.01", float32(0.025)), "3:10", float32(0.030000001), "in float64 it would be 2"},
		{"below min", of("float,min=0,max=10,res=0.01", float32(-5.0)), "0:10", float32(0), "clamped"},
		{"the middle of an odd number of steps", of("float,min=-1,max=1,bits=8", float32(0.0)), "128:8", float32(0.003921628), "127.5 + 0.5; 0 itself has no code"},
		{"negative zero", of("float,min=-1,max=1,bits=8", float32(math.Copysign(0, -1))), "128:8", float32(0.003921628), "as zero"},
		{"one step, below its middle", of("float,min=0,max=1,res=2", float32(0.25)), "0:1", float32(0), "a res above the range is one step"},
		{"one step, its middle", of("float,min=0,max=1,res=2", float32(0.5)), "1:1", float32(1), "0.5 + 0.5"},
		{"the number of steps is a float32", of("min=-10,max=10,res=0.01", float32(10.0)), "2000:11", nil, "20/0.01 is 2000 in float32 and 2001 in float64"},
		{"a sum above max", of("float,min=-3.3,max=1,res=0.01", float32(1)), "431:9", nil, "-3.3 + 4.3 is 1.0000002 in float32, and 1 is read"},
		{"a sum above max in an array", of("float,min=-3.3,max=1,res=4.3", [9]float32{1, 1, 1, 1, 1, 1, 1, 1, 1}), "0x1ff:9", nil, "the last code of each"},
		{"a step below zero", of("min=-10,max=10,res=0.01", float32(-0.01)), "999:11", float32(-0.010000229), "rounded to the nearest"},
		{"three of an array", of("float,min=-2,max=2,res=1", [3]float32{-2, 0, 2}), "0:3 2:3 4:3", nil, "4 steps each"},
		{"both parts of a complex", of("float,min=-2,max=2,res=1", complex64(-1+2i)), "1:3 4:3", nil, "4 steps each"},
	})
}

// The same formula in float64.
func TestGoldenFloat64(t *testing.T) {
	runRows(t, []goldenRow{
		{"float64 of 0.005", of("float,min=0,max=10,res=0.01", float64(0.005)), "1:10", float64(0.01), "0.5 + 0.5"},
		{"a sum above max of float64", of("float,min=-5,max=0.2,res=0.01", 0.2), "520:10", nil, "-5 + 5.2 is 0.20000000000000018, and 0.2 is read"},
		{"float64 of 0.025", of("float,min=0,max=10,res=0.01", float64(0.025)), "3:10", float64(0.03), "2.5 + 0.5"},
		{"float64 of 0.105", of("float,min=0,max=10,res=0.01", float64(0.105)), "10:10", float64(0.1), "0.0105*1000 is below 10.5; in float32 it would be 11"},
		{"float64 of 9.995", of("float,min=0,max=10,res=0.01", float64(9.995)), "1000:10", float64(10.0), "999.5 + 0.5"},
		{"float64 of a float32", of("float,min=0,max=10,res=0.01", float64(float32(0.005))), "0:10", float64(0.0), "the nearest float32 is below 0.005, and told from it"},
		{"the middle of 53 bits", of("float,min=0,max=1,bits=53", float64(0.5)), "4503599627370496:53", float64(0.5000000000000001), "2^52 - 0.5 + 0.5, of 2^53-1 steps"},
		{"max of 53 bits", of("float,min=0,max=1,bits=53", float64(1)), "9007199254740991:53", nil, "the last code"},
		{"a coordinate", of("float,min=-1e6,max=1e6,res=0.001", float64(-999999.75)), "250:31", nil, "2e9 steps of a millimetre"},
	})
}

// IEEE binary16, rounded to nearest even.
func TestGoldenHalf(t *testing.T) {
	runRows(t, []goldenRow{
		{"half, 1", of("half", float32(1)), "0x3C00:16", nil, "exponent 15, fraction 0"},
		{"half, -2", of("half", float32(-2)), "0xC000:16", nil, "sign, exponent 16"},
		{"half, the largest", of("half", float32(65504)), "0x7BFF:16", nil, "exponent 30, fraction of ones"},
		{"half, above the largest", of("half", float32(65520)), "0x7C00:16", float32(math.Inf(1)), "rounds to infinity"},
		{"half, infinity", of("half", float32(math.Inf(-1))), "0xFC00:16", nil, "every value has a code"},
		{"half, the least", of("half", float32(0x1p-24)), "1:16", nil, "the last bit of a subnormal"},
		{"half, a tie at the least", of("half", float32(0x1p-25)), "0:16", float32(0), "half of the least rounds to even"},
		{"half, a tie down", of("half", float32(1+0x1p-11)), "0x3C00:16", float32(1), "rounds to the even last bit"},
		{"half, a tie up", of("half", float32(1+3*0x1p-11)), "0x3C02:16", float32(1 + 4*0x1p-11), "rounds to the even last bit"},
		{"half, negative zero", of("half", float32(math.Copysign(0, -1))), "0x8000:16", nil, "the sign stays"},
		{"halves of a complex", of("half", complex64(1-2i)), "0x3C00:16 0xC000:16", nil, "real, imaginary"},
	})
}

// An angle wraps around: the last of its 2^N steps ends where the first begins.
func TestGoldenAngle(t *testing.T) {
	runRows(t, []goldenRow{
		{"angle 0", of("angle,bits=8", float64(0)), "0:8", nil, "code 0"},
		{"half a turn", of("angle,bits=8", float64(math.Pi)), "128:8", nil, "of 256 steps"},
		{"a quarter back", of("angle,bits=8", float64(-math.Pi/2)), "192:8", float64(3 * math.Pi / 2), "wraps"},
		{"a whole turn", of("angle,bits=8", float64(2*math.Pi)), "0:8", float64(0), "the top step is the bottom one"},
		{"three turns and a half", of("angle,bits=8", float64(-7*math.Pi)), "128:8", float64(math.Pi), "wraps"},
		{"unit=rad is the same", of("angle,bits=8", float64(math.Pi/2)), "64:8", nil, "a quarter of 256"},
		{"90 degrees", of("angle,bits=4,unit=deg", float32(90)), "4:4", nil, "of 16 steps of 22.5"},
		{"359 degrees", of("angle,bits=4,unit=deg", float32(359)), "0:4", float32(0), "15.96 steps round to 16, which is 0"},
		{"-90 degrees", of("angle,bits=4,unit=deg", float32(-90)), "12:4", float32(270), "wraps"},
		{"half a step", of("angle,bits=4,unit=deg", float32(11.25)), "0:4", float32(0), "a tie rounds to even"},
		{"one step and a half", of("angle,bits=4,unit=deg", float32(33.75)), "2:4", float32(45), "a tie rounds to even"},
		{"above half a step", of("angle,bits=4,unit=deg", float32(12)), "1:4", float32(22.5), "0.53 steps"},
		{"angle by res", of("angle,res=1,unit=deg", float32(90)), "128:9", nil, "512 steps are the fewest of 1 degree or less"},
		{"angles of an array", of("angle,bits=2,unit=deg", [2]float64{180, 270}), "2:2 3:2", nil, "steps of 90"},
	})
}

// A NaN is not equal to itself, so this test compares bits, including the
// payload.
func TestGoldenNaN(t *testing.T) {
	type raw struct {
		A float32
		B float64
		C complex64
	}
	const quiet, signaling, negative = 0x7FC12345, 0x7F812345, 0xFFFFFFFF
	in := raw{
		A: math.Float32frombits(signaling),
		B: math.Float64frombits(0x7FF0000000000001),
		C: complex(math.Float32frombits(quiet), math.Float32frombits(negative)),
	}
	want, _ := wireOf("[45 23 81 7f] [01 00 00 00 00 00 f0 7f] [45 23 c1 7f] [ff ff ff ff]")
	data, err := tagcodec.Marshal(&in)
	require.NoError(t, err)
	require.Equal(t, want, data, "every pattern of the raw bits is kept")
	var out raw
	require.NoError(t, tagcodec.Unmarshal(data, &out))
	require.Equal(t, uint32(signaling), math.Float32bits(out.A), "not made quiet on the way")
	require.Equal(t, uint64(0x7FF0000000000001), math.Float64bits(out.B))
	require.Equal(t, uint32(quiet), math.Float32bits(real(out.C)))
	require.Equal(t, uint32(negative), math.Float32bits(imag(out.C)))

	type short struct {
		A float32 `bp:"half"`
	}
	data, err = tagcodec.Marshal(short{math.Float32frombits(negative)})
	require.NoError(t, err)
	want, _ = wireOf("0xFFFF:16")
	require.Equal(t, want, data, "sign and the high 10 bits of the fraction")
	var wide short
	require.NoError(t, tagcodec.Unmarshal(data, &wide))
	require.Equal(t, uint32(0xFFFFE000), math.Float32bits(wide.A))
}

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
	type (
		hundredths struct {
			A float32 `bp:"float,min=0,max=10,res=0.01"`
		}
		unit8 struct {
			A float32 `bp:"float,min=-1,max=1,bits=8"`
		}
		coarse struct {
			A float32 `bp:"float,min=0,max=1,res=2"`
		}
		ceiling struct {
			A float32 `bp:"min=-10,max=10,res=0.01"`
		}
		axes struct {
			A [3]float32 `bp:"float,min=-2,max=2,res=1"`
		}
		parts struct {
			A complex64 `bp:"float,min=-2,max=2,res=1"`
		}
		beyond struct {
			A float32     `bp:"float,min=-3.3,max=1,res=0.01"`
			B [20]float32 `bp:"float,min=-3.3,max=1,res=4.3"`
		}
	)
	var ones [20]float32
	for i := range ones {
		ones[i] = 1
	}
	runRows(t, []goldenRow{
		{"half a step", hundredths{0.005}, "1:10",
			"0100", hundredths{0.010000001}, "of 1000 steps; in float64 it would be 0"},
		{"two steps and a half", hundredths{0.025}, "3:10",
			"0300", hundredths{0.030000001}, "in float64 it would be 2"},
		{"ten steps and a half", hundredths{0.105}, "11:10", "0b00", hundredths{0.11}, "in float64 it would be 10"},
		{"the last half step", hundredths{9.995}, "1000:10", "e803", hundredths{1e+01}, "in float64 it would be 999"},
		{"between two steps", hundredths{3.1416}, "314:10", "3a01", hundredths{3.14}, "rounded to the nearest"},
		{"min", hundredths{0.0}, "0:10", "0000", nil, "code 0"},
		{"max", hundredths{10.0}, "1000:10", "e803", nil, "the last code; those above are refused"},
		{"below min", hundredths{-5.0}, "0:10", "0000", hundredths{0}, "clamped"},
		{"above max", hundredths{1e+30}, "1000:10", "e803", hundredths{1e+01}, "clamped"},
		{"the middle of an odd number of steps", unit8{0.0}, "128:8",
			"80", unit8{0.003921628}, "127.5 + 0.5; 0 itself has no code"},
		{"a quarter", unit8{-0.5}, "64:8", "40", unit8{-0.4980392}, "63.75 + 0.5"},
		{"min of 8 bits", unit8{-1.0}, "0:8", "00", nil, "2^8-1 steps"},
		{"max of 8 bits", unit8{1.0}, "255:8", "ff", nil, "2^8-1 steps"},
		{"negative zero", unit8{float32(math.Copysign(0, -1))}, "128:8", "80", unit8{0.003921628}, "as zero"},
		{"one step, below its middle", coarse{0.25}, "0:1", "00", coarse{0}, "a res above the range is one step"},
		{"one step, its middle", coarse{0.5}, "1:1", "01", coarse{1}, "0.5 + 0.5"},
		{"the number of steps is a float32", ceiling{10.0}, "2000:11",
			"d007", nil, "20/0.01 is 2000 in float32 and 2001 in float64"},
		{"a step below zero", ceiling{-0.01}, "999:11", "e703", ceiling{-0.010000229}, "rounded to the nearest"},
		{"three of an array", axes{[3]float32{-2, 0, 2}}, "0:3 2:3 4:3", "1001", nil, "4 steps each"},
		{"a sum above max", beyond{1, ones}, "431:9 0xfffff:20",
			"afffff1f", nil, "-3.3 + 4.3 is 1.0000002 in float32, and 1 is read"},
		{"both parts of a complex", parts{-1 + 2i}, "1:3 4:3", "21", nil, "4 steps each"},
	})
}

// The same formula in float64.
func TestGoldenFloat64(t *testing.T) {
	type (
		hundredths struct {
			A float64 `bp:"float,min=0,max=10,res=0.01"`
		}
		fine struct {
			A float64 `bp:"float,min=0,max=1,bits=53"`
		}
		world struct {
			A float64 `bp:"float,min=-1e6,max=1e6,res=0.001"`
		}
		beyond struct {
			A float64 `bp:"float,min=-5,max=0.2,res=0.01"`
		}
	)
	runRows(t, []goldenRow{
		{"float64 of 0.005", hundredths{0.005}, "1:10", "0100", hundredths{0.01}, "0.5 + 0.5"},
		{"float64 of 0.025", hundredths{0.025}, "3:10", "0300", hundredths{0.03}, "2.5 + 0.5"},
		{"float64 of 0.105", hundredths{0.105}, "10:10",
			"0a00", hundredths{0.1}, "0.0105*1000 is below 10.5; in float32 it would be 11"},
		{"a sum above max of float64", beyond{0.2}, "520:10", "0802", nil, "-5 + 5.2 is 0.20000000000000018, and 0.2 is read"},
		{"float64 of 9.995", hundredths{9.995}, "1000:10", "e803", hundredths{10.0}, "999.5 + 0.5"},
		{"float64 of a float32", hundredths{float64(float32(0.005))}, "0:10",
			"0000", hundredths{0.0}, "the nearest float32 is below 0.005, and told from it"},
		{"the middle of 53 bits", fine{0.5}, "4503599627370496:53",
			"00000000000010", fine{0.5000000000000001}, "2^52 - 0.5 + 0.5, of 2^53-1 steps"},
		{"max of 53 bits", fine{1}, "9007199254740991:53", "ffffffffffff1f", nil, "the last code"},
		{"a coordinate", world{-999999.75}, "250:31", "fa000000", nil, "2e9 steps of a millimetre"},
	})
}

// IEEE binary16, rounded to nearest even.
func TestGoldenHalf(t *testing.T) {
	type (
		half struct {
			A float32 `bp:"half"`
		}
		halves struct {
			A complex64 `bp:"half"`
		}
	)
	runRows(t, []goldenRow{
		{"half, 1", half{1}, "0x3C00:16", "003c", nil, "exponent 15, fraction 0"},
		{"half, -2", half{-2}, "0xC000:16", "00c0", nil, "sign, exponent 16"},
		{"half, the largest", half{65504}, "0x7BFF:16", "ff7b", nil, "exponent 30, fraction of ones"},
		{"half, above the largest", half{65520}, "0x7C00:16",
			"007c", half{float32(math.Inf(1))}, "rounds to infinity"},
		{"half, infinity", half{float32(math.Inf(-1))}, "0xFC00:16", "00fc", nil, "every value has a code"},
		{"half, the least", half{0x1p-24}, "1:16", "0100", nil, "the last bit of a subnormal"},
		{"half, a tie at the least", half{0x1p-25}, "0:16", "0000", half{0}, "half of the least rounds to even"},
		{"half, a tie down", half{1 + 0x1p-11}, "0x3C00:16", "003c", half{1}, "rounds to the even last bit"},
		{"half, a tie up", half{1 + 3*0x1p-11}, "0x3C02:16",
			"023c", half{1 + 4*0x1p-11}, "rounds to the even last bit"},
		{"half, negative zero", half{float32(math.Copysign(0, -1))}, "0x8000:16", "0080", nil, "the sign stays"},
		{"halves of a complex", halves{1 - 2i}, "0x3C00:16 0xC000:16", "003c00c0", nil, "real, imaginary"},
	})
}

// An angle wraps around: the last of its 2^N steps ends where the first begins.
func TestGoldenAngle(t *testing.T) {
	type (
		radians struct {
			A float64 `bp:"angle,bits=8"`
		}
		degrees struct {
			A float32 `bp:"angle,bits=4,unit=deg"`
		}
		byRes struct {
			A float32 `bp:"angle,res=1,unit=deg"`
		}
		turns struct {
			A [2]float64 `bp:"angle,bits=2,unit=deg"`
		}
	)
	runRows(t, []goldenRow{
		{"angle 0", radians{0}, "0:8", "00", nil, "code 0"},
		{"half a turn", radians{math.Pi}, "128:8", "80", nil, "of 256 steps"},
		{"a quarter back", radians{-math.Pi / 2}, "192:8", "c0", radians{3 * math.Pi / 2}, "wraps"},
		{"a whole turn", radians{2 * math.Pi}, "0:8", "00", radians{0}, "the top step is the bottom one"},
		{"three turns and a half", radians{-7 * math.Pi}, "128:8", "80", radians{math.Pi}, "wraps"},
		{"unit=rad is the same", radians{math.Pi / 2}, "64:8", "40", nil, "a quarter of 256"},
		{"90 degrees", degrees{90}, "4:4", "04", nil, "of 16 steps of 22.5"},
		{"359 degrees", degrees{359}, "0:4", "00", degrees{0}, "15.96 steps round to 16, which is 0"},
		{"-90 degrees", degrees{-90}, "12:4", "0c", degrees{270}, "wraps"},
		{"half a step", degrees{11.25}, "0:4", "00", degrees{0}, "a tie rounds to even"},
		{"one step and a half", degrees{33.75}, "2:4", "02", degrees{45}, "a tie rounds to even"},
		{"above half a step", degrees{12}, "1:4", "01", degrees{22.5}, "0.53 steps"},
		{"angle by res", byRes{90}, "128:9", "8000", nil, "512 steps are the fewest of 1 degree or less"},
		{"angles of an array", turns{[2]float64{180, 270}}, "2:2 3:2", "0e", nil, "steps of 90"},
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

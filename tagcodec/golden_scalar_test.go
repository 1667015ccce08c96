package tagcodec_test

import (
	"math"
	"testing"

	"github.com/gobitpack/bitpack/bits"
)

// A field without a tag is as wide as its Go type.
func TestGoldenPlain(t *testing.T) {
	runRows(t, []goldenRow{
		{"false", of("", false), "0", nil, "1 bit"},
		{"true", of("", true), "1", nil, "1 bit"},
		{"int8, the least and the largest", of("", int8(-128), "", uint8(255)), "0x80:8 0xFF:8", nil, "two's complement"},
		{"int8, -1", of("", int8(-1), "", uint8(1)), "0xFF:8 1:8", nil, "two's complement"},
		{"int16 and uint16", of("", int16(-2), "", uint16(0x1234)), "[fe ff] [34 12]", nil, "the low byte comes first"},
		{"int32 and uint32", of("", int32(-0x80000000), "", uint32(0xDEADBEEF)), "[00 00 00 80] [ef be ad de]", nil, "the low byte comes first"},
		{"int64 and uint64", of("", int64(-1), "", uint64(1<<63)), "[ff ff ff ff ff ff ff ff] [00 00 00 00 00 00 00 80]", nil, "the last bit of each"},
		{"int and uint", of("", -3, "", uint(7)), "[fd ff ff ff ff ff ff ff] [07 00 00 00 00 00 00 00]", nil, "64 bits on every machine"},
		{"uintptr", of("", uintptr(0x1234)), "[34 12 00 00 00 00 00 00]", nil, "64 bits, as uint"},
		{"uint16 after a bit", of("", true, "", uint16(0x8001), "", true), "1 0x8001:16 1", nil, "nothing is aligned"},
		{"uint32 across the end of a word", of("", [7]uint8{6: 1}, "", uint32(0x89ABCDEF), "", uint8(0xFF)), "[00 00 00 00 00 00 01] [ef cd ab 89] [ff]", nil, "the low part completes the word"},
		{"float32", of("", float32(1.5)), "[00 00 c0 3f]", nil, "the IEEE bits 0x3FC00000"},
		{"float32, the least", of("", float32(math.SmallestNonzeroFloat32)), "[01 00 00 00]", nil, "a denormal, as it is"},
		{"float32, infinity", of("", float32(math.Inf(-1))), "[00 00 80 ff]", nil, "raw, so that no value is refused"},
		{"float64", of("", float64(-2.5)), "[00 00 00 00 00 00 04 c0]", nil, "the IEEE bits"},
		{"float64, the largest", of("", float64(math.MaxFloat64)), "[ff ff ff ff ff ff ef 7f]", nil, "the IEEE bits"},
		{"float64, infinity", of("", float64(math.Inf(1))), "[00 00 00 00 00 00 f0 7f]", nil, "raw"},
		{"complex64", of("", complex64(1-2i)), "[00 00 80 3f] [00 00 00 c0]", nil, "the real part, then the imaginary one"},
		{"complex128", of("", complex128(0.5+1i)), "[00 00 00 00 00 00 e0 3f] [00 00 00 00 00 00 f0 3f]", nil, "the real part, then the imaginary one"},
		{"128 bits", of("", bits.Uint128{Lo: 1, Hi: 2}, "", bits.Int128{Lo: 0xFFFFFFFFFFFFFFFE, Hi: -1}), "1:64 2:64 0xFFFFFFFFFFFFFFFE:64 0xFFFFFFFFFFFFFFFF:64", nil, "the low word comes first"},
	})
}

// bits=N writes the low N bits, and refuses a value that needs more.
func TestGoldenBits(t *testing.T) {
	runRows(t, []goldenRow{
		{"5 bits", of("uint,bits=5", uint8(6)), "01100", nil, "6 is 00110, the lowest first"},
		{"5 bits, the largest", of("uint,bits=5", uint8(31)), "11111", nil, "2^5-1"},
		{"1 bit of a uint64", of("uint,bits=1", uint64(1)), "1", nil, "2^1-1"},
		{"64 bits", of("bits=64", uint64(0x8000000000000001)), "0x8000000000000001:64", nil, "no kind: uint is inferred"},
		{"63 bits after a bit", of("", true, "uint,bits=63", uint64(1<<62), "", true), "1 0x4000000000000000:63 1", nil, "the word is full after them"},
		{"signed 5 bits, -1", of("int,bits=5", int16(-1)), "11111", nil, "two's complement in 5 bits"},
		{"signed 5 bits, the least", of("int,bits=5", int16(-16)), "00001", nil, "only the sign is set"},
		{"signed 5 bits, the largest", of("int,bits=5", int16(15)), "11110", nil, "all but the sign"},
		{"signed 1 bit", of("int,bits=1", int8(-1)), "1", nil, "the only values are 0 and -1"},
		{"signed 40 bits", of("int,bits=40", int64(-2)), "[fe ff ff ff ff]", nil, "two's complement in 40 bits"},
		{"signed 64 bits", of("int,bits=64", int64(math.MinInt64)), "[00 00 00 00 00 00 00 80]", nil, "as the plain form"},
	})
}

// An integer with a range is written as value-min, in the bits that max-min
// needs.
func TestGoldenRanges(t *testing.T) {
	runRows(t, []goldenRow{
		{"range, the least", of("int,min=-100,max=100", int32(-100)), "0:8", nil, "0 in 8 bits: 201 values"},
		{"range, the largest", of("int,min=-100,max=100", int32(100)), "200:8", nil, "max-min"},
		{"range, between", of("int,min=-100,max=100", int32(-37)), "63:8", nil, "-37+100"},
		{"range, zero", of("int,min=-100,max=100", int32(0)), "100:8", nil, "0+100"},
		{"range of one value", of("int,min=5,max=5", int32(5)), "", nil, "0 bits; reading gives the value"},
		{"range of two values, the least", of("min=-1,max=0", int8(-1)), "0", nil, "value-min"},
		{"range of two values, the largest", of("min=-1,max=0", int8(0)), "1", nil, "value-min"},
		{"all of int64, the least", of("int,min=-0x8000000000000000,max=0x7FFFFFFFFFFFFFFF", int64(math.MinInt64)), "0:64", nil, "value-min"},
		{"all of int64, -1", of("int,min=-0x8000000000000000,max=0x7FFFFFFFFFFFFFFF", int64(-1)), "0x7FFFFFFFFFFFFFFF:64", nil, "2^63-1 above the least"},
		{"all of int64, the largest", of("int,min=-0x8000000000000000,max=0x7FFFFFFFFFFFFFFF", int64(math.MaxInt64)), "0xFFFFFFFFFFFFFFFF:64", nil, "2^64-1 above the least"},
		{"the least of int64", of("int,min=-9223372036854775808,max=-9223372036854775801", int64(math.MinInt64+7)), "7:3", nil, "the span is 7, at the end of the type"},
		{"the largest of uint64", of("int,min=18446744073709551610,max=18446744073709551615", uint64(math.MaxUint64)), "5:3", nil, "the span is 5, at the end of the type"},
		{"the least of a high range", of("int,min=18446744073709551610,max=18446744073709551615", uint64(math.MaxUint64-5)), "0:3", nil, "value-min"},
		{"ranges at the ends of 8 bits", of("uint,min=250,max=255", uint8(251), "uint,min=-128,max=-1", int8(-128)), "1:3 0:7", nil, "spans of 5 and 127"},
		{"ranges at the other ends of 8 bits", of("uint,min=250,max=255", uint8(255), "uint,min=-128,max=-1", int8(-1)), "5:3 127:7", nil, "spans of 5 and 127"},
		{"ranges of 16 bits", of("min=-32768,max=32767", int16(-32768), "min=1,max=65535", uint16(65535)), "0:16 65534:16", nil, "an offset is not two's complement"},
		{"enum, the largest", of("enum,max=6", weekday(6)), "6:3", nil, "int from 0 to 6"},
		{"enum, zero", of("enum,max=6", weekday(0)), "0:3", nil, "int from 0 to 6"},
		{"enum of one value", of("enum,max=0", uint8(0)), "", nil, "0 bits"},
		{"128 bits in a range", of("int,min=1,max=0x10000000000000000", bits.Uint128{Hi: 1}), "0xFFFFFFFFFFFFFFFF:64", nil, "2^64 is 2^64-1 above 1: 64 bits"},
		{"128 bits in a small range, the least", of("int,min=-4,max=4", bits.Int128{Lo: 0xFFFFFFFFFFFFFFFC, Hi: -1}), "0:4", nil, "9 values"},
		{"128 bits in a small range, the largest", of("int,min=-4,max=4", bits.Int128{Lo: 4}), "8:4", nil, "9 values"},
		{"all of Int128, -1", of("int,min=-170141183460469231731687303715884105728,max=170141183460469231731687303715884105727", bits.Int128{Lo: 0xFFFFFFFFFFFFFFFF, Hi: -1}),
			"0xFFFFFFFFFFFFFFFF:64 0x7FFFFFFFFFFFFFFF:64", nil, "2^127-1 above the least"},
	})
}

// A fixed-point number is an integer whose bounds are in whole units.
func TestGoldenFixed(t *testing.T) {
	runRows(t, []goldenRow{
		{"fixed, 1.5", of("fixed,frac=8,min=-10,max=10", int32(384)), "2944:13", nil, "384 + 10*256, of 5121 codes"},
		{"fixed, min", of("fixed,frac=8,min=-10,max=10", int32(-2560)), "0:13", nil, "-10*256"},
		{"fixed, max", of("fixed,frac=8,min=-10,max=10", int32(2560)), "5120:13", nil, "max itself has a code"},
		{"fixed, the least step", of("fixed,frac=8,min=-10,max=10", int32(1)), "2561:13", nil, "2^-8"},
		{"fixed of uint8", of("fixed,frac=4,min=0,max=15", uint8(0x18)), "24:8", nil, "1.5 in 4 fraction bits, of 241 codes"},
		{"fixed of nothing but fraction", of("fixed,frac=15,min=-1,max=0", int16(-0x8000)), "0:16", nil, "-1, of 2^15+1 codes"},
		{"fixed of nothing but fraction, max", of("fixed,frac=15,min=-1,max=0", int16(0)), "0x8000:16", nil, "2^15, one bit more than the fraction"},
		{"fixed without fraction", of("fixed,frac=0,min=3,max=10", int64(10)), "7:3", nil, "an int from 3 to 10"},
		{"fixed of 128 bits", of("fixed,frac=64,min=-1,max=1", bits.Int128{Hi: 1}), "0:64 2:2", nil, "2^64 above -2^64 is 2^65, in 66 bits"},
	})
}

type weekday int8

package tagcodec_test

import (
	"math"
	"testing"

	"github.com/gobitpack/bitpack/bits"
)

// A field without a tag is as wide as its Go type.
func TestGoldenPlain(t *testing.T) {
	type (
		boolT struct{ A bool }
		eight struct {
			A int8
			B uint8
		}
		sixteen struct {
			A int16
			B uint16
		}
		thirtyTwo struct {
			A int32
			B uint32
		}
		sixtyFour struct {
			A int64
			B uint64
		}
		machine struct {
			A int
			B uint
		}
		address struct{ A uintptr }
		shifted struct {
			A bool
			B uint16
			C bool
		}
		across struct {
			A [7]uint8
			B uint32
			C uint8
		}
		f32  struct{ A float32 }
		f64  struct{ A float64 }
		c64  struct{ A complex64 }
		c128 struct{ A complex128 }
		wide struct {
			A bits.Uint128
			B bits.Int128
		}
	)
	runRows(t, []goldenRow{
		{"false", boolT{false}, "0", "00", nil, "1 bit"},
		{"true", boolT{true}, "1", "01", nil, "1 bit"},
		{"int8, the least and the largest", eight{-128, 255}, "0x80:8 0xFF:8", "80ff", nil, "two's complement"},
		{"int8, -1", eight{-1, 1}, "0xFF:8 1:8", "ff01", nil, "two's complement"},
		{"int16 and uint16", sixteen{-2, 0x1234}, "[fe ff] [34 12]", "feff3412", nil, "the low byte comes first"},
		{"int32 and uint32", thirtyTwo{-0x80000000, 0xDEADBEEF}, "[00 00 00 80] [ef be ad de]",
			"00000080efbeadde", nil, "the low byte comes first"},
		{"int64 and uint64", sixtyFour{-1, 1 << 63}, "[ff ff ff ff ff ff ff ff] [00 00 00 00 00 00 00 80]",
			"ffffffffffffffff0000000000000080", nil, "the last bit of each"},
		{"int and uint", machine{-3, 7}, "[fd ff ff ff ff ff ff ff] [07 00 00 00 00 00 00 00]",
			"fdffffffffffffff0700000000000000", nil, "64 bits on every machine"},
		{"uintptr", address{0x1234}, "[34 12 00 00 00 00 00 00]", "3412000000000000", nil, "64 bits, as uint"},
		{"uint16 after a bit", shifted{true, 0x8001, true}, "1 0x8001:16 1", "030003", nil, "nothing is aligned"},
		{"uint32 across the end of a word", across{[7]uint8{6: 1}, 0x89ABCDEF, 0xFF}, "[00 00 00 00 00 00 01] [ef cd ab 89] [ff]",
			"00000000000001efcdab89ff", nil, "the low part completes the word"},
		{"float32", f32{1.5}, "[00 00 c0 3f]", "0000c03f", nil, "the IEEE bits 0x3FC00000"},
		{"float32, the least", f32{math.SmallestNonzeroFloat32}, "[01 00 00 00]",
			"01000000", nil, "a denormal, as it is"},
		{"float32, infinity", f32{float32(math.Inf(-1))}, "[00 00 80 ff]",
			"000080ff", nil, "raw, so that no value is refused"},
		{"float64", f64{-2.5}, "[00 00 00 00 00 00 04 c0]", "00000000000004c0", nil, "the IEEE bits"},
		{"float64, the largest", f64{math.MaxFloat64}, "[ff ff ff ff ff ff ef 7f]",
			"ffffffffffffef7f", nil, "the IEEE bits"},
		{"float64, infinity", f64{math.Inf(1)}, "[00 00 00 00 00 00 f0 7f]", "000000000000f07f", nil, "raw"},
		{"complex64", c64{1 - 2i}, "[00 00 80 3f] [00 00 00 c0]",
			"0000803f000000c0", nil, "the real part, then the imaginary one"},
		{"complex128", c128{0.5 + 1i}, "[00 00 00 00 00 00 e0 3f] [00 00 00 00 00 00 f0 3f]",
			"000000000000e03f000000000000f03f", nil, "the real part, then the imaginary one"},
		{"128 bits", wide{bits.Uint128{Lo: 1, Hi: 2}, bits.Int128{Lo: 0xFFFFFFFFFFFFFFFE, Hi: -1}}, "1:64 2:64 0xFFFFFFFFFFFFFFFE:64 0xFFFFFFFFFFFFFFFF:64",
			"01000000000000000200000000000000feffffffffffffffffffffffffffffff", nil, "the low word comes first"},
	})
}

// bits=N writes the low N bits, and refuses a value that needs more.
func TestGoldenBits(t *testing.T) {
	type (
		five struct {
			A uint8 `bp:"uint,bits=5"`
		}
		one struct {
			A uint64 `bp:"uint,bits=1"`
		}
		all struct {
			A uint64 `bp:"bits=64"`
		}
		sixtyThree struct {
			A bool
			B uint64 `bp:"uint,bits=63"`
			C bool
		}
		signed5 struct {
			A int16 `bp:"int,bits=5"`
		}
		signed1 struct {
			A int8 `bp:"int,bits=1"`
		}
		signed40 struct {
			A int64 `bp:"int,bits=40"`
		}
		wholly struct {
			A int64 `bp:"int,bits=64"`
		}
	)
	runRows(t, []goldenRow{
		{"5 bits", five{6}, "01100", "06", nil, "6 is 00110, the lowest first"},
		{"5 bits, the largest", five{31}, "11111", "1f", nil, "2^5-1"},
		{"1 bit of a uint64", one{1}, "1", "01", nil, "2^1-1"},
		{"64 bits", all{0x8000000000000001}, "0x8000000000000001:64",
			"0100000000000080", nil, "no kind: uint is inferred"},
		{"63 bits after a bit", sixtyThree{true, 1 << 62, true}, "1 0x4000000000000000:63 1",
			"010000000000008001", nil, "the word is full after them"},
		{"signed 5 bits, -1", signed5{-1}, "11111", "1f", nil, "two's complement in 5 bits"},
		{"signed 5 bits, the least", signed5{-16}, "00001", "10", nil, "only the sign is set"},
		{"signed 5 bits, the largest", signed5{15}, "11110", "0f", nil, "all but the sign"},
		{"signed 1 bit", signed1{-1}, "1", "01", nil, "the only values are 0 and -1"},
		{"signed 40 bits", signed40{-2}, "[fe ff ff ff ff]", "feffffffff", nil, "two's complement in 40 bits"},
		{"signed 64 bits", wholly{math.MinInt64}, "[00 00 00 00 00 00 00 80]",
			"0000000000000080", nil, "as the plain form"},
	})
}

// An integer with a range is written as value-min, in the bits that max-min
// needs.
func TestGoldenRanges(t *testing.T) {
	type (
		ranged struct {
			A int32 `bp:"int,min=-100,max=100"`
		}
		single struct {
			A int32 `bp:"int,min=5,max=5"`
		}
		pair struct {
			A int8 `bp:"min=-1,max=0"`
		}
		full struct {
			A int64 `bp:"int,min=-0x8000000000000000,max=0x7FFFFFFFFFFFFFFF"`
		}
		low struct {
			A int64 `bp:"int,min=-9223372036854775808,max=-9223372036854775801"`
		}
		high struct {
			A uint64 `bp:"int,min=18446744073709551610,max=18446744073709551615"`
		}
		small struct {
			A uint8 `bp:"uint,min=250,max=255"`
			B int8  `bp:"uint,min=-128,max=-1"`
		}
		middle struct {
			A int16  `bp:"min=-32768,max=32767"`
			B uint16 `bp:"min=1,max=65535"`
		}
		named struct {
			A weekday `bp:"enum,max=6"`
		}
		lone struct {
			A uint8 `bp:"enum,max=0"`
		}
		wideRange struct {
			A bits.Uint128 `bp:"int,min=1,max=0x10000000000000000"`
		}
		wideSmall struct {
			A bits.Int128 `bp:"int,min=-4,max=4"`
		}
		wideFull struct {
			A bits.Int128 `bp:"int,min=-170141183460469231731687303715884105728,max=170141183460469231731687303715884105727"`
		}
	)
	runRows(t, []goldenRow{
		{"range, the least", ranged{-100}, "0:8", "00", nil, "0 in 8 bits: 201 values"},
		{"range, the largest", ranged{100}, "200:8", "c8", nil, "max-min"},
		{"range, between", ranged{-37}, "63:8", "3f", nil, "-37+100"},
		{"range, zero", ranged{0}, "100:8", "64", nil, "0+100"},
		{"range of one value", single{5}, "", "", nil, "0 bits; reading gives the value"},
		{"range of two values, the least", pair{-1}, "0", "00", nil, "value-min"},
		{"range of two values, the largest", pair{0}, "1", "01", nil, "value-min"},
		{"all of int64, the least", full{math.MinInt64}, "0:64", "0000000000000000", nil, "value-min"},
		{"all of int64, -1", full{-1}, "0x7FFFFFFFFFFFFFFF:64", "ffffffffffffff7f", nil, "2^63-1 above the least"},
		{"all of int64, the largest", full{math.MaxInt64}, "0xFFFFFFFFFFFFFFFF:64",
			"ffffffffffffffff", nil, "2^64-1 above the least"},
		{"the least of int64", low{math.MinInt64 + 7}, "7:3", "07", nil, "the span is 7, at the end of the type"},
		{"the largest of uint64", high{math.MaxUint64}, "5:3", "05", nil, "the span is 5, at the end of the type"},
		{"the least of a high range", high{math.MaxUint64 - 5}, "0:3", "00", nil, "value-min"},
		{"ranges at the ends of 8 bits", small{251, -128}, "1:3 0:7", "0100", nil, "spans of 5 and 127"},
		{"ranges at the other ends of 8 bits", small{255, -1}, "5:3 127:7", "fd03", nil, "spans of 5 and 127"},
		{"ranges of 16 bits", middle{-32768, 65535}, "0:16 65534:16",
			"0000feff", nil, "an offset is not two's complement"},
		{"enum, the largest", named{6}, "6:3", "06", nil, "int from 0 to 6"},
		{"enum, zero", named{0}, "0:3", "00", nil, "int from 0 to 6"},
		{"enum of one value", lone{0}, "", "", nil, "0 bits"},
		{"128 bits in a range", wideRange{bits.Uint128{Hi: 1}}, "0xFFFFFFFFFFFFFFFF:64",
			"ffffffffffffffff", nil, "2^64 is 2^64-1 above 1: 64 bits"},
		{"128 bits in a small range, the least", wideSmall{bits.Int128{Lo: 0xFFFFFFFFFFFFFFFC, Hi: -1}}, "0:4",
			"00", nil, "9 values"},
		{"128 bits in a small range, the largest", wideSmall{bits.Int128{Lo: 4}}, "8:4", "08", nil, "9 values"},
		{"all of Int128, -1", wideFull{bits.Int128{Lo: 0xFFFFFFFFFFFFFFFF, Hi: -1}}, "0xFFFFFFFFFFFFFFFF:64 0x7FFFFFFFFFFFFFFF:64",
			"ffffffffffffffffffffffffffffff7f", nil, "2^127-1 above the least"},
	})
}

// A fixed-point number is an integer whose bounds are in whole units.
func TestGoldenFixed(t *testing.T) {
	type (
		q8 struct {
			A int32 `bp:"fixed,frac=8,min=-10,max=10"`
		}
		q4 struct {
			A uint8 `bp:"fixed,frac=4,min=0,max=15"`
		}
		q15 struct {
			A int16 `bp:"fixed,frac=15,min=-1,max=0"`
		}
		q0 struct {
			A int64 `bp:"fixed,frac=0,min=3,max=10"`
		}
		q64 struct {
			A bits.Int128 `bp:"fixed,frac=64,min=-1,max=1"`
		}
	)
	runRows(t, []goldenRow{
		{"fixed, 1.5", q8{384}, "2944:13", "800b", nil, "384 + 10*256, of 5121 codes"},
		{"fixed, min", q8{-2560}, "0:13", "0000", nil, "-10*256"},
		{"fixed, max", q8{2560}, "5120:13", "0014", nil, "max itself has a code"},
		{"fixed, the least step", q8{1}, "2561:13", "010a", nil, "2^-8"},
		{"fixed of uint8", q4{0x18}, "24:8", "18", nil, "1.5 in 4 fraction bits, of 241 codes"},
		{"fixed of nothing but fraction", q15{-0x8000}, "0:16", "0000", nil, "-1, of 2^15+1 codes"},
		{"fixed of nothing but fraction, max", q15{0}, "0x8000:16",
			"0080", nil, "2^15, one bit more than the fraction"},
		{"fixed without fraction", q0{10}, "7:3", "07", nil, "an int from 3 to 10"},
		{"fixed of 128 bits", q64{bits.Int128{Hi: 1}}, "0:64 2:2",
			"000000000000000002", nil, "2^64 above -2^64 is 2^65, in 66 bits"},
	})
}

type weekday int8

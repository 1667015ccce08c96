package tagcodec_test

import (
	"math"
	"testing"
)

// A varint has groups of 7 bits, lowest first. A continuation bit precedes each
// group.
func TestGoldenVarint(t *testing.T) {
	runRows(t, []goldenRow{
		{"varint, 0", of("varint", uint32(0)), "0 0:7", nil, "one group, led by the bit that none follows"},
		{"varint, the largest of one group", of("varint", uint32(127)), "0 127:7", nil, "7 bits"},
		{"varint, the least of two groups", of("varint", uint32(128)), "1 0:7 0 1:7", nil, "the low group comes first"},
		{"varint, 300", of("varint", uint32(300)), "1 44:7 0 2:7", nil, "300 is 2*128+44"},
		{"varint, the largest", of("varint", uint32(math.MaxUint32)), "1 127:7 1 127:7 1 127:7 1 127:7 0 15:7", nil, "4*7+4 bits"},
		{"varint, the largest of 64 bits", of("varint", uint64(math.MaxUint64)), "1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 0 1:7", nil, "9*7+1 bits"},
		{"varint, -1", of("varint", int32(-1)), "0 1:7", nil, "zigzag: 0, -1, 1, -2 are 0, 1, 2, 3"},
		{"varint, 1", of("varint", int32(1)), "0 2:7", nil, "zigzag"},
		{"varint, -64", of("varint", int32(-64)), "0 127:7", nil, "the least of one group"},
		{"varint, 64", of("varint", int32(64)), "1 0:7 0 1:7", nil, "zigzag 128"},
		{"varint, the least", of("varint", int32(math.MinInt32)), "1 127:7 1 127:7 1 127:7 1 127:7 0 15:7", nil, "zigzag 2^32-1"},
		{"varint of int8", of("varint", int8(-128)), "1 127:7 0 1:7", nil, "zigzag 255"},
		{"varint of int64, the least", of("varint", int64(math.MinInt64)), "1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 0 1:7", nil, "zigzag 2^64-1"},
		{"varint after a bit", of("", true, "varint", uint8(5)), "1 0 5:7", nil, "not aligned"},
	})
}

// An int_relative has shorter forms for smaller steps from the previous
// integer.
func TestGoldenRelative(t *testing.T) {
	runRows(t, []goldenRow{
		{"relative, 1 above", of("relative,base=10", int32(11)), "1", nil, "d = 1"},
		{"relative, farther", of("relative,base=10", int32(69925)), "000000 69925:32", nil, "the integer itself"},
		{"relative, the largest", of("relative,base=10", int32(math.MaxInt32)), "000000 0x7FFFFFFF:32", nil, "the integer itself"},
		{"relative, 0 after -1", of("relative,base=-1", int32(0)), "1", nil, "d = 1"},
		{"relative, from the least", of("relative,base=-0x80000000", int32(-0x7FFFFFFF)), "1", nil, "d = 1"},
		{"relative, a negative integer itself", of("relative,base=-0x80000000", int32(-2)), "000000 0xFFFFFFFE:32", nil, "32 bits in two's complement"},
		{"relative, the largest uint32", of("relative,base=0", uint32(math.MaxUint32)), "000000 0xFFFFFFFF:32", nil, "the integer itself"},
		{"relative of uint8", of("relative,base=0", uint8(255)), "0001 231:9", nil, "255-24"},
		{"relative to a field", of("", uint8(5), "relative,to=A", uint8(9)), "5:8 01 2:3", nil, "d = 4"},
		{"relative to a field, the last two", of("", uint8(254), "relative,to=A", uint8(255)), "254:8 1", nil, "d = 1"},
		{"relative to a field that is there", of("", true, "if=A", uint8(3), "relative,to=B", uint8(4)), "1 3:8 1", nil, "d = 1"},
		{"relative to a field that is not there", of("", false, "if=A", uint8(3), "relative,to=B", uint8(4)), "0 01 2:3", values{false, uint8(0), uint8(4)}, "it counts as 0: d = 4"},
		{"chain of elements", of("maxlen=4", []step{{3, true}, {4, false}, {7, true}}), "3:3 01 2:3 1 1 0 01 1:3 1", nil, "3 after -1, 4 after 3, 7 after 4"},
		{"chain in an array, from a base", of("", [2]after100{{101}, {103}}), "1 01 0:3", nil, "101 after 100, 103 after 101"},
		{"chain through a struct in the element", of("maxlen=3", []nested{{true, inner{5}}, {false, inner{6}}}), "2:2 1 01 4:3 0 1", nil, "5 after -1, 6 after 5"},
	})
}

type (
	step struct {
		ID int32 `bp:"relative,chain"`
		On bool
	}
	after100 struct {
		ID uint16 `bp:"relative,chain,base=100"`
	}
	nested struct {
		On    bool
		Inner inner
	}
	inner struct {
		ID int64 `bp:"relative,chain"`
	}
)

// An Exp-Golomb code is zeros, a one, and as many bits as there are zeros and k
// more: the place of the integer in its class.
func TestGoldenExpGolomb(t *testing.T) {
	runRows(t, []goldenRow{
		{"expgolomb, 0", of("expgolomb", uint8(0)), "1", nil, "the class of one integer"},
		{"expgolomb, 1", of("expgolomb", uint8(1)), "01 0:1", nil, "the first of two"},
		{"expgolomb, 2", of("expgolomb", uint8(2)), "01 1:1", nil, "the second of two"},
		{"expgolomb, 3", of("expgolomb", uint8(3)), "001 0:2", nil, "the first of four"},
		{"expgolomb, 254", of("expgolomb", uint8(254)), "00000001 127:7", nil, "255 is the last number of 8 bits"},
		{"expgolomb, 255", of("expgolomb", uint8(255)), "000000001 0:8", nil, "256 has 9 bits"},
		{"expgolomb of order 3, 0", of("expgolomb,k=3", uint8(0)), "1 0:3", nil, "the class of eight"},
		{"expgolomb of order 3, 7", of("expgolomb,k=3", uint8(7)), "1 7:3", nil, "the last of eight"},
		{"expgolomb of order 3, 8", of("expgolomb,k=3", uint8(8)), "01 0:4", nil, "the first of sixteen"},
		{"expgolomb of order 3, 255", of("expgolomb,k=3", uint8(255)), "000001 7:8", nil, "the seventh after 248"},
		{"expgolomb, -1", of("expgolomb,k=1", int16(-1)), "1 1:1", nil, "zigzag: 0, -1, 1, -2 are 0, 1, 2, 3"},
		{"expgolomb, 1 of a signed type", of("expgolomb,k=1", int16(1)), "01 0:2", nil, "zigzag 2"},
		{"expgolomb, the least", of("expgolomb,k=1", int16(math.MinInt16)), "0000000000000001 1:16", nil, "zigzag 65535; with 2 it is 2^16+1"},
		{"expgolomb, 2^64-2", of("expgolomb", uint64(math.MaxUint64-1)), "000000000000000000000000000000000000000000000000000000000000000 1 0x7FFFFFFFFFFFFFFF:63", nil, "127 bits"},
		{"expgolomb, 2^64-1", of("expgolomb", uint64(math.MaxUint64)), "0000000000000000000000000000000000000000000000000000000000000000 1 0:64", nil, "129 bits, the longest"},
		{"expgolomb of order 1, 2^64-1", of("expgolomb,k=1", uint64(math.MaxUint64)), "000000000000000000000000000000000000000000000000000000000000000 1 1:64", nil, "128 bits"},
		{"expgolomb of order 63, the least", of("expgolomb,k=63", int64(math.MinInt64)), "01 0x7FFFFFFFFFFFFFFF:64", nil, "2^64-1 and 2^63"},
		{"expgolombs after a bit", of("", true, "expgolomb", [3]uint{0, 4, 1}), "1 1 001 1:2 01 0:1", nil, "not aligned"},
		{"keys of kind expgolomb", of("maxlen=3,key.kind=expgolomb,key.k=2", map[int8]bool{-2: true, 3: false}), "2:2 1 3:2 1 01 2:3 0", nil, "zigzag 3 and 6"},
		{"a listed value of kind expgolomb", of("expgolomb,common=9|200", uint8(200)), "1 0", nil, "the second of two"},
		{"a value of kind expgolomb that is not listed", of("expgolomb,common=9|200", uint8(2)), "0 01 1:1", nil, "the code follows"},
		{"optional of kind expgolomb, zero", of("expgolomb,optional", [2]int32{}), "0", nil, "one bit"},
		{"optional of kind expgolomb", of("expgolomb,optional", [2]int32{0, -1}), "1 1 01 0:1", nil, "then both"},
	})
}

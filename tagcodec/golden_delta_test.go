package tagcodec_test

import (
	"math"
	"testing"
)

// A varint has groups of 7 bits, lowest first. A continuation bit precedes each
// group.
func TestGoldenVarint(t *testing.T) {
	type (
		v32 struct {
			A uint32 `bp:"varint"`
		}
		v64 struct {
			A uint64 `bp:"varint"`
		}
		s32 struct {
			A int32 `bp:"varint"`
		}
		s8 struct {
			A int8 `bp:"varint"`
		}
		s64 struct {
			A int64 `bp:"varint"`
		}
		shifted struct {
			A bool
			B uint8 `bp:"varint"`
		}
	)
	runRows(t, []goldenRow{
		{"varint, 0", v32{0}, "0 0:7", "00", nil, "one group, led by the bit that none follows"},
		{"varint, the largest of one group", v32{127}, "0 127:7", "fe", nil, "7 bits"},
		{"varint, the least of two groups", v32{128}, "1 0:7 0 1:7", "0102", nil, "the low group comes first"},
		{"varint, 300", v32{300}, "1 44:7 0 2:7", "5904", nil, "300 is 2*128+44"},
		{"varint, the largest", v32{math.MaxUint32}, "1 127:7 1 127:7 1 127:7 1 127:7 0 15:7",
			"ffffffff1e", nil, "4*7+4 bits"},
		{"varint, the largest of 64 bits", v64{math.MaxUint64}, "1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 0 1:7",
			"ffffffffffffffffff02", nil, "9*7+1 bits"},
		{"varint, -1", s32{-1}, "0 1:7", "02", nil, "zigzag: 0, -1, 1, -2 are 0, 1, 2, 3"},
		{"varint, 1", s32{1}, "0 2:7", "04", nil, "zigzag"},
		{"varint, -64", s32{-64}, "0 127:7", "fe", nil, "the least of one group"},
		{"varint, 64", s32{64}, "1 0:7 0 1:7", "0102", nil, "zigzag 128"},
		{"varint, the least", s32{math.MinInt32}, "1 127:7 1 127:7 1 127:7 1 127:7 0 15:7",
			"ffffffff1e", nil, "zigzag 2^32-1"},
		{"varint of int8", s8{-128}, "1 127:7 0 1:7", "ff02", nil, "zigzag 255"},
		{"varint of int64, the least", s64{math.MinInt64}, "1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 1 127:7 0 1:7",
			"ffffffffffffffffff02", nil, "zigzag 2^64-1"},
		{"varint after a bit", shifted{true, 5}, "1 0 5:7", "1500", nil, "not aligned"},
	})
}

// An int_relative has shorter forms for smaller steps from the previous
// integer.
func TestGoldenRelative(t *testing.T) {
	type (
		rel struct {
			A int32 `bp:"relative,base=10"`
		}
		before struct {
			A int32 `bp:"relative,base=-1"`
		}
		negative struct {
			A int32 `bp:"relative,base=-0x80000000"`
		}
		unsigned struct {
			A uint32 `bp:"relative,base=0"`
		}
		short struct {
			A uint8 `bp:"relative,base=0"`
		}
		to struct {
			N uint8
			A uint8 `bp:"relative,to=N"`
		}
		toAbsent struct {
			On bool
			N  uint8 `bp:"if=On"`
			A  uint8 `bp:"relative,to=N"`
		}
		chain struct {
			A []step `bp:"maxlen=4"`
		}
		chainBase struct{ A [2]after100 }
		chainDeep struct {
			A []nested `bp:"maxlen=3"`
		}
	)
	runRows(t, []goldenRow{
		{"relative, 1 above", rel{11}, "1", "01", nil, "d = 1"},
		{"relative, 2 above", rel{12}, "01 0:3", "02", nil, "the least of int(2,6)"},
		{"relative, 6 above", rel{16}, "01 4:3", "12", nil, "the largest of int(2,6)"},
		{"relative, 7 above", rel{17}, "001 0:5", "04", nil, "the least of int(7,23)"},
		{"relative, 23 above", rel{33}, "001 16:5", "84", nil, "the largest of int(7,23)"},
		{"relative, 24 above", rel{34}, "0001 0:9", "0800", nil, "the least of int(24,280)"},
		{"relative, 280 above", rel{290}, "0001 256:9", "0810", nil, "the largest of int(24,280)"},
		{"relative, 281 above", rel{291}, "00001 0:13", "100000", nil, "the least of int(281,4377)"},
		{"relative, 4377 above", rel{4387}, "00001 4096:13", "100002", nil, "the largest of int(281,4377)"},
		{"relative, 4378 above", rel{4388}, "000001 0:17", "200000", nil, "the least of int(4378,69914)"},
		{"relative, 69914 above", rel{69924}, "000001 65536:17", "200040", nil, "the largest of int(4378,69914)"},
		{"relative, farther", rel{69925}, "000000 69925:32", "4049440000", nil, "the integer itself"},
		{"relative, the largest", rel{math.MaxInt32}, "000000 0x7FFFFFFF:32",
			"c0ffffff1f", nil, "the integer itself"},
		{"relative, 0 after -1", before{0}, "1", "01", nil, "d = 1"},
		{"relative, from the least", negative{-0x7FFFFFFF}, "1", "01", nil, "d = 1"},
		{"relative, a negative integer itself", negative{-2}, "000000 0xFFFFFFFE:32",
			"80ffffff3f", nil, "32 bits in two's complement"},
		{"relative, the largest uint32", unsigned{math.MaxUint32}, "000000 0xFFFFFFFF:32",
			"c0ffffff3f", nil, "the integer itself"},
		{"relative of uint8", short{255}, "0001 231:9", "780e", nil, "255-24"},
		{"relative to a field", to{5, 9}, "5:8 01 2:3", "050a", nil, "d = 4"},
		{"relative to a field, the last two", to{254, 255}, "254:8 1", "fe01", nil, "d = 1"},
		{"relative to a field that is there", toAbsent{true, 3, 4}, "1 3:8 1", "0702", nil, "d = 1"},
		{"relative to a field that is not there", toAbsent{false, 3, 4}, "0 01 2:3",
			"14", toAbsent{false, 0, 4}, "it counts as 0: d = 4"},
		{"chain of elements", chain{[]step{{3, true}, {4, false}, {7, true}}}, "3:3 01 2:3 1 1 0 01 1:3 1",
			"533301", nil, "3 after -1, 4 after 3, 7 after 4"},
		{"chain in an array, from a base", chainBase{[2]after100{{101}, {103}}}, "1 01 0:3",
			"05", nil, "101 after 100, 103 after 101"},
		{"chain through a struct in the element", chainDeep{[]nested{{true, inner{5}}, {false, inner{6}}}}, "2:2 1 01 4:3 0 1",
			"9602", nil, "5 after -1, 6 after 5"},
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
	type (
		u8 struct {
			A uint8 `bp:"expgolomb"`
		}
		u8k3 struct {
			A uint8 `bp:"expgolomb,k=3"`
		}
		s16 struct {
			A int16 `bp:"expgolomb,k=1"`
		}
		u64 struct {
			A uint64 `bp:"expgolomb"`
		}
		u64k1 struct {
			A uint64 `bp:"expgolomb,k=1"`
		}
		s64 struct {
			A int64 `bp:"expgolomb,k=63"`
		}
		array struct {
			A bool
			B [3]uint `bp:"expgolomb"`
		}
		keys struct {
			A map[int8]bool `bp:"maxlen=3,key.kind=expgolomb,key.k=2"`
		}
		listed struct {
			A uint8 `bp:"expgolomb,common=9|200"`
		}
		optional struct {
			A [2]int32 `bp:"expgolomb,optional"`
		}
	)
	runRows(t, []goldenRow{
		{"expgolomb, 0", u8{0}, "1", "01", nil, "the class of one integer"},
		{"expgolomb, 1", u8{1}, "01 0:1", "02", nil, "the first of two"},
		{"expgolomb, 2", u8{2}, "01 1:1", "06", nil, "the second of two"},
		{"expgolomb, 3", u8{3}, "001 0:2", "04", nil, "the first of four"},
		{"expgolomb, 254", u8{254}, "00000001 127:7", "807f", nil, "255 is the last number of 8 bits"},
		{"expgolomb, 255", u8{255}, "000000001 0:8", "000100", nil, "256 has 9 bits"},
		{"expgolomb of order 3, 0", u8k3{0}, "1 0:3", "01", nil, "the class of eight"},
		{"expgolomb of order 3, 7", u8k3{7}, "1 7:3", "0f", nil, "the last of eight"},
		{"expgolomb of order 3, 8", u8k3{8}, "01 0:4", "02", nil, "the first of sixteen"},
		{"expgolomb of order 3, 255", u8k3{255}, "000001 7:8", "e001", nil, "the seventh after 248"},
		{"expgolomb, -1", s16{-1}, "1 1:1", "03", nil, "zigzag: 0, -1, 1, -2 are 0, 1, 2, 3"},
		{"expgolomb, 1 of a signed type", s16{1}, "01 0:2", "02", nil, "zigzag 2"},
		{"expgolomb, the least", s16{math.MinInt16}, "0000000000000001 1:16", "00800100", nil, "zigzag 65535; with 2 it is 2^16+1"},
		{"expgolomb, 2^64-2", u64{math.MaxUint64 - 1}, "000000000000000000000000000000000000000000000000000000000000000 1 0x7FFFFFFFFFFFFFFF:63",
			"0000000000000080ffffffffffffff7f", nil, "127 bits"},
		{"expgolomb, 2^64-1", u64{math.MaxUint64}, "0000000000000000000000000000000000000000000000000000000000000000 1 0:64",
			"0000000000000000010000000000000000", nil, "129 bits, the longest"},
		{"expgolomb of order 1, 2^64-1", u64k1{math.MaxUint64}, "000000000000000000000000000000000000000000000000000000000000000 1 1:64",
			"00000000000000800100000000000000", nil, "128 bits"},
		{"expgolomb of order 63, the least", s64{math.MinInt64}, "01 0x7FFFFFFFFFFFFFFF:64", "feffffffffffffff01", nil, "2^64-1 and 2^63"},
		{"expgolombs after a bit", array{true, [3]uint{0, 4, 1}}, "1 1 001 1:2 01 0:1", "3301", nil, "not aligned"},
		{"keys of kind expgolomb", keys{map[int8]bool{-2: true, 3: false}}, "2:2 1 3:2 1 01 2:3 0", "be02", nil, "zigzag 3 and 6"},
		{"a listed value of kind expgolomb", listed{200}, "1 0", "01", nil, "the second of two"},
		{"a value of kind expgolomb that is not listed", listed{2}, "0 01 1:1", "0c", nil, "the code follows"},
		{"optional of kind expgolomb, zero", optional{}, "0", "00", nil, "one bit"},
		{"optional of kind expgolomb", optional{[2]int32{0, -1}}, "1 1 01 0:1", "0b", nil, "then both"},
	})
}

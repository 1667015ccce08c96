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

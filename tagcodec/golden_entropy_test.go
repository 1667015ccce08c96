package tagcodec_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/tagcodec"
)

func TestGoldenCommon(t *testing.T) {
	type packet struct {
		One   uint32 `bp:"common=0"`
		Two   int8   `bp:"int,min=-4,max=3,common=-4|2"`
		Three uint8  `bp:"uint,bits=6,common=10|20|30"`
	}
	runGolden(t, []golden[packet]{
		{"the first of each", packet{0, -4, 10}, "1 11 1" + low(0, 2), nil},
		{"the second of each: of two the bit is 0", packet{0, 2, 20}, "1 10 1" + low(1, 2), nil},
		{"the third", packet{0, 2, 30}, "1 10 1" + low(2, 2), nil},
		{"none of them", packet{1 << 31, 3, 31}, "0" + low(1<<31, 32) + "0" + low(7, 3) + "0" + low(31, 6), nil},
	})
	runRefused(t, []refused[packet]{
		{name: "an index of no value", bits: "1 11 1" + low(3, 2), err: tagcodec.ErrRange,
			text: "packet.Three at bit 3: value out of range: 3 is outside [0, 2]"},
		{name: "a listed value in its own form", bits: "0" + low(0, 32), err: tagcodec.ErrNotCanonical,
			text: "packet.One at bit 0: not the canonical encoding: 0: a listed value has a code of its own"},
		{name: "the second in its own form", bits: "1 0" + low(6, 3), err: tagcodec.ErrNotCanonical,
			text: "packet.Two at bit 1: not the canonical encoding: 2: a listed value has a code of its own"},
		{name: "written out of range", value: packet{Two: 4}, err: tagcodec.ErrRange,
			text: "packet.Two at bit 1: value out of range: 4 is outside [-4, 3]"},
	})
	type zeros struct {
		Before uint8 `bp:"uint,bits=7"`
		V      uint8 `bp:"common=0"`
	}
	runRefused(t, []refused[zeros]{
		{name: "the bits that are not there are no zeros", bits: low(0, 8), err: tagcodec.ErrOverread,
			text: "zeros.V at bit 8: read past the end of the data: 8 more bits needed, 0 left"},
	})
}

// Any scalar may have common values. A float equals a common value if their
// codes are equal.
func TestGoldenCommonKinds(t *testing.T) {
	type level uint8
	type packet struct {
		Flag   bool         `bp:"common=true"`
		Level  level        `bp:"enum,max=9,common=5"`
		Raw    float32      `bp:"common=1.5"`
		Metres float64      `bp:"float,min=-1,max=1,res=0.5,common=0"`
		Half   float32      `bp:"half,common=2"`
		Turn   float32      `bp:"angle,bits=4,unit=deg,common=90"`
		Groups int          `bp:"varint,common=-1000"`
		Wide   bits.Int128  `bp:"int,min=-8,max=7,common=-8"`
		Fixed  int16        `bp:"fixed,frac=4,min=-2,max=2,common=16"` // 16 is the raw form of 1
		Name   string       `bp:"string,maxlen=7,common=bob"`
		Wide16 string       `bp:"wstring,maxlen=2,common=é"`
		Blob   string       `bp:"bytes,maxlen=3,common=z"`
		Big    bits.Uint128 `bp:"common=0x100000000000000000"`
	}
	hits := packet{true, 5, 1.5, 0, 2, 90, -1000, bits.Int128{Lo: 1<<64 - 8, Hi: -1}, 16, "bob", "é", "z", bits.Uint128{Hi: 16}}
	near := hits
	near.Metres, near.Half, near.Turn = 0.2, 2.0001, 91
	misses := packet{Level: 4, Raw: -1.5, Metres: 0.5, Half: 4, Groups: 1000, Wide: bits.Int128{Lo: 7}, Fixed: 1, Name: "b", Wide16: "e", Big: bits.Uint128{Lo: 16}}
	runGolden(t, []golden[packet]{
		{"all common", hits, strings.Repeat("1", 13), nil},
		{"floats of the same code", near, strings.Repeat("1", 13), &hits},
		{"none common", misses, "00 0" + low(4, 4) + "0" + low(0xBFC00000, 32) + "0" + low(3, 3) + "0" + low(0x4400, 16) + "0" + low(0, 4) +
			"0" + "1" + low(2000&127, 7) + "0" + low(2000>>7, 7) + "0" + low(15, 4) + "0" + low(33, 7) + // 96 bits
			"0" + low(1, 3) + "0000" + low('b', 8) + // the text is aligned
			"0" + low(1, 2) + low('e', 32) + "0" + low(0, 2) + "00" + // the empty string is aligned too
			"0" + low(16, 64) + low(0, 64), nil},
	})
	runRefused(t, []refused[packet]{
		{name: "a float that has the common code", bits: "111 0" + low(2, 3) + "00000", err: tagcodec.ErrNotCanonical,
			text: "packet.Metres at bit 3: not the canonical encoding: 0: a listed value has a code of its own"},
		{name: "a varint", bits: "111111 0" + "1" + low(1999&127, 7) + "0" + low(1999>>7, 7), err: tagcodec.ErrNotCanonical,
			text: "packet.Groups at bit 6: not the canonical encoding: -1000: a listed value has a code of its own"},
		{name: "an overlong varint is one before it is a common value", bits: "111111 0" + "1" + low(0, 7) + "0" + low(0, 7), err: tagcodec.ErrNotCanonical,
			text: "packet.Groups at bit 7: not the canonical encoding"},
		{name: "128 bits", bits: "1111111 0" + low(0, 4) + "0000", err: tagcodec.ErrNotCanonical,
			text: "packet.Wide at bit 7: not the canonical encoding: -8: a listed value has a code of its own"},
		{name: "text", bits: "111111111 0" + low(3, 3) + "000" + low('b', 8) + low('o', 8) + low('b', 8), err: tagcodec.ErrNotCanonical,
			text: "packet.Name at bit 9: not the canonical encoding: \"bob\": a listed value has a code of its own"},
		{name: "wide text", bits: "1111111111 0" + low(1, 2) + low('é', 32), err: tagcodec.ErrNotCanonical,
			text: "packet.Wide16 at bit 10: not the canonical encoding: \"é\": a listed value has a code of its own"},
		{name: "bytes", bits: "11111111111 0" + low(1, 2) + "00" + low('z', 8), err: tagcodec.ErrNotCanonical,
			text: "packet.Blob at bit 11: not the canonical encoding: \"z\": a listed value has a code of its own"},
	})
}

func TestGoldenHuffman(t *testing.T) {
	type packet struct {
		V int16 `bp:"int,min=-100,max=100,huffman=0:90|-7:7|*:3"`
	}
	runGolden(t, []golden[packet]{
		{"the most common", packet{0}, "0", nil},
		{"the next", packet{-7}, "10", nil},
		{"the escape and the value", packet{100}, "11" + low(200, 8), nil},
		{"next to a listed value", packet{-8}, "11" + low(92, 8), nil},
	})
	runRefused(t, []refused[packet]{
		{name: "a listed value after the escape", bits: "11" + low(93, 8), err: tagcodec.ErrNotCanonical,
			text: "packet.V at bit 0: not the canonical encoding: -7: a listed value has a code of its own"},
		{name: "a value after the escape out of range", bits: "11" + low(201, 8), err: tagcodec.ErrRange,
			text: "packet.V at bit 2: value out of range: 101 is outside [-100, 100]"},
	})

	// d and the escape join to weight 2, which sorts after c. The two join to
	// weight 4, which sorts after a, so b and a join next. The code lengths are
	// 2, 2, 2, 3, 3.
	type word struct {
		Before bool
		Name   string `bp:"maxlen=3,huffman=a:4|b:3|c:2|d:1|*:1"`
	}
	runGolden(t, []golden[word]{
		{"a", word{false, "a"}, "0 00", nil},
		{"b", word{false, "b"}, "0 01", nil},
		{"c", word{true, "c"}, "1 10", nil},
		{"d", word{true, "d"}, "1 110", nil},
		{"another", word{false, "e"}, "0 111" + low(1, 2) + "00" + low('e', 8), nil},
		{"the empty text is one", word{false, ""}, "0 111" + low(0, 2) + "00", nil},
	})
	runRefused(t, []refused[word]{
		{name: "text that is listed", bits: "0 111" + low(1, 2) + "00" + low('d', 8), err: tagcodec.ErrNotCanonical,
			text: "word.Name at bit 1: not the canonical encoding: \"d\": a listed value has a code of its own"},
	})

	// Without an escape, other values cannot be sent. Every sequence of bits is
	// then a valid code.
	type closed struct {
		Pad uint8 `bp:"uint,bits=7"`
		V   uint8 `bp:"huffman=5:2|6:1|9:1"`
	}
	runGolden(t, []golden[closed]{
		{"5", closed{0, 5}, low(0, 7) + "0", nil},
		{"6", closed{0, 6}, low(0, 7) + "10", nil},
		{"9", closed{0, 9}, low(0, 7) + "11", nil},
	})
	runRefused(t, []refused[closed]{
		{name: "a value that is not listed", value: closed{0, 7}, err: tagcodec.ErrRange,
			text: "closed.V at bit 7: value out of range: 7: the code does not list it; list it, or add an escape"},
		{name: "half of a code", bits: low(0, 7) + "1", err: tagcodec.ErrOverread,
			text: "closed.V at bit 7: read past the end of the data: 2 more bits needed, 1 left"},
	})
}

// The heights of the book: 0 in 90% of the packets, a second value in 7%, and
// 32-bit values in the rest.
func heights() (v [800]uint32) {
	for i := range v {
		switch n := i * 37 % 100; {
		case n < 90:
			v[i] = 0
		case n < 97:
			v[i] = 20
		default:
			v[i] = 0x80000000 + uint32(i)
		}
	}
	return v
}

// With 800 values, the average bits per value equal the message's length in
// hundreds of bytes.
func TestEntropyOfTheBook(t *testing.T) {
	for _, row := range []struct {
		name string
		v    any
		want float64
	}{
		{"plain", struct{ V [800]uint32 }{heights()}, 32},
		{"one common value: 0.9*1 + 0.1*33", struct {
			V [800]uint32 `bp:"common=0"`
		}{heights()}, 4.2},
		{"two: 0.9*2 + 0.07*2 + 0.03*33", struct {
			V [800]uint32 `bp:"common=0|20"`
		}{heights()}, 2.93},
		{"huffman: 0.9*1 + 0.07*2 + 0.03*34", struct {
			V [800]uint32 `bp:"huffman=0:90|20:7|*:3"`
		}{heights()}, 2.06},
	} {
		t.Run(row.name, func(t *testing.T) {
			size, err := tagcodec.Size(row.v)
			require.NoError(t, err)
			require.Equal(t, row.want, float64(size)*8/800)
		})
	}
}

package bits_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

const zeros7 = "00000000000000"

// The bytes were worked out by hand from the rules of the format.
var golden = []struct {
	name   string
	reason string
	ops    []op
	bits   int
	hex    string
}{
	{"empty", "a message without values has no bytes",
		nil, 0, ""},
	{"one bit", "the unused bits of the last byte are zero",
		[]op{opBool(true)}, 1, "01"},
	{"the diagram of the package", "low bits first, a value continues in the low bits of the next byte",
		[]op{opBits(5, 3), opBool(true), opBits(700, 10), opAlign()}, 16, "cd2b"},
	{"all ones", "they do not leak into the next value",
		[]op{opBits(7, 3), opBits(0, 5)}, 8, "07"},
	{"across a byte", "12 bits from bit 4",
		[]op{opBits(0, 4), opBits(0xABC, 12)}, 16, "c0ab"},
	{"across a word", "4 bits of the value in each word",
		[]op{opBits(0, 60), opBits(0xA5, 8)}, 68, zeros7 + "500a"},
	{"a word at bit 0", "little-endian on every machine",
		[]op{opBits(0x0123456789ABCDEF, 64)}, 64, "efcdab8967452301"},
	{"a word at bit 1", "its last bit is alone in the second word",
		[]op{opBool(true), opBits(0x8000000000000001, 64)}, 65, "03" + zeros7 + "01"},
	{"a word at bit 63", "its first bit is alone in the first word",
		[]op{opBits(0, 63), opBits(0xFEDCBA9876543211, 64)}, 127, zeros7 + "80" + "08192a3b4c5d6e7f"},
	{"float", "1.5",
		[]op{opFloat32(0x3FC00000)}, 32, "0000c03f"},
	{"double", "-2",
		[]op{opFloat64(0xC000000000000000)}, 64, zeros7 + "c0"},
	{"signaling NaN, float", "every pattern survives",
		[]op{opFloat32(0x7F800001)}, 32, "0100807f"},
	{"signaling NaN, double", "every pattern survives",
		[]op{opFloat64(0xFFF0000000000001)}, 64, "010000000000f0ff"},
	{"align at a byte", "nothing to pad",
		[]op{opAlign(), opBits(0xA5, 8), opAlign()}, 8, "a5"},
	{"align after one bit", "7 zero bits",
		[]op{opBool(true), opAlign(), opBits(0xA5, 8)}, 16, "01a5"},
	{"bytes", "they align first",
		[]op{opBool(true), opBytes("\xDE\xAD")}, 24, "01dead"},
	{"no bytes", "they align too",
		[]op{opBits(5, 3), opBytes(""), opBits(0xA5, 8)}, 16, "05a5"},
	{"bytes across a word", "what follows them continues the new word",
		[]op{opBits(0, 55), opBytes("\x01\x02\x03"), opBits(0xF, 4)}, 84, zeros7 + "0102030f"},
	{"string", "5 bits of length, aligned bytes",
		[]op{opString("hi", 16)}, 24, "026869"},
	{"empty string", "its length and then an align",
		[]op{opString("", 3), opBool(true)}, 9, "0001"},
	{"string of no room", "no bits of length, but an align",
		[]op{opBool(true), opString("", 0), opBool(true)}, 9, "0101"},
	{"wstring", "one unit of 32 bits, not aligned",
		[]op{opWString("€", 3)}, 34, "b182000000"},
	{"wstring of an astral character", "two units",
		[]op{opWString("😀", 2)}, 66, "f660030000780300" + "00"},
	{"wstring of no room", "no bits at all and no align",
		[]op{opBool(true), opWString("", 0), opBool(true)}, 2, "03"},
	{"int", "offset 63 of 200",
		[]op{opInt(-37, -100, 100)}, 8, "3f"},
	{"int of one bit", "two values",
		[]op{opInt(0, -1, 0)}, 1, "01"},
	{"int of one value", "no bits",
		[]op{opInt(7, 7, 7), opUint(7, 7, 7), opCount(7, 7, 7)}, 0, ""},
	{"every int64", "the distance of the bounds is unsigned",
		[]op{opInt(-1, math.MinInt64, math.MaxInt64)}, 64, "ffffffffffffff7f"},
	{"every uint64", "64 bits",
		[]op{opUint(math.MaxUint64-1, 0, math.MaxUint64)}, 64, "feffffffffffffff"},
	{"int128", "72 bits, 64 of them in the low part",
		[]op{opInt128(bits.Int128{Lo: math.MaxUint64, Hi: -1}, bits.Int128{Hi: -64}, bits.Int128{Hi: 64})},
		72, "ffffffffffffffff3f"},
	{"int128 of 128 bits", "-1 of [-1, 2^127-1]",
		[]op{opInt128(bits.Int128{Lo: math.MaxUint64, Hi: -1}, bits.Int128{Lo: math.MaxUint64, Hi: -1}, maxInt128)},
		128, zeros7 + "00" + zeros7 + "00"},
	{"int128 of 65 bits", "offset 2^63+5 of 2^64",
		[]op{opInt128(bits.Int128{Lo: 5}, bits.Int128{Lo: 1 << 63, Hi: -1}, bits.Int128{Lo: 1 << 63})},
		65, "0500000000000080" + "00"},
	{"every int128", "the smallest is offset 0",
		[]op{opInt128(maxInt128, minInt128, maxInt128)}, 128, strings.Repeat("ff", 16)},
	{"every uint128", "low part first",
		[]op{opUint128(bits.Uint128{Lo: 2, Hi: 1}, bits.Uint128{}, bits.Uint128{Lo: math.MaxUint64, Hi: math.MaxUint64})},
		128, "02" + zeros7 + "01" + zeros7},
	{"count", "offset 3 of 3",
		[]op{opCount(4, 1, 4)}, 2, "03"},
	{"the next integer", "one bit",
		[]op{opRelative(100, 101, 0, math.MaxInt32)}, 1, "01"},
	{"6 further on", "flags 01, offset 4",
		[]op{opRelative(100, 106, 0, math.MaxInt32)}, 5, "12"},
	{"absolute", "six zeros, 32 bits",
		[]op{opRelative(0, 70000, 0, math.MaxInt32)}, 38, "005c440000"},
	{"Exp-Golomb", "a zero, a one, and place 1 of the 2 integers in the class",
		[]op{opExpGolomb(2, 9, 0)}, 3, "06"},
	{"Exp-Golomb of order 3", "a zero, a one, and place 0 in 4 bits",
		[]op{opExpGolomb(8, 9, 3)}, 6, "02"},
	{"Exp-Golomb, the longest code", "64 zeros, a one and 64 zeros",
		[]op{opExpGolomb(math.MaxUint64, math.MaxUint64, 0)}, 129, zeros7 + "00" + "01" + zeros7 + "00"},
	{"varint", "7 bits in each byte, the low ones first",
		[]op{opVarint(0), opVarint(300), opVarint(math.MaxUint64)}, 104, "00" + "5904" + "ffffffffffffffffff02"},
}

func TestGolden(t *testing.T) {
	for _, tt := range golden {
		t.Run(tt.name, func(t *testing.T) {
			data, n := write(t, tt.ops)
			require.Equal(t, tt.hex, hex.EncodeToString(data), tt.reason)
			require.Equal(t, tt.bits, n, tt.reason)

			w, m := bits.NewWriter(make([]byte, len(data))), bits.NewMeasurer()
			for _, o := range tt.ops {
				o.write(w)
				o.write(m)
			}
			require.NoError(t, w.Err(), "a buffer of just the size is enough")
			require.Equal(t, tt.hex, hex.EncodeToString(w.Bytes()))
			require.NoError(t, m.Err())
			require.Equal(t, tt.bits, m.Bit(), "measured")

			r := bits.NewReader(data)
			for _, o := range tt.ops {
				require.Equal(t, o.want, o.read(r), o.name)
			}
			require.NoError(t, r.Finish())
			require.Equal(t, tt.bits, r.Bit())

			for n := range data {
				r := bits.NewReader(inside(data[:n], 0xFF))
				for _, o := range tt.ops {
					if got := o.read(r); r.Err() == nil {
						require.Equal(t, o.want, got, "%s in %d bytes", o.name, n)
					}
				}
				require.ErrorIs(t, r.Err(), bits.ErrOverread, "%d of %d bytes", n, len(data))
			}
		})
	}
}

// TestDiagram checks that the diagram in the package doc shows the bits that
// the Writer produces.
func TestDiagram(t *testing.T) {
	data, _ := write(t, []op{opBits(5, 3), opBool(true), opBits(700, 10), opAlign()})
	drawn := strings.ReplaceAll("1 1 0 0 1 1 0 1   0 0 1 0 1 0 1 1", " ", "")
	require.Equal(t, drawn, fmt.Sprintf("%08b%08b", data[0], data[1]))
}

// bitString is the simplest model of the format: one byte per bit.
type bitString []byte

func (s bitString) add(v uint64, n int) bitString {
	for i := range n {
		s = append(s, byte(v>>i)&1)
	}
	return s
}

func (s bitString) pack() []byte {
	data := make([]byte, (len(s)+7)/8)
	for i, bit := range s {
		data[i/8] |= bit << (i % 8)
	}
	return data
}

// TestBitsAtEveryOffset compares every width at every bit of a word with
// bitString.
func TestBitsAtEveryOffset(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for offset := range 65 {
		for width := 1; width <= 64; width++ {
			var want bitString
			w := bits.NewAppendWriter(nil)
			if offset > 0 {
				v := rng.Uint64() >> (64 - offset)
				w.WriteBits(v, offset)
				want = want.add(v, offset)
			}
			v := rng.Uint64() >> (64 - width)
			w.WriteBits(v, width)
			w.WriteBool(true)
			want = want.add(v, width).add(1, 1)
			require.Equal(t, want.pack(), w.Bytes(), "%d bits at bit %d", width, offset)

			r := new(bits.Reader)
			r.Reset(inside(w.Bytes(), 0xFF), offset)
			require.Equal(t, v, r.ReadBits(width), "%d bits at bit %d", width, offset)
			require.True(t, r.ReadBool())
			require.NoError(t, r.Finish())
		}
	}
}

package tagcodec_test

import (
	"net/netip"
	"testing"
	"time"
)

// Text is its length, alignment and bytes. A wstring is not aligned.
func TestGoldenText(t *testing.T) {
	type (
		text struct {
			A bool
			B string `bp:"string,maxlen=5"`
		}
		inferred struct {
			A string `bp:"maxlen=31"`
		}
		noRoom struct {
			A bool
			B string `bp:"maxlen=0"`
			C bool
		}
		textBytes struct {
			A []byte `bp:"string,maxlen=5"`
		}
		long struct {
			A bool
			B string `bp:"maxlen=20"`
			C bool
		}
		wide struct {
			A bool
			B string `bp:"wstring,maxlen=3"`
			C bool
		}
		cstring struct {
			A bool
			B [8]byte `bp:"cstring"`
		}
		cstrings struct {
			A [2][4]byte `bp:"cstring"`
		}
		tight struct {
			A [1]byte `bp:"cstring"`
		}
	)
	runRows(t, []goldenRow{
		{"string, empty", text{true, ""}, "1 0:3 |", "01", nil, "a length of 0 aligns too"},
		{"string", text{true, "hi"}, "1 2:3 | [68 69]", "056869", nil, "length, align, bytes"},
		{"string, full", text{false, "hello"}, "0 5:3 | [68 65 6c 6c 6f]", "0a68656c6c6f", nil, "the largest length"},
		{"string of more than ASCII", text{false, "hé"}, "0 3:3 | [68 c3 a9]",
			"0668c3a9", nil, "the length is in bytes of UTF-8"},
		{"string without a kind", inferred{"a"}, "1:5 | [61]", "0161", nil, "string is inferred"},
		{"string without room", noRoom{true, "", true}, "1 | 1",
			"0101", nil, "no length, and it aligns all the same"},
		{"string in a []byte", textBytes{[]byte("hi")}, "2:3 | [68 69]", "026869", nil, "as in a string"},
		{"string across words", long{true, "abcdefghijklmnopqrst", true}, "1 20:5 | [61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70 71 72 73 74] 1",
			"296162636465666768696a6b6c6d6e6f707172737401", nil, "20 bytes"},
		{"wstring, empty", wide{true, "", true}, "1 0:2 1", "09", nil, "it never aligns"},
		{"wstring", wide{true, "hé", true}, "1 2:2 104:32 233:32 1", "450300004807000008", nil, "32 bits a unit"},
		{"wstring beyond 16 bits", wide{false, "😀!", true}, "0 3:2 0xD83D:32 0xDE00:32 33:32 1",
			"eec1060000f006000801000008", nil, "a character above 0xFFFF is two units"},
		{"cstring", cstring{true, [8]byte{'h', 'i'}}, "1 2:3 | [68 69]", "056869", nil, "as a string of at most 7"},
		{"cstring, empty", cstring{true, [8]byte{}}, "1 0:3 |", "01", nil, "aligns"},
		{"cstring, full", cstring{false, [8]byte{'a', 'b', 'c', 'd', 'e', 'f', 'g'}}, "0 7:3 | [61 62 63 64 65 66 67]",
			"0e61626364656667", nil, "7 bytes and the zero"},
		{"cstring with bytes after its zero", cstring{false, [8]byte{'h', 0, 'x'}}, "0 1:3 | [68]",
			"0268", cstring{false, [8]byte{'h'}}, "what follows the zero is no text"},
		{"array of cstrings", cstrings{[2][4]byte{{'a'}, {'b', 'c'}}}, "1:2 | [61] 2:2 | [62 63]",
			"0161026263", nil, "each has its length"},
		{"cstring of its zero alone", tight{[1]byte{}}, "",
			"", nil, "no bits of length, and at the start nothing to align"},
	})
}

// Bytes are aligned. Their length comes first if it varies.
func TestGoldenBytes(t *testing.T) {
	type (
		raw struct {
			A bool
			B [2]byte `bp:"bytes"`
		}
		rawNone struct {
			A bool
			B [0]byte `bp:"bytes"`
			C bool
		}
		plain struct {
			A bool
			B [2]byte
		}
		rows struct {
			A bool
			B [2][2]byte `bp:"bytes"`
		}
		named struct {
			A [2]level `bp:"bytes"`
		}
		blob struct {
			A bool
			B []byte `bp:"bytes,maxlen=3"`
		}
		least struct {
			A []byte `bp:"bytes,minlen=2,maxlen=5"`
		}
		inString struct {
			A string `bp:"bytes,maxlen=3"`
		}
		small struct {
			A []byte `bp:"uint,bits=4,maxlen=3"`
		}
		rowsOf struct {
			A [2][]byte `bp:"bytes,maxlen=3"`
		}
		moment struct {
			A bool
			B time.Time `bp:"binary,maxlen=15"`
		}
		address struct {
			A []netip.Addr `bp:"binary,maxlen=2,elem.maxlen=16"`
		}
		someone struct {
			A *netip.Addr `bp:"binary,maxlen=16"`
		}
	)
	runRows(t, []goldenRow{
		{"bytes of an array", raw{true, [2]byte{0, 255}}, "1 | [00 ff]", "0100ff", nil, "align, bytes"},
		{"bytes of an array of none", rawNone{true, [0]byte{}, true}, "1 | 1", "0101", nil, "aligns all the same"},
		{"array of bytes without a tag", plain{true, [2]byte{0, 255}}, "1 0:8 255:8",
			"01fe01", nil, "8 bits each, and no alignment"},
		{"bytes of an array of arrays", rows{true, [2][2]byte{{1, 2}, {3, 4}}}, "1 | [01 02] | [03 04]",
			"0101020304", nil, "each aligns, the second for nothing"},
		{"bytes of an array of a named type", named{[2]level{1, 2}}, "[01 02]",
			"0102", nil, "what is 8 bits and unsigned"},
		{"bytes, nil", blob{true, nil}, "1 0:2 |", "01", nil, "a length of 0 aligns"},
		{"bytes", blob{true, []byte{0, 255}}, "1 2:2 | [00 ff]", "0500ff", nil, "length, align, any content"},
		{"bytes, full", blob{false, []byte{1, 2, 3}}, "0 3:2 | [01 02 03]", "06010203", nil, "the largest length"},
		{"bytes of a least length", least{[]byte{7, 8}}, "0:2 | [07 08]",
			"000708", nil, "a length of 2 to 5 is an offset"},
		{"bytes in a string", inString{"\xff\x00"}, "2:2 | [ff 00]", "02ff00", nil, "no text: zeros and all"},
		{"bytes as integers", small{[]byte{1, 15}}, "2:2 1:4 15:4",
			"c603", nil, "a kind of integers makes it a slice of them"},
		{"array of bytes of any length", rowsOf{[2][]byte{{1}, {2, 3}}}, "1:2 | [01] 2:2 | [02 03]",
			"0101020203", nil, "a length each"},
		{"binary", moment{true, time.Unix(0, 0).UTC()}, "1 15:4 | [01 00 00 00 0e 77 91 f7 00 00 00 00 00 ff ff]",
			"1f010000000e7791f70000000000ffff", nil, "version, seconds since the year 1, nanoseconds, and -1 for UTC, which is what MarshalBinary gives"},
		{"binaries in a slice", address{[]netip.Addr{netip.AddrFrom4([4]byte{10, 0, 0, 1})}}, "1:2 4:5 | [0a 00 00 01]",
			"110a000001", nil, "a length each"},
		{"binary in the target of a pointer, nil", someone{nil}, "0", "00", nil, "a bit says that it is not there"},
	})
}

type level uint8

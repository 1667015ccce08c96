package tagcodec_test

import (
	"net/netip"
	"testing"
	"time"
)

// Text is its length, alignment and bytes. A wstring is not aligned.
func TestGoldenText(t *testing.T) {
	runRows(t, []goldenRow{
		{"string, empty", of("", true, "string,maxlen=5", ""), "1 0:3 |", nil, "a length of 0 aligns too"},
		{"string", of("", true, "string,maxlen=5", "hi"), "1 2:3 | [68 69]", nil, "length, align, bytes"},
		{"string, full", of("", false, "string,maxlen=5", "hello"), "0 5:3 | [68 65 6c 6c 6f]", nil, "the largest length"},
		{"string of more than ASCII", of("", false, "string,maxlen=5", "hé"), "0 3:3 | [68 c3 a9]", nil, "the length is in bytes of UTF-8"},
		{"string without a kind", of("maxlen=31", "a"), "1:5 | [61]", nil, "string is inferred"},
		{"string without room", of("", true, "maxlen=0", "", "", true), "1 | 1", nil, "no length, and it aligns all the same"},
		{"string in a []byte", of("string,maxlen=5", []byte("hi")), "2:3 | [68 69]", nil, "as in a string"},
		{"string across words", of("", true, "maxlen=20", "abcdefghijklmnopqrst", "", true), "1 20:5 | [61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70 71 72 73 74] 1", nil, "20 bytes"},
		{"wstring, empty", of("", true, "wstring,maxlen=3", "", "", true), "1 0:2 1", nil, "it never aligns"},
		{"wstring", of("", true, "wstring,maxlen=3", "hé", "", true), "1 2:2 104:32 233:32 1", nil, "32 bits a unit"},
		{"wstring beyond 16 bits", of("", false, "wstring,maxlen=3", "😀!", "", true), "0 3:2 0xD83D:32 0xDE00:32 33:32 1", nil, "a character above 0xFFFF is two units"},
		{"cstring", of("", true, "cstring", [8]byte{'h', 'i'}), "1 2:3 | [68 69]", nil, "as a string of at most 7"},
		{"cstring, empty", of("", true, "cstring", [8]byte{}), "1 0:3 |", nil, "aligns"},
		{"cstring, full", of("", false, "cstring", [8]byte{'a', 'b', 'c', 'd', 'e', 'f', 'g'}), "0 7:3 | [61 62 63 64 65 66 67]", nil, "7 bytes and the zero"},
		{"cstring with bytes after its zero", of("", false, "cstring", [8]byte{'h', 0, 'x'}), "0 1:3 | [68]", values{false, [8]byte{'h'}}, "what follows the zero is no text"},
		{"array of cstrings", of("cstring", [2][4]byte{{'a'}, {'b', 'c'}}), "1:2 | [61] 2:2 | [62 63]", nil, "each has its length"},
		{"cstring of its zero alone", of("cstring", [1]byte{}), "", nil, "no bits of length, and at the start nothing to align"},
	})
}

// Bytes are aligned. Their length comes first if it varies.
func TestGoldenBytes(t *testing.T) {
	runRows(t, []goldenRow{
		{"bytes of an array", of("", true, "bytes", [2]byte{0, 255}), "1 | [00 ff]", nil, "align, bytes"},
		{"bytes of an array of none", of("", true, "bytes", [0]byte{}, "", true), "1 | 1", nil, "aligns all the same"},
		{"array of bytes without a tag", of("", true, "", [2]byte{0, 255}), "1 0:8 255:8", nil, "8 bits each, and no alignment"},
		{"bytes of an array of arrays", of("", true, "bytes", [2][2]byte{{1, 2}, {3, 4}}), "1 | [01 02] | [03 04]", nil, "each aligns, the second for nothing"},
		{"bytes of an array of a named type", of("bytes", [2]level{1, 2}), "[01 02]", nil, "what is 8 bits and unsigned"},
		{"bytes, nil", of("", true, "bytes,maxlen=3", []byte(nil)), "1 0:2 |", nil, "a length of 0 aligns"},
		{"bytes", of("", true, "bytes,maxlen=3", []byte{0, 255}), "1 2:2 | [00 ff]", nil, "length, align, any content"},
		{"bytes, full", of("", false, "bytes,maxlen=3", []byte{1, 2, 3}), "0 3:2 | [01 02 03]", nil, "the largest length"},
		{"bytes of a least length", of("bytes,minlen=2,maxlen=5", []byte{7, 8}), "0:2 | [07 08]", nil, "a length of 2 to 5 is an offset"},
		{"bytes in a string", of("bytes,maxlen=3", "\xff\x00"), "2:2 | [ff 00]", nil, "no text: zeros and all"},
		{"bytes as integers", of("uint,bits=4,maxlen=3", []byte{1, 15}), "2:2 1:4 15:4", nil, "a kind of integers makes it a slice of them"},
		{"array of bytes of any length", of("bytes,maxlen=3", [2][]byte{{1}, {2, 3}}), "1:2 | [01] 2:2 | [02 03]", nil, "a length each"},
		{"binary", of("", true, "binary,maxlen=15", time.Time(time.Unix(0, 0).UTC())),
			"1 15:4 | [01 00 00 00 0e 77 91 f7 00 00 00 00 00 ff ff]", nil, "version, seconds since the year 1, nanoseconds, and -1 for UTC, which is what MarshalBinary gives"},
		{"binaries in a slice", of("binary,maxlen=2,elem.maxlen=16", []netip.Addr{netip.AddrFrom4([4]byte{10, 0, 0, 1})}), "1:2 4:5 | [0a 00 00 01]", nil, "a length each"},
		{"binary in the target of a pointer, nil", of("binary,maxlen=16", (*netip.Addr)(nil)), "0", nil, "a bit says that it is not there"},
	})
}

type level uint8

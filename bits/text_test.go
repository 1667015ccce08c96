package bits_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/gobitpack/bitpack/bits"
	"github.com/stretchr/testify/require"
)

// Every padding bit must be zero, at every position and for every operation
// that aligns.
func TestPadding(t *testing.T) {
	ops := map[string]func(*bits.Reader){
		"align":             func(r *bits.Reader) { r.ReadAlign() },
		"bytes":             func(r *bits.Reader) { r.ReadBytes(make([]byte, 1)) },
		"no bytes":          func(r *bits.Reader) { r.ReadBytes(nil) },
		"string of no room": func(r *bits.Reader) { r.ReadString(0) },
	}
	for name, read := range ops {
		for used := 1; used <= 16; used++ {
			data := make([]byte, 4)
			r := new(bits.Reader)
			r.Reset(data, used)
			read(r)
			require.NoError(t, r.Err(), "%s at bit %d", name, used)

			for bad := used; bad%8 != 0; bad++ {
				data := make([]byte, 4)
				data[bad/8] = 1 << (bad % 8)
				r.Reset(data, used)
				read(r)
				require.Equal(t, &bits.Error{Op: "read", Bit: used, Err: bits.ErrPadding}, r.Err(),
					"%s at bit %d, bit %d set", name, used, bad)
				require.EqualError(t, r.Err(), "bits: read at bit "+strconv.Itoa(used)+": padding is not zero")
			}
		}
	}

	// In a string, the length precedes the padding.
	for length, text := range []string{"", "a"} {
		for bad := 5; bad < 8; bad++ {
			r := bits.NewReader([]byte{byte(length) | 1<<bad, 'a'})
			require.Empty(t, r.ReadString(31))
			require.Equal(t, &bits.Error{Op: "read", Bit: 5, Err: bits.ErrPadding}, r.Err(), "%q", text)
		}
	}
}

var badUTF8 = []struct {
	name, text string
	bad        bits.BadText
	want       string
}{
	{"zero byte first", "\x00ab", bits.BadText{}, "byte 0 is zero"},
	{"zero byte in the middle", "é\x00b", bits.BadText{Index: 2}, "byte 2 is zero"},
	{"zero byte last", "ab\x00", bits.BadText{Index: 2}, "byte 2 is zero"},
	{"zero before bad UTF-8", "a\x00\xFF", bits.BadText{Index: 1}, "byte 1 is zero"},
	{"bad UTF-8 before zero", "a\xFF\x00", bits.BadText{Index: 1, Unit: 0xFF}, "byte 1 (0xff) is not UTF-8"},
	{"stray continuation", "\x80", bits.BadText{Unit: 0x80}, "byte 0 (0x80) is not UTF-8"},
	{"after U+FFFD", "\uFFFDa\x80", bits.BadText{Index: 4, Unit: 0x80}, "byte 4 (0x80) is not UTF-8"},
	{"four bytes cut", "a😀\xF0\x9F\x98", bits.BadText{Index: 5, Unit: 0xF0}, "byte 5 (0xf0) is not UTF-8"},
	{"cut by a zero", "\xF0\x9F\x00", bits.BadText{Unit: 0xF0}, "byte 0 (0xf0) is not UTF-8"},
	{"overlong slash", "a\xC0\xAF", bits.BadText{Index: 1, Unit: 0xC0}, "byte 1 (0xc0) is not UTF-8"},
	{"overlong zero", "\xC0\x80", bits.BadText{Unit: 0xC0}, "byte 0 (0xc0) is not UTF-8"},
	{"first surrogate", "é\xED\xA0\x80", bits.BadText{Index: 2, Unit: 0xED}, "byte 2 (0xed) is not UTF-8"},
	{"above U+10FFFF", "\xF4\x90\x80\x80", bits.BadText{Unit: 0xF4}, "byte 0 (0xf4) is not UTF-8"},
}

func TestBadUTF8(t *testing.T) {
	for _, tt := range badUTF8 {
		t.Run(tt.name, func(t *testing.T) {
			want := &bits.Error{Op: "write", Bit: 3, Err: bits.ErrText, Value: tt.bad}
			require.Equal(t, want, written(func(w *bits.Writer) { w.WriteString(tt.text, 31) }))
			require.Equal(t, want, written(func(w *bits.Writer) { w.WriteWString(tt.text, 31) }))
			require.EqualError(t, want, "bits: write at bit 3: bad text: "+tt.want)

			data, _ := write(t, []op{opCount(len(tt.text), 0, 31), opBytes(tt.text)})
			r := bits.NewReader(data)
			require.Empty(t, r.ReadString(31))
			require.Equal(t, &bits.Error{Op: "read", Bit: 5, Err: bits.ErrText, Value: tt.bad}, r.Err())
		})
	}
}

var goodText = []struct {
	name, text string
	units      int
}{
	{"empty", "", 0},
	{"ASCII", "hello", 5},
	{"two bytes", "é", 1},
	{"U+FFFF", "\uFFFF", 1},
	{"emoji", "a😀b", 4},
	{"last astral", "\U0010FFFF", 2},
}

// The bound of a string is in bytes, and that of a wstring in UTF-16 units. A
// bound one lower refuses the text.
func TestTextBounds(t *testing.T) {
	for _, tt := range goodText {
		t.Run(tt.name, func(t *testing.T) {
			n := len(tt.text)
			for _, o := range []op{opString(tt.text, n), opString(tt.text, n+9), opWString(tt.text, tt.units), opWString(tt.text, tt.units+9)} {
				data, _ := write(t, []op{opBits(5, 3), o})
				r := bits.NewReader(inside(data, 0xFF))
				r.ReadBits(3)
				require.Equal(t, tt.text, o.read(r), o.name)
				require.NoError(t, r.Finish(), o.name)
			}
			if n == 0 {
				return
			}
			require.Equal(t, &bits.Error{Op: "write", Bit: 3, Err: bits.ErrLength, Value: n, Min: 0, Max: n - 1},
				written(func(w *bits.Writer) { w.WriteString(tt.text, n-1) }))
			require.Equal(t, &bits.Error{Op: "write", Bit: 3, Err: bits.ErrLength, Value: tt.units, Min: 0, Max: tt.units - 1},
				written(func(w *bits.Writer) { w.WriteWString(tt.text, tt.units-1) }))
		})
	}
}

// A maximum of 5 takes 3 bits, which can also hold 6 and 7.
func TestTextLengthAbove(t *testing.T) {
	for name, read := range map[string]func(*bits.Reader, int) string{
		"string": (*bits.Reader).ReadString, "wstring": (*bits.Reader).ReadWString,
	} {
		r := bits.NewReader(append([]byte{6}, strings.Repeat("a", 99)...))
		require.Empty(t, read(r, 5), name)
		require.Equal(t, &bits.Error{Op: "read", Bit: 0, Err: bits.ErrLength, Value: 6, Min: 0, Max: 5}, r.Err(), name)
		require.EqualError(t, r.Err(), "bits: read at bit 0: length out of bounds: 6 is outside [0, 5]")
	}
}

// The data ends within the text: the length is present, its bytes are not.
func TestTextCut(t *testing.T) {
	r := bits.NewReader([]byte{5, 'h', 'e'})
	require.Empty(t, r.ReadString(31))
	require.Equal(t, &bits.Error{Op: "read", Bit: 8, Err: bits.ErrOverread, Value: 40, Max: 16}, r.Err())

	r = bits.NewReader([]byte{5, 0, 0, 0, 1})
	require.Empty(t, r.ReadWString(31))
	require.Equal(t, &bits.Error{Op: "read", Bit: 5, Err: bits.ErrOverread, Value: 160, Max: 35}, r.Err())
}

func TestWStringUnits(t *testing.T) {
	const bad = "" // no valid text in the table is empty
	tests := []struct {
		name  string
		units []uint32
		want  string
		at    int // index of the refused unit
	}{
		{"pair", []uint32{0xD83D, 0xDE00}, "😀", 0},
		{"lowest pair", []uint32{0xD800, 0xDC00}, "\U00010000", 0},
		{"highest pair", []uint32{0xDBFF, 0xDFFF}, "\U0010FFFF", 0},
		{"last before the surrogates", []uint32{0xD7FF}, "\uD7FF", 0},
		{"largest unit", []uint32{0xFFFF}, "\uFFFF", 0},
		{"zero", []uint32{'a', 0, 'b'}, bad, 1},
		{"above 16 bits", []uint32{0x10000}, bad, 0},
		{"a letter with a high bit", []uint32{0x80000041}, bad, 0},
		{"low half before a letter", []uint32{0xDC00, 'a'}, bad, 0},
		{"high half last", []uint32{'a', 'b', 0xDBFF}, bad, 2},
		{"high half before a letter", []uint32{0xD83D, 'a'}, bad, 1},
		{"two high halves", []uint32{0xD83D, 0xD83D, 0xDE00}, bad, 1},
		{"halves swapped", []uint32{0xDE00, 0xD83D}, bad, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ops := []op{opBool(true), opCount(len(tt.units), 0, 7)}
			for _, u := range tt.units {
				ops = append(ops, opBits(uint64(u), 32))
			}
			data, n := write(t, ops)
			r := bits.NewReader(data)
			r.ReadBool()
			require.Equal(t, tt.want, r.ReadWString(7))
			if tt.want == bad {
				unit := bits.BadText{Index: tt.at, Unit: tt.units[tt.at], UTF16: true}
				require.Equal(t, &bits.Error{Op: "read", Bit: 4 + 32*tt.at, Err: bits.ErrText, Value: unit}, r.Err())
				want := fmt.Sprintf("unit %d (%#x) is not UTF-16", tt.at, tt.units[tt.at])
				if unit.Unit == 0 {
					want = fmt.Sprintf("unit %d is zero", tt.at)
				}
				require.Equal(t, want, unit.String())
				return
			}
			require.NoError(t, r.Finish())
			again, m := write(t, []op{opBool(true), opWString(tt.want, 7)})
			require.Equal(t, data, again)
			require.Equal(t, n, m)
		})
	}
}

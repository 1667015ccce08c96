package genrt

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A text that is read into a variable again allocates nothing if it is equal, and
// one copy if it differs.
func TestTextAllocations(t *testing.T) {
	for _, n := range []int{5, 33, 300} {
		var list [2][]byte
		var texts [2]string
		for i := range list {
			texts[i] = strings.Repeat(string(rune('a'+i)), n-2) + "é"
			list[i] = padded(append([]byte{byte(n), byte(n >> 8)}, texts[i]...))
		}
		var s string
		read := func(data []byte) {
			text, next := ReadText(data, 0, 8*(n+2), 0, 1<<16-1, 16, true)
			if next != 8*(n+2) {
				t.Fatal(n)
			}
			SetText(&s, text)
		}
		read(list[0])
		require.Zero(t, testing.AllocsPerRun(10, func() { read(list[0]) }), n)
		require.Equal(t, texts[0], s)
		next := 0
		require.Equal(t, 1.0, testing.AllocsPerRun(10, func() {
			next = 1 - next
			read(list[next])
		}), n)
		require.Equal(t, texts[next], s)
	}
}

// TestSetTexts counts the copies of two texts of a message, for old strings that
// are equal or not, and checks that the strings do not share its memory.
func TestSetTexts(t *testing.T) {
	long := strings.Repeat("x", maxJoined)
	for _, test := range []struct {
		oldS, s, between, oldT, t string
		copies                    float64
	}{
		{"", "Ann", "-", "", "555", 1},
		{"Bob", "Ann", "", "444", "555", 1},
		{"Ann", "Ann", "-", "555", "555", 0},
		{"Ann", "Ann", "-", "444", "555", 1},
		{"Bob", "Ann", "-", "555", "555", 1},
		{"Bob", "", "-", "444", "555", 1},
		{"Bob", "Ann", "-", "444", "", 1},
		{"Bob", "", "-", "444", "", 0},
		{"", "Ann", long[6:], "", "555", 1},
		{"", "Ann", long[5:], "", "555", 2},
		{"", "Ann", "-", "", long, 2},
		{"", long, "-", "", "555", 2},
	} {
		data := []byte(test.s + test.between + test.t + "rest")
		first, second := data[:len(test.s)], data[len(test.s)+len(test.between):][:len(test.t)]
		var s, u string
		copies := testing.AllocsPerRun(1, func() {
			s, u = test.oldS, test.oldT
			SetTexts(&s, first, &u, second)
		})
		clear(data)
		require.Equal(t, test.s, s)
		require.Equal(t, test.t, u)
		require.Equal(t, test.copies, copies, "%+v", test)
	}
}

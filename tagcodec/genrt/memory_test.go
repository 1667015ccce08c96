package genrt

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// TestText compares texts at any bit with package bits, and refuses those that are
// too long, not text, cut short, or after padding that is not zero.
func TestText(t *testing.T) {
	const least, most, width = 2, 40, 6
	for n := least; n <= most; n++ {
		for before := 1; before < 64; before += 3 {
			for _, s := range []string{strings.Repeat("x", n), strings.Repeat("é", n/2)} {
				m, w := writers(before)
				w.WriteCount(len(s), least, most)
				w.WriteBytes([]byte(s))
				var ok bool
				m.buf, m.pos, ok = Text(m.buf, m.pos, m.w, m.n, s, least, most-least, width, true)
				require.True(t, ok)
				data := m.buf[:m.pos]
				require.Equal(t, w.Bytes(), data, "%q after %d bits", s, before)
				text, next := ReadText(padded(data), before, w.Bit(), least, most-least, width, true)
				require.Equal(t, s, string(text))
				require.Equal(t, w.Bit(), next)
				_, next = ReadText(padded(data), before, w.Bit()-1, least, most-least, width, true)
				require.Negative(t, next, "cut short")
				if pad := -(before + width) & 7; pad > 0 {
					data[(before+width)/8] |= 0x80
					_, next = ReadText(padded(data), before, w.Bit(), least, most-least, width, true)
					require.Negative(t, next, "padding")
				}
			}
		}
	}
	for _, s := range []string{"x", strings.Repeat("x", most+1), "a\x00", "\xff\xff", strings.Repeat("x", 9) + "\xff"} {
		_, _, ok := Text(nil, 0, 0, 0, s, least, most-least, width, true)
		require.False(t, ok, "%q", s)
	}
	for data, ok := range map[string]bool{"\x00ab": true, "\x00a\xff": false, "\x00a\x00": false, "\x3fab": false} {
		_, next := ReadText(padded([]byte(data)), 0, 8*len(data), least, most-least, width, true)
		require.Equal(t, ok, next == 24, "%q", data)
	}
	text, _ := ReadText(padded([]byte("\x00a\xff")), 0, 24, least, most-least, width, false)
	require.Equal(t, "a\xff", string(text), "bytes need not be text")
}

func TestAlign(t *testing.T) {
	for before := 1; before < 64; before++ {
		m, w := writers(before)
		w.WriteAlign()
		buf, first := Align(m.buf, m.pos, m.w, m.n, 3)
		require.Equal(t, w.Bytes(), buf[:first])
		require.GreaterOrEqual(t, len(buf), first+3)
		require.Equal(t, w.Bit(), ReadAlign(padded(buf[:first]), before))
		if before&7 > 0 {
			buf[first-1] |= 0x80
			require.Negative(t, ReadAlign(padded(buf[:first]), before))
		}
		require.Equal(t, buf[before/8:first], From(buf[:first], before))
	}
	require.Empty(t, From([]byte{1}, 24))
}

// TestReserve checks that a buffer with room for the shortest message stays.
func TestReserve(t *testing.T) {
	require.Equal(t, 9, cap(Reserve(nil, 2, 9)))
	require.Nil(t, Reserve(make([]byte, 3, 5), 2, 9))
	require.Nil(t, Reserve(make([]byte, 3, 4), 0, 9))
	full := Reserve([]byte{1, 2, 3}, 2, 9)
	require.Equal(t, []byte{1, 2, 3}, full)
	require.GreaterOrEqual(t, cap(full), 12)
}

// TestResize checks the memory of a slice that is decoded into again.
func TestResize(t *testing.T) {
	type row struct {
		length, capacity, n, keep int
		moved                     bool
	}
	for _, r := range []row{
		{3, 4, 3, 8, false}, {3, 4, 2, 8, false}, {1, 4, 3, 8, false}, {3, 4, 5, 8, true},
		{3, 40, 3, 8, true}, {3, 40, 10, 8, false}, {3, 40, 3, 40, false}, {0, 40, 0, 8, true},
	} {
		s := make([]int, r.length, r.capacity)
		for i := range s {
			s[i] = i + 1
		}
		all := s[:r.capacity]
		got := Resize(s, r.n, r.keep)
		require.Len(t, got, r.n)
		for i, x := range got {
			want := 0
			if !r.moved && i < r.length {
				want = i + 1
			}
			require.Equal(t, want, x, r)
		}
		if cap(got) > 0 {
			require.Equal(t, r.moved, &got[:1][0] != &all[0], r)
		}
		for i := r.n; i < r.length && !r.moved; i++ {
			require.Zero(t, all[i], "a dropped element")
		}
	}
	b := []byte("secret")
	memory := b
	SetBytes(&b, []byte("no"), 8)
	require.Equal(t, "no\x00\x00\x00\x00", string(memory))
	require.True(t, Covers(6, 2, 3))
	require.False(t, Covers(5, 2, 3))
}

func TestTarget(t *testing.T) {
	var p *int
	*Target(&p) = 7
	require.Equal(t, 7, *p)
	require.Same(t, p, Target(&p))
	Clear(p)
	require.Zero(t, *p)
	require.True(t, DepthAllows(&core.Settings{MaxDepth: 3, Depth: 1}, 2))
	require.False(t, DepthAllows(&core.Settings{MaxDepth: 3, Depth: 1}, 3))
}

// TestEntries checks that entries are sorted, and that a map is replaced only by keys
// that ascend.
func TestEntries(t *testing.T) {
	m := map[int8]string{5: "five", -3: "three", 0: "zero"}
	entries := SortedEntries(m)
	require.Equal(t, []Entry[int8, string]{{-3, "three"}, {0, "zero"}, {5, "five"}}, entries)
	old := map[int8]string{1: "one"}
	for _, keys := range [][]int8{{1, 1}, {2, 1}} {
		wrong := NewEntries(old, 2)
		wrong[0].Key, wrong[1].Key = keys[0], keys[1]
		require.False(t, SetEntries(&old, wrong, 0))
		require.Equal(t, map[int8]string{1: "one"}, old)
	}
	same := old
	require.True(t, SetEntries(&old, entries, 0))
	require.Equal(t, m, old)
	require.Equal(t, m, same, "the map is used again")
	require.True(t, SetEntries(&old, entries[:1], 2))
	require.Equal(t, map[int8]string{-3: "three"}, old)
	require.Equal(t, m, same, "a large map is not")
}

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// locked returns a type with the lines of a wire's text, each with paths after a tab,
// and as it is in bp.lock.
func locked(lines ...string) (now, lock *wire) {
	now = &wire{Type: "Player", Hash: "00", Text: append([]string{"bitpack 2"}, lines...)}
	return now, &wire{Type: "Player", Hash: "01", Text: now.lockLines()}
}

// What has changed is shown as little as possible: an insertion is an insertion, also
// among fields that share a line, and between two other changes.
func TestDiff(t *testing.T) {
	before := []string{"int 0..3\tTeam", "2 x int 0..100\tHealth, Mana", "slice 0..9\tItems", ". 2 x int 0..7\tItems[].A, Items[].B", "int 0..1\tOn"}
	with := func(f func([]string) []string) []string { return f(append([]string(nil), before...)) }
	for name, row := range map[string]struct {
		now  []string
		want string
	}{
		"nothing": {before, ""},
		"inserted": {with(func(l []string) []string {
			return append(l[:1:1], append([]string{"int 0..12\tNew"}, l[1:]...)...)
		}), "+int 0..12 # New"},
		"inserted twice, and removed": {with(func(l []string) []string {
			return []string{"int 0..12\tNew", l[0], l[1], l[2], l[3], "uint64\tLate"}
		}), "+int 0..12 # New\n-int 0..1 # On\n+uint64 # Late"},
		"among fields of one line": {with(func(l []string) []string {
			l[1] = "3 x int 0..100\tHealth, Armor, Mana"
			return l
		}), "+int 0..100 # Armor"},
		"removed from one line": {with(func(l []string) []string {
			l[1] = "int 0..100\tMana"
			return l
		}), "-int 0..100 # Health"},
		"in a slice": {with(func(l []string) []string {
			l[3] = ". 3 x int 0..7\tItems[].A, Items[].B, Items[].C"
			return l
		}), "+. int 0..7 # Items[].C"},
		"range": {with(func(l []string) []string {
			l[1] = "int 0..100\tHealth"
			return append(append(l[:2:2], "int 0..90\tMana"), l[2:]...)
		}), "-int 0..100 # Mana\n+int 0..90 # Mana"},
		"next to a renamed field": {with(func(l []string) []string {
			return append([]string{"int 0..5\tNew", "int 0..3\tGroup"}, l[1:]...)
		}), "+int 0..5 # New"},
		"moved": {with(func(l []string) []string {
			return append(l[1:len(l):len(l)], l[0])
		}), "-int 0..3 # Team\n+int 0..3 # Team"},
	} {
		_, old := locked(before...)
		now, _ := locked(row.now...)
		c := now.changed(new(command), old)
		var got []string
		for _, line := range strings.Split(c.text, "\n") {
			if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
				require.Contains(t, line, "\t")
				got = append(got, line[:1]+strings.Join(strings.Fields(line[1:]), " "))
			}
		}
		require.Equal(t, row.want, strings.Join(got, "\n"), name)
		require.Equal(t, len(got), len(c.Before)+len(c.Now), name)
	}
}

// Lines that are too many to compare are all shown.
func TestDiffLarge(t *testing.T) {
	var a, b []lockLine
	for range 5000 {
		a, b = append(a, lockLine{wire: "a"}), append(b, lockLine{wire: "b"})
	}
	gone, added := 0, 0
	diff(a, b, func(_ lockLine, isNew bool) {
		if isNew {
			added++
		} else {
			gone++
		}
	})
	require.Equal(t, []int{5000, 5000}, []int{gone, added})
}

// A line of the file with several fields stands for one of each, unless it has other
// lines in it or a field has several values.
func TestParseLines(t *testing.T) {
	_, old := locked("2 x int 0..1\tA, B", "2 x optional\tP, Q", ". 2 x int 0..255\tP.A, P.B", "3 x int 0..1\tL[], M", "align", "int 0..1\tbox[int, bool].A")
	var got []string
	for _, l := range parseLines(old.Text) {
		got = append(got, l.wire+": "+strings.Join(l.paths, "; "))
	}
	require.Equal(t, []string{"int 0..1: A", "int 0..1: B", "2 x optional: P; Q", ". int 0..255: P.A", ". int 0..255: P.B", "3 x int 0..1: L[]; M", "align: ",
		"int 0..1: box[int, bool].A"}, got)
}

// Other names on a wire that is the same are warnings. Those of fields that have
// changed places are of another kind.
func TestRenamedAndMoved(t *testing.T) {
	const rename, move = "; the wire is the same", "; the wire is the same, so old programs read each value into the wrong field, without an error"
	for _, row := range []struct {
		before, now string
		want        []change
	}{
		{"2 x int 0..100\tHealth, Mana", "2 x int 0..100\tHealth, Mana", nil},
		{"2 x int 0..100\tHealth, Mana", "2 x int 0..100\tMana, Health", []change{
			{Change: "moved", Message: "Mana has the place of Health, Health has the place of Mana" + move}}},
		{"2 x int 0..100\tHealth, Mana", "2 x int 0..100\tHP, Mana", []change{{Change: "renamed", Message: "HP was called Health" + rename}}},
		{"2 x int 0..100\tHealth, Mana", "2 x int 0..100\tMana, Armor", []change{ // Health is gone
			{Change: "moved", Message: "Mana has the place of Health, Armor has the place of Mana" + move}}},
		{"3 x int 0..100\tA, B, C", "3 x int 0..100\tB, A, D", []change{
			{Change: "moved", Message: "B has the place of A, A has the place of B" + move}, {Change: "renamed", Message: "D was called C" + rename}}},
		{"2 x int 0..100\tA, B", "2 x int 0..100\tPair[]", []change{{Change: "renamed", Message: "Pair[] was called A, B" + rename}}},
	} {
		_, old := locked("int 0..3\tTeam", row.before)
		now, _ := locked("int 0..3\tTeam", row.now)
		got := now.warnings(new(command), old)
		require.Len(t, got, len(row.want), row)
		for i, want := range row.want {
			require.Equal(t, []string{want.Change, want.Message}, []string{got[i].Change, got[i].Message})
			require.True(t, got[i].Warning)
			require.False(t, got[i].Refused)
			require.Equal(t, "warning: Player: "+want.Message+": "+got[i].Fix+"\n", got[i].text)
		}
	}
	_, old := locked("int 0..3\tTeam")
	now, _ := locked("int 0..3\tTeam", "int 0..3\tOther")
	require.Empty(t, now.warnings(new(command), old), "the lines are not those of the hash")

	_, old = locked("12 x int 0..1\tA, B, C, D, E, F, G, H, I, J, K, L")
	now, _ = locked("12 x int 0..1\ta, b, c, d, e, f, g, h, i, j, k, l")
	got := now.warnings(new(command), old)
	require.Contains(t, got[0].Message, "h was called H, 4 more;")
	require.Len(t, got[0].Now, 12)
}

package budget

import (
	"fmt"
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/typecache"
)

const source = `package p

// A has a budget.
//
//bp:max 120
type A struct{}

// The word //bp:max 3 is in a text. So is bp:max 3.
type (
	// B has two.
	//
	//bp:max 1
	//bp:max 2
	B uint8

	//bp:max
	C int
	//bp:max 3 bytes
	D int
	//bp:max -3
	E int
	//bp:max 0
	F int
	//bp:mx 3
	G int
	// bp:max 3
	H int
	//bp:maximum 3
	I int
)

//bp:max 3

// J is apart.
type J struct {
	//bp:max 3
	A uint8
}

func f() {
	//bp:max 7
	type K struct{}
}

//bp:max 3
func g() {}

//bp:max 8
type (
	L int
)
`

func TestFind(t *testing.T) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "p.go", source, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	all, mistakes := Find(file)
	var got []string
	for _, b := range all {
		got = append(got, fmt.Sprint(b.Type.Name.Name, " ", b.Bytes))
	}
	require.Equal(t, []string{"A 120", "B 1", "K 7"}, got)
	got = nil
	for _, m := range mistakes {
		got = append(got, fmt.Sprintf("%d: %s", files.Position(m.Pos).Line, m.Text))
	}
	const number, place = "//bp:max needs one positive number of bytes, as in //bp:max 120, and has ",
		"//bp:max is not in the doc comment of a type: put it right before the type, without an empty line"
	require.Equal(t, []string{
		"13: the type has two budgets: keep one",
		"16: " + number + `""`,
		"18: " + number + `"3 bytes"`,
		"20: " + number + `"-3"`,
		"22: " + number + `"0"`,
		"24: the directive //bp:mx is not known: known are //bp:max",
		"26: a directive has no space after the slashes: write //bp:max 3",
		"28: the directive //bp:maximum is not known: known are //bp:max",
		"32: " + place,
		"36: " + place,
		"45: " + place,
		"48: " + place,
	}, got)
}

func TestExcess(t *testing.T) {
	rows := []typecache.Row{
		{Path: "A", MaxBits: 8}, {Path: "Pos.X", MaxBits: 7}, {Path: "Pos.Y", MaxBits: 7}, {Path: "In", Depth: 1, MaxBits: 99},
		{Path: "B", MaxBits: 1}, {Path: "C", MaxBits: 2}, {Path: "Member", MaxBits: 99, Part: true},
	}
	limit := Limit{3, "the flag", "raise it"}
	require.Empty(t, limit.Excess(24, rows, ""))
	require.Equal(t, "up to 4 bytes, and the flag allows 3; the largest fields are Pos (14 bits), A (8 bits), C (2 bits): lower their limits, or raise it",
		limit.Excess(25, rows, ""))
	rows = []typecache.Row{{Path: "D.A", MaxBits: 3}, {Path: "D.B", MaxBits: typecache.Unbounded}, {Path: "D.C", MaxBits: 3}, {Path: "E"}}
	require.Equal(t, "no largest size, and the flag allows 3; the largest fields are D (no limit): lower their limits, or raise it",
		limit.Excess(typecache.Unbounded, rows, "its unions"))
}

package stale

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

// sourceOf returns the declarations of a package of one file or more.
func sourceOf(t *testing.T, files ...string) *Source {
	t.Helper()
	set := token.NewFileSet()
	var all []*ast.File
	for i, text := range files {
		file, err := parser.ParseFile(set, fmt.Sprintf("p%d.go", i), "package p\n"+text, parser.ParseComments)
		require.NoError(t, err)
		all = append(all, file)
	}
	return New(set, all)
}

const before = `
import "net/netip"
import "example.com/tagcodec"

type T struct {
	A, B uint8 ${Q}bp:"bits=3"${Q}
	C [N]Item
	D Event
	E pair[bool]
	F netip.Addr
	G custom
	H interface{ M(a int) }
}

type Item struct { ID uint16 ${Q}bp:"max=0X1F" json:"id"${Q} }
type pair[Item any] struct { A, B Item }
type Event interface{ event() }
type hit struct { Damage uint8 }
type custom struct { x int }
func (c *custom) Serialize(s *bits.Stream) error { return nil }
func (c *custom) MaxBits() int { return limit }
func (c *custom) Other() {}
func init() { tagcodec.RegisterUnion[Event](hit{}, Item{}) }

const (
	zero = iota
	one
	limit = 0X10
	N = (one + 2)
)

type Unrelated struct { A uint8 }
const unrelated = 1
`

func quote(s string) string { return strings.ReplaceAll(s, "${Q}", "`") }

// Comments, formatting, places, and what the library does not read make no
// difference.
func TestHashStays(t *testing.T) {
	want := sourceOf(t, quote(before)).Hash("T")
	require.Len(t, want, 16)
	replace := func(pairs ...string) string {
		text := before
		for i := 0; i < len(pairs); i += 2 {
			require.Contains(t, text, pairs[i])
			text = strings.Replace(text, pairs[i], pairs[i+1], 1)
		}
		return quote(text)
	}
	for _, text := range []string{
		replace("type T struct", "// T is a type.\ntype T /* it */ struct"),
		replace("A, B uint8 ${Q}bp:\"bits=3\"${Q}", "A uint8 \"bp:\\\"bits=3\\\"\" // A\n\n\tB    uint8 ${Q}bp:\"bits=3\"${Q}"),
		replace("0X10", "0x10"),
		replace("(one + 2)", "one+2"),
		replace(` json:"id"`, ` json:"ID"`),
		replace("func (c *custom) Other() {}", ""),
		replace("Serialize(s *bits.Stream) error { return nil }", "Serialize(stream *bits.Stream) error { return stream.Err() }"),
		replace("hit{}, Item{}", "Item{}, hit{}"),
		replace("M(a int)", "M(int)"),
		replace("type Unrelated struct { A uint8 }", "type Unrelated struct { B uint8 }", "unrelated = 1", "unrelated = 2"),
		replace("	zero = iota\n	one\n", "	zero = iota\n	one\n	more\n"),
		replace("import \"net/netip\"", "import ip \"net/netip\"", "netip.Addr", "ip.Addr"),
	} {
		require.Equal(t, want, sourceOf(t, text).Hash("T"), text)
	}

	first, second, _ := strings.Cut(quote(before), "type pair")
	require.Equal(t, want, sourceOf(t, "import \"example.com/tagcodec\"\ntype pair"+second, first).Hash("T"))
}

// Everything that the plan of a type may depend on makes a difference.
func TestHashChanges(t *testing.T) {
	want := sourceOf(t, quote(before)).Hash("T")
	for _, pair := range [][2]string{
		{"A, B uint8", "B, A uint8"},
		{"A, B uint8", "A, B uint16"},
		{"bits=3", "bits=4"},
		{"0X1F", "0x2F"},
		{"C [N]", "C []"},
		{"{ A, B Item }", "{ A, B, C Item }"},
		{"E pair[bool]", "E pair[uint8]"},
		{"E pair", "pair"},
		{"Damage uint8", "Damage uint16"},
		{"hit{}, Item{}", "hit{}"},
		{"type hit struct { Damage", "type hit = struct { Damage"},
		{"return limit", "return 2*limit"},
		{"limit = 0X10", "limit = 0X11"},
		{"zero = iota", "zero = iota + 1"},
		{"zero = iota\n", "zero = iota\n\tmore\n"},
		{"one + 2", "one + 3"},
		{"netip.Addr", "netip.Prefix"},
		{"net/netip", "other/netip"},
		{") Serialize(", ") Serialise("},
		{"M(a int)", "N(a int)"},
	} {
		require.Contains(t, before, pair[0])
		require.NotEqual(t, want, sourceOf(t, quote(strings.Replace(before, pair[0], pair[1], 1))).Hash("T"), pair[1])
	}
	s := sourceOf(t, quote(before))
	require.NotEqual(t, s.Hash("pair[bool]"), s.Hash("pair[hit]"))
	require.Empty(t, s.Hash("Gone"))
	require.Empty(t, s.Hash("N"), "a constant")
	require.Empty(t, s.Hash("func("))
}

// Packages with cgo are built from other source than the user's.
func TestHashWithCgo(t *testing.T) {
	user := sourceOf(t, "import \"C\"\ntype T struct { A C.int; B [C.N]int }").Hash("T")
	require.Equal(t, user, sourceOf(t, "type T struct { A _Ctype_int; B [_Ciconst_N]int }", "type _Ctype_int int32").Hash("T"))
	require.NotEqual(t, user, sourceOf(t, "type T struct { A _Ctype_long; B [_Ciconst_N]int }").Hash("T"))
}

func TestList(t *testing.T) {
	list := []Entry{{Type: "T", Hash: "0123"}, {Type: "pair[bool, T]", Hash: ""}}
	text := library.GeneratedHead + "\n\npackage p\n\n" + List(list) + "\nimport \"math\"\n\nfunc {\n"
	set := token.NewFileSet()
	file := Parse(set, "x.go", []byte(text))
	require.True(t, Generated(file))
	got := Entries(file)
	require.Len(t, got, 2)
	require.Equal(t, []string{"T", "0123", "pair[bool, T]", "-"}, []string{got[0].Type, got[0].Hash, got[1].Type, got[1].Hash})
	require.Equal(t, 7, set.Position(got[0].Pos).Line)

	head, _, _ := strings.Cut(text, "\nimport")
	require.Equal(t, head, string(Head([]byte(text), "p")))
	require.Equal(t, "package q\n", string(Head([]byte(text), "q")))
	require.Equal(t, "package p\n", string(Head([]byte("}"), "p")))

	mistakes := sourceOf(t, "type T int\n").Mistakes(set, file)
	require.Len(t, mistakes, 1, "no hash is no mistake")
	require.Equal(t, "T: bp gen wrote x.go for another version of this type: run bp gen again", mistakes[0].Text)
	mistakes = sourceOf(t, "").Mistakes(set, file)
	require.Len(t, mistakes, 1)
	require.Equal(t, "T: x.go has code for this type, which is gone: run bp gen", mistakes[0].Text)
	require.Equal(t, got[0].Pos, mistakes[0].Pos)

	other, err := parser.ParseFile(set, "y.go", "package p\n\n"+List(list), parser.ParseComments)
	require.NoError(t, err)
	require.Empty(t, sourceOf(t, "").Mistakes(set, other), "bp gen has not written it")
}

package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
	"github.com/gobitpack/bitpack/typecache"
)

// bp runs bp as a user does.
func bp(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

func TestPlan(t *testing.T) {
	code, stdout, stderr := bp(t, "", "plan", "./testdata/game")
	require.Zero(t, code, stderr)
	require.Equal(t, `game.chat: 8..648 bits, 1..81 bytes
bit  bits    field  type    wire
0    8..648  Text   string  string 0..80
hash 46d4e15a29de7a3748a4cfea061d1f07ebf5e9a6776b6a3fb37f38abed6f4235; tagged, and no other type contains it

game.pair[uint16]: 32 bits, 4 bytes
bit  bits  field  type    wire
0    16    A      uint16  uint16
16   16    B      uint16  uint16
hash c43d97fbbb88c0e4f546fb86efe21212e687f797f1e6cf4c7efaa0573bf4db21; passed to packet.Of

game.plain: 8 bits, 1 bytes
bit  bits  field  type   wire
0    8     A      uint8  uint8
hash ad1e222b4529b1218a3a936da42f37b54985aba19e5d9c925fe76aa3f78020e5; passed to tagcodec.Marshal

game.player: 57..454 bits, 8..57 bytes
bit  bits    field       type         wire
0    8..128  Name        string       string 0..15
     7       Health      int32        int 0..100
     36      Pos         [2]float32   2 x float32 from -1024 over 2048 in 204800 steps
     5..275  Items       []game.item  slice 0..30
     3         Kind      uint8        int 0..7
     6         Count     int          int 1..64
     1..8    Last        game.Event   union hit
     7       hit.Damage  uint8        int 1..100
reading a bit allocates at most 2 bytes
hash 29069d1ce5342b795002a222d01b7a226d4db23f4fbf6f943b79217f1b3c6397; passed to tagcodec.MustFor
`, stdout)
}

// Options that a call has written out are followed. Types that only values show are
// found, those that only functions have are not.
func TestOptions(t *testing.T) {
	code, stdout, stderr := bp(t, "", "plan", "-json", "./testdata/options")
	require.Equal(t, exitFound, code, stderr)
	var all []wire
	require.NoError(t, json.Unmarshal([]byte(stdout), &all))
	got, wires := map[string]string{}, map[string]wire{}
	for _, w := range all {
		got[w.Type], wires[w.Type] = w.Rule, w
	}
	require.Equal(t, map[string]string{
		"Foreign": "passed to packet.Of, with options",
		"Moved":   "passed to delta.MustFor, with options",
		"Kept":    "passed to tagcodec.For, with options that bp does not follow",
		"Written": "passed to tagcodec.MustFor, with options",
		"pointer": "passed to tagcodec.Unmarshal", "value": "passed to tagcodec.Marshal", "pair[bool, uint8]": "passed to tagcodec.Append",
	}, got)
	require.Equal(t, 2, wires["Written"].MinBits, "without the check")
	require.Contains(t, wires["Written"].Plan, "union hit|jump")
	require.Contains(t, wires["Foreign"].Plan, "union Point")
	require.Equal(t, 7, wires["Moved"].MaxBits, "without the check")

	require.ErrorIs(t, wires["Kept"].Error, typecache.MistakeUnion)
	code, stdout, stderr = bp(t, "", "vet", "-exact", "./testdata/options")
	require.Zero(t, code, stdout)
	require.Contains(t, stderr, "bp: Kept is not vetted")

	code, stdout, stderr = bp(t, "", "plan", "-json", "-type", " pair[bool, uint8],value, struct{ A, B uint8 },", "./testdata/options")
	require.Zero(t, code, stderr)
	require.NoError(t, json.Unmarshal([]byte(stdout), &all))
	require.Len(t, all, 3)
	require.Equal(t, []int{9, 16}, []int{all[0].MinBits, all[2].MinBits}, "commas inside brackets")
	require.Equal(t, []string{"value", "named"}, []string{all[1].Type, all[1].Rule})
	require.Equal(t, []string{"bitpack 2", "int 0..1\tA", "int 0..255\tB"}, all[0].Text)

	code, stdout, stderr = bp(t, "", "explain", "-type", "Written", "./testdata/options", "06")
	require.Zero(t, code, stdout+stderr)
	require.Contains(t, stdout, "Written.Event.High  true\n")
}

var update = flag.Bool("update", false, "write the golden files anew")

// TestPlanSVG compares the drawing with a golden file, and checks that it is XML.
func TestPlanSVG(t *testing.T) {
	code, stdout, stderr := bp(t, "", "plan", "-svg", "./testdata/layout")
	require.Zero(t, code, stderr)
	file := filepath.Join("testdata", "layout", "layout.svg")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(stdout), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), stdout)
	for d := xml.NewDecoder(strings.NewReader(stdout)); ; {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}

	code, stdout, stderr = bp(t, "", "plan", "-svg", "./testdata/wrong")
	require.Equal(t, exitFound, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "Lone.Health: option")
}

// The bars of a layout are to scale, and follow each other. Those that are too
// long are cut.
func TestLayOut(t *testing.T) {
	rows := []row{
		{Path: "A", MinBits: 3, MaxBits: 3},
		{Path: "List", MinBits: 17, MaxBits: 17 + 7*100000, Elements: 100000},
		{Path: "B", Depth: 1, MinBits: 2, MaxBits: 2},
		{Path: "C", Depth: 1, MinBits: 0, MaxBits: 5},
		{Path: "D", MinBits: 100000, MaxBits: 100000},
		{Path: "E", MinBits: 1, MaxBits: -1},
		{Path: "x.F", MinBits: 9, MaxBits: 9, Part: true},
		{Path: "x.G", MinBits: 9, MaxBits: 9, Part: true},
		{Path: "y.H", MinBits: 9, MaxBits: 9, Part: true},
	}
	bars, length := layOut(rows)
	solid := 3 + 17 + 256 + 1
	require.Equal(t, 2*solid, length)
	var got [][3]int
	var cuts []string
	for _, b := range bars {
		got = append(got, [3]int{b.start, b.solid, b.end})
		if b.cutSolid || b.cutEnd {
			cuts = append(cuts, b.Path)
		}
	}
	require.Equal(t, [][3]int{{0, 3, 3}, {3, 20, length}, {3, 5, 5}, {5, 5, 10}, {20, 276, 276}, {276, 277, length}, {0, 9, 9}, {9, 18, 18}, {0, 9, 9}}, got)
	require.Equal(t, []string{"List", "D", "E"}, cuts)
}

func TestExplain(t *testing.T) {
	table := `bit  bits  code  field       value
0    3     0x2   item.Kind   2
3    6     0x9   item.Count  10
`
	code, stdout, stderr := bp(t, "", "explain", "-type", "item", "./testdata/game", "4a 00")
	require.Zero(t, code, stderr)
	require.Equal(t, table, stdout)

	code, stdout, _ = bp(t, "", "explain", "-json", "-type", "item", "./testdata/game", "4a")
	require.Equal(t, exitFound, code)
	var e struct {
		Error string
		Parts []struct {
			Bit, Bits int
			Path      string
			Value     string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &e))
	require.Contains(t, e.Error, "item.Count at bit 3")
	require.Len(t, e.Parts, 1)
	require.Equal(t, []int{0, 3}, []int{e.Parts[0].Bit, e.Parts[0].Bits})
	require.Equal(t, []string{"item.Kind", "2"}, []string{e.Parts[0].Path, e.Parts[0].Value})
}

// A packet is an argument, a file, or the standard input.
func TestReadPacket(t *testing.T) {
	file := filepath.Join(t.TempDir(), "4a") // the argument is a path
	require.NoError(t, os.WriteFile(file, []byte{0x4b, 0}, 0o600))
	for arg, want := range map[string][]byte{"-": []byte("in"), " 4a 00\n": {0x4a, 0}, "4A0": nil, file: {0x4b, 0}, "": {}} {
		got, err := readPacket(arg, strings.NewReader("in"))
		require.Equal(t, want, got, arg)
		require.Equal(t, want == nil, err != nil, arg)
	}
}

// A lock is as it was until the wire changes. The report names the lines that
// differ, and other paths are a warning.
func TestLockAndCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wire.lock")
	require.NoError(t, os.WriteFile(file, []byte("type chat\nhash 00\n\ntype item\nhash 00\n"), 0o600))
	code, stdout, stderr := bp(t, "", "lock", "-o", file, "./testdata/game")
	require.Zero(t, code, stderr)
	require.Equal(t, "wire.lock: chat (tagged, and no other type contains it)\n"+
		"wire.lock: pair[uint16] (passed to packet.Of)\nwire.lock: plain (passed to tagcodec.Marshal)\nwire.lock: player (passed to tagcodec.MustFor)\nwire.lock: item (in the file)\n", stdout)
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(written), "\tint 0..100                       # Health\n")

	check := func(text string) (int, string) {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		code, stdout, stderr := bp(t, "", "check", "-o", file, "./testdata/game")
		require.Empty(t, stderr)
		return code, stdout
	}
	renamed := strings.Replace(string(written), "# Health", "# HP", 1)
	code, stdout = check(string(written))
	require.Zero(t, code, stdout)
	require.Empty(t, stdout)
	code, stdout = check(renamed)
	require.Zero(t, code, stdout)
	require.Equal(t, "warning: player: Health was called HP; the wire is the same: run bp lock if the meaning is the same, too\n", stdout)

	changed := strings.Replace(strings.Replace(renamed, "# Name", "# Title", 1), "int 0..100 ", "int 0..120 ", 1)
	require.Contains(t, changed, "# Title\n")
	_, hash, _ := strings.Cut(changed, "type player\nhash ")
	changed = strings.Replace(changed, hash[:64], strings.Repeat("0", 64), 1)
	code, stdout = check(changed)
	require.Equal(t, exitFound, code)
	require.Equal(t, "player has changed:\n-\tint 0..120                       # HP\n+\tint 0..100                       # Health\n"+
		"Old programs refuse its messages or misread them: the hash was 00000000 and is "+hash[:8]+".\n"+
		"Change it back, or raise the version of the protocol, update both sides together, and run bp lock.\n", stdout)

	_, rest, _ := strings.Cut(string(written), "type pair")
	code, stdout = check("type gone\nhash 00\n\ntype pair" + rest)
	require.Equal(t, exitFound, code)
	require.Equal(t, "gone is gone: a peer that sends it is not understood; run bp lock -type without it if nobody does\n"+
		"chat is new (tagged, and no other type contains it): run bp lock to add it\n", stdout)
}

// writePackage makes a package of one file or more, next to those in testdata. It
// returns its directory.
func writePackage(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := os.MkdirTemp("testdata", "tmp")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	return dir
}

// The file that bp gen has written may not compile. Types are found without it,
// unless the package needs it.
func TestGenerated(t *testing.T) {
	syntax := writePackage(t, map[string]string{
		"p.go":                "package stale\n\ntype Message struct {\n\tA uint8 `bp:\"max=99,min=0\"`\n}\n",
		library.GeneratedFile: library.GeneratedHead + "\n\npackage stale\n\nfunc {\n",
	})
	for _, packages := range [][]string{{"./testdata/calls"}, {"./testdata/stale", "./" + filepath.ToSlash(syntax)}} {
		code, stdout, stderr := bp(t, "", append([]string{"vet"}, packages...)...)
		require.Zero(t, code, stderr)
		require.Empty(t, stdout)
	}
	for p, name := range map[string]string{"testdata/calls": "calls", filepath.ToSlash(syntax): "stale"} {
		code, stdout, stderr := bp(t, "", "plan", "./"+p)
		require.Zero(t, code, stderr)
		require.Contains(t, stdout, name+".Message: 7 bits, 1 bytes\n")
	}
}

func TestFailures(t *testing.T) {
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"plan", "./testdata/broken"}, "unknown field B in struct literal"},
		{[]string{"vet", "./testdata/broken"}, "unknown field B in struct literal"},
		{[]string{"vet", "./testdata/none"}, "none"},
		{[]string{"plan", "-json", "-svg"}, "-json and -svg are two forms"},
		{[]string{"vet", "-exact", "-fix"}, "-exact has no fixes"},
		{[]string{"vet", "-exact", "-test"}, "-exact leaves tests out"},
		{[]string{"plan", "-type", "nothing", "./testdata/game"}, "testdata/game does not declare nothing\n"},
		{[]string{"explain", "-type", "nothing", "./testdata/game", "4a"}, "testdata/game does not declare nothing\n"},
		{[]string{"explain", "-type", "item", ".", "4a", "00"}, `unexpected argument "00"` + "\n"},
		{[]string{"explain", "-type", "item", "./testdata/game"}, "\"./testdata/game\" is a directory: the packet comes after the package, or - for the standard input"},
		{[]string{"explain", "-type", "item", ".", "4a", "-json"}, `unexpected argument "-json": flags come first`},
		{[]string{"plan", "./testdata/..."}, "names 0 packages"},
		{[]string{"explain", "4a"}, "add -type"},
		{[]string{"explain", "-type", "item", "./testdata/game", "no such file"}, "neither hexadecimal nor a file"},
		{[]string{"check", "-o", "testdata/none.lock", "./testdata/game"}, "run bp lock first"},
		{[]string{"plan", "a", "b"}, `unexpected argument "b"`},
		{[]string{"vat"}, `there is no verb "vat"`},
		{[]string{"help", "vat"}, `there is no verb "vat"`},
		{[]string{"version", "1"}, `unexpected argument "1"`},
		{[]string{"plan", "-nope"}, "flag provided but not defined: -nope"},
		{[]string{"lock", "./testdata/wrong"}, "wrong.go:17:2: Lone.Health: option \"mx\" is not known"},
		{[]string{"check", "-o", "testdata/wrong/wrong.go", "./testdata/wrong"}, "wrong.go:1: a line before the first type: remove the file and run bp lock"},
	} {
		code, _, stderr := bp(t, "", row.args...)
		require.Equal(t, exitFailure, code, row.args)
		require.Contains(t, stderr, row.want, row.args)
	}
}

func TestHelp(t *testing.T) {
	code, stdout, _ := bp(t, "")
	require.Zero(t, code)
	for _, v := range verbs {
		require.Contains(t, stdout, "bp "+v.name)
		code, stdout, _ := bp(t, "", "help", v.name)
		require.Zero(t, code)
		require.Contains(t, stdout, "usage: bp "+v.name)
	}
	code, stdout, stderr := bp(t, "", "plan", "-h")
	require.Zero(t, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "usage: bp plan")
}

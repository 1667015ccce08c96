package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
	"github.com/gobitpack/bitpack/internal/effort"
)

// messages has types with code. Old has none.
const messages = `package p

type Player struct {
	HP, Armor uint8 "bp:\"uint,min=0,max=100\""
	Items     [n]Item
}

type Item struct {
	ID uint16 "bp:\"bits=10\""
}

const n = 3

type Chat struct {
	Team uint8 "bp:\"bits=2\""
	Text string "bp:\"maxlen=80\""
}

type Old struct {
	Marks map[bool]bool "bp:\"maxlen=5\""
}
`

// write writes a file, in which it has replaced pairs of strings.
func write(t *testing.T, dir, name, text string, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		require.Contains(t, text, pairs[i])
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
}

// expect runs bp and compares the code and the output.
func expect(t *testing.T, code int, stdout string, args ...string) (stderr string) {
	t.Helper()
	got, out, stderr := bp(t, "", args...)
	require.Equal(t, code, got, "%s: %s%s", args, out, stderr)
	require.Equal(t, stdout, out, args)
	return stderr
}

// Check reports code that was made from other types, and nothing else.
func TestStaleCode(t *testing.T) {
	effort.Slow(t, "many go commands")
	dir := writePackage(t, map[string]string{"p.go": messages})
	pkg, lock := "./"+dir, filepath.Join(dir, "bp.lock")
	generated := filepath.Join(dir, library.GeneratedFile)
	old := "bp gen: p.Old is left to the engine: the engine handles all of its values\n"
	none := "bp: there is no " + lock + ", so only the generated code is checked: bp lock writes the wire down\n"

	_, _, stderr := bp(t, "", "check", pkg)
	require.Contains(t, stderr, "run bp lock first")
	require.Equal(t, old, expect(t, exitOK, "", "gen", pkg))
	require.Equal(t, none, expect(t, exitOK, "", "check", pkg))
	expect(t, exitFailure, "", "check", "-o", lock, pkg)

	moved := strings.Index(messages, "type Item")
	write(t, dir, "p.go", messages[:moved], "HP, Armor uint8 \"bp:\\\"uint,min=0,max=100\\\"\"", "HP uint8 `bp:\"uint,min=0,max=100\"` // health\n\n\tArmor  uint8 `bp:\"uint,min=0,max=100\"`")
	write(t, dir, "q.go", "package p\n\n"+messages[moved:], "maxlen=5", "maxlen=6")
	require.Equal(t, none, expect(t, exitOK, "", "check", pkg))
	expect(t, exitOK, "", "gen", "-check", pkg)
	for _, name := range []string{"p.go", library.GeneratedFile} { // as git checks out on Windows
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		write(t, dir, name, strings.ReplaceAll(string(data), "\n", "\r\n"))
	}
	expect(t, exitOK, "", "gen", "-check", pkg)
	require.NoError(t, os.Remove(filepath.Join(dir, "q.go")))

	write(t, dir, "p.go", messages)
	_, _, stderr = bp(t, "", "lock", pkg)
	require.Empty(t, stderr)
	require.Empty(t, expect(t, exitOK, "", "check", pkg))

	notUpToDate := generated + " is not up to date: run bp gen " + pkg + "\n  changed: Player\n"
	for _, row := range []struct{ old, new, wire string }{
		{"HP, Armor", "Armor, HP", ""}, // the wire is that of before
		{"ID uint16", "ID uint32", ""},
		{"n = 3", "n = 4", "bits=10"},
		{"bits=10", "bits=11", "uint11"},
	} {
		write(t, dir, "p.go", messages, row.old, row.new)
		code, stdout, stderr := bp(t, "", "check", pkg)
		require.Equal(t, exitFound, code, stderr)
		if row.wire == "" {
			warning, rest, _ := strings.Cut(stdout, "\n")
			found := strings.HasPrefix(warning, "warning: Player: Armor has the place of HP, HP has the place of Armor; ")
			if !found {
				rest = stdout
			}
			require.Equal(t, row.new == "Armor, HP", found, stdout)
			require.Equal(t, notUpToDate, rest)
		} else {
			require.True(t, strings.HasPrefix(stdout, "Player has changed:\n"), stdout)
			require.True(t, strings.HasSuffix(stdout, "and run bp lock.\n"+notUpToDate), stdout)
		}
		expect(t, exitFound, notUpToDate, "gen", "-check", pkg)
	}

	expect(t, exitOK, "", "gen", pkg)
	expect(t, exitOK, "", "gen", "-check", pkg)

	// What does not come from the types, such as another version of bp.
	data, err := os.ReadFile(generated)
	require.NoError(t, err)
	write(t, dir, library.GeneratedFile, string(data), "func init() {", "func init() { // edited")
	write(t, dir, "p.go", messages, "bits=10", "bits=11")
	expect(t, exitFound, generated+" is not up to date: run bp gen "+pkg+"\n  another version of bp has written it, or it was edited\n", "gen", "-check", pkg)
}

// A wrong tag is reported once, although the wire and the code have it.
func TestCheckWrongTag(t *testing.T) {
	dir := writePackage(t, map[string]string{"bp.lock": "type Player\nhash 00\n", library.GeneratedFile: generatedList("Player")})
	write(t, dir, "p.go", messages, "bits=10", "bit=10")
	code, stdout, stderr := bp(t, "", "check", "./"+dir)
	require.Equal(t, exitFound, code, stderr)
	require.Equal(t, 1, strings.Count(stdout, "p.go:9:2: Item.ID: "), stdout)
}

// Generated code that no longer compiles is in nobody's way, unless other code of
// the package uses it.
func TestBrokenCode(t *testing.T) {
	effort.Slow(t, "many go commands")
	dir := writePackage(t, map[string]string{"p.go": messages})
	pkg := "./" + dir
	generated := filepath.Join(dir, library.GeneratedFile)
	expect(t, exitOK, "", "gen", "-type", "Player", pkg)
	changed := []string{"HP, Armor", "Health, Armor"}

	write(t, dir, "p.go", messages, changed...)
	expect(t, exitOK, "", "vet", pkg)
	expect(t, exitOK, "", "vet", "-exact", pkg)
	expect(t, exitFound, generated+" is not up to date: run bp gen "+pkg+"\n  changed: Player\n", "check", pkg)
	expect(t, exitOK, "", "gen", pkg)
	expect(t, exitOK, "", "vet", pkg)
	data, err := os.ReadFile(generated)
	require.NoError(t, err)
	require.Contains(t, string(data), "v.Health")
	require.NotContains(t, string(data), "Chat")

	// It is not Go any more, or it has another package clause.
	for _, replace := range [][2]string{{"func init", "func {"}, {"package p", "package q"}, {"package p", "package"}} {
		write(t, dir, library.GeneratedFile, string(data), replace[0], replace[1])
		expect(t, exitOK, "", "gen", pkg)
		again, err := os.ReadFile(generated)
		require.NoError(t, err)
		require.Equal(t, replace[1] == "package", string(data) != string(again), "without a package clause the list is lost")
		expect(t, exitOK, "", "gen", "-type", "Player", pkg)
	}

	// A type is gone.
	write(t, dir, "p.go", strings.ReplaceAll(messages, "Player", "Person"))
	stderr := expect(t, exitFound, generated+" is not up to date: run bp gen "+pkg+"\n  new: Chat, Old, Person\n  gone: Player\n", "gen", "-check", pkg)
	require.Contains(t, stderr, "bp gen: Player is gone, and so is its code\n")

	write(t, dir, "p.go", messages+"\nvar use = bitpackAppendPlayer\n", changed...)
	expect(t, exitOK, "", "gen", pkg)
	write(t, dir, "p.go", messages+"\nvar use = bitpackAppendPlayer\n")
	stderr = expect(t, exitFailure, "", "gen", pkg)
	require.Contains(t, stderr, "does not build without its generated code, because it uses bitpackAppendPlayer, nor with it: remove the use, run bp gen, and only then use it again\n")
	require.Contains(t, stderr, "v.Health undefined")
}

// The types of a file stay in it. Each type has its code in one file.
func TestGenFiles(t *testing.T) {
	effort.Slow(t, "many go commands")
	dir := writePackage(t, map[string]string{"p.go": messages, "own_gen.go": "package p\n"})
	pkg := "./" + dir
	notes := func(stderr string, want ...string) {
		t.Helper()
		require.Equal(t, want, strings.Split(strings.TrimSpace(stderr), "\n"))
	}
	text := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(data)
	}
	stderr := expect(t, exitFailure, "", "gen", "-o", "own_gen.go", pkg)
	require.Contains(t, stderr, filepath.Join(dir, "own_gen.go")+" is not a file that bp gen has written: remove it, or choose another one with -o")
	for _, name := range []string{"../x.go", "x.txt"} {
		require.Contains(t, expect(t, exitFailure, "", "gen", "-o", name, pkg), "it needs the name of a Go file, without a directory")
	}

	expect(t, exitOK, "", "gen", "-o", "chat_gen.go", "-type", "Chat", pkg)
	notes(expect(t, exitOK, "", "gen", "-o", "chat_gen.go", pkg), "bp gen: Old has no generated code (tagged, and no other type contains it): name it with -type, and all other types of the file",
		"bp gen: Player has no generated code (tagged, and no other type contains it): name it with -type, and all other types of the file")
	require.Contains(t, text("chat_gen.go"), "func bitpackAppendChat(")
	require.NotContains(t, text("chat_gen.go"), "Player")

	// A new file has the other types.
	notes(expect(t, exitOK, "", "gen", "-o", "rest_gen.go", pkg), "bp gen: p.Old is left to the engine: the engine handles all of its values")
	require.Contains(t, text("rest_gen.go"), "func bitpackAppendPlayer(")
	require.NotContains(t, text("rest_gen.go"), "Chat")
	out, err := exec.Command("go", "vet", pkg).CombinedOutput()
	require.NoError(t, err, string(out))

	// A type in two files is refused.
	stderr = expect(t, exitFailure, "", "gen", "-type", "Item,Chat", pkg)
	require.Contains(t, stderr, "Chat has code in "+filepath.Join(dir, "chat_gen.go")+" already: ")
	require.NoFileExists(t, filepath.Join(dir, library.GeneratedFile))
	require.Contains(t, expect(t, exitFailure, "", "gen", "-o", "more_gen.go", pkg), "the other generated files have all message types of the package: name others with -type")
	write(t, dir, "copy_gen.go", text("chat_gen.go"))
	require.Contains(t, expect(t, exitFailure, "", "gen", pkg), "Chat has code in "+filepath.Join(dir, "chat_gen.go")+" already: ")
	require.NoError(t, os.Remove(filepath.Join(dir, "copy_gen.go")))

	// Without flags all files are written anew.
	write(t, dir, "p.go", messages, "bits=10", "bits=11", "bits=2", "bits=3")
	report := ""
	for _, row := range [][2]string{{"chat_gen.go", "Chat"}, {"rest_gen.go", "Player"}} {
		report += filepath.Join(dir, row[0]) + " is not up to date: run bp gen " + pkg + "\n  changed: " + row[1] + "\n"
	}
	expect(t, exitFound, report, "gen", "-check", pkg)
	expect(t, exitFound, report, "check", pkg)
	expect(t, exitOK, "", "gen", pkg)
	expect(t, exitOK, "", "gen", "-check", pkg)
	expect(t, exitOK, "", "vet", pkg)
	require.NoFileExists(t, filepath.Join(dir, library.GeneratedFile))

	expect(t, exitFound, filepath.Join(dir, "rest_gen.go")+" is not up to date: run bp gen -o rest_gen.go -type Player "+pkg+"\n  gone: Old\n",
		"gen", "-check", "-o", "rest_gen.go", "-type", "Player", pkg)
}

// A type that cannot have code gets a note.
func TestGenUnions(t *testing.T) {
	effort.Slow(t, "many go commands")
	dir := writePackage(t, map[string]string{"p.go": messages + `
type Event interface{ event() }

type Sent struct {
	On    bool
	Event Event "bp:\"union\""
}
`})
	stderr := expect(t, exitOK, "", "gen", "-type", "Sent,Chat", "./"+dir)
	require.Equal(t, "bp gen: p.Sent is left to the engine: it has a union without members that bp sees\n", stderr)
}

// The JSON of check and gen says what their text says.
func TestCheckJSON(t *testing.T) {
	effort.Slow(t, "many go commands")
	dir := writePackage(t, map[string]string{"p.go": messages})
	pkg := "./" + dir
	expect(t, exitOK, "[\n\t{\n\t\t\"file\": \""+filepath.ToSlash(dir)+"/bitpack_gen.go\",\n\t\t\"upToDate\": false,\n"+
		"\t\t\"changes\": [\n\t\t\t{\n\t\t\t\t\"type\": \"Player\",\n\t\t\t\t\"change\": \"new\"\n\t\t\t}\n\t\t]\n\t}\n]\n", "gen", "-json", "-type", "Player", pkg)
	code, _, stderr := bp(t, "", "lock", pkg)
	require.Zero(t, code, stderr)
	expect(t, exitOK, "[]\n", "check", "-json", pkg)

	write(t, dir, "p.go", messages, "bits=10", "bits=11", "type Chat", "type Talk", "type Old struct {", "type Old struct {\n\tA uint8 \"bp:\\\"bit=3\\\"\"")
	code, stdout, stderr := bp(t, "", "check", "-json", pkg)
	require.Equal(t, exitFound, code, stderr)
	var all []change
	require.NoError(t, json.Unmarshal([]byte(stdout), &all))
	got := map[string]change{}
	for _, d := range all {
		got[d.Type+" "+d.Change] = d
		require.NotEmpty(t, d.Fix, d)
		require.NotEmpty(t, d.Message, d)
	}
	require.Len(t, got, 5)
	require.Equal(t, 5, len(all))
	require.True(t, got["Chat gone"].Refused)
	require.False(t, got["Talk new"].Refused)
	require.Contains(t, got["Old wrong"].Message, "p.go:20:2: Old.A: option \"bit\" is not known")
	player := got["Player changed"]
	require.True(t, player.Refused)
	require.Equal(t, []string{"3 x int 0..1023                  # Items[].ID"}, player.Before)
	require.Equal(t, []string{"3 x int 0..2047                  # Items[].ID"}, player.Now)
	require.Equal(t, change{Type: "Player", Change: "stale", File: filepath.Join(dir, library.GeneratedFile),
		Message: "the engine is used in place of generated code", Fix: "run bp gen " + pkg}, got["Player stale"])

	write(t, dir, "p.go", messages, "bits=10", "bits=11")
	code, stdout, stderr = bp(t, "", "gen", "-check", "-json", pkg)
	require.Equal(t, exitFound, code, stderr)
	require.Empty(t, stderr, "the notes are in the JSON")
	var files []struct {
		UpToDate bool
		Changes  []typeChange
		Notes    []string
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &files))
	require.Len(t, files, 1)
	require.False(t, files[0].UpToDate)
	require.Equal(t, []typeChange{{"Player", "changed"}}, files[0].Changes)
	require.Len(t, files[0].Notes, 2)
	expect(t, exitOK, "", "gen", pkg)
	code, stdout, _ = bp(t, "", "gen", "-check", "-json", pkg)
	require.Zero(t, code)
	require.Contains(t, stdout, `"upToDate": true`)
}

// Only check sees that a type of another package has changed.
func TestStaleInOtherPackage(t *testing.T) {
	effort.Slow(t, "many go commands")
	other := writePackage(t, map[string]string{"o.go": "package other\n\ntype Item struct {\n\tID uint16 \"bp:\\\"bits=10\\\"\"\n}\n"})
	dir := writePackage(t, map[string]string{"p.go": "package p\n\nimport other \"" + library.Path + "/cmd/bp/" + filepath.ToSlash(other) +
		"\"\n\ntype T struct {\n\tHP uint8 \"bp:\\\"bits=3\\\"\"\n\tItem other.Item\n}\n"})
	pkg := "./" + dir
	expect(t, exitOK, "", "gen", pkg)
	expect(t, exitOK, "", "check", pkg)
	write(t, other, "o.go", "package other\n\ntype Item struct {\n\tID uint16 \"bp:\\\"bits=11\\\"\"\n}\n")
	expect(t, exitOK, "", "vet", pkg)
	expect(t, exitFound, filepath.Join(dir, library.GeneratedFile)+" is not up to date: run bp gen "+pkg+"\n  changed: T\n", "check", pkg)
}

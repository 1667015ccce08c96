package main

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

// generatedList returns a file that bp gen could have written for other versions of
// the types, without their code.
func generatedList(types ...string) string {
	var all []chosen
	for _, t := range types {
		all = append(all, chosen{Type: t})
	}
	return library.GeneratedHead + "\n\n//go:build !bitpack_nogen\n\npackage p\n\n" + typeList(all)
}

// parsed returns the package in a directory.
func parsed(t *testing.T, dir string) *pkg {
	t.Helper()
	p, err := one([]string{"./" + filepath.ToSlash(dir)})
	require.NoError(t, err)
	return p
}

// plans returns the files that bp gen writes, each with its types.
func plans(p *pkg, names, out string) (list []string, files []*codeFile, err error) {
	files, err = p.toGenerate(names, out)
	for _, f := range files {
		var types []string
		for _, t := range f.types {
			types = append(types, t.Type)
		}
		list = append(list, filepath.Base(f.name)+": "+strings.Join(types, " "))
	}
	return list, files, err
}

// The types of a file stay in it. Each type has its code in one file, whatever names
// it has.
func TestToGenerate(t *testing.T) {
	source := messages + "\ntype Alias = Again\n\ntype Again = Chat\n\ntype Box[T any] struct{ A T }\n\ntype kinds struct { // contains no Kind\n\tKind reflect.Kind \"bp:\\\"bits=5\\\"\"\n}\n\n" +
		"type Kind struct {\n\tA uint8 \"bp:\\\"bits=3\\\"\"\n}\n\nvar again = tagcodec.For[Alias]\n"
	source = strings.Replace(source, "package p\n", "package p\n\nimport (\n\t\"reflect\"\n\n\t\"github.com/gobitpack/bitpack/tagcodec\"\n)\n", 1)
	dir := writePackage(t, map[string]string{"p.go": source, "own_gen.go": "package p\n"})
	type row struct {
		types, out string
		want       string // or the error
	}
	check := func(rows []row, notes ...string) {
		t.Helper()
		p := parsed(t, dir)
		for _, r := range rows {
			got, files, err := plans(p, r.types, r.out)
			if err != nil {
				require.Contains(t, err.Error(), r.want, r)
				continue
			}
			require.Equal(t, r.want, strings.Join(got, "; "), r)
			if r.types == "" && r.out == "" {
				require.Equal(t, notes, slices.Concat(files[0].notes, files[len(files)-1].notes)[:len(notes)])
			}
		}
	}
	check([]row{
		{"", "", "bitpack_gen.go: Chat Kind Old Player kinds"},
		{"", "x_gen.go", "x_gen.go: Chat Kind Old Player kinds"},
		{"Player, Alias,Old,Player,,Again", "", "bitpack_gen.go: Player Chat Old"},
		{"Box[int],Item", "", "bitpack_gen.go: Box[int] Item"},
		{"Nope", "", "does not declare this type: it must be in a file that is built here and is not a test"},
		{"Old,int", "", "-type int: "},
		{"Old;Player", "", "-type \"Old;Player\" is not a type: "},
		{"", "own_gen.go", "own_gen.go is not a file that bp gen has written: remove it, or choose another one with -o"},
		{"", "../x.go", "it needs the name of a Go file, without a directory"},
		{"", "x.txt", "it needs the name of a Go file, without a directory"},
		{"", "_game.go", "the go command ignores files of this name"},
		{"", ".game_gen.go", "the go command ignores files of this name"},
	})

	write(t, dir, "chat_gen.go", generatedList("Chat", "Gone"))
	write(t, dir, "rest_gen.go", generatedList("Kind", "Old"))
	check([]row{
		{"", "", "chat_gen.go: Chat; rest_gen.go: Kind Old"},
		{"", "chat_gen.go", "chat_gen.go: Chat"},
		{"", "more_gen.go", "more_gen.go: Player kinds"},
		{"Player", "rest_gen.go", "rest_gen.go: Player"},
		{"Item,Chat", "", "Chat has code in " + filepath.Join(dir, "chat_gen.go") + " already: a type has its code in one file, so leave it out of -type, or run bp gen -o chat_gen.go with the other types first"},
	}, "Gone is gone, and so is its code", "Player has no generated code (tagged, and no other type contains it): name it with -type, and all other types of the file")

	write(t, dir, "more_gen.go", generatedList("Player", "kinds"))
	check([]row{{"", "last_gen.go", "last_gen.go: the other generated files have all message types of the package: name others with -type"}})
	write(t, dir, "last_gen.go", generatedList("Gone"))
	check([]row{{"", "", "last_gen.go has no types left, and "}})
	write(t, dir, "last_gen.go", generatedList("Chat"))
	check([]row{{"", "", "Chat has code in " + filepath.Join(dir, "chat_gen.go") + " already: "}})

	only := parsed(t, writePackage(t, map[string]string{"p.go": "package p\n"}))
	_, _, err := plans(only, "", "")
	require.ErrorContains(t, err, "has no message types: name them with -type")
	_, err = only.describe(nil)
	require.ErrorContains(t, err, "has no message types: name them with -type")
}

// changedFile is a file that is not up to date, in the working directory.
func changedFile() *codeFile {
	old := generatedList("A", "B", "C") + "\nfunc init() {\n\tbitpackCodeA.Register(\"00\", 1)\n\tbitpackCodeB.Register(\"00\", 1)\n}\n"
	return &codeFile{name: "x_gen.go", exists: true, old: old, text: strings.Replace(old, `CodeB.Register("00"`, `CodeB.Register("01"`, 1),
		types: []chosen{{Type: "A"}, {Type: "B"}, {Type: "D"}}, notes: []string{"a note"}}
}

// A stale file says which types have changed, and the command that writes it.
func TestStaleFile(t *testing.T) {
	var out, notes strings.Builder
	c := &command{verb: &verb{name: "gen"}, flags: flag.NewFlagSet("", flag.ContinueOnError), args: []string{"./p"}, stdout: &out, stderr: &notes}
	c.flags.String("type", "", "")
	c.flags.String("o", "", "")
	c.flags.Bool("check", false, "")
	require.NoError(t, c.flags.Parse([]string{"-check", "-o", "x_gen.go", "-type", "A, B[int]"}))
	f := changedFile()
	changes := []typeChange{{"B", "changed"}, {"D", "new"}, {"C", "gone"}}
	require.Equal(t, changes, f.changes())
	f.print(c, false)
	require.Empty(t, out.String())
	f.print(c, true)
	require.Equal(t, "x_gen.go is not up to date: run bp gen -o x_gen.go -type \"A, B[int]\" ./p\n  changed: B\n  new: D\n  gone: C\n", out.String())
	require.Equal(t, "bp gen: a note\nbp gen: a note\n", notes.String())
	data, err := json.Marshal(f)
	require.NoError(t, err)
	require.JSONEq(t, `{"file": "x_gen.go", "upToDate": false, "changes": [{"type": "B", "change": "changed"}, {"type": "D", "change": "new"}, {"type": "C", "change": "gone"}], "notes": ["a note"]}`, string(data))

	c.verb.name = "check"
	f.types, f.text = []chosen{{Type: "A"}, {Type: "B"}, {Type: "C"}}, f.old+"// edited\n"
	require.Equal(t, "x_gen.go is not up to date: run bp gen ./p\n  another version of bp has written it, or it was edited\n", f.stale(c))
	f.text = f.old
	out.Reset()
	f.print(c, true)
	require.Empty(t, out.String())
	data, err = json.Marshal(f)
	require.NoError(t, err)
	require.JSONEq(t, `{"file": "x_gen.go", "upToDate": true, "notes": ["a note"]}`, string(data))
}

// Check reports code that was made from other types.
func TestCheckStale(t *testing.T) {
	dir := writePackage(t, map[string]string{"p.go": messages, library.GeneratedFile: generatedList("Player", "Old")})
	pkg, file := "./"+dir, filepath.Join(dir, library.GeneratedFile)
	code, stdout, stderr := bp(t, "", "check", "-json", pkg)
	require.Equal(t, exitFound, code, stderr)
	require.Equal(t, "bp: there is no "+filepath.Join(dir, "bp.lock")+", so only the generated code is checked: bp lock writes the wire down\n", stderr)
	var all []change
	require.NoError(t, json.Unmarshal([]byte(stdout), &all))
	require.Len(t, all, 1, "Old has no code")
	require.Equal(t, change{Type: "Player", Change: "stale", File: file, Message: "the engine is used in place of generated code", Fix: "run bp gen " + pkg}, all[0])

	// A package without either has nothing to check.
	require.NoError(t, os.Remove(file))
	code, _, stderr = bp(t, "", "check", pkg)
	require.Equal(t, exitFailure, code)
	require.Contains(t, stderr, "run bp lock first")
}

// A file is built only where its types are declared.
func TestConstrain(t *testing.T) {
	dir := writePackage(t, map[string]string{
		"p.go": messages + "\ntype Sock struct {\n\tH Handle \"bp:\\\"bits=5\\\"\"\n}\n",
		"q.go": "//go:build go1.1 || none\n\n// Package p has a constraint.\npackage p\n\n//go:build ignored\n\ntype Handle uint16\n",
	})
	p := parsed(t, dir)
	const head = "// Code generated by bp gen. DO NOT EDIT.\n\n//go:build !bitpack_nogen\n\npackage p\n"
	for _, row := range []struct {
		types []string
		want  string
		notes int
	}{
		{[]string{"Player", "Chat"}, "", 0},
		{[]string{"Sock"}, " && (go1.1 || none)", 0},
		{[]string{"Sock", "Chat"}, " && (go1.1 || none)", 1},
	} {
		f := &codeFile{name: filepath.Join(dir, library.GeneratedFile), text: head}
		for _, name := range row.types {
			f.types = append(f.types, chosen{Type: name})
		}
		p.constrain(f)
		require.Equal(t, strings.Replace(head, "nogen", "nogen"+row.want, 1), f.text, row.types)
		require.Len(t, f.notes, row.notes)
		for _, note := range f.notes {
			require.Equal(t, "all of bitpack_gen.go is built only with (go1.1 || none), because files of Sock are: -type and -o give them a file of their own", note)
		}
	}
}

// Code may name the types of the package as members of unions, unless a type in a
// function has the same name, or the code is built where the type is not declared.
func TestNameable(t *testing.T) {
	dir := writePackage(t, map[string]string{
		"p.go": "package p\n\ntype Feed struct{ E Event \"bp:\\\"union\\\"\" }\n\ntype Event interface{ Event() }\n\ntype Hit struct{ A uint8 }\n\ntype Local struct{}\n\n" +
			"func (Hit) Event() {}\n\nfunc f() {\n\ttype Local struct{}\n\ttype Inside struct{}\n}\n",
		"q.go": "//go:build go1.1\n\npackage p\n\ntype There struct{}\n\ntype Sock struct{ A There }\n",
	})
	p := parsed(t, dir)
	names := p.nameable(&codeFile{types: []chosen{{Type: "Feed"}}})
	require.Equal(t, []string{"Event", "Feed", "Hit"}, names)
	names = p.nameable(&codeFile{types: []chosen{{Type: "Sock"}}})
	require.Equal(t, []string{"Event", "Feed", "Hit", "Sock", "There"}, names)
	require.Equal(t, []string{"Event", "Feed", "Hit", "Local", "Sock", "There", "f"}, p.declared())
}

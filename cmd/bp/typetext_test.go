package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

// injected has texts that were types where the source of the probe only began.
var injected = []string{
	`Rec](), nil}, {func() bp_reflect.Type { panic("INJECTED") }(), nil}, {bp_reflect.TypeFor[Rec`,
	`Rec](), nil}, {bp_reflect.TypeFor[P`,
	`func() Rec { panic("INJECTED") }()`,
	`[func() int { panic("INJECTED") }()]Rec`,
	`[len(f())]Rec`,
	`Pair[Rec, func() Rec]`,
	`Pair[f(), Rec]`,
	`struct{ A [f()]Rec }`,
	`struct{ A Rec = 1 }`,
	`interface{ A() }`,
	`chan Rec`,
	`func(Rec)`,
	`(Rec)`,
	`[...]Rec`,
	`["a"]Rec`,
	`Rec; Rec`,
	`Rec, Rec`,
	`Rec{}`,
	`f(Rec)`,
	`_`,
	`1`,
	`type`,
	``,
	"Rec /*",
	"Rec\npanic(1)",
}

func TestParseType(t *testing.T) {
	for text, want := range map[string]string{
		"Rec":                   "Rec",
		" Rec // a comment":     "Rec",
		"Pair[bool,uint8]":      "Pair[bool, uint8]",
		"Box[ *Box[[]Rec] ]":    "Box[*Box[[]Rec]]",
		"map[string][n][ 3]Rec": "map[string][n][3]Rec",
		"struct{}":              "struct{}",
		"struct{ A, B uint8 }":  "struct{ A, B uint8 }",
		"struct {\n\tA uint8 \"bp:\\\"bits=3\\\"\"\n\tRec\n\t*Box[int]\n}": "struct{ A uint8 `bp:\"bits=3\"`; Rec; *Box[int] }",
		"struct{ A int \"a`\\nb\" }":                                       "struct{ A int \"a`\\nb\" }",
	} {
		got, err := parseType(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got.text)
		again, err := parseType(want)
		require.NoError(t, err, want)
		require.Equal(t, want, again.text)
	}
	for _, text := range injected {
		_, err := parseType(text)
		require.ErrorContains(t, err, "is not a type: write it as the package does, as in Player or Pair[bool, uint8]", text)
	}
	for _, text := range []string{"time.Duration", "Pair[Rec, time.Duration]", "time.Duration[int]", "[]time.Duration"} {
		_, err := parseType(text)
		require.EqualError(t, err, `"`+text+`" names time.Duration of another package: declare a type of this package with it`)
	}
}

// Nothing that is not a type gets as far as a program: from a lock, a flag or a
// generated file.
func TestInjection(t *testing.T) {
	dir := writePackage(t, map[string]string{"p.go": "package p\n\ntype Rec struct{ A uint8 }\n\ntype P struct{ A, B uint8 }\n"})
	p := parsed(t, dir)
	for _, text := range injected {
		line := strings.ReplaceAll(text, "\n", " ")
		if line != "Rec panic(1)" && line != text { // not a line of a file
			continue
		}
		write(t, dir, "bp.lock", "# a comment\n\ntype Rec\nhash 00\n\ntype "+line+"\nhash 00\n")
		_, err := readLock(filepath.Join(dir, "bp.lock"))
		require.ErrorContains(t, err, filepath.Join(dir, "bp.lock")+":6: ", text)
		require.ErrorContains(t, err, "is not a type: ", text)

		write(t, dir, library.GeneratedFile, generatedList("Rec", line))
		p.generated = []string{filepath.Join(dir, library.GeneratedFile)}
		if _, err = p.codeFiles(); strings.TrimSpace(line) != "" { // a line without a type is no entry
			require.ErrorContains(t, err, filepath.Join(dir, library.GeneratedFile)+":10: ", text)
			require.ErrorContains(t, err, "is not a type: ", text)
		}
		for _, f := range []func(string) ([]chosen, error){p.chosen, p.generatedTypes} {
			if _, err = f(text); strings.TrimSpace(text) != "" && text != "Rec, Rec" {
				require.ErrorContains(t, err, "is not a type: ", text)
			}
		}
	}
	require.NoError(t, os.Remove(filepath.Join(dir, library.GeneratedFile)))
	pkg := "./" + dir
	for _, args := range [][]string{{"plan"}, {"lock", "-o", "none.lock"}, {"explain"}, {"gen"}, {"check", "-o", filepath.Join(dir, "bp.lock")}} {
		if args[0] != "check" {
			args = append(args, "-type", injected[0])
		}
		if args = append(args, pkg); args[0] == "explain" {
			args = append(args, "00")
		}
		code, stdout, stderr := bp(t, "", args...)
		require.Equal(t, exitFailure, code, stdout)
		require.Contains(t, stderr, "is not a type: ", args)
	}
}

// Types may have the names of the variables and types of the test that bp adds.
func TestNamesOfProbe(t *testing.T) {
	text, names := "package p\n", []string{"all", "data", "m", "p", "r", "t", "wire", "write"}
	for _, name := range names {
		text += "\ntype " + name + " struct{ A uint8 `bp:\"bits=3\"` }\n"
	}
	dir := writePackage(t, map[string]string{"p.go": text})
	code, stdout, stderr := bp(t, "", "plan", "-type", strings.Join(names, ","), "./"+dir)
	require.Zero(t, code, stderr)
	for _, name := range names {
		require.Contains(t, stdout, "p."+name+": 3 bits, 1 bytes\n")
	}
}

// A type is gone if the package does not declare it or one of its type arguments.
func TestMissing(t *testing.T) {
	p := parsed(t, writePackage(t, map[string]string{"p.go": "package p\n\ntype Rec struct{ A uint8 }\n\ntype Box[T any] struct{ A T }\n\ntype Same = Box[Rec]\n\ntype Round = Circle\n\ntype Circle = Round\n"}))
	for typ, want := range map[string]bool{
		"Rec": false, "Box[Rec]": false, "Box[*int]": false, "[]Rec": false, "struct{}": false, "struct{ Gone Rec }": false, "Same": false,
		"Gone": true, "Box[Gone]": true, "Gone[Rec]": true, "struct{ A Gone }": true, "int": true,
	} {
		require.Equal(t, want, p.missing(typ), typ)
	}
	got, err := p.named("Rec,Same, Rec,Box[Rec],,Box[ Rec ]")
	require.NoError(t, err)
	require.Equal(t, []chosen{{"Rec", "named"}, {"Box[Rec]", "named"}}, got, "each once")
	p.resolved("Round") // comes back
}

// endlessReader is an input without an end.
type endlessReader struct{ read int }

func (e *endlessReader) Read(data []byte) (int, error) {
	e.read += len(data)
	return len(data), nil
}

// Files without an end are not read to the end of the memory.
func TestEndlessInput(t *testing.T) {
	e := new(endlessReader)
	_, err := readPacket("-", e)
	require.EqualError(t, err, "the standard input has more than 16777216 bytes, which bp does not read: is it the right file?")
	require.LessOrEqual(t, e.read, maxInput+1)
	data, err := readAll(io.LimitReader(e, maxInput), "")
	require.NoError(t, err)
	require.Len(t, data, maxInput)

	file := filepath.Join(t.TempDir(), "zero")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.NoError(t, os.Truncate(file, maxInput+1))
	_, err = readPacket(file, nil)
	require.ErrorContains(t, err, "zero has more than 16777216 bytes")
	_, err = readLock(file)
	require.ErrorContains(t, err, "zero has more than 16777216 bytes")
}

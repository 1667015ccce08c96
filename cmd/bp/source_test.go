package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

// The path of an error leads to a line and a column of the source.
func TestPlace(t *testing.T) {
	dir := writePackage(t, map[string]string{"p.go": `package p

type T struct {
	A, B uint8
	Alias
	_, _ uint8
	C struct{ D uint8 }
	E []*U
	F map[string]U
	G [2]other.V
}

type U struct{ H uint8 }

type Alias uint8

type Box[X any] struct{ A X }
`})
	p := parsed(t, dir)
	for _, row := range []struct{ typ, path, want string }{
		{"T", "T.A", "4:2"}, {"T", "T.B", "4:2"}, {"T", "T._ (field 4)", "6:2"}, {"T", "T._ (field 5)", "6:2"}, {"T", "T._ (field 20)", "3:6"},
		{"T", "T.C", "7:2"}, {"T", "T.C.D", "7:12"}, {"T", "T.E[3].H", "13:16"}, {"T", "T.F[a].H", "13:16"}, {"T", "T.G[1].I", "10:2"},
		{"T", "U.H", "13:16"}, {"T", "T.Z", "3:6"}, {"T", "", "3:6"}, {"Box[int]", "Box[int].A", "17:6"}, {"T", "struct.C.D", "7:12"},
	} {
		require.Equal(t, filepath.Join(dir, "p.go")+":"+row.want, p.place(row.typ, row.path).String(), row)
	}
	require.Equal(t, p.ImportPath, p.place("None", "None.A").String())
}

// A generated file that is not Go, or of another package, is in nobody's way.
func TestListWithoutGenerated(t *testing.T) {
	for _, text := range []string{"package q\n", "package\n", "package p\n\nfunc {\n"} {
		dir := writePackage(t, map[string]string{"p.go": messages, library.GeneratedFile: library.GeneratedHead + "\n" + text})
		p := parsed(t, dir)
		require.Equal(t, "p", p.Name)
		require.Equal(t, []string{"p.go"}, p.GoFiles)
		require.Len(t, p.generated, 1)
	}
	dir := writePackage(t, map[string]string{"p.go": messages, "q.go": "package q\n"})
	_, err := one([]string{"./" + dir})
	require.ErrorContains(t, err, "found packages p (p.go) and q (q.go)")
}

// What the package misses without its generated code is named.
func TestNeeds(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, library.GeneratedFile)
	require.NoError(t, os.WriteFile(file, []byte("package p\n\nvar (\n\tbitpackCodeT int\n)\n\nfunc bitpackReadT() {}\n"), 0o600))
	p := &pkg{generated: []string{file}}
	printed := "p.go:1:2: undefined: bitpackReadT\np.go:2:2: undefined: other\np.go:3:2: undefined: bitpackReadT\np.go:4:2: undefined: bitpackCodeT\n"
	require.Equal(t, "bitpackReadT, bitpackCodeT", p.needs([]byte(printed)))
	require.Empty(t, p.needs([]byte("p.go:1:2: undefined: bitpackRead\n")))
}

package generator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/gobitpack/bitpack/cmd/bp/testdata/awkward"
	"github.com/gobitpack/bitpack/cmd/bp/testdata/gen"
	"github.com/gobitpack/bitpack/internal/sealed"
)

// declared returns the names that the package in a directory declares and those of
// its types, without the generated file.
func declared(t *testing.T, dir string) (taken, types Names) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	for _, name := range files {
		if filepath.Base(name) == "bitpack_gen.go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for name, obj := range file.Scope.Objects {
			if taken = append(taken, name); obj.Kind == ast.Typ {
				types = append(types, name)
			}
		}
	}
	return taken, types
}

// TestGolden compares the code of a value of each kind with the file that bp gen has
// written. After a change of the generator, run bp gen ./cmd/bp/testdata/gen and read
// the difference. TestCode runs the code.
func TestGolden(t *testing.T) {
	dir := filepath.Join("..", "testdata", "gen")
	data, err := os.ReadFile(filepath.Join(dir, "bitpack_gen.go"))
	require.NoError(t, err)
	before, list, _ := strings.Cut(string(data), "// The types of this file")
	_, after, _ := strings.Cut(list, "\n\n")
	taken, types := declared(t, dir)
	source, notes, err := File(reflect.TypeFor[gen.Rest]().PkgPath(), "gen", []reflect.Type{
		reflect.TypeFor[gen.Player](), reflect.TypeFor[gen.Feed](), reflect.TypeFor[gen.Rest](), reflect.TypeFor[gen.Maybe](), reflect.TypeFor[gen.Stick](),
	}, taken, types)
	require.NoError(t, err)
	require.Empty(t, notes)
	got := strings.Split(string(source), "\n")
	for i, line := range strings.Split(before+after, "\n") { // the whole text is too long to show
		require.Greater(t, len(got), i)
		require.Equal(t, line, got[i], "line %d", i+1)
	}
	require.Equal(t, before+after, string(source))
}

// TestCode compares what generated code does with what the engine does.
func TestCode(t *testing.T) {
	require.NoError(t, gen.Check(sealed.PlanOf(gen.Players.Plan()).Generated() != nil)) // not with bitpack_nogen, or where an int has another size
}

// awkwardNotes has the types of testdata/awkward that have no code.
const awkwardNotes = `awkward.x1 is left to the engine: generated code has a local variable of this name: rename the type
awkward.c1 is left to the engine: generated code has a local variable of this name: rename the type
awkward.box[int] is left to the engine: the package cannot name it
awkward.empty is left to the engine: the engine handles all of its values
awkward.tree is left to the engine: the engine handles all of its values
awkward.selfs is left to the engine: it has values with methods of their own, which must be called once
awkward.self is left to the engine: it has values with methods of their own, which must be called once
awkward.long2 is left to the engine: the engine handles all of its values`

// TestAwkwardNames checks that code compiles whatever types, fields, variables and
// packages are called.
func TestAwkwardNames(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("..", "testdata", "awkward"))
	require.NoError(t, err)
	taken, types := declared(t, dir)
	all := awkward.Types()
	source, notes, err := File(all[0].PkgPath(), "awkward", all, taken, types)
	require.NoError(t, err)
	require.Equal(t, strings.Split(awkwardNotes, "\n"), notes)
	require.Equal(t, len(all)-len(notes), strings.Count(string(source), ".Register("))
	loaded, err := packages.Load(&packages.Config{
		Mode:    packages.LoadTypes | packages.NeedSyntax,
		Overlay: map[string][]byte{filepath.Join(dir, "bitpack_gen.go"): source},
	}, dir)
	require.NoError(t, err)
	require.Len(t, loaded, 1)
	require.Empty(t, loaded[0].Errors)
	require.NotNil(t, loaded[0].Types.Scope().Lookup("bitpackReadFoo"))
}

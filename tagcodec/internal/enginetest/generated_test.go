package enginetest

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/cmd/bp/generator"
	"github.com/gobitpack/bitpack/internal/plan"
)

var (
	generatedTypes = flag.Int("generated.types", 200, "for how many random types code is generated")
	generatedFirst = flag.Uint64("generated.first", 0, "the seed of the first of them")
)

// TestGeneratedCode generates code for random types, compiles it into this
// package, and compares it with the engine. It takes two runs of the go command:
// the first one has the source of the types and runs TestWriteCode, and the
// second one also has the code and runs TestCompareCode.
func TestGeneratedCode(t *testing.T) {
	needsGo(t)
	dir := t.TempDir()
	var seeds []uint64
	for seed := *generatedFirst; len(seeds) < *generatedTypes; seed++ {
		// Messages with links need a Linker, and the engine handles those.
		if _, _, pl := typeForCode(t, seed); !slices.ContainsFunc(pl.Ops, func(op plan.Op) bool { return op.Code == plan.CodeLink }) {
			seeds = append(seeds, seed)
		}
	}
	types := filepath.Join(dir, "types.go")
	require.NoError(t, os.WriteFile(types, []byte(typesFile(t, seeds)), 0o600))
	overlay := map[string]string{"random_source_test.go": types}
	code := filepath.Join(dir, "code.go")
	runOverlaid(t, dir, overlay, "TestWriteCode", "BITPACK_CODE="+code)
	overlay["random_code_test.go"] = code
	t.Log(runOverlaid(t, dir, overlay, "TestCompareCode", "BITPACK_CODE="))
}

// needsGo skips a test that runs the go command on large files.
func needsGo(t *testing.T) {
	t.Helper()
	if testing.Short() || raceEnabled || pure || testing.CoverMode() != "" || os.Getenv("GOGC") != "" {
		t.Skip("the go command compiles large files")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
}

// runOverlaid runs a test of this package, to which files are added, and returns
// what it printed.
func runOverlaid(t *testing.T, dir string, files map[string]string, test string, env ...string) string {
	t.Helper()
	out, err := goTest(t, dir, ".", files, test, env...)
	require.NoError(t, err, "%s", out)
	require.Contains(t, out, "--- PASS: "+test, "%s", out)
	return out
}

// goTest runs a test of the package in the directory in, or all tests if test is
// empty, with files added or replaced. Its own files are in dir.
func goTest(t *testing.T, dir, in string, files map[string]string, test string, env ...string) (string, error) {
	t.Helper()
	in, err := filepath.Abs(in)
	require.NoError(t, err)
	replace := map[string]string{}
	for name, file := range files {
		if !filepath.IsAbs(name) {
			name = filepath.Join(in, name)
		}
		replace[name] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, overlay, 0o600))
	args := []string{"test", "-timeout=100s", "-overlay", file, "-count=1", "-vet=off", "-v"}
	if test != "" {
		args = append(args, "-run", "^"+test+"$")
	}
	cmd := exec.Command("go", append(args, ".")...)
	cmd.Dir, cmd.Env = in, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// namedType is a random type whose source is part of the program.
type namedType struct {
	typ  reflect.Type
	seed uint64 // from which it was made, or the index of one of namedShapes
	hand bool   // it is one of namedShapes
}

// namedTypes lists the types of the file that [typesFile] makes.
var namedTypes []namedType

// shape returns the shape of the type, and the generator that made it.
func (n *namedType) shape(t *testing.T) (*gen, shape) {
	if n.hand {
		return newGen(n.seed), namedShapes[n.seed]
	}
	g, s, _ := typeForCode(t, n.seed)
	return g, s
}

// typeForCode returns the random type of a seed. Of four types, three have mostly
// what generated code does not leave to the engine.
func typeForCode(t *testing.T, seed uint64) (*gen, shape, *plan.Plan) {
	g := newGen(seed)
	g.common = seed%4 != 0
	return randomTypeOf(t, g, seed)
}

// typesFile returns the source of the types that are made from the seeds, and of
// their list. Structs that the types embed get a name, as embedded structs must
// have.
func typesFile(t *testing.T, seeds []uint64) string {
	w := typeWriter{pkgPath: reflect.TypeFor[gen]().PkgPath(), imports: map[string]bool{"reflect": true}}
	list := ""
	for _, seed := range seeds {
		_, s, _ := typeForCode(t, seed)
		w.prefix = fmt.Sprintf("Random%d", seed)
		fmt.Fprintf(&w.out, "type random%d %s\n\n", seed, w.source(s.typ))
		list += fmt.Sprintf("\t\t{typ: reflect.TypeFor[random%d](), seed: %d},\n", seed, seed)
	}
	for i := range namedShapes {
		list += fmt.Sprintf("\t\t{typ: reflect.TypeFor[%s](), seed: %d, hand: true},\n", namedShapes[i].typ.Name(), i)
	}
	imports := ""
	for from := range w.imports {
		imports += fmt.Sprintf("import %q\n", from)
	}
	return "package enginetest\n\n" + imports + "\nfunc init() {\n\tnamedTypes = []namedType{\n" + list + "\t}\n}\n\n" + w.out.String()
}

// typeWriter writes the source of types.
type typeWriter struct {
	out     strings.Builder
	pkgPath string
	imports map[string]bool
	prefix  string // of the names of embedded structs
	names   int
}

// source returns the source of a type. The names of embedded structs are declared
// in out.
func (w *typeWriter) source(t reflect.Type) string {
	switch {
	case t.PkgPath() == w.pkgPath:
		return t.Name()
	case t.Name() != "":
		if t.PkgPath() != "" {
			w.imports[t.PkgPath()] = true
		}
		return t.String()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + w.source(t.Elem())
	case reflect.Slice:
		return "[]" + w.source(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), w.source(t.Elem()))
	case reflect.Map:
		return "map[" + w.source(t.Key()) + "]" + w.source(t.Elem())
	case reflect.Struct:
		var fields strings.Builder
		for i := range t.NumField() {
			f := t.Field(i)
			source := w.source(f.Type)
			if f.Anonymous && f.Type.Name() == "" {
				w.names++
				name := fmt.Sprintf("%sE%d", w.prefix, w.names)
				fmt.Fprintf(&w.out, "type %s %s\n\n", name, source)
				fmt.Fprintf(&fields, "\t%s %q\n", name, string(f.Tag))
				continue
			}
			fmt.Fprintf(&fields, "\t%s %s %q\n", f.Name, source, string(f.Tag))
		}
		return "struct {\n" + fields.String() + "}"
	}
	return t.String()
}

// TestWriteCode writes the generated code of namedTypes. Only TestGeneratedCode
// runs it.
func TestWriteCode(t *testing.T) {
	file := os.Getenv("BITPACK_CODE")
	if file == "" || len(namedTypes) == 0 {
		t.Skip("TestGeneratedCode runs it")
	}
	var types []reflect.Type
	for i := range namedTypes {
		types = append(types, namedTypes[i].typ)
	}
	source, notes, err := generator.File(reflect.TypeFor[gen]().PkgPath(), "enginetest", types)
	require.NoError(t, err)
	t.Logf("%d of %d types have no code", len(notes), len(types))
	require.Less(t, len(notes), len(types)/2)
	require.NoError(t, os.WriteFile(file, source, 0o600))
}

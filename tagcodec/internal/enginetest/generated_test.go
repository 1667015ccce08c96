package enginetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/effort"
)

// generatedPackages lists the packages whose tests run with generated code. A
// directory may have two of them.
var generatedPackages = []struct{ dir, name string }{
	{"tagcodec", "tagcodec_test"},
	{"tagcodec/internal/enginetest", "enginetest"},
	{"tagcodec/binary", "binary_test"},
	{"tagcodec/packet", "packet"},
	{"tagcodec/packet", "packet_test"},
	{"tagcodec/delta", "delta_test"},
}

const modulePath = "github.com/gobitpack/bitpack"

// TestGeneratedCode runs the tests of generatedPackages with generated code for the
// types that they declare. Types that are local to a function become types of the
// package, with an alias in their place. A test that looks at the name of such a
// type may fail for that reason, so it may fail if it does without generated code,
// too. TestCompareCode also compares the code of random types with the engine.
//
// In a first run of the go command, a test in each package writes the code of its
// types. The second one has the code, and the third one repeats what has failed.
func TestGeneratedCode(t *testing.T) {
	effort.Slow(t, "the go command builds large test programs three times")
	if pure {
		t.Skip("there is no generated code")
	}
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	r := runner{dir: t.TempDir(), root: root, overlay: map[string]string{}}
	hoistTypename(t, &r)
	code, names := map[string]string{}, 0
	for _, pkg := range generatedPackages {
		h := hoister{runner: &r, dir: filepath.Join(root, filepath.FromSlash(pkg.dir)), pkg: pkg.name, files: token.NewFileSet()}
		h.hoist(t)
		names += len(h.names)
		if pkg.name == "enginetest" {
			source, random := typesFile(t)
			h.write(t, "random_source_test.go", []byte(source))
			h.names = append(h.names, random...)
		}
		h.write(t, "probe_"+pkg.name+"_test.go", h.probe())
		code[filepath.Join(h.dir, "code_"+pkg.name+"_test.go")] = filepath.Join(r.dir, pkg.name+".go")
	}
	require.Greater(t, names, 300)

	r.env = "BITPACK_CODE=" + r.dir
	probes := r.run(t, "-run=^TestProbe_")
	for _, pkg := range generatedPackages {
		probe := probes[testName{path.Join(modulePath, pkg.dir), "TestProbe_" + pkg.name}]
		require.Equal(t, "pass", probe.outcome, probe.output)
		t.Log(pkg.name, regexp.MustCompile(`types: .*`).FindString(probe.output))
	}

	r.env = "BITPACK_CODE="
	withoutCode := maps.Clone(r.overlay)
	maps.Copy(r.overlay, code)
	results := r.run(t, "-skip=^("+untyped+")$")
	compared := results[testName{path.Join(modulePath, "tagcodec/internal/enginetest"), "TestCompareCode"}]
	require.Equal(t, "pass", compared.outcome, compared.output)
	t.Log(compared.output)

	failed := failures(results)
	t.Logf("%d tests and examples, and %d have failed", len(results), len(failed))
	require.Greater(t, len(results), 800)
	require.Less(t, len(failed), 50)
	if len(failed) == 0 {
		return
	}
	var again []string
	for _, name := range failed {
		test, _, _ := strings.Cut(name.test, "/")
		again = append(again, test)
	}
	r.overlay = withoutCode
	without := r.run(t, "-run=^("+strings.Join(again, "|")+")$")
	for _, name := range failed {
		if without[name].outcome != "fail" {
			t.Errorf("%s fails only with generated code: %s", name, results[name].output)
		}
	}
}

// testName names a test by its package and its own name.
type testName struct{ pkg, test string }

// testResult is how a test ended, and what it printed.
type testResult struct{ outcome, output string }

// untyped matches tests that take long and have little to do with the types that
// their package declares.
const untyped = "TestStandardLibraryTests|TestRandomTypes|TestExplainRandomTypes"

// runner runs the tests of generatedPackages.
type runner struct {
	dir     string // of the files that it writes
	root    string // of the module
	env     string
	overlay map[string]string // files of the module that others replace
}

// run runs the go command with the arguments, and returns how each test ended.
func (r *runner) run(t *testing.T, args ...string) map[testName]testResult {
	t.Helper()
	text, err := json.Marshal(map[string]any{"Replace": r.overlay})
	require.NoError(t, err)
	file := filepath.Join(r.dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	args = append([]string{"test", "-json", "-timeout=300s", "-overlay", file, "-count=1", "-vet=off"}, args...)
	for _, pkg := range generatedPackages {
		args = append(args, "./"+pkg.dir)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = r.root, append(os.Environ(), r.env, effort.Variable+"=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, _ := cmd.Output() // it fails if a test does
	results, decoder := map[testName]testResult{}, json.NewDecoder(bytes.NewReader(out))
	for decoder.More() {
		var event struct{ Action, Package, Test, Output string }
		require.NoError(t, decoder.Decode(&event), stderr.String())
		require.NotEqual(t, "build-fail", event.Action, "%s%s", stderr.String(), out)
		name := testName{event.Package, event.Test}
		result := results[name]
		result.output += event.Output
		if slices.Contains([]string{"pass", "fail", "skip"}, event.Action) {
			result.outcome = event.Action
		}
		results[name] = result
	}
	for name, result := range results {
		switch {
		case result.outcome == "":
			require.Fail(t, "it did not end", "%s: %s", name, result.output)
		case name.test == "":
			delete(results, name)
		}
	}
	require.NotEmpty(t, results, stderr.String())
	return results
}

// failures returns the names of the tests that failed.
func failures(results map[testName]testResult) (names []testName) {
	for name, result := range results {
		if result.outcome == "fail" {
			names = append(names, name)
		}
	}
	return names
}

// probe returns the source of a test that writes the generated code of the types.
func (h *hoister) probe() []byte {
	return fmt.Appendf(nil, `package %[1]s

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/gobitpack/bitpack/cmd/bp/generator"
	"github.com/gobitpack/bitpack/typecache"
)

func TestProbe_%[1]s(t *testing.T) {
	dir := os.Getenv("BITPACK_CODE")
	if dir == "" {
		t.Skip("nothing to do")
	}
	var types []reflect.Type
	all := 0
	add := func(typ reflect.Type) {
		all++
		if _, err := typecache.Of(typ); err == nil {
			types = append(types, typ)
		}
	}
	add(reflect.TypeFor[%[2]s]())
	source, notes, err := generator.File(types[0].PkgPath(), %[1]q, types, %#[3]v, %#[3]v)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("types: %%d declared, %%d of them valid; %%d have code", all, len(types), len(types)-len(notes))
	if err := os.WriteFile(filepath.Join(dir, %[1]q+".go"), source, 0o600); err != nil {
		t.Fatal(err)
	}
}
`, h.pkg, strings.Join(h.names, "]())\n\tadd(reflect.TypeFor["), slices.Sorted(maps.Keys(h.known)))
}

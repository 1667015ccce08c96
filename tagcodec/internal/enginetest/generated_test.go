package enginetest

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
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
// types that they declare outside of functions. TestCompareCode also compares the
// code of random types with the engine.
//
// In a first run of the go command, a test in each package writes the code of its
// types. The second one has the code.
func TestGeneratedCode(t *testing.T) {
	effort.Slow(t, "the go command builds large test programs twice")
	if pure {
		t.Skip("there is no generated code")
	}
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	r := runner{dir: t.TempDir(), root: root, overlay: map[string]string{}}
	code, names := map[string]string{}, 0
	for _, pkg := range generatedPackages {
		p := prober{runner: &r, dir: filepath.Join(root, filepath.FromSlash(pkg.dir)), pkg: pkg.name}
		p.declared(t)
		names += len(p.names)
		if pkg.name == "enginetest" {
			source, random := typesFile(t)
			p.write(t, "random_source_test.go", []byte(source))
			p.names = append(p.names, random...)
		}
		p.write(t, "probe_"+pkg.name+"_test.go", p.probe())
		code[filepath.Join(p.dir, "code_"+pkg.name+"_test.go")] = filepath.Join(r.dir, pkg.name+".go")
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
	maps.Copy(r.overlay, code)
	results := r.run(t, "-skip=^("+untyped+")$")
	compared := results[testName{path.Join(modulePath, "tagcodec/internal/enginetest"), "TestCompareCode"}]
	require.Equal(t, "pass", compared.outcome, compared.output)
	t.Logf("%d tests and examples; %s", len(results), compared.output)
	require.Greater(t, len(results), 800)
	for name, result := range results {
		if result.outcome == "fail" {
			t.Errorf("%s: %s", name, result.output)
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

package binary_test

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// stdShims replace the internals that the tests of the standard library refer
// to.
const stdShims = `package binary

import (
	"bytes"
	"reflect"
	"sync"

	own "` + ownPath + `"
)

var (
	structSize     sync.Map
	asan           = struct{ Enabled bool }{}
	_, errOverflow = own.ReadUvarint(bytes.NewReader(bytes.Repeat([]byte{0xFF}, 11)))
)

func dataSize(v reflect.Value) int { return own.Size(v.Interface()) }
`

// notOurs matches the tests of the standard library's implementation.
const notOurs = "^TestSizeStructCache$"

// The tests of the standard library pass against this package. They come from
// the toolchain that runs the test, which compiles them as if they were in a
// directory of this module. Tests inside the package get its names through a
// dot import. External tests import this package instead.
func TestStandardLibraryTests(t *testing.T) {
	root, err := goTool(t, "env", "GOROOT")
	require.NoError(t, err)
	sources := filepath.Join(strings.TrimSpace(root), "src", "encoding", "binary")
	files, err := filepath.Glob(filepath.Join(sources, "*_test.go"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skipf("this Go has no sources of the standard library: there are no tests in %s", sources)
	}

	here, err := os.Getwd()
	require.NoError(t, err)
	dir := filepath.Join(here, "stdtests") // never created
	tmp := t.TempDir()
	overlay := map[string]string{}
	add := func(name, text string) {
		file := filepath.Join(tmp, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		overlay[filepath.Join(dir, name)] = file
	}
	add("shims_test.go", stdShims)
	tests := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		adapted := adapt(t, string(text))
		tests += len(regexp.MustCompile(`(?m)^func (Test|Example)`).FindAllString(adapted, -1))
		add(filepath.Base(file), adapted)
	}
	config, err := json.Marshal(map[string]any{"Replace": overlay})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(tmp, "overlay.json"), config, 0o666))

	program := filepath.Join(tmp, "std.test.exe") // this name works on every system
	_, err = goTool(t, "test", "-vet=off", "-tags", buildTags, "-c", "-o", program, "-overlay", filepath.Join(tmp, "overlay.json"), ownPath+"/stdtests")
	require.NoError(t, err)
	// Build for the machine of this test, which may be emulated.
	line := append(emulator(), program, "-test.v", "-test.skip", notOurs)
	out, err := exec.Command(line[0], line[1:]...).CombinedOutput()
	require.NoError(t, err, string(out))
	passed := len(regexp.MustCompile(`(?m)^--- PASS: `).FindAll(out, -1))
	require.Equal(t, tests-1, passed, "all tests of %s but one pass:\n%s", runtime.Version(), out)
}

// emulator returns the command with which GOFLAGS makes go test run its
// binaries, or nothing.
func emulator() []string {
	for flag := range strings.FieldsSeq(os.Getenv("GOFLAGS")) {
		if command, ok := strings.CutPrefix(flag, "-exec="); ok {
			return []string{command}
		}
	}
	return nil
}

// adapt changes only the imports of a test file of the standard library.
func adapt(t *testing.T, text string) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	require.NoError(t, err)
	if f.Name.Name == "binary" {
		require.Contains(t, text, "import (\n")
		text = strings.Replace(text, "import (\n", "import (\n\t. \""+ownPath+"\"\n", 1)
		return strings.Replace(text, "\t\"internal/asan\"\n", "", 1)
	}
	return strings.Replace(text, `"`+stdPath+`"`, `"`+ownPath+`"`, 1)
}

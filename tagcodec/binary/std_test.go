package binary_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	stdPath = "encoding/binary"
	ownPath = "github.com/gobitpack/bitpack/tagcodec/binary"
)

// goTool runs the go command, and skips the test where there is none.
func goTool(t *testing.T, args ...string) string {
	t.Helper()
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command to ask")
	}
	cmd := exec.Command(tool, args...)
	cmd.Env = append(os.Environ(), "GOGC=", "GODEBUG=") // these apply to this test, not to the compiler
	var failure strings.Builder
	cmd.Stderr = &failure
	out, err := cmd.Output()
	require.NoError(t, err, "go %s: %s", strings.Join(args, " "), failure.String())
	return strings.TrimSpace(string(out))
}

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

// The package exports exactly the identifiers of the standard library's package,
// with the same kinds, types, methods and values, and the tests of the standard
// library pass against it. They come from the toolchain that runs the test, which
// compiles them as if they were in a directory of this module. Tests inside the
// package get its names through a dot import. External tests import this package
// instead.
func TestStandardLibraryTests(t *testing.T) {
	sources := filepath.Join(goTool(t, "env", "GOROOT"), "src", "encoding", "binary")
	files, err := filepath.Glob(filepath.Join(sources, "*_test.go"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skipf("this Go has no sources of the standard library: there are no tests in %s", sources)
	}
	here, err := os.Getwd()
	require.NoError(t, err)
	names := exported(t, sources)
	require.Contains(t, names, "Append")
	require.Equal(t, names, exported(t, here))

	dir := filepath.Join(here, "stdtests") // never created
	tmp := t.TempDir()
	overlay := map[string]string{}
	add := func(name, text string) {
		file := filepath.Join(tmp, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		overlay[filepath.Join(dir, name)] = file
	}
	add("shims_test.go", stdShims)
	add("names_test.go", sameNames(names))
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
	goTool(t, "test", "-vet=off", "-tags", buildTags, "-c", "-o", program, "-overlay", filepath.Join(tmp, "overlay.json"), ownPath+"/stdtests")
	// Build for the machine of this test, which may be emulated.
	line := append(emulator(), program, "-test.v", "-test.skip", notOurs)
	out, err := exec.Command(line[0], line[1:]...).CombinedOutput()
	require.NoError(t, err, string(out))
	passed := len(regexp.MustCompile(`(?m)^--- PASS: `).FindAll(out, -1))
	require.Equal(t, tests-1, passed, "all tests of %s but one pass:\n%s", runtime.Version(), out)
}

// exported returns the names that the package in a directory exports, each with the
// kind of its declaration.
func exported(t *testing.T, dir string) map[string]string {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	names := map[string]string{}
	add := func(name *ast.Ident, kind string) {
		if name.IsExported() {
			names[name.Name] = kind
		}
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, decl := range f.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name, "func")
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						add(s.Name, "type")
					case *ast.ValueSpec:
						for _, name := range s.Names {
							add(name, d.Tok.String())
						}
					}
				}
			}
		}
	}
	return names
}

// sameNames returns a file that compiles only if both packages have the same types,
// and untyped constants with the same values. In the package std, the file checks
// itself by this.
func sameNames(names map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package binary\n\nimport (\n\tstd %q\n\town %q\n)\n\nfunc same[T any](a, b *T) {}\n\nfunc init() {\n", stdPath, ownPath)
	var lines []string
	for name, kind := range names {
		switch kind {
		case "type":
			lines = append(lines, fmt.Sprintf("\tsame(new(std.%s), new(own.%[1]s))\n", name))
		case "const":
			lines = append(lines, fmt.Sprintf("\tconst _ = uint8(std.%s-own.%[1]s) + uint8(own.%[1]s-std.%[1]s)\n", name))
		default: // a variable of the type of the value
			lines = append(lines, fmt.Sprintf("\t{\n\t\ts, o := std.%s, own.%[1]s\n\t\tsame(&s, &o)\n\t}\n", name))
		}
	}
	slices.Sort(lines)
	return b.String() + strings.Join(lines, "") + "}\n"
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

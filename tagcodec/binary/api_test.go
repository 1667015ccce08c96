package binary_test

import (
	"bytes"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	stdPath = "encoding/binary"
	ownPath = "github.com/gobitpack/bitpack/tagcodec/binary"
)

// goTool runs the go command, and skips the test where there is none.
func goTool(t *testing.T, args ...string) (stdout string, err error) {
	t.Helper()
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go command to ask")
	}
	var out, failure bytes.Buffer
	cmd := exec.Command(tool, args...)
	cmd.Stdout, cmd.Stderr = &out, &failure
	cmd.Env = append(os.Environ(), "GOGC=", "GODEBUG=") // these apply to this test, not to the compiler
	if err = cmd.Run(); err != nil {
		t.Logf("go %s: %s", strings.Join(args, " "), failure.String())
	}
	return out.String(), err
}

// The package exports exactly the identifiers of the standard library's
// package, with the same kinds, types, methods and values. Both packages come
// from the toolchain that runs the test.
func TestAPI(t *testing.T) {
	list, err := goTool(t, "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ownPath)
	require.NoError(t, err)
	exports := map[string]string{}
	for line := range strings.Lines(list) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[path] = file
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	std, err := imp.Import(stdPath)
	require.NoError(t, err)
	own, err := imp.Import(ownPath)
	require.NoError(t, err)

	require.Contains(t, exported(std), "Append", "the test sees the standard library")
	require.Equal(t, exported(std), exported(own))
	for _, name := range exported(std) {
		want, got := std.Scope().Lookup(name), own.Scope().Lookup(name)
		require.IsType(t, want, got, name)
		require.True(t, types.Identical(want.Type(), got.Type()), "%s is %v, not %v", name, got.Type(), want.Type())
		if c, ok := want.(*types.Const); ok {
			require.Equal(t, c.Val(), got.(*types.Const).Val(), name)
		}
	}
}

func exported(p *types.Package) []string {
	var names []string
	for _, name := range p.Scope().Names() {
		if token.IsExported(name) {
			names = append(names, name)
		}
	}
	return names
}

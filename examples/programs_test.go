package examples

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// run runs a program of the documents by its name, and returns what it prints.
func run(t *testing.T, name string) string {
	t.Helper()
	buildOnce.Do(func() { build(t) })
	require.NotEmpty(t, binary, "the programs do not compile")
	out, err := exec.Command(binary, name).CombinedOutput()
	require.NoError(t, err, string(out))
	return packageName.ReplaceAllString(string(out), "main.")
}

// packageName is the name of a program's package, which is as long as main, so that
// columns stay where they are.
var packageName = regexp.MustCompile(`\bp\d{3}\.`)

var (
	buildOnce sync.Once
	binary    string // runs the program whose name is its argument
)

// TestMain removes what build has made.
func TestMain(m *testing.M) {
	code := m.Run()
	if binary != "" {
		os.RemoveAll(filepath.Dir(binary))
	}
	os.Exit(code)
}

// build vets all programs of the documents, and links them into one. Each is a package
// of a module that a user could have.
func build(t *testing.T) {
	programs := map[string]string{}
	for name, b := range documentPrograms(t) {
		programs[name] = b.text
	}
	for _, page := range pages {
		if text := fragments(t, page); text != "" {
			programs[page] = text
		}
	}
	programs["tag rows"], _ = tagRows(t)
	programs["stream rows"] = streamRows(t)

	dir, err := os.MkdirTemp("", "documents")
	require.NoError(t, err)
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	const library = "github.com/gobitpack/bitpack"
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	mod, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	write("go.mod", strings.Replace(string(mod), "module "+library, "module documents", 1)+
		fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", library, root))
	sum, err := os.ReadFile("../go.sum")
	require.NoError(t, err)
	write("go.sum", string(sum))
	var imports, cases strings.Builder
	for i, name := range slices.Sorted(maps.Keys(programs)) {
		pkg := fmt.Sprintf("p%03d", i)
		text := strings.Replace(programs[name], "package main\n", "package "+pkg+"\n", 1)
		require.Contains(t, text, "\nfunc main() {", name)
		write(pkg+"/main.go", strings.Replace(text, "\nfunc main() {", "\nfunc Main() {", 1))
		fmt.Fprintf(&imports, "%q\n", "documents/"+pkg)
		fmt.Fprintf(&cases, "case %q:\n%s.Main()\n", name, pkg)
	}
	write("main.go", "package main\n\nimport (\n\"os\"\n\n"+imports.String()+")\n\nfunc main() {\nswitch os.Args[1] {\n"+
		cases.String()+"default:\npanic(os.Args[1])\n}\n}\n")

	command := func(args ...string) {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	command("vet", "./...")
	command("build", "-o", "all", ".")
	binary = filepath.Join(dir, "all")
}

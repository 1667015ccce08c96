package examples

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The diagram of docs/ARCHITECTURE.md has what each package imports.
func TestImportDiagram(t *testing.T) {
	const module = "github.com/gobitpack/bitpack/"
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "../...").Output()
	require.NoError(t, err)
	imports := map[string][]string{}
	var all []string
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg := strings.TrimPrefix(words[0], module)
		if strings.HasPrefix(pkg, "examples") || strings.Contains(pkg, "/testdata/") {
			continue
		}
		all = append(all, pkg)
		for _, path := range words[1:] {
			if own, ok := strings.CutPrefix(path, module); ok {
				imports[pkg] = append(imports[pkg], own)
			}
		}
	}
	var reaches func(from, to string) bool
	reaches = func(from, to string) bool {
		return slices.ContainsFunc(imports[from], func(pkg string) bool { return pkg == to || reaches(pkg, to) })
	}
	var want strings.Builder
	for _, pkg := range all {
		var direct []string // and not through another one
		for _, p := range imports[pkg] {
			if !slices.ContainsFunc(imports[pkg], func(other string) bool { return reaches(other, p) }) {
				direct = append(direct, p)
			}
		}
		if len(direct) > 0 {
			fmt.Fprintf(&want, "    %-27s %s\n", pkg, strings.Join(direct, " "))
		}
	}
	_, diagram, _ := strings.Cut(readPage(t, "docs/ARCHITECTURE.md"), "has no line if it imports none.\n\n")
	diagram, _, _ = strings.Cut(diagram, "\n\n")
	require.Equal(t, want.String(), diagram+"\n")
}

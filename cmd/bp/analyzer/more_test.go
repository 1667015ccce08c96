package analyzer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMoreReports compares the reports with the comments of packages, one for each
// subject. All are loaded at once.
func TestMoreReports(t *testing.T) {
	const dir = "./cmd/bp/analyzer/testdata/"
	all := load(t, false, dir+"promoted/...", dir+"nested", dir+"values", dir+"flush")
	var want []string
	for _, p := range all {
		require.Empty(t, p.Errors)
		for _, file := range p.Syntax {
			for _, group := range file.Comments {
				for _, c := range group.List {
					for _, text := range strings.Split(c.Text, "// want: ")[1:] {
						at := p.Fset.Position(c.Pos())
						want = append(want, fmt.Sprintf("%s:%d: %s", at.Filename, at.Line, strings.TrimSpace(text)))
					}
				}
			}
		}
	}
	reports := diagnose(t, all)
	slices.Sort(want)
	slices.Sort(reports)
	require.Equal(t, strings.Join(want, "\n"), strings.Join(reports, "\n"))
}

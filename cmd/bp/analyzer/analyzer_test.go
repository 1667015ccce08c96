package analyzer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/gobitpack/bitpack/cmd/bp/analyzer/testdata/good"
	"github.com/gobitpack/bitpack/internal/effort"
	"github.com/gobitpack/bitpack/typecache"
)

// diagnose returns what the analyzer reports about packages, with the file and the
// line of each report.
func diagnose(t *testing.T, all []*packages.Package) (reports []string) {
	t.Helper()
	require.NoError(t, analysis.Validate([]*analysis.Analyzer{Analyzer}))
	graph, err := checker.Analyze([]*analysis.Analyzer{Analyzer}, all, nil)
	require.NoError(t, err)
	for _, action := range graph.Roots {
		require.NoError(t, action.Err)
		for _, d := range action.Diagnostics {
			at := action.Package.Fset.Position(d.Pos)
			reports = append(reports, fmt.Sprintf("%s:%d: %s", at.Filename, at.Line, d.Message))
		}
	}
	return reports
}

// TestReports compares the reports with the comments of packages.
func TestReports(t *testing.T) {
	require.NoError(t, Analyzer.Flags.Set("mtu", "40"))
	defer func() { require.NoError(t, Analyzer.Flags.Set("mtu", "0")) }()
	for _, name := range []string{"bad", "large"} {
		requireReports(t, testPackage(t, "cmd/bp/analyzer/testdata/"+name))
	}
}

// TestMoreReports does so for packages that have one subject each.
func TestMoreReports(t *testing.T) {
	for _, name := range []string{"promoted", "promoted/foreign", "nested", "values", "flush"} {
		requireReports(t, testPackage(t, "cmd/bp/analyzer/testdata/"+name))
	}
}

// requireReports compares the reports about a package with its comments.
func requireReports(t *testing.T, p *packages.Package) {
	t.Helper()
	var want []string
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
	require.NotEmpty(t, want)
	reports := diagnose(t, []*packages.Package{p})
	slices.Sort(want)
	slices.Sort(reports)
	require.Equal(t, strings.Join(want, "\n"), strings.Join(reports, "\n"))
}

// withoutInexact turns warnings off that are right about types with rotations.
func withoutInexact(t *testing.T) {
	require.NoError(t, Analyzer.Flags.Set("inexact", "false"))
	t.Cleanup(func() { require.NoError(t, Analyzer.Flags.Set("inexact", "true")) })
}

// TestNoFalseReports has types that the library accepts.
func TestNoFalseReports(t *testing.T) {
	for _, typ := range good.Types() {
		_, err := typecache.Of(typ)
		require.NoError(t, err)
	}
	withoutInexact(t)
	require.Empty(t, diagnose(t, []*packages.Package{testPackage(t, "cmd/bp/analyzer/testdata/good")}))
}

// The packages of the module have no wrong tags.
func TestNoFalseReportsInModule(t *testing.T) {
	effort.Slow(t, "it loads the module from source")
	all, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: "../../.."}, "./...")
	require.NoError(t, err)
	require.Greater(t, len(all), 30)
	withoutInexact(t)
	require.Empty(t, diagnose(t, all))
}

package analyzer

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/gobitpack/bitpack/cmd/bp/internal/library"
)

// loaded has the packages of testdata, and typecache with its tests.
var loaded = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Mode: packages.LoadSyntax, Tests: true, Dir: "../../.."}, "./typecache",
		"./cmd/bp/analyzer/testdata/good", "./cmd/bp/analyzer/testdata/bad", "./cmd/bp/analyzer/testdata/large",
		"./cmd/bp/analyzer/testdata/promoted/...", "./cmd/bp/analyzer/testdata/nested", "./cmd/bp/analyzer/testdata/values", "./cmd/bp/analyzer/testdata/flush")
})

// testPackage returns the package with a path in the module, after which _test may
// stand.
func testPackage(t *testing.T, path string) *packages.Package {
	t.Helper()
	all, err := loaded()
	require.NoError(t, err)
	i := slices.IndexFunc(all, func(p *packages.Package) bool { return p.PkgPath == library.Path+"/"+path })
	require.GreaterOrEqual(t, i, 0, path)
	require.Empty(t, all[i].Errors)
	return all[i]
}

// TestLibraryRows compares what the analyzer says about the rows of typecache's
// tables of wrong types with what the library says.
func TestLibraryRows(t *testing.T) {
	found, same, computed, all := 0, 0, 0, 0
	var missed []string
	p := testPackage(t, "typecache_test")
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			row, ok := n.(*ast.CompositeLit)
			if !ok || len(row.Elts) != 3 {
				return true
			}
			if typ := p.TypesInfo.TypeOf(row); typ == nil || !strings.HasSuffix(typ.String(), "typecache_test.bad") {
				return true
			}
			name, want := p.TypesInfo.Types[row.Elts[0]].Value, p.TypesInfo.Types[row.Elts[2]].Value
			all++
			root := typeOfRow(p, row.Elts[1])
			if root == nil {
				missed = append(missed, constant.StringVal(name))
				return true
			}
			var got string
			for _, part := range append([]types.Type{root}, parts(root, 3)...) {
				if findings := newJudge(p.Types).check(part, mode{}); len(findings) > 0 {
					found++
					got = findings[0].path + ": " + findings[0].msg
					break
				}
			}
			if got == "" {
				missed = append(missed, constant.StringVal(name))
			} else if want == nil {
				computed++
			} else if constant.StringVal(want) == got {
				same++
			} else {
				t.Logf("%v\n%s\n%s", name, constant.StringVal(want), got)
			}
			return true
		})
	}
	t.Logf("%d of %d rows are found, %d with the same text, and %d with a text that the test computes", found, all, same, computed)
	require.Greater(t, all, 250)
	require.Equal(t, []string{"union of no types", "no type"}, missed)
	require.Equal(t, found, same+computed)
}

// typeOfRow returns the type that reflect.TypeFor[T]() or fieldOf[T](tag) makes.
func typeOfRow(p *packages.Package, e ast.Expr) types.Type {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return nil
	}
	index, ok := call.Fun.(*ast.IndexExpr)
	if !ok {
		return nil
	}
	t := p.TypesInfo.TypeOf(index.Index)
	if len(call.Args) == 0 {
		return t
	}
	tag := p.TypesInfo.Types[call.Args[0]].Value
	if tag == nil {
		return nil
	}
	return types.NewStruct([]*types.Var{types.NewField(0, p.Types, "A", t, false)}, []string{`bp:"` + constant.StringVal(tag) + `"`})
}

// parts returns the tagged types of the package that the fields of a type have,
// which the analyzer judges too.
func parts(t types.Type, depth int) (all []types.Type) {
	s, ok := strip(t).Underlying().(*types.Struct)
	for i := 0; ok && depth > 0 && i < s.NumFields(); i++ {
		in := strip(s.Field(i).Type())
		if fields, ok := in.Underlying().(*types.Struct); ok && (tagged(fields, !serializes(in)) || nearMiss(fields.Tag(0))) {
			all = append(all, in)
		}
		all = append(all, parts(in, depth-1)...)
	}
	return all
}

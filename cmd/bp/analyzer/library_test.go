package analyzer

import (
	"go/ast"
	"go/constant"
	"go/types"
	"os"
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
// tables of wrong types with what the library says, which is in a file.
func TestLibraryRows(t *testing.T) {
	data, err := os.ReadFile("../../../typecache/testdata/Bad.txt")
	require.NoError(t, err)
	texts := map[string][]string{} // by name; there may be several of one name
	lines := strings.Split(string(data), "\n")
	for i, line := range lines[1:] {
		if text, ok := strings.CutPrefix(line, "\t"); ok {
			name, _, _ := strings.Cut(lines[i], " | ")
			texts[name] = append(texts[name], text)
		}
	}
	judged := 0
	var missed, elsewhere []string
	p := testPackage(t, "typecache_test")
	for _, file := range p.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			row, ok := n.(*ast.CompositeLit)
			if !ok || len(row.Elts) != 2 {
				return true
			}
			if typ := p.TypesInfo.TypeOf(row); typ == nil || !strings.HasSuffix(typ.String(), "typecache_test.bad") {
				return true
			}
			root := typeOfRow(p, row.Elts[1])
			name, got, msg := "", "", ""
			if value := p.TypesInfo.Types[row.Elts[0]].Value; value != nil {
				name = constant.StringVal(value)
			}
			if root == nil || texts[name] == nil {
				return true // the row makes its type in another way, or has a type with a plan
			}
			judged++
			for _, part := range append([]types.Type{root}, parts(root, 3)...) {
				if findings := newJudge(p.Types).check(part, mode{}); len(findings) > 0 {
					msg = findings[0].wrong.Text()
					got = findings[0].path + ": " + msg
					break
				}
			}
			if got == "" {
				missed = append(missed, name)
			} else if !slices.Contains(texts[name], got) {
				elsewhere = append(elsewhere, got)
				require.True(t, slices.ContainsFunc(texts[name], func(text string) bool { return strings.HasSuffix(text, ": "+msg) }), "%s: %s: %v", name, got, texts[name])
			}
			return true
		})
	}
	t.Logf("%d rows are judged; with another path: %q", judged, elsewhere)
	require.LessOrEqual(t, len(elsewhere), 2)
	require.Greater(t, judged, 250)
	require.Equal(t, []string{ // what depends on the members of unions, and on the memory of recursive types and of fields that are left out; see promotions for embedded fields
		"union of no types", "member that hides its fields", "member with a wrong field", "member that is a text, which has no tag",
		"sparse slices in a recursive type", "a field that is left out", "a list", "members of a union in a slice",
		"a field beside it", "an element of a field", "an embedded pointer", "an embedded interface", "an embedded binary form", "an embedded bound", "in a recursive type", "in a member of a union",
	}, missed)
}

// typeOfRow returns the type that reflect.TypeFor[T](), fieldOf[T](tag), withTag(tag)
// or record(f[T]("Name tag"), ...) makes, or nil.
func typeOfRow(p *packages.Package, e ast.Expr) types.Type {
	fields, tags := []*types.Var{}, []string{}
	add := func(name, tag string, t types.Type) types.Type {
		fields = append(fields, types.NewField(0, p.Types, name, t, false))
		tags = append(tags, tag)
		return types.NewStruct(fields, tags)
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return nil
	}
	text := func(call *ast.CallExpr) string {
		if value := p.TypesInfo.Types[call.Args[0]].Value; value != nil {
			return constant.StringVal(value)
		}
		return ""
	}
	if id, ok := call.Fun.(*ast.Ident); ok {
		switch id.Name {
		case "withTag":
			return add("A", text(call), types.Typ[types.Int32])
		case "record":
			for _, arg := range call.Args {
				in, ok := arg.(*ast.CallExpr)
				if !ok {
					return nil
				}
				index, ok := in.Fun.(*ast.IndexExpr)
				if !ok || len(in.Args) == 0 || text(in) == "" {
					return nil
				}
				name, tag, tagged := strings.Cut(text(in), " ")
				if tagged {
					tag = `bp:"` + tag + `"`
				}
				add(name, tag, p.TypesInfo.TypeOf(index.Index))
			}
			return types.NewStruct(fields, tags)
		}
	}
	index, ok := call.Fun.(*ast.IndexExpr)
	switch {
	case !ok:
		return nil
	case len(call.Args) == 0:
		return p.TypesInfo.TypeOf(index.Index)
	case text(call) == "":
		return nil
	}
	if id, ok := index.X.(*ast.Ident); ok && id.Name == "typed" { // the whole tag
		return add("A", text(call), p.TypesInfo.TypeOf(index.Index))
	}
	return add("A", `bp:"`+text(call)+`"`, p.TypesInfo.TypeOf(index.Index))
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

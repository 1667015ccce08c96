package packet

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sourceOf returns the file that the go command compiles in place of a file of this
// package, which an overlay in GOFLAGS may replace.
func sourceOf(t *testing.T, name string) string {
	path, err := filepath.Abs(name)
	require.NoError(t, err)
	for _, option := range strings.Fields(os.Getenv("GOFLAGS")) {
		if file, ok := strings.CutPrefix(option, "-overlay="); ok {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			var overlay struct{ Replace map[string]string }
			require.NoError(t, json.Unmarshal(data, &overlay))
			if other, ok := overlay.Replace[path]; ok {
				return other
			}
		}
	}
	return path
}

// TestConstantTime requires that MACs and proofs are compared in constant time. No
// run of the code shows that, so the test reads the source: the functions that call
// subtle.ConstantTimeCompare are these, and no other comparison has an operand with
// the name of a MAC, a proof or a checksum.
func TestConstantTime(t *testing.T) {
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var calls []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files := gotoken.NewFileSet()
		file, err := parser.ParseFile(files, sourceOf(t, name), nil, 0)
		require.NoError(t, err)
		for _, decl := range file.Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				var operands []ast.Expr
				switch n := n.(type) {
				case *ast.CallExpr:
					switch nameOf(n.Fun) {
					case "ConstantTimeCompare":
						calls = append(calls, decl.(*ast.FuncDecl).Name.Name)
					case "Equal", "Compare":
						operands = n.Args
					}
				case *ast.BinaryExpr:
					if (n.Op == gotoken.EQL || n.Op == gotoken.NEQ) && nameOf(n.Y) != "nil" {
						operands = []ast.Expr{n.X, n.Y}
					}
				}
				for _, x := range operands {
					require.NotContains(t, []string{"mac", "proof", "checksum", "digest"}, strings.ToLower(nameOf(x)), files.Position(x.Pos()))
				}
				return true
			})
		}
	}
	slices.Sort(calls)
	require.Equal(t, []string{"authenticate", "check", "open", "rejected", "repeated", "welcomed"}, calls)
}

// nameOf returns the last name of an expression, without conversions, slices and
// calls of functions with one argument.
func nameOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.SliceExpr:
		return nameOf(x.X)
	case *ast.CallExpr:
		if len(x.Args) == 1 {
			return nameOf(x.Args[0])
		}
	}
	return ""
}

package tree

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKinds parses the module. It fails for a switch over kinds that neither names
// all of them nor has a default case.
func TestKinds(t *testing.T) {
	files := token.NewFileSet()
	source, err := parser.ParseFile(files, "kind.go", nil, 0)
	require.NoError(t, err)
	var kinds []string
	for name := range source.Scope.Objects {
		if strings.HasPrefix(name, "Kind") && name != "Kind" {
			kinds = append(kinds, name)
		}
	}
	switches := 0
	err = filepath.WalkDir("../../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil || file.Name.Name != "tree" && !imports(file) {
			return nil // a file with a mistake is in a testdata
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SwitchStmt)
			if !ok || s.Tag == nil {
				return true
			}
			if named, all := cases(s); !all && len(named) > 0 {
				switches++
				require.ElementsMatch(t, kinds, named, "%v: the switch lacks a kind", files.Position(s.Pos()))
			}
			return true
		})
		return nil
	})
	require.NoError(t, err)
	require.GreaterOrEqual(t, switches, 2, "the text and the normal form")
}

// imports reports whether a file imports this package.
func imports(file *ast.File) bool {
	for _, spec := range file.Imports {
		if strings.Trim(spec.Path.Value, `"`) == "github.com/gobitpack/bitpack/internal/plan/tree" {
			return true
		}
	}
	return false
}

// cases returns the kinds that the cases of a switch name, and whether it has a
// default case.
func cases(s *ast.SwitchStmt) (named []string, all bool) {
	for _, clause := range s.Body.List {
		list := clause.(*ast.CaseClause).List
		all = all || list == nil
		for _, e := range list {
			if selector, ok := e.(*ast.SelectorExpr); ok {
				e = selector.Sel
			}
			if id, ok := e.(*ast.Ident); ok && strings.HasPrefix(id.Name, "Kind") {
				named = append(named, id.Name)
			}
		}
	}
	return named, all
}

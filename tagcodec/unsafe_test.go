package tagcodec

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sources returns the parsed non-test files of the module by path, for all
// build constraints.
func sources(t *testing.T) (all map[string]*ast.File) {
	t.Helper()
	all = map[string]*ast.File{}
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, _, other := strings.Cut(path, string(filepath.Separator))
			if nested, _ := filepath.Glob(filepath.Join(path, "go.mod")); other && len(nested) > 0 ||
				d.Name() == "testdata" || len(d.Name()) > 2 && d.Name()[0] == '.' {
				return filepath.SkipDir // another module, or not part of one
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		all[filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))] = file
		return err
	}))
	return all
}

func imports(file *ast.File, path string) bool {
	for _, spec := range file.Imports {
		if spec.Path.Value == `"`+path+`"` {
			return true
		}
	}
	return false
}

// Only one file bypasses the type system with unsafe, cgo or linkname. The build
// tag purego excludes it and no other functionality.
func TestUnsafeIsInOnePlace(t *testing.T) {
	pure := build.Default
	pure.BuildTags = []string{"purego"}
	pure.CgoEnabled = true // includes files that use cgo
	found, packages := false, map[string]bool{}
	for path, file := range sources(t) {
		dir, name := filepath.Split(path)
		theFile := path == "tagcodec/internal/memory/memory.go"
		found = found || theFile
		require.Equal(t, theFile, imports(file, "unsafe"), path)
		require.False(t, imports(file, "C"), path)
		for _, group := range file.Comments {
			for _, c := range group.List {
				require.False(t, strings.HasPrefix(c.Text, "//go:linkname"), "%s: %s", path, c.Text)
			}
		}
		matched, err := pure.MatchFile(filepath.Join("..", dir), name)
		require.NoError(t, err)
		if matched {
			packages[dir] = true
			require.False(t, imports(file, "unsafe"), path)
			require.False(t, imports(file, "github.com/gobitpack/bitpack/tagcodec/internal/memory"), path)
		}
	}
	require.True(t, found)
	for _, dir := range []string{"bits/", "compress/", "typecache/", "tagcodec/", "tagcodec/binary/", "tagcodec/packet/"} {
		require.True(t, packages[dir], dir)
	}
	require.False(t, packages["tagcodec/internal/memory/"])
}

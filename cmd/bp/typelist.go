package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// A generated file lists its types after the package clause. Those that have no
// code, because the engine handles all of their values, are listed too.

// listHead is the first line of the list.
const listHead = "// The types of this file:"

// listedType is a type in the list of a file.
type listedType struct {
	pos token.Pos
	typ string // as the package itself writes it
}

// typeList returns the list of a generated file, as a comment.
func typeList(types []chosen) string {
	text := listHead + "\n//\n"
	for _, t := range types {
		text += "//\t" + t.Type + "\n"
	}
	return text
}

// listOf returns the comment with the list in a file that has been parsed with
// comments, or nil.
func listOf(file *ast.File) *ast.CommentGroup {
	for _, group := range file.Comments {
		if strings.TrimSpace(group.List[0].Text) == listHead {
			return group
		}
	}
	return nil
}

// parseHead parses the part of a generated file that has the list. The rest of the
// file may be anything.
func parseHead(files *token.FileSet, name string, text []byte) *ast.File {
	file, _ := parser.ParseFile(files, name, text, parser.ImportsOnly|parser.ParseComments)
	return file
}

// listedTypes returns the list of a file that has been parsed with comments.
func listedTypes(file *ast.File) (all []listedType) {
	group := listOf(file)
	if group == nil {
		return nil
	}
	for _, c := range group.List[1:] {
		if typ := strings.TrimSpace(strings.TrimPrefix(c.Text, "//")); typ != "" {
			all = append(all, listedType{c.Pos(), typ})
		}
	}
	return all
}

// typeListHead returns the text of a generated file up to the end of the list. The
// file must belong to the package with the given name. If it has no list,
// typeListHead returns the package clause.
func typeListHead(text []byte, pkg string) []byte {
	file := parseHead(token.NewFileSet(), "", text)
	if group := listOf(file); group != nil && file.Name.Name == pkg {
		end := group.End() - file.FileStart
		return append(text[:end:end], '\n')
	}
	return []byte("package " + pkg + "\n")
}

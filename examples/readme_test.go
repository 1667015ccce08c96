package examples

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "github.com/gobitpack/bitpack/tagcodec" // invalidates the cached result of go test when the package changes
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// block is a fenced block of README.md.
type block struct {
	line   int // line number of the fence
	lang   string
	text   string
	output string // contents of the text block that follows, if any
}

func readREADME(t *testing.T) string {
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	return string(text)
}

// blocks returns the fenced blocks of a page.
func blocks(page string) []block {
	var all []block
	var open *block
	for i, line := range strings.Split(page, "\n") {
		lang, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &block{line: i + 1, lang: lang}
		case fence:
			if last := len(all) - 1; open.lang == "text" && last >= 0 {
				all[last].output = open.text
			} else {
				all = append(all, *open)
			}
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return all
}

// isProgram reports whether a block is a complete program.
func (b *block) isProgram() bool { return strings.HasPrefix(b.text, "package ") }

// TestREADMEPrograms runs the programs of the README and checks their output.
func TestREADMEPrograms(t *testing.T) {
	programs := 0
	for _, b := range blocks(readREADME(t)) {
		if b.lang == "go" && b.isProgram() {
			programs++
			t.Run(fmt.Sprintf("line %d", b.line), func(t *testing.T) { require.Equal(t, b.output, run(t, b.text)) })
		}
	}
	require.GreaterOrEqual(t, programs, 4)
}

// TestREADMEFragments compiles the fragments of the README in order, and checks
// their tags.
func TestREADMEFragments(t *testing.T) {
	var decls, stmts, types []string
	elems := map[string]bool{} // element types, which may depend on the type that contains them
	for _, b := range blocks(readREADME(t)) {
		if b.lang != "go" || b.isProgram() {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+b.text, 0)
		if err != nil {
			// Each fragment becomes a block nested in the one before. It may
			// use or redeclare the variables there.
			stmts = append(stmts, b.text+used(t, b))
			continue
		}
		decls = append(decls, b.text)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				types = append(types, n.Name.Name)
			case *ast.ArrayType:
				if elem, ok := n.Elt.(*ast.Ident); ok {
					elems[elem.Name] = true
				}
			}
			return true
		})
	}
	require.NotEmpty(t, stmts)
	var s strings.Builder
	s.WriteString("package main\n\nimport \"github.com/gobitpack/bitpack/tagcodec\"\n\n")
	s.WriteString(strings.Join(decls, "\n"))
	s.WriteString("\nfunc fragments() error {\n" + strings.Join(stmts, "\n{\n") + strings.Repeat("}\n", len(stmts)-1) + "return err\n}\n")
	s.WriteString("\nfunc main() {\nif err := fragments(); err != nil {\npanic(err)\n}\n")
	for _, name := range types {
		if !elems[name] {
			fmt.Fprintf(&s, "tagcodec.MustFor[%s]()\n", name)
		}
	}
	s.WriteString("}\n")
	require.Empty(t, run(t, s.String()))
}

// used returns assignments that use the variables declared in a fragment.
func used(t *testing.T, b block) string {
	const head = "package p\nfunc f() {\n"
	file, err := parser.ParseFile(token.NewFileSet(), "", head+b.text+"}", 0)
	require.NoError(t, err, "the block at line %d", b.line)
	var s strings.Builder
	for _, stmt := range file.Decls[0].(*ast.FuncDecl).Body.List {
		if a, ok := stmt.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, v := range a.Lhs {
				fmt.Fprintf(&s, "_ = %s\n", v.(*ast.Ident).Name)
			}
		}
	}
	return s.String()
}

// tagRow matches a row in a table of tags: the tag, the Go type and the bits.
var tagRow = regexp.MustCompile("(?m)^\\| (?:`([^`]*)`|\\(none\\)) \\| `([^`]*)` \\| ([0-9.]+) \\|")

// TestREADMETags builds a codec for every row in the tables of tags, and checks
// the number of bits.
func TestREADMETags(t *testing.T) {
	// Fields that a row may refer to, and their bits.
	const before, beforeBits = "Moving bool; Kind uint8; Before uint32", 41
	rows := tagRow.FindAllStringSubmatch(readREADME(t), -1)
	require.Equal(t, strings.Count(readREADME(t), "\n| `")+strings.Count(readREADME(t), "\n| (none)"), len(rows),
		"each row has a tag, a type and a number of bits")
	require.Greater(t, len(rows), 40)

	var s strings.Builder
	s.WriteString("package main\n\nimport (\n\"fmt\"\n\"time\"\n\n\"github.com/gobitpack/bitpack/bits\"\n\"github.com/gobitpack/bitpack/tagcodec\"\n)\n\n" +
		"func row[T any](before int) {\nc, err := tagcodec.For[T]()\nif err != nil {\nfmt.Println(err)\nreturn\n}\n" +
		"lo, hi := c.MinBits()-before, c.MaxBits()-before\nif lo == hi {\nfmt.Println(lo)\n} else {\nfmt.Printf(\"%d..%d\\n\", lo, hi)\n}\n}\n\n" +
		"var _ time.Time\nvar _ bits.Int128\n\nfunc main() {\n")
	for _, r := range rows {
		tag, typ := strings.ReplaceAll(r[1], `\|`, "|"), r[2] // an unescaped bar would end the cell
		name, refers, taken := "F", "", 0
		if typ == "struct{}" {
			name = "_"
		}
		if strings.Contains(tag, "if=") || strings.Contains(tag, "to=") {
			refers, taken = before+"; ", beforeBits
		}
		fmt.Fprintf(&s, "row[struct{ %s%s %s `bp:%q` }](%d)\n", refers, name, typ, tag, taken)
	}
	s.WriteString("}\n")
	got := strings.Split(run(t, s.String()), "\n")
	for i, r := range rows {
		assert.Equal(t, r[3], got[i], "%s on %s", r[1], r[2])
	}
}

// testLink matches a link to a test by name.
var testLink = regexp.MustCompile(`\[((?:Test|Fuzz)\w+)\]\(([^)]+)\)`)

// TestREADMELinksToTests checks that every safety promise links to a test, and
// that every linked test exists in the file of the link.
func TestREADMELinksToTests(t *testing.T) {
	readme := readREADME(t)
	_, safe, found := strings.Cut(readme, "\n## What is safe\n")
	require.True(t, found)
	safe, _, _ = strings.Cut(safe, "\n## ")
	promises := strings.Split(safe, "\n* ")[1:]
	require.GreaterOrEqual(t, len(promises), 10)
	for _, promise := range promises {
		promise, _, _ = strings.Cut(promise, "\n\n")
		assert.Regexp(t, testLink, promise, "no test holds this")
	}
	for _, link := range testLink.FindAllStringSubmatch(readme, -1) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", link[2]), nil, parser.SkipObjectResolution)
		if !assert.NoError(t, err, link[0]) {
			continue
		}
		assert.True(t, strings.HasSuffix(link[2], "_test.go"), link[0])
		assert.True(t, slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
			f, ok := d.(*ast.FuncDecl)
			return ok && f.Recv == nil && f.Name.Name == link[1]
		}), "%s: there is no such function", link[0])
	}
}

// run vets and runs a single-file program that may import the packages of this
// module. It returns the output.
func run(t *testing.T, program string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, []byte(program), 0o600))
	out, err := exec.Command("go", "vet", file).CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = exec.Command("go", "run", file).CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

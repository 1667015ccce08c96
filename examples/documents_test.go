package examples

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/gobitpack/bitpack/compress"
	_ "github.com/gobitpack/bitpack/tagcodec" // a result that go test has cached is void when it changes
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// block is a fenced block of a document.
type block struct {
	line   int // of the fence
	lang   string
	text   string
	output string // the text block after it, if there is one
}

// pages are the documents, by their paths from the top of the repository.
var pages = pathsOf("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "bench/*.md")

func pathsOf(patterns ...string) (all []string) {
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join("..", pattern))
		if err != nil || len(files) == 0 {
			panic(pattern + ": no such document")
		}
		for _, file := range files {
			all = append(all, strings.TrimPrefix(filepath.ToSlash(file), "../"))
		}
	}
	return all
}

func readPage(t *testing.T, page string) string {
	text, err := os.ReadFile(filepath.Join("..", page))
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

// isProgram reports whether a block is a whole file.
func (b *block) isProgram() bool { return strings.HasPrefix(b.text, "package ") }

// README.md is short.
func TestREADMESize(t *testing.T) {
	require.LessOrEqual(t, len(readPage(t, "README.md")), 9<<10)
}

// The programs of the documents print what the documents say they print.
func TestPrograms(t *testing.T) {
	programs := documentPrograms(t)
	require.GreaterOrEqual(t, len(programs), 7)
	for name, b := range programs {
		t.Run(name, func(t *testing.T) { require.Equal(t, b.output, run(t, name)) })
	}
}

// documentPrograms returns the blocks of all pages that are programs, by page and line.
func documentPrograms(t *testing.T) map[string]block {
	programs := map[string]block{}
	for _, page := range pages {
		for _, b := range blocks(readPage(t, page)) {
			if b.lang == "go" && b.isProgram() {
				programs[fmt.Sprintf("%s line %d", page, b.line)] = b
			}
		}
	}
	return programs
}

// The fragments of each document compile, one after the other, and the tags in
// them are right.
func TestFragments(t *testing.T) {
	tested := 0
	for _, page := range pages {
		if fragments(t, page) != "" {
			tested++
			t.Run(page, func(t *testing.T) { require.Empty(t, run(t, page)) })
		}
	}
	require.GreaterOrEqual(t, tested, 2)
}

// fragments returns a program of the Go blocks of a page that are no programs, or
// nothing if there are none.
func fragments(t *testing.T, page string) string {
	var decls, stmts, types []string
	elems := map[string]bool{} // the types of elements, which may need the type they are in
	for _, b := range blocks(readPage(t, page)) {
		if b.lang != "go" || b.isProgram() {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+b.text, 0)
		if err != nil {
			// Each stands in a block of its own inside of the one before, whose
			// variables it may use or declare again.
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
	if len(decls)+len(stmts) == 0 {
		return ""
	}
	var s strings.Builder
	s.WriteString("package main\n\nimport \"github.com/gobitpack/bitpack/tagcodec\"\n\n")
	s.WriteString(strings.Join(decls, "\n"))
	s.WriteString("\nfunc fragments() (err error) {\n" + strings.Join(stmts, "\n{\n") + strings.Repeat("}\n", max(len(stmts)-1, 0)) + "return err\n}\n")
	s.WriteString("\nfunc main() {\nif err := fragments(); err != nil {\npanic(err)\n}\n")
	for _, name := range types {
		if !elems[name] {
			fmt.Fprintf(&s, "tagcodec.MustFor[%s]()\n", name)
		}
	}
	s.WriteString("}\n")
	return s.String()
}

// used returns assignments that use the variables a fragment declares.
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

// tagRow is a row of a table of tags: the tag, the Go type and the bits.
var tagRow = regexp.MustCompile("(?m)^\\| (?:`([^`]*)`|\\(none\\)) \\| `([^`]*)` \\| ([0-9.]+) \\|")

// Every row of the tables of tags makes a codec, with the bits that it says.
func TestTagRows(t *testing.T) {
	_, rows := tagRows(t)
	got := strings.Split(run(t, "tag rows"), "\n")
	for i, r := range rows {
		assert.Equal(t, r[3], got[i], "%s on %s", r[1], r[2])
	}
}

// tagRows returns the rows of the tables of tags, and a program that prints the bits
// of each.
func tagRows(t *testing.T) (program string, rows [][]string) {
	// What a row may refer to, and the bits it takes.
	const before, beforeBits = "Moving bool; Kind uint8; Before uint32", 41
	for _, page := range []string{"README.md", "docs/TAGS.md", "docs/ARTICLES.md"} {
		text := readPage(t, page)
		found := tagRow.FindAllStringSubmatch(text, -1)
		require.Equal(t, strings.Count(text, "\n| `")+strings.Count(text, "\n| (none)"), len(found),
			"%s: each row has a tag, a type and a number of bits", page)
		require.GreaterOrEqual(t, len(found), 6)
		rows = append(rows, found...)
	}
	require.Greater(t, len(rows), 60)

	var s strings.Builder
	s.WriteString("package main\n\nimport (\n\"fmt\"\n\"time\"\n\n\"github.com/gobitpack/bitpack/bits\"\n\"github.com/gobitpack/bitpack/tagcodec\"\n)\n\n" +
		"func row[T any](before int) {\nc, err := tagcodec.For[T]()\nif err != nil {\nfmt.Println(err)\nreturn\n}\n" +
		"lo, hi := c.MinBits()-before, c.MaxBits()-before\nif lo == hi {\nfmt.Println(lo)\n} else {\nfmt.Printf(\"%d..%d\\n\", lo, hi)\n}\n}\n\n" +
		"var _ time.Time\nvar _ bits.Int128\n\nfunc main() {\n")
	for _, r := range rows {
		tag, typ := strings.ReplaceAll(r[1], `\|`, "|"), r[2] // a bar would end the cell
		name, refers, taken := "F", "", 0
		if typ == "struct{}" {
			name = "_"
		}
		if strings.Contains(tag, "if=") || strings.Contains(tag, "to=") {
			refers, taken = before+"; ", beforeBits
		}
		if strings.Contains(tag, "vel:") {
			refers, taken = "Velocity [3]int16; ", 48
		}
		fmt.Fprintf(&s, "row[struct{ %s%s %s `bp:%q` }](%d)\n", refers, name, typ, tag, taken)
	}
	s.WriteString("}\n")
	return s.String(), rows
}

// streamRow is a row of the table of Streams: the kind, the Go type and the call.
var streamRow = regexp.MustCompile("(?m)^\\| ([^|]+) \\| `([^`]+)` \\| `([^`]+)` \\|$")

// Every row of the table of Streams compiles.
func TestStreamRows(t *testing.T) { require.Empty(t, run(t, "stream rows")) }

// streamRows returns a program with the calls of the table of Streams.
func streamRows(t *testing.T) (program string) {
	_, table, found := strings.Cut(readPage(t, "docs/TAGS.md"), "\n### Any tag on a Stream\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n## ")
	rows := streamRow.FindAllStringSubmatch(table, -1)
	require.Equal(t, strings.Count(table, "\n| ")-1, len(rows), "each row but the head has a kind, a type and a call")
	s := "package main\n\nimport (\n\"github.com/gobitpack/bitpack/bits\"\n\"github.com/gobitpack/bitpack/compress\"\n\"github.com/gobitpack/bitpack/tagcodec\"\n)\n\n" +
		"type Path struct{}\n\nfunc (*Path) Serialize(s *bits.Stream) error { return s.Err() }\n\ntype Tagged struct{ A uint8 }\n\n" +
		"var position compress.Float32\n\n"
	for i, r := range rows {
		s += fmt.Sprintf("func row%d(s *bits.Stream) {\nvar v %s\n_ = v\n%s\n}\n\n", i, r[2], r[3])
	}
	return s + "func main() {}\n"
}

// testLink is a link to a test or an Example by its name.
var testLink = regexp.MustCompile(`\[((?:Test|Fuzz|Example)\w*)\]\(([^)]+)\)`)

// Every promise about safety names tests, and every test that a document names is
// a function of the file that the link leads to.
func TestLinksToTests(t *testing.T) {
	_, safe, found := strings.Cut(readPage(t, "docs/SAFETY.md"), "\n## What is safe\n")
	require.True(t, found)
	safe, _, found = strings.Cut(safe, "\n## What an error tells\n")
	require.True(t, found)
	promises := strings.Split(safe, "\n* ")[1:]
	require.GreaterOrEqual(t, len(promises), 18)
	for _, promise := range promises {
		promise, _, _ = strings.Cut(promise, "\n\n")
		assert.Regexp(t, testLink, promise, "no test holds this")
	}
	for _, page := range pages {
		for _, link := range testLink.FindAllStringSubmatch(readPage(t, page), -1) {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", filepath.Dir(page), link[2]), nil, parser.SkipObjectResolution)
			if !assert.NoError(t, err, "%s: %s", page, link[0]) {
				continue
			}
			assert.True(t, strings.HasSuffix(link[2], "_test.go"), link[0])
			assert.True(t, slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
				f, ok := d.(*ast.FuncDecl)
				return ok && f.Recv == nil && f.Name.Name == link[1]
			}), "%s: %s: there is no such function", page, link[0])
		}
	}
}

// anyLink is a link or an image, and heading a heading.
var (
	anyLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// Every relative link leads to a file, and to a heading of it where it names one.
func TestLinks(t *testing.T) {
	links := 0
	for _, page := range pages {
		for _, link := range anyLink.FindAllStringSubmatch(readPage(t, page), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			links++
			name, anchor, _ := strings.Cut(link[1], "#")
			target := page
			if name != "" {
				target = filepath.Join(filepath.Dir(page), name)
			}
			_, err := os.Stat(filepath.Join("..", target))
			if assert.NoError(t, err, "%s: %s", page, link[1]) && anchor != "" {
				assert.Contains(t, anchorsOf(readPage(t, target)), anchor, "%s: %s", page, link[1])
			}
		}
	}
	require.Greater(t, links, 100)
}

// anchorsOf returns the anchors of a page's headings: in lower case, with a hyphen
// for each space and without punctuation.
func anchorsOf(page string) (all []string) {
	for _, h := range heading.FindAllStringSubmatch(page, -1) {
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, h[1]))
	}
	return all
}

// The commands of the documents name packages and files that there are.
func TestCommands(t *testing.T) {
	commands := 0
	path := regexp.MustCompile(`^(\./[\w./]*|\.ci/run)$`)
	for _, page := range pages {
		for _, b := range blocks(readPage(t, page)) {
			if b.lang != "sh" {
				continue
			}
			for line := range strings.Lines(b.text) {
				commands++
				dir := ".."
				if rest, inModule := strings.CutPrefix(line, "cd "); inModule {
					module, command, found := strings.Cut(rest, " && ")
					assert.True(t, found, "%s: %s", page, line)
					assert.FileExists(t, filepath.Join("..", module, "go.mod"), "%s: %s", page, line)
					line, dir = command, filepath.Join("..", module)
				}
				for _, word := range strings.Fields(line) {
					if path.MatchString(word) {
						_, err := os.Stat(filepath.Join(dir, strings.TrimSuffix(word, "...")))
						assert.NoError(t, err, "%s: %s", page, line)
					}
				}
			}
		}
	}
	require.Greater(t, commands, 10)
}

// How far smallest three returns the identity off is what docs/TAGS.md says, and
// with a sign it is returned exactly.
func TestIdentity(t *testing.T) {
	rows := regexp.MustCompile(`(?m)^\| (\d+) \| ([\d.]+) degrees \|$`).FindAllStringSubmatch(readPage(t, "docs/TAGS.md"), -1)
	require.GreaterOrEqual(t, len(rows), 6)
	identity := [4]float64{0, 0, 0, 1}
	for _, row := range rows {
		n, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		q, err := compress.NewQuat(n)
		require.NoError(t, err)
		code, ok := q.Encode(identity)
		require.True(t, ok)
		v, ok := q.Decode(code)
		require.True(t, ok)
		angle := 2 * math.Atan2(math.Sqrt(v[0]*v[0]+v[1]*v[1]+v[2]*v[2]), v[3]) * 180 / math.Pi
		assert.Equal(t, row[2], strconv.FormatFloat(angle, 'f', 3, 64), "%d bits", n)
		h := 1 / (math.Sqrt2 * float64(int(1)<<n-1))
		assert.InDelta(t, angle, 2*math.Asin(math.Sqrt(3)*h)*180/math.Pi, 1e-9, "the formula")

		s, err := compress.NewQuatSign(n)
		require.NoError(t, err)
		code, ok = s.Encode(identity)
		require.True(t, ok)
		v, ok = s.Decode(code)
		require.True(t, ok)
		assert.Equal(t, identity, v)
	}
}

package examples

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/bits"
	"github.com/gobitpack/bitpack/compress"
)

// quoted is a word in the typeface of code.
var quoted = regexp.MustCompile("`([^`]+)`")

// Every technique of the articles leads somewhere, and docs/TAGS.md has a line for
// every function that is named on the way.
func TestTechniques(t *testing.T) {
	text := readPage(t, "docs/ARTICLES.md")
	tags := readPage(t, "docs/TAGS.md")
	const head = "| technique | tag | on a Stream | shown by |"
	tables := strings.Split(text, head)[1:]
	require.Len(t, tables, 4)
	rows, named := 0, 0
	for _, table := range tables {
		table, _, _ = strings.Cut(table, "\n\n")
		for _, row := range strings.Split(table, "\n")[2:] {
			rows++
			row = strings.ReplaceAll(row, `\|`, "/")
			cells := strings.Split(strings.Trim(row, "|"), "|")
			if !assert.Len(t, cells, 4, row) {
				continue
			}
			assert.Regexp(t, anyLink, cells[3], "%s: no link", row)
			for _, name := range quoted.FindAllStringSubmatch(cells[2], -1) {
				named++
				if name[1] != "s.Reading" && name[1] != "s.Fail" { // which serialize nothing
					assert.True(t, strings.Contains(tags, name[1]+"("), "%s: docs/TAGS.md has no such line", row)
				}
			}
		}
	}
	require.Greater(t, rows, 45)
	require.Greater(t, named, 35)
}

// The costs of the two ladders are what docs/ARTICLES.md says, for each difference
// from the first to the largest.
func TestLadders(t *testing.T) {
	rows := regexp.MustCompile(`(?m)^\| (\d+)(?:\.\.(\d+))? \| (\d+) \| (\d+) \|$`).FindAllStringSubmatch(readPage(t, "docs/ARTICLES.md"), -1)
	require.Len(t, rows, 10)
	const elements = 4096
	next := 1
	for _, row := range rows {
		var n [5]int
		for i, s := range row[1:] {
			if s == "" {
				s = row[1] // a row of one difference
			}
			v, err := strconv.Atoi(s)
			require.NoError(t, err)
			n[i] = v
		}
		require.Equal(t, next, n[0], "the row after another")
		for d := n[0]; d <= n[1]; d++ {
			_, index := compress.EncodeIndex(-1, d-1, elements)
			require.Equal(t, n[2], index, "an index %d above the one before", d)
			s := bits.NewWriteStream(bits.NewMeasurer())
			v := int64(d)
			bits.Relative(s, 0, &v)
			require.NoError(t, s.Err())
			require.Equal(t, n[3], s.Bit(), "an integer %d above the one before", d)
		}
		next = n[1] + 1
	}
	require.Equal(t, elements+2, next, "the largest difference is that of the sentinel from -1")
}

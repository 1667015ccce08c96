package typecache

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVocabularyIsDocumented checks that the documentation of package tagcodec
// has a line for every kind and option, and for no others. docs/TAGS.md names
// all of them too, and docs/WIRE.md every kind.
func TestVocabularyIsDocumented(t *testing.T) {
	doc := section(t, "../tagcodec/doc.go", "\n// # Tags\n")
	var listed []string
	for _, line := range regexp.MustCompile(`(?m)^//   - ([a-z., ]+):`).FindAllStringSubmatch(doc, -1) {
		listed = append(listed, strings.Split(line[1], ", ")...)
	}
	words := slices.Concat(kinds, optionNames, prefixes)
	require.ElementsMatch(t, words, listed) // unit is a kind and an option

	tags, wire := section(t, "../docs/TAGS.md", ""), section(t, "../docs/WIRE.md", "")
	for _, word := range words {
		require.Regexp(t, `\b`+regexp.QuoteMeta(word), tags, "docs/TAGS.md")
	}
	for _, kind := range kinds {
		require.Regexp(t, `(?i)\b`+kind, wire, "docs/WIRE.md")
	}
}

// section returns the text of a file after a heading.
func section(t *testing.T, name, heading string) string {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	_, after, found := strings.Cut(string(text), heading)
	require.True(t, found, "%s: no section %q", name, heading)
	return after
}

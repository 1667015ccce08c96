package typecache

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMisspells has a word and its slips, and words that are as near and are none.
func TestMisspells(t *testing.T) {
	for _, row := range []struct{ word, slips, others string }{
		{"max", "mx amx mxa maax mmax maxx msx", "ma ax pad map mac mat maxi maxz axm m"},
		{"min", "mn mni imn miin minn mon", "mi in bin mid win nim mini sin main"},
		{"bits", "bts bist bbits bitss", "bit its byte bets kits bits3 fits"},
		{"bytes", "byts btyes bytess", "byte ytes bits"},
		{"quat", "qat qaut quaat", "quant quad quit uat"},
		{"base", "bse bsae baase", "case ase bas vase"},
		{"on", "onn oon", "no of o n"},
		{"k", "", "kk j l"},
		{"slot1", "slt1 solt1 sloot1", "slot2 slot11 slo1t slot"},
	} {
		for slip := range strings.FieldsSeq(row.slips) {
			require.True(t, misspells(slip, row.word), "%s for %s", slip, row.word)
		}
		for other := range strings.FieldsSeq(row.others) {
			require.False(t, misspells(other, row.word), "%s for %s", other, row.word)
		}
	}
}

// TestKnownWords checks that no answer hides a word of the library, and that no word
// of the library is proposed for another.
func TestKnownWords(t *testing.T) {
	known := append(append(append([]string{}, kinds...), optionNames...), goTypes...)
	for _, word := range known {
		if !contains(goTypes, word) {
			require.Empty(t, foreign(word), word)
		}
		for _, other := range known {
			if word != other && !(strings.Trim(word, "unit") == "" && strings.Trim(other, "unit") == "") {
				require.False(t, misspells(word, other), "%s for %s", word, other)
			}
		}
	}
}

// TestNeighboringKeys checks the keys around some others.
func TestNeighboringKeys(t *testing.T) {
	for key, around := range map[byte]string{'g': "tyfhvb", 'q': "wa", 'p': "ol", 'a': "qwsz", 'm': "njk", 'z': "asx", 'l': "opk"} {
		got := ""
		for c := byte('a'); c <= 'z'; c++ {
			if neighbors(c, key) {
				got += string(c)
			}
			require.Equal(t, neighbors(c, key), neighbors(key, c))
		}
		require.ElementsMatch(t, []byte(around), []byte(got), string(key))
	}
}

// TestSuggestedFields checks that a name is suggested only if it is surely meant.
func TestSuggestedFields(t *testing.T) {
	for _, row := range []struct{ wrong, names, want string }{
		{"hasid", "HasID Has", "HasID"},
		{"hasid", "HasID HasId", ""},
		{"Leat", "Least Lesat", ""},
		{"Leat", "Least Other", "Least"},
		{"From", "Form", ""}, // which may have been forgotten
		{"Onn", "On", "On"},
	} {
		require.Equal(t, row.want, new(Error).suggestField(row.wrong, strings.Fields(row.names)).Suggestion, row)
	}
}

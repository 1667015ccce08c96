package core_test

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/plan"
	"github.com/gobitpack/bitpack/tagcodec/internal/core"
)

// TestShortPath checks that a long path keeps whole names, or whole runes of a name
// that is too long itself, and that a path that was shortened keeps its outer ends.
func TestShortPath(t *testing.T) {
	names := strings.Repeat(".Aé", 300)
	short := core.ShortPath("T" + names)
	head, tail, ok := strings.Cut(short, core.Elision)
	require.True(t, ok)
	require.Equal(t, "T"+names[:4*62], head)
	require.Equal(t, names[:4*63], tail)
	again := core.ShortPath("U" + names + core.Elision + names + core.Elision + ".End")
	require.Equal(t, "U"+names[:4*62]+core.Elision+".End", again)
	for shift := range 4 {
		for _, r := range []string{"é", "€", "😀"} {
			short := core.ShortPath(strings.Repeat("x", shift) + strings.Repeat(r, 300))
			require.LessOrEqual(t, len(short), 512)
			require.GreaterOrEqual(t, len(short), 504)
			require.True(t, utf8.ValidString(short), short)
		}
	}
}

// TestLongKey checks that the key of a map is cut between runes.
func TestLongKey(t *testing.T) {
	for shift := range 4 {
		key := strings.Repeat("x", shift) + strings.Repeat("😀", 20)
		var s strings.Builder
		core.WriteElement(&s, &plan.Op{Code: plan.CodeMap}, 0, func() reflect.Value { return reflect.ValueOf(key) })
		require.Equal(t, "["+strconv.Quote(key[:(64-shift)/4*4+shift])+"...]", s.String())
	}
}

// Package output tests what the examples print.
package output

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Contains runs an example and requires that it prints all of the texts. Any
// white space in the output matches a single space.
func Contains(t *testing.T, run func(io.Writer) error, texts ...string) {
	t.Helper()
	var out strings.Builder
	require.NoError(t, run(&out))
	printed := strings.Join(strings.Fields(out.String()), " ")
	for _, text := range texts {
		require.Contains(t, printed, text)
	}
}

// Package output is the test of what the examples print.
package output

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Contains runs an example, which must print all of the texts. What separates
// their words is for the eye: one space stands for any of it.
func Contains(t *testing.T, run func(io.Writer) error, texts ...string) {
	t.Helper()
	var out strings.Builder
	require.NoError(t, run(&out))
	printed := strings.Join(strings.Fields(out.String()), " ")
	for _, text := range texts {
		require.Contains(t, printed, text)
	}
}

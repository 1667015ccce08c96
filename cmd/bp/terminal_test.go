package main

import (
	"go/token"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Colors are for terminals, unless NO_COLOR is set.
func TestColor(t *testing.T) {
	t.Setenv("TERM", "xterm")
	var out strings.Builder
	print := func(noColor string) string {
		t.Setenv("NO_COLOR", noColor)
		out.Reset()
		c := &command{stdout: &out, color: colorful(&out)}
		reports{{at: token.Position{Filename: "p.go", Line: 3, Column: 2}, warning: true, text: "T.A: too fine"}, {text: "T.B: wrong"}}.print(c)
		return out.String()
	}
	const plain = "p.go:3:2: warning: T.A: too fine\n-: T.B: wrong\n"
	require.Equal(t, plain, print(""), "it is no terminal")

	defer func(f func(io.Writer) bool) { isTerminal = f }(isTerminal)
	isTerminal = func(io.Writer) bool { return true }
	require.Equal(t, "\x1b[1mp.go:3:2\x1b[m: \x1b[33mwarning:\x1b[m T.A: too fine\n\x1b[1m-\x1b[m: T.B: wrong\n", print(""))
	require.Equal(t, plain, print("1"))
}

func TestIsTerminal(t *testing.T) {
	require.False(t, isTerminal(new(strings.Builder)))
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer null.Close()
	require.False(t, isTerminal(null))
}

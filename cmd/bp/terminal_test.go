package main

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Colors are for terminals, unless NO_COLOR is set.
func TestColor(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	_, plain, _ := bp(t, "", "vet", "./testdata/sizes")
	require.NotContains(t, plain, "\x1b")

	defer func(f func(io.Writer) bool) { isTerminal = f }(isTerminal)
	isTerminal = func(io.Writer) bool { return true }
	_, colored, _ := bp(t, "", "vet", "./testdata/sizes")
	require.Contains(t, colored, ": \x1b[33mwarning:\x1b[m Loose.Height: ")
	require.Equal(t, plain, strings.NewReplacer("\x1b[33m", "", "\x1b[1m", "", "\x1b[m", "").Replace(colored))

	t.Setenv("NO_COLOR", "1")
	_, stdout, _ := bp(t, "", "vet", "./testdata/sizes")
	require.Equal(t, plain, stdout)
}

func TestIsTerminal(t *testing.T) {
	require.False(t, isTerminal(new(strings.Builder)))
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer null.Close()
	require.False(t, isTerminal(null))
}

// The progress line is removed before anything else is written, and does not come
// back.
func TestProgress(t *testing.T) {
	var out strings.Builder
	p := &progress{w: &out, name: "bp plan", quit: make(chan struct{})} // without a clock
	w := before{&out, p}
	p.show(2500 * time.Millisecond)
	_, err := io.WriteString(w, "result\n")
	require.NoError(t, err)
	p.show(3 * time.Second)
	p.end()
	require.Equal(t, "\rbp plan: working, 2 s\x1b[K\r\x1b[Kresult\n", out.String())
}

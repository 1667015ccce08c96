package main

import (
	"io"
	"os"
	"runtime"
)

// isTerminal reports whether a writer is a terminal that understands escape
// sequences.
var isTerminal = func(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || runtime.GOOS == "windows" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && !os.SameFile(info, null)
}

// colorful reports whether what goes to a writer has colors: the writer is a
// terminal, and the environment variable NO_COLOR is not set.
func colorful(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }

// The colors of the output.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	bold   = "1"
)

// paint returns a text in a color, if the command's output has colors.
func (c *command) paint(color, text string) string {
	if !c.color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[m"
}

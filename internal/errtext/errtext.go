// Package errtext makes errors with formatted texts, and gives errors the name of
// the package whose function was called.
package errtext

import (
	"fmt"
	"strings"
)

// New returns an error with a formatted text. It is fmt.Errorf without %w, and
// without a copy of its beginning in each of its many callers.
//
//go:noinline
func New(format string, args ...any) error { return &formatted{fmt.Sprintf(format, args...)} }

type formatted struct{ text string }

// Error returns the text.
func (e *formatted) Error() string { return e.text }

// Bare returns the text of err without the name of the package that it begins with.
func Bare(err error) string {
	text := err.Error()
	name, rest, _ := strings.Cut(text, ": ")
	switch name {
	case "bits", "compress", "typecache", "tagcodec", "binary", "delta", "packet":
		return rest
	}
	return text
}

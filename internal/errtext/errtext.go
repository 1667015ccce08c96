// Package errtext makes errors with formatted texts.
package errtext

import "fmt"

// New returns an error with a formatted text. It is fmt.Errorf without %w, and
// without a copy of its beginning in each of its many callers.
//
//go:noinline
func New(format string, args ...any) error { return &formatted{fmt.Sprintf(format, args...)} }

type formatted struct{ text string }

// Error returns the text.
func (e *formatted) Error() string { return e.text }

// Package errtext makes errors with formatted texts.
package errtext

import (
	"errors"
	"fmt"
)

// New returns an error with a formatted text. It is fmt.Errorf without %w, which
// is larger, and whose beginning the compiler copies into each of its many
// callers.
func New(format string, args ...any) error { return errors.New(fmt.Sprintf(format, args...)) }

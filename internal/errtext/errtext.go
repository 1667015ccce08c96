// Package errtext makes errors with formatted texts.
package errtext

import (
	"errors"
	"fmt"
)

// New returns an error with a formatted text. It is fmt.Errorf without %w, and
// without a copy of its beginning in each of its many callers.
//
//go:noinline
func New(format string, args ...any) error { return errors.New(fmt.Sprintf(format, args...)) }

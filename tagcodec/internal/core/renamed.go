package core

import "github.com/gobitpack/bitpack/internal/errtext"

// Renamed is the error of another package that a package returns. Its text begins
// with the name of the package whose function was called.
type Renamed struct {
	Package string
	Where   string // what the error is about, "element 3" for example, or empty
	Err     error
}

// Error returns the text under the name of the package.
func (e *Renamed) Error() string {
	text := errtext.Bare(e.Err)
	if e.Where != "" {
		text = e.Where + ": " + text
	}
	return e.Package + ": " + text
}

// Unwrap returns Err.
func (e *Renamed) Unwrap() error { return e.Err }

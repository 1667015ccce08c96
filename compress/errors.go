package compress

import "github.com/gobitpack/bitpack/internal/errtext"

// failed returns an error of this package. It is not copied into its many callers.
//
//go:noinline
func failed(format string, args ...any) error { return errtext.New("compress: "+format, args...) }

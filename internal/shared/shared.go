// Package shared finds files that tests and programs use but the repository does
// not contain: the full set of vectors, recorded game state, and the sources of
// other implementations.
package shared

import (
	"os"
	"path/filepath"
)

// Variable is the environment variable with the absolute path of the folder.
const Variable = "BITPACK_SHARED"

// Path returns the path of a file in the folder. Without the variable it returns
// "", which os.Open refuses with os.ErrNotExist.
func Path(name string) string {
	dir := os.Getenv(Variable)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

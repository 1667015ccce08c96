package gen

import (
	"os"
	"testing"
)

// TestCode runs with several build tags, whose caller says in the environment
// whether the code is used then.
func TestCode(t *testing.T) {
	if err := Check(os.Getenv("BITPACK_WANT_CODE") == "true"); err != nil {
		t.Fatal(err)
	}
}

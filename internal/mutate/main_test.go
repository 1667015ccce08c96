package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The faults apply to the library as it is. Whether tests notice them takes too long
// to find out here.
func TestFaultsApply(t *testing.T) {
	t.Chdir("../..")
	for _, f := range faults() {
		_, err := f.changed()
		assert.NoError(t, err, "%s: %s", f.file, f.name)
	}
}

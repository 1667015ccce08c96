package sha256_test

import (
	stdsha256 "crypto/sha256"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/internal/sha256"
)

// TestSum compares every length that pads differently, and a few blocks.
func TestSum(t *testing.T) {
	text := strings.Repeat("The wire of a type, line by line.\n", 100)
	for n := range 300 {
		require.Equal(t, stdsha256.Sum256([]byte(text[:n])), sha256.Sum(text[:n]), n)
	}
	require.Equal(t, stdsha256.Sum256([]byte(text)), sha256.Sum(text))
}

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Warnings are printed and do not change the exit code, and -warnings=false leaves
// them out. Errors remain.
func TestVetWarnings(t *testing.T) {
	source := "package p\n\ntype T struct {\n\tA int `bp:\"optional\"`\n\tB float32 `bp:\"min=-1,max=1,bits=10\"`\n}\n"
	valid := "./" + writePackage(t, map[string]string{"p.go": source})
	code, stdout, stderr := bp(t, "", "vet", valid)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "p.go:4:2: warning: T.A: int takes 64 bits")
	require.Contains(t, stdout, "p.go:5:2: warning: T.B: 0 becomes 0.0009775")
	code, stdout, stderr = bp(t, "", "vet", "-warnings=false", valid)
	require.Zero(t, code, stderr)
	require.Empty(t, stdout)

	wrong := "./" + writePackage(t, map[string]string{"p.go": strings.Replace(source, "bits=10", "bits=77", 1)})
	code, stdout, stderr = bp(t, "", "vet", "-warnings=false", wrong)
	require.Equal(t, exitFound, code, stderr)
	require.Equal(t, 1, strings.Count(stdout, "\n"), stdout)
	require.Contains(t, stdout, "p.go:5:2: T.B: ")
}

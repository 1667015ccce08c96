package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(&out))
	sizes := map[string]string{}
	for _, line := range strings.Split(out.String(), "\n") {
		if fields := strings.Fields(line); len(fields) > 2 {
			sizes[strings.Join(fields[:len(fields)-2], " ")] = fields[len(fields)-2]
		}
	}
	require.Equal(t, "42000", sizes["encoding/binary"])
	require.Equal(t, "42000", sizes["the import changed"])
	require.Equal(t, "17525", sizes["tags on the fields"])
	require.Equal(t, "17525", sizes["tags, Append and Decode"])
	require.Contains(t, out.String(), "marshal tight.Health at bit 1098: value out of range: 101 is outside [0, 100]")
}

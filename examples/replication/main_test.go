package main

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(&out, 100, 4*tickRate))
	rows := regexp.MustCompile(`(?m)^ +\d+% +\d+ to \d+ +(\d+) +(\d+) +(\d+)`).FindAllStringSubmatch(out.String(), -1)
	require.Len(t, rows, 3)
	for _, row := range rows {
		complete, _ := strconv.Atoi(row[1])
		base, _ := strconv.Atoi(row[2])
		predicted, _ := strconv.Atoi(row[3])
		require.Less(t, 2*base, complete)
		require.Less(t, predicted, base)
	}
	sizes := regexp.MustCompile(`(?m)(\d+)$`).FindAllString(out.String(), -1)
	gzipped, _ := strconv.Atoi(sizes[len(sizes)-2])
	deltas, _ := strconv.Atoi(sizes[len(sizes)-1])
	require.Less(t, 2*deltas, gzipped)
}

func TestSeekBeyondTheEnd(t *testing.T) {
	var r replay
	_, err := r.seek(0)
	require.EqualError(t, err, "the replay has no tick 0")
}

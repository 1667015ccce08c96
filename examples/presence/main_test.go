package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/examples/internal/output"
	"github.com/gobitpack/bitpack/tagcodec"
)

func TestRun(t *testing.T) {
	output.Contains(t, run,
		"no tag 32.00 bits each",
		"optional 4.20 bits each",
		"common=0 4.20 bits each", // the numbers in the chapter
		"common=0|100 2.93 bits each",
		"huffman=0:90|100:7|*:3 2.06 bits each",
		"no tags 96.00 bits each",
		"res=0.1, common=0|100 34.93 bits each", // about 35 in the chapter
		"unmarshal Report.Height at bit 0: not the canonical encoding",
	)
}

func TestShares(t *testing.T) {
	shares := map[float32]int{}
	h := heights()
	for _, v := range h.V {
		if v != 0 && v != 100 {
			v = -1
		}
		shares[v]++
	}
	require.Equal(t, map[float32]int{0: 7200, 100: 560, -1: 240}, shares)
}

// TestLocations checks that locations are read back to half a step, and their
// heights exactly.
func TestLocations(t *testing.T) {
	h := heights()
	var sent, read Fixed
	for i, v := range locations(&h).V {
		sent.V[i] = FixedLocation(v)
	}
	packet, err := tagcodec.Marshal(&sent)
	require.NoError(t, err)
	require.NoError(t, tagcodec.Unmarshal(packet, &read))
	for i, v := range sent.V {
		require.InDelta(t, v.X, read.V[i].X, 0.0504)
		require.Equal(t, v.Y, read.V[i].Y)
		require.InDelta(t, v.Z, read.V[i].Z, 0.0504)
	}
}

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/examples/internal/output"
)

func TestRun(t *testing.T) {
	output.Contains(t, run,
		"no tag 32.00 bits each",
		"optional 4.20 bits each",
		"common=0 4.20 bits each", // the numbers in the book
		"common=0|20 2.93 bits each",
		"huffman=0:90|20:7|*:3 2.06 bits each",
		"unmarshal Report.Height at bit 0: not the canonical encoding",
	)
}

func TestShares(t *testing.T) {
	shares := map[uint32]int{}
	h := heights()
	for _, v := range h.V {
		if v > 20 {
			v = 21
		}
		shares[v]++
	}
	require.Equal(t, map[uint32]int{0: 7200, 20: 560, 21: 240}, shares)
}

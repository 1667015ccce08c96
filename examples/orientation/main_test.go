package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobitpack/bitpack/examples/internal/output"
)

func TestRun(t *testing.T) {
	output.Contains(t, run,
		"quat,bits=9 29 0.399° 0.168° 0.275°",
		"quat,mode=sign,bits=16 49 0.702° 0.004° 0.000°", // the book's 49 bits
		"unit,bits=8 16 0.624° 0.315° 0.000°",
		"unscaled pose 81 bits, matrix 81 bits",
		"twice the size pose 98 bits, matrix 114 bits",
		"a tower pose 130 bits, matrix 178 bits, off by 0.0",
	)
}

func TestAngle(t *testing.T) {
	r := math.Sqrt(0.5)
	require.InDelta(t, 90, angle([]float64{1, 0, 0}, []float64{0, 1, 0}), 1e-9)
	require.InDelta(t, 180, angle([]float64{0, 0, 1}, []float64{0, 0, -1}), 1e-9)
	require.InDelta(t, 90, angle([]float64{0, 0, 0, 1}, []float64{0, 0, r, r}), 1e-9, "a quarter turn")
	require.InDelta(t, 0, angle([]float64{0, 0, r, r}, []float64{0, 0, -r, -r}), 1e-9, "the same rotation")
}
